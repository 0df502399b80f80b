import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../target/exchange.ts';
import type { Observation } from '../observation.ts';
import type { Run } from '../scenario.ts';
import { reproduction } from './failure-text.ts';
import { repeatAlone, shrink } from './reproduce.ts';

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
    let peak = 0;
    const isBroken = async (): Promise<undefined> => {
      peak = Math.max(peak, ++inFlight);
      await Promise.resolve();
      inFlight--;
    };
    await shrink(alphabet, values, isBroken, 60);
    expect(peak).toBe(4);
  });

  it('ends when it has tried the maximum number of candidates', async () => {
    let tried = 0;
    const isBroken = async (): Promise<undefined> => {
      tried++;
    };
    const { value } = await shrink(alphabet, values, isBroken, 5);
    expect(tried).toBe(5);
    expect(value).toBe(alphabet);
  });

  it('throws the error of an attempt', async () => {
    const failing = shrink('abc', values, async () => Promise.reject(new Error('broken suite')), 5);
    await expect(failing).rejects.toThrow('broken suite');
  });
});

describe('a failed request that is repeated alone', () => {
  /** @param statuses of the further responses */
  const outcomeOf = (reproduced: string, failed: Partial<Observation>, ...statuses: number[]) => {
    const exchangeWith = (status: number): Exchange =>
      ({ request: {}, reply: { status } }) as unknown as Exchange;
    let sent = 0;
    const send = async (): Promise<Exchange> => exchangeWith(statuses[sent++]!);
    const observation = { accepted: true, exchange: exchangeWith(201), ...failed } as Observation;
    const { status } = observation.exchange.reply;
    const isBroken = ({ exchange }: Observation): boolean => exchange.reply.status === status;
    return repeatAlone({ target: { send } } as unknown as Run, observation, reproduced, isBroken);
  };
  const rejected = {
    accepted: false,
    exchange: { request: {}, reply: { status: 500 } } as unknown as Exchange,
  };

  it('shows a failure that needs other requests, if it passes each time', async () => {
    expect(await outcomeOf('3/3', rejected, 201, 200)).toBe('passes');
    expect(await outcomeOf('3/3', {}, 401, 401)).toBe('passes');
    expect(await outcomeOf('3/3', rejected, 201, 500)).toBeUndefined();
    expect(await outcomeOf('3/3', {}, 201)).toBeUndefined();
  });

  it('shows a failure that needs this very request, if it fails each time', async () => {
    expect(await outcomeOf('0/3', {}, 201, 201)).toBe('fails');
    expect(await outcomeOf('0/3', {}, 201, 409)).toBeUndefined();
  });

  it('shows nothing where it may be rejected as a duplicate, or fails at random', async () => {
    expect(await outcomeOf('3/3', {}, 409)).toBeUndefined();
    expect(await outcomeOf('2/3', {})).toBeUndefined();
    expect(await outcomeOf('0/0', {})).toBeUndefined();
  });
});

it.each([
  ['3/3', 'passes', 'reproduced 3/3, but only while other requests are in flight'],
  ['0/3', 'fails', 'not reproduced in 3 attempts, but by the same request again, to the byte'],
  ['0/3', undefined, 'not reproduced in 3 attempts (intermittent)'],
] as const)(
  'a failure that was reproduced %s, and alone %s, is called "%s"',
  (reproduced, alone, expected) => {
    expect(reproduction({ reproduced, ...(alone && { alone }) })).toBe(expected);
  },
);
