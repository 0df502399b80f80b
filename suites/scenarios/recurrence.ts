import { Inconclusive, hasServiceFailed } from '../../lib/engine/observation.ts';
import type { Observation } from '../../lib/engine/observation.ts';

/** How often a request is repeated that the service failed on. */
const MAX_REPEATS = 2;
/** How often a request is repeated that was rejected, and that a service may reject. */
export const MAX_REJECTED = 6;

/**
 * Whether the service failed on a request, but not each time: repeated, it is accepted. Such a failure does not
 * depend on the request, so its outcome is not compared with that of another one.
 * @param again sends it again, unchanged but for its nonce
 */
async function isIntermittent(
  observation: Observation,
  again: (attempt: number) => Promise<Observation>,
): Promise<boolean> {
  if (!hasServiceFailed(observation)) return false;
  for (let attempt = 0; attempt < MAX_REPEATS; attempt++) {
    const repeated = await again(attempt);
    if (!hasServiceFailed(repeated)) return repeated.accepted;
  }
  return false;
}

/**
 * An observation, marked if the service failed on its request, but not each time.
 * @param again sends the request again
 */
export const markedIfIntermittent = async <O extends Observation>(
  observation: O,
  again: (attempt: number) => Promise<O>,
): Promise<O> =>
  (await isIntermittent(observation, again)) ? { ...observation, intermittent: 'exchange' } : observation;

/**
 * An observation with its control, and which of the two the service failed on, but not each time.
 * @param again sends the request again
 * @param controlAgain sends the control again
 */
export async function withControl<O extends Observation>(
  observation: O,
  control: O,
  again: (attempt: number) => Promise<O>,
  controlAgain: (attempt: number) => Promise<O>,
): Promise<O> {
  const both = { ...observation, control: control.exchange, controlAccepted: control.accepted };
  const marked = await markedIfIntermittent(both, again);
  if (marked.intermittent === undefined && (await isIntermittent(control, controlAgain)))
    return { ...both, intermittent: 'control' };
  return marked;
}

/**
 * Checks that a request which was rejected is rejected each time: otherwise the rejection shows nothing.
 * @param again sends it again
 * @param times how often
 * @throws {Inconclusive} if it is accepted
 */
export async function assertRejectedAgain(
  again: (attempt: number) => Promise<Observation>,
  times = 1,
): Promise<void> {
  for (let attempt = MAX_REPEATS; attempt < MAX_REPEATS + times; attempt++)
    if ((await again(attempt)).accepted)
      throw new Inconclusive('the target accepts the same request at one time and rejects it at another');
}
