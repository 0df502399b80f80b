import { tokenOf } from '../inputs/tokens.ts';
import type { TokenInput } from '../inputs/tokens.ts';
import type { Credential } from '../target/credential.ts';
import type { Exchange, Request } from '../target/exchange.ts';
import { stringsIn } from '../target/reply.ts';
import type { Reply } from '../target/reply.ts';
import type { SendOptions } from '../target/target.ts';
import { findCredential } from './credential-in-reply.ts';
import type { Found } from './credential-in-reply.ts';
import { isGranted } from './customer.ts';
import type { Trial } from './experiment.ts';
import type { Observation } from './observation.ts';
import { paths, post } from './request.ts';
import type { Deviation } from './request.ts';
import type { Run } from './run.ts';

/** A token request and what came of it. */
export interface TokenObservation extends Observation<TokenInput> {
  readonly found: Found | undefined;
}

export const tokenRequestOf = (
  input: TokenInput,
  credential: Credential | undefined,
  deviation?: Deviation,
): Request => post(paths.tokens, tokenOf(input), input.style, credential, deviation);

/** Asks for one token with the right credential. */
export async function issueToken(
  trial: Trial<TokenInput>,
  run: Run,
  options: Partial<SendOptions> = {},
): Promise<TokenObservation> {
  const { input, experiment } = trial.case;
  const request = tokenRequestOf(input, run.credential);
  const exchange = await run.target.send(request, { lane: experiment, ...options });
  return observeToken(trial, run, exchange);
}

export function observeToken(trial: Trial<TokenInput>, run: Run, exchange: Exchange): TokenObservation {
  const found = isGranted(exchange.reply)
    ? findCredential(exchange.reply, trial.case.input.scopes)
    : undefined;
  if (found) run.target.redactor.hide(found.text, `token ${exchange.number}`);
  return { case: trial.case, exchange, found, granted: found !== undefined };
}

/**
 * Whether a reply to a request that had to be refused carries a credential all the same: where a
 * granted reply holds it, something of its kind; with a 2xx, anything that looks like one.
 */
export function carriesCredential(
  reply: Reply,
  scopes: readonly string[],
  granted: Found,
): Found | undefined {
  const alike = stringsIn(reply.json).find(
    ({ pointer, text }) =>
      pointer === granted.pointer && !/\s/.test(text) && text.length >= Math.min(8, granted.text.length),
  );
  if (alike && (isGranted(reply) || resembles(alike.text, granted.text))) return alike;
  return isGranted(reply) ? findCredential(reply, scopes) : undefined;
}

/** Whether two credentials are of one kind: about as long, or made of as many parts. */
function resembles(text: string, other: string): boolean {
  const ratio = text.length / other.length;
  return (ratio > 0.5 && ratio < 2) || (text.split('.').length === 3 && other.split('.').length === 3);
}
