import fc from 'fast-check';
import { NoReply, Stopped } from '../target/exchange.ts';
import type { Experiment } from './experiment.ts';
import { Inconclusive } from './observation.ts';
import type { Observation } from './observation.ts';

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
 * @param most how often it is sent again
 */
export async function reduce<I, O extends Observation<I>>(
  experiment: Experiment<I, O>,
  found: O,
  breaks: (observation: O) => boolean,
  shrinking: fc.Arbitrary<I> | null,
  seed: number,
  most: number = REPEATS,
): Promise<Reduced<I, O>> {
  const { input, index, family } = found.case;
  let smallest = found;
  let again = 0;
  let repeats = 0;
  while (repeats < most) {
    const observation = await attempt(experiment, input, family);
    if (observation === undefined) break;
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

  let left = MOST_SHRINKING;
  let isFirst = true;
  const property = fc.asyncProperty(shrinking, async (candidate) => {
    // The case itself has just broken; only smaller ones need to be sent.
    if (isFirst) {
      isFirst = false;
      return false;
    }
    // Out of budget, nothing smaller is taken: the smallest so far stands.
    if (left-- <= 0) return true;
    const observation = await attempt(experiment, candidate, family);
    if (observation === undefined || !breaks(observation)) return true;
    smallest = observation;
    return false;
  });
  const { counterexample, counterexamplePath, numShrinks } = await fc.check(property, {
    seed,
    numRuns: 1,
    examples: [[input]],
  });
  const shrinkPath = counterexamplePath?.split(':').slice(1) ?? [];
  return {
    ...unshrunk,
    observation: smallest,
    input: counterexample?.[0] ?? input,
    path: [unshrunk.path, ...shrinkPath].join(':'),
    shrinks: numShrinks,
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
