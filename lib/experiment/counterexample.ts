import type fc from 'fast-check';
import { NoReply, Stopped } from '../target/exchange.ts';
import type { Experiment } from './experiment.ts';
import { Inconclusive } from './observation.ts';
import type { Observation } from './observation.ts';
import { shrink } from './shrink.ts';

/** How often a broken case is sent again to see whether it breaks each time. */
export const REPEATS = 3;
const MOST_SHRINKING = 60;

/** A broken case, made as small as it gets. */
export interface Reduced<I, O> {
  readonly observation: O;
  readonly input: I;
  readonly path: string;
  readonly shrinks: number;
  /** How often the case as it was found broke again, of `repeats`. */
  readonly again: number;
  readonly repeats: number;
}

/**
 * Sends a broken case again, then shrinks it with fast-check as long as smaller ones break too. What
 * was observed stays broken even when it does not break again (it is then intermittent).
 * @param breaks whether an observation breaks the requirement
 * @param shrinking null: the case is not made smaller
 * @param width smaller cases that are sent at once
 * @param most how often it is sent again
 */
export async function reduce<I, O extends Observation<I>>(
  experiment: Experiment<I, O>,
  found: O,
  breaks: (observation: O) => boolean,
  shrinking: fc.Arbitrary<I> | null,
  width: number,
  most: number = REPEATS,
): Promise<Reduced<I, O>> {
  const { input, index, family } = found.case;
  let again = 0;
  let repeats = 0;
  const once = (): Promise<O | undefined> => attempt(experiment, input, family);
  for (const observation of await Promise.all(Array.from({ length: most }, once))) {
    if (observation === undefined) continue;
    repeats++;
    if (breaks(observation)) again++;
  }
  const unshrunk = {
    observation: found,
    input,
    path: String(Math.max(0, index)),
    shrinks: 0,
    again,
    repeats,
  };
  if (shrinking === null || again < 2 || !shrinking.canShrinkWithoutContext(input)) return unshrunk;

  const { value, shown, path } = await shrink(input, {
    arbitrary: shrinking,
    breaks: async (candidate) => {
      const observation = await attempt(experiment, candidate, family);
      return observation && breaks(observation) ? observation : undefined;
    },
    most: MOST_SHRINKING,
    width,
    slack: REPEATS,
  });
  return {
    ...unshrunk,
    observation: shown ?? found,
    input: value,
    path: [unshrunk.path, ...path].join(':'),
    shrinks: path.length,
  };
}

/** One more observation; undefined when none came. */
async function attempt<I, O extends Observation<I>>(
  experiment: Experiment<I, O>,
  input: I,
  family: string,
): Promise<O | undefined> {
  try {
    return await experiment.repeat(input, family);
  } catch (error) {
    if (error instanceof NoReply || error instanceof Stopped || error instanceof Inconclusive)
      return undefined;
    throw error;
  }
}
