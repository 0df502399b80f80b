import type { Target } from './sockets.ts';

/** A target that no suite should be pointed at, and what must become of a run that is. */
export interface Hostile {
  readonly name: string;
  readonly start: () => Promise<Target>;
  /** Exit codes that are right. */
  readonly exit: readonly number[];
  /** Seconds within which the run ends, at default settings. */
  readonly within: number;
  /** What a person must be told, in the first line on the screen or, where there is a verdict, in the last lines. */
  readonly says: RegExp;
}

/** One target, in a line. @param within seconds in which the run ends */
export const row = (
  name: string,
  exit: number | readonly number[],
  says: RegExp,
  start: () => Promise<Target>,
  within = 90,
): Hostile => ({ name, start, exit: typeof exit === 'number' ? [exit] : exit, within, says });
