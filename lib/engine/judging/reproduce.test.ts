import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shrink } from './reproduce.ts';

/** Predicates that values break by their characters. */
const breakers = {
  'a character': (text: string) => text.includes('x'),
  'a length': (text: string) => text.length > 6,
  'two together': (text: string) => /[a-f].*[0-9]/s.test(text),
  anything: () => true,
} as const;

const values = fc.string({ maxLength: 40 });

const alphabet = 'abcdefghijklmnopqrstuvwxyz';

/** Shrinks as fast-check does on its own, one candidate after the other. */
async function alone(input: string, breaks: (text: string) => boolean) {
  const property = fc.property(values, (text) => !breaks(text));
  const { counterexample, counterexamplePath } = fc.check(property, { numRuns: 1, examples: [[input]] });
  return { value: counterexample![0], path: counterexamplePath!.split(':').slice(1).map(Number) };
}

describe('shrink', () => {
  it.each(Object.entries(breakers))(
    'has the result of fast-check for %s, and tries no value twice',
    async (_, breaks) => {
      await fc.assert(
        fc.asyncProperty(values, async (input) => {
          fc.pre(breaks(input));
          const tried: string[] = [];
          const isBroken = async (candidate: string): Promise<true | undefined> => {
            tried.push(candidate);
            return breaks(candidate) || undefined;
          };
          const { value, path } = await shrink(input, values, isBroken, 10_000);
          expect({ value, path }).toEqual(await alone(input, breaks));
          expect(new Set(tried).size).toBe(tried.length);
        }),
        { seed: 7, numRuns: 200 },
      );
    },
  );

  it('tries several candidates at once', async () => {
    let inFlight = 0;
    let most = 0;
    const isBroken = async (): Promise<undefined> => {
      most = Math.max(most, ++inFlight);
      await Promise.resolve();
      inFlight--;
    };
    await shrink(alphabet, values, isBroken, 60);
    expect(most).toBe(4);
  });

  it('ends when it has tried the most candidates', async () => {
    let tried = 0;
    const isBroken = async (): Promise<undefined> => {
      tried++;
    };
    const { value } = await shrink(alphabet, values, isBroken, 5);
    expect(tried).toBe(5);
    expect(value).toBe(alphabet);
  });

  it('throws the error of a try', async () => {
    const failing = shrink('abc', values, async () => Promise.reject(new Error('broken suite')), 5);
    await expect(failing).rejects.toThrow('broken suite');
  });
});
