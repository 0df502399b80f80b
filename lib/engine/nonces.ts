import { randomInt } from 'node:crypto';
import type { Shard } from '../settings/settings.ts';

/**
 * Lower-case letters and digits that no other request of the run contains. Each retry has its own, as the target may
 * have carried out a request whose connection broke.
 */
export type Nonce = (tries: number) => string;

interface Nonces {
  /** What every nonce begins with. */
  readonly runId: () => string;
  /** Gives the run another id. */
  readonly renew: () => void;
  /** @param index of the case in its scenario */
  readonly ofCase: (scenario: string, index: number) => Nonce;
  /** For an input that is sent once more. @param name the same for requests that are to be identical */
  readonly again: (scenario: string, name?: string) => Nonce;
  /** A nonce without the run id, for a request of no case. */
  readonly unique: () => string;
}

/** The nonces of a further request of a case. @param suffix which one it is, as `createNonces` lists them, and a number */
export const withSuffix =
  (nonce: Nonce, suffix: string): Nonce =>
  (tries) =>
    nonce(tries) + suffix;

/** Scenarios whose index has one character, `0` to `t`; the characters after these begin other nonces. */
const FIRST_LONG = 30;

/**
 * Makes nonces that are the same for the same seed and as short as possible, as addresses are limited: the run id, `w`
 * and the number of a retry, the index of the scenario in the plan, and `0` with the index of a case, or `v` or `x` if an
 * input is sent once more. Those of custom suites begin with `z`, those of no case with `u`. Further requests of a case
 * append a suffix: `c` a control before it, `n` the same on a new connection, `u` the usual encoding, `v` a
 * repetition.
 * @param scenarios their names, in order
 * @param runId of the first run, if this one continues it
 */
export function createNonces(
  scenarios: readonly string[],
  { seed, shard }: { readonly seed: number; readonly shard?: Shard | undefined },
  runId?: string,
): Nonces {
  const isCustom = runId !== undefined;
  let id = runId ?? runIdOfSeed(seed, shard);
  /** By scenario: a run that seems slow repeats the first request. */
  const repeats = new Map<string, number>();
  let uniques = 0;
  // No prefix may be the beginning of another one.
  const prefixOf = (scenario: string): string => {
    const index = scenarios.indexOf(scenario);
    if (isCustom) return `z${index}x`;
    return index < FIRST_LONG ? index.toString(36) : `y${(index - FIRST_LONG).toString(36)}`;
  };
  const nonce =
    (scenario: string, end: string): Nonce =>
    (tries) =>
      `${id}${tries > 0 ? `w${tries.toString(36)}` : ''}${prefixOf(scenario)}${end}`;
  return {
    runId: () => id,
    renew: () => (id = runIdOf(randomInt(2 ** 32))),
    ofCase: (scenario, index) => nonce(scenario, `0${index.toString(36)}`),
    again: (scenario, name) => {
      if (name !== undefined) return nonce(scenario, `x${name}`);
      const count = repeats.get(scenario) ?? 0;
      repeats.set(scenario, count + 1);
      return nonce(scenario, `v${count.toString(36)}`);
    },
    unique: () => `u${(uniques++).toString(36).padStart(2, '0')}`,
  };
}

/** The id that every address of a run contains; the same for the same seed and shard. */
export const runIdOfSeed = (seed: number, shard?: Shard): string =>
  runIdOf(hash(`run${seed}${shard ? ` ${shard.index}/${shard.count}` : ''}`));

/** An id of six characters that starts with a letter, so that no address looks like a number. */
const runIdOf = (number: number): string => `q${(number >>> 0).toString(36).padStart(7, '0').slice(-5)}`;

/** FNV-1a, 32 bits. */
export function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const unit of text) value = Math.imul(value ^ unit.codePointAt(0)!, 0x01000193);
  return value >>> 0;
}
