import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asIs, smallerText } from '../../inputs/shrinking.ts';
import { shrink } from './shrink.ts';

/** Predicates that values break by their characters. */
const breakers = {
  'a character': (text: string) => text.includes('x'),
  'a length': (text: string) => text.length > 6,
  'two together': (text: string) => /[a-f].*[0-9]/s.test(text),
  anything: () => true,
} as const;

const values = fc.string({ maxLength: 40 });

/** Shrinks as fast-check does on its own, one candidate after the other. */
async function alone(input: string, breaks: (text: string) => boolean) {
  let tried = -1;
  const property = fc.property(values, (text) => {
    tried++;
    return !breaks(text);
  });
  const { counterexample, counterexamplePath } = fc.check(property, { numRuns: 1, examples: [[input]] });
  return { value: counterexample![0], path: counterexamplePath!.split(':').slice(1).map(Number), tried };
}

describe('shrink', () => {
  it.each(Object.entries(breakers))(
    'has the result of fast-check for %s, with at most twice as many tries',
    async (_, breaks) => {
      await fc.assert(
        fc.asyncProperty(values, fc.integer({ min: 1, max: 32 }), async (input, width) => {
          fc.pre(breaks(input));
          const expected = await alone(input, breaks);
          const tried: string[] = [];
          const { value, path } = await shrink(input, {
            arbitrary: values,
            breaks: async (candidate) => {
              tried.push(candidate);
              return breaks(candidate) || undefined;
            },
            most: 10_000,
            width,
            slack: 3,
          });
          expect({ value, path }).toEqual({ value: expected.value, path: expected.path });
          expect(tried.length).toBeLessThanOrEqual(2 * expected.tried + 3);
          expect(new Set(tried).size).toBe(tried.length);
        }),
        { seed: 7, numRuns: 200 },
      );
    },
  );

  it('tries several candidates at once', async () => {
    let inFlight = 0;
    let most = 0;
    await shrink('abcdefghijklmnopqrstuvwxyz', {
      arbitrary: values,
      breaks: async () => {
        most = Math.max(most, ++inFlight);
        await Promise.resolve();
        inFlight--;
        return undefined;
      },
      most: 60,
      width: 6,
      slack: 9,
    });
    expect(most).toBe(6);
  });

  it('tries likely candidates before it knows the outcomes that lead to them', async () => {
    const input = 'the quick brown fox jumps over the lazy dog, once more';
    const breaks = (text: string): boolean => text.includes('z');
    let rounds = 0;
    let round: Promise<void> | undefined;
    const next = (): Promise<void> => {
      rounds++;
      return new Promise((resolve) => {
        setImmediate(() => {
          round = undefined;
          resolve();
        });
      });
    };
    const { path } = await shrink(input, {
      arbitrary: asIs(smallerText),
      breaks: async (candidate) => {
        await (round ??= next());
        return breaks(candidate) || undefined;
      },
      most: 60,
      width: 16,
      slack: 3,
    });
    expect(rounds).toBeLessThan(path.length);
  });

  it('ends when it has used the most outcomes', async () => {
    let tried = 0;
    const { value } = await shrink('abcdefghijklmnopqrstuvwxyz', {
      arbitrary: values,
      breaks: async () => {
        tried++;
        return undefined;
      },
      most: 5,
      width: 1,
      slack: 3,
    });
    expect(tried).toBe(5);
    expect(value).toBe('abcdefghijklmnopqrstuvwxyz');
  });

  it('throws the error of a try only if its outcome is used', async () => {
    const failing = shrink('abc', {
      arbitrary: values,
      breaks: async () => Promise.reject(new Error('broken suite')),
      most: 5,
      width: 4,
      slack: 3,
    });
    await expect(failing).rejects.toThrow('broken suite');
    let tries = 0;
    const { value } = await shrink('abc', {
      arbitrary: values,
      breaks: async (candidate) => {
        if (tries++ > 0) throw new Error('not needed');
        return candidate;
      },
      most: 1,
      width: 4,
      slack: 3,
    });
    expect(value).toBe('');
  });
});
