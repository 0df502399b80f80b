import type { Reply } from './reply.ts';
import { retryAfter } from './retry-after.ts';

/** What answer is hoped for: see `SendOptions` of the target. */
export type Expectation = 'grant' | 'refusal' | 'patient refusal';

/** Milliseconds from which a wait is long. */
export const LONG_WAIT = 2_000;

/**
 * Milliseconds to wait before the request is sent again; undefined when the reply is to be judged.
 * A gateway's 502, 503 or 504 without Retry-After is given two more tries: it is rarely the service's word.
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
  return status >= 502 && status <= 504 && tries < 2 ? backOff : undefined;
}

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
