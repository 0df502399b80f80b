import type { Attempt } from '../connections/channel.ts';
import { pathOf } from '../exchange.ts';
import type { Request } from '../exchange.ts';
import type { Sender } from '../sender.ts';
import { isGatewayFailure } from './throttling.ts';

/** Whether it is an answer of the target, not of a gateway without it. */
const isAnswer = (attempt: Attempt): boolean => 'reply' in attempt && !isGatewayFailure(attempt.reply);

/**
 * Finds out whether the target is there, by plain requests that are sent alone.
 * @param lastAccepted the last accepted request to each path
 * @returns a function that returns whether the target answers another request to the path of one that failed
 */
export function probeWith(
  sender: Sender,
  lastAccepted: ReadonlyMap<string, Request>,
): (failed: Request) => Promise<boolean> {
  /** Whether the target was observed to answer an accepted request, and none that creates nothing. */
  let answersOnlyAccepted = false;
  const isAnswered = async (request: Request): Promise<boolean> =>
    isAnswer(await sender.attemptAlone(request));
  return async (failed) => {
    // The path, or the same credential, may be why nothing is answered.
    const known = lastAccepted.get(pathOf(failed)) ?? [...lastAccepted.values()].at(-1);
    const { path, credential, fields } = known ?? failed;
    const get = { method: 'GET', path: pathOf({ path }), credential, fields, body: undefined };
    if (!answersOnlyAccepted && (await isAnswered(get))) return true;
    // The target may drop what is invalid, or answer it as a gateway would. A valid request may create something.
    const isUp = await isAnswered(known ?? { ...get, method: 'POST', body: Buffer.from('{}') });
    if (isUp && known) answersOnlyAccepted = true;
    return isUp;
  };
}
