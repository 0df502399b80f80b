import { tokenOf } from '../inputs/tokens.ts';
import type { TokenInput } from '../inputs/tokens.ts';
import type { Credential } from '../target/credential.ts';
import { NoReply, Stopped } from '../target/exchange.ts';
import type { Exchange, Request } from '../target/exchange.ts';
import { stringsIn } from '../target/reply.ts';
import type { Reply } from '../target/reply.ts';
import type { SendOptions } from '../target/sending.ts';
import { credentialsIn, findCredential, isNamedLikeCredential } from './credential-in-reply.ts';
import type { Found } from './credential-in-reply.ts';
import { isSuccess } from './customer.ts';
import type { Case, Observation } from './observation.ts';
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

/** Requests one token with the right credential. */
export async function issueToken(
  run: Run,
  testCase: Case<TokenInput>,
  options: Partial<SendOptions> = {},
): Promise<TokenObservation> {
  const request = tokenRequestOf(testCase.input, run.credential);
  const exchange = await run.target.send(request, { queue: testCase.scenario, ...options });
  return observeToken(run, testCase, exchange);
}

/** Requests several tokens, complete at the target at the same instant. */
export async function issueTogether(
  run: Run,
  cases: readonly Case<TokenInput>[],
): Promise<(TokenObservation | NoReply | Stopped)[]> {
  const results = await run.target.together(
    cases.map(({ input }) => tokenRequestOf(input, run.credential)),
    cases[0]?.scenario ?? '',
  );
  return results.map((result, at) =>
    result instanceof NoReply || result instanceof Stopped ? result : observeToken(run, cases[at]!, result),
  );
}

function observeToken(run: Run, testCase: Case<TokenInput>, exchange: Exchange): TokenObservation {
  const found = isSuccess(exchange.reply) ? findCredential(exchange.reply, testCase.input.scopes) : undefined;
  conceal(run, exchange);
  if (found) run.target.redactor.hide(found.text, `token ${exchange.number}`);
  return { case: testCase, exchange, found, accepted: found !== undefined };
}

/** Keeps everything in a reply that may be a token out of all output. */
export function conceal(run: Run, { reply, number }: Exchange): void {
  for (const text of credentialsIn(reply)) run.target.redactor.hide(text, `token ${number}`);
}

/**
 * What of a credential a reply carries to a request that had to be refused: something of the kind that
 * a accepted reply holds, at its place or, with a 2xx, at another.
 * @param sent the field value that the request carried: what is merely sent back is no result
 */
export function carriesCredential(reply: Reply, sent: string, accepted: Found): Found | undefined {
  return stringsIn(reply.json).find(({ pointer, name, text }) => {
    if (sent.includes(text) || /\s/.test(text)) return false;
    if (pointer === accepted.pointer) {
      return (
        resembles(text, accepted.text) ||
        (isSuccess(reply) && text.length >= Math.min(8, accepted.text.length))
      );
    }
    return isSuccess(reply) && isNamedLikeCredential(name) && resembles(text, accepted.text);
  });
}

/** Whether two credentials are of one kind: about as long, and made of as many parts. */
function resembles(text: string, other: string): boolean {
  const ratio = text.length / other.length;
  const digits = /\d/.test(other) ? /\d/.test(text) : true;
  return digits && ratio > 0.5 && ratio < 2 && text.split('.').length === other.split('.').length;
}
