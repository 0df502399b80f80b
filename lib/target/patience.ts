import type { Reply } from './reply.ts';
import { retryAfter } from './retry-after.ts';

/** What answer is hoped for: see `SendOptions` of the target. */
export type Expectation = 'grant' | 'refusal' | 'patient refusal';

/** Milliseconds from which a wait is long. */
export const LONG_WAIT = 2_000;

/** The target has closed an idle connection as a request was on its way, and says so (RFC 9110, section 15.5.9). */
export const REQUEST_TIMEOUT = 408;

/** Where one in ten fails, one request in a hundred thousand meets so many failures in a row. */
const GATEWAY_TRIES = 4;

/**
 * Milliseconds to wait before the request is sent again; undefined when the reply is to be judged.
 * A gateway's 502, 503 or 504 without Retry-After is given some more tries: it is rarely the service's word. So is
 * a 408, which a client may take for the end of a connection.
 */
export function patience(reply: Reply, tries: number): number | undefined {
  const { status } = reply;
  const backOff = Math.min(5_000, 100 * 2 ** tries);
  // At once is no answer to how long: a target that says so would be asked again and again.
  if (status === 429) return retryAfter(reply, Date.now()) || backOff;
  if (status === 503) {
    const asked = retryAfter(reply, Date.now());
    if (asked !== undefined) return asked || backOff;
  }
  if (status === REQUEST_TIMEOUT && tries < GATEWAY_TRIES) return 0;
  return isGatewayFailure(reply) && tries < GATEWAY_TRIES ? backOff : undefined;
}

/** Whether a gateway has failed to get an answer, and does not say when to come again. */
export const isGatewayFailure = (reply: Reply): boolean =>
  reply.status >= 502 && reply.status <= 504 && retryAfter(reply, Date.now()) === undefined;

/** Whether a plea for patience is taken as it is, where a refusal is expected anyhow. */
export function isAnswer(
  wait: number,
  tries: number,
  isBeyond: boolean,
  expect: Expectation | undefined,
): boolean {
  if (expect === 'patient refusal') return isBeyond;
  return expect === 'refusal' && (isBeyond || wait > LONG_WAIT || tries >= 3);
}
