import type fc from 'fast-check';
import { NoReply, Stopped } from '../target/exchange.ts';
import type { Experiment } from './experiment.ts';
import { Inconclusive } from './observation.ts';
import type { Observation } from './observation.ts';
import { shrink } from './shrink.ts';

/** How often a broken case is sent again to see whether it breaks each time. */
export const REPEATS = 3;
/** Of those, how many must break for smaller ones to be worth their requests. */
const ENOUGH = 2;
const MOST_SHRINKING = 60;
const SLACK = 6;

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
 * Sends a broken case again, and shrinks it with fast-check as long as smaller ones break too: meanwhile already, as
 * most cases break again. What was observed stays broken even when it does not (it is then intermittent).
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
  const { input, index, category } = found.case;
  const broken = async (candidate: I): Promise<O | undefined> => {
    const observation = await attempt(experiment, candidate, category);
    return observation && breaks(observation) ? observation : undefined;
  };
  const once = (): Promise<O | undefined> => attempt(experiment, input, category);
  let isWorthIt = true;
  const repeating = Promise.all(Array.from({ length: most }, once)).then((observations) => {
    const came = observations.filter((observation) => observation !== undefined);
    const again = came.filter(breaks).length;
    isWorthIt = again >= ENOUGH;
    return { again, repeats: came.length };
  });
  const canShrink = shrinking !== null && most >= ENOUGH && shrinking.canShrinkWithoutContext(input);
  const [repeated, shrunk] = await Promise.all([
    repeating,
    canShrink
      ? shrink(input, {
          arbitrary: shrinking,
          breaks: async (candidate) => (isWorthIt ? broken(candidate) : undefined),
          most: MOST_SHRINKING,
          width,
          slack: SLACK,
        })
      : undefined,
  ]);
  const { value, shown, path } =
    shrunk === undefined || !isWorthIt ? { value: input, shown: undefined, path: [] } : shrunk;
  return {
    ...repeated,
    observation: shown ?? found,
    input: value,
    path: [Math.max(0, index), ...path].join(':'),
    shrinks: path.length,
  };
}

/** One more observation; undefined when none came. */
async function attempt<I, O extends Observation<I>>(
  experiment: Experiment<I, O>,
  input: I,
  category: string,
): Promise<O | undefined> {
  try {
    return await experiment.repeat(input, category);
  } catch (error) {
    if (error instanceof NoReply || error instanceof Stopped || error instanceof Inconclusive)
      return undefined;
    throw error;
  }
}
