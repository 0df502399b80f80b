import { credentialFrom } from '../inputs/invalid-credentials.ts';
import type { Exchange } from '../target/exchange.ts';
import { isSameAnswer } from './absence.ts';
import { isWithoutReply } from './observation.ts';
import type { Run } from './run.ts';

/** Similar to no key. */
const INVALID_KEY = 'sk_test_thisKeyIsInvalid';

/**
 * Sends a rejected request again, without a credential and with an invalid key.
 * @returns whether all three answers are the same, so that they do not show that the key was checked; undefined if one
 * of them is missing
 */
export async function isSameForAnyKey(run: Run, rejected: Exchange): Promise<boolean | undefined> {
  const invalid = credentialFrom({ kind: 'other', text: INVALID_KEY }, run.settings.apiKey);
  try {
    for (const credential of [undefined, invalid]) {
      // One at a time: a gateway may block a client that fails twice at once.
      const other = await run.target.send(
        { ...rejected.request, credential },
        { queue: rejected.queue, throttling: 'answer' },
      );
      if (!isSameAnswer(rejected, other)) return false;
    }
    return true;
  } catch (error) {
    if (!isWithoutReply(error)) throw error;
    return undefined;
  }
}
