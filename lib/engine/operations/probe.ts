import { LONGEST_OUTAGE } from '../../target/retries/outage.ts';
import { plainName } from '../../inputs/names.ts';
import { usualStyle } from '../../inputs/json-styles.ts';
import type { CustomerRequest } from '../../schemas/interface.ts';
import { member } from '../../schemas/json.ts';
import { plainAddress } from '../../inputs/addresses.ts';
import { NoReply } from '../../target/exchange.ts';
import type { Exchange, Request } from '../../target/exchange.ts';
import { findCredential } from './credentials-in-reply.ts';
import { carriesCustomer } from './customer.ts';
import { redactTokens } from './redact-tokens.ts';
import { paths, post, postText, withoutBody } from './request.ts';
import type { Condition } from './request.ts';
import { Inconclusive } from '../observation.ts';
import type { Run, RunBase } from '../scenario.ts';
import { isSuccess } from '../../target/reply.ts';

/** The outcome of a single request. */
export interface Probe {
  readonly exchange: Exchange;
  readonly accepted: boolean;
}

/**
 * One queue for all: no other probe may issue a token between another one's issue and its presentation, as some services
 * end a token when they issue the next.
 */
const QUEUE = 'open questions';

/** A plain name, and a unique address. All such addresses have the same length. */
export function plainBody(run: RunBase): CustomerRequest {
  const unique = run.unique();
  return {
    name: run.generate(plainName, `question ${unique}`),
    email: `ada${run.runId()}${unique}@${run.settings.emailDomain ?? plainAddress.domain}`,
  };
}

const bodyRequest = (path: string, body: unknown, run: Run, condition: Condition): Request =>
  typeof body === 'string'
    ? postText(path, body, run.credential, condition)
    : post(path, body, usualStyle, run.credential, condition);

/**
 * Sends a request, again once its operation is there again, or while its client is locked out: neither answers a question.
 * @throws {Inconclusive} if the client stays locked out
 */
async function sendOnceServed(run: Run, request: () => Request): Promise<Exchange> {
  const send = (): Promise<Exchange> => run.target.send(request, { queue: QUEUE });
  let exchange = await send();
  if (await run.waitUntilServedAgain(exchange)) exchange = await send();
  for (let waited = 0; run.isLockout(exchange); waited += 1000) {
    if (waited === LONGEST_OUTAGE) throw new Inconclusive('the target has locked this client out');
    await run.target.wait(1000);
    exchange = await send();
  }
  return exchange;
}

/**
 * Requests a customer with any body: a string unchanged, anything else as JSON.
 * @param makeBody makes the body of each try, as the target may have carried out one whose response was lost
 */
export async function probeCustomer(
  run: Run,
  makeBody: () => unknown,
  condition: Condition = {},
): Promise<Probe> {
  let body: unknown;
  const exchange = await sendOnceServed(run, () =>
    bodyRequest(paths.customers, (body = makeBody()), run, condition),
  );
  return {
    exchange,
    accepted: isSuccess(exchange.reply) && carriesCustomer(exchange.reply, submittedIn(body)),
  };
}

/** Requests a token with any body. */
export async function probeToken(
  run: Run,
  body: unknown,
  condition: Condition = {},
): Promise<Probe & { readonly token: string | undefined }> {
  const exchange = await sendOnceServed(run, () => bodyRequest(paths.tokens, body, run, condition));
  const found = isSuccess(exchange.reply) ? findCredential(exchange.reply, scopesIn(body)) : undefined;
  return { exchange, accepted: found !== undefined, token: found?.text };
}

/** Sends a request without a body, with the right key: nothing is created, changed or deleted. */
export async function probePath(
  run: Run,
  method: 'GET' | 'HEAD' | 'OPTIONS',
  path: string,
): Promise<Exchange> {
  return sendOnceServed(run, () => withoutBody(method, path, run.credential)).catch((error: unknown) => {
    // A list may be too long to be read; its status is enough.
    if (!(error instanceof NoReply && error.part)) throw error;
    redactTokens(run.target.redactor, error.part);
    return error.part;
  });
}

function textIn(body: unknown, name: string): string {
  const text = member(body, name);
  return typeof text === 'string' ? text : '';
}

const submittedIn = (body: unknown): CustomerRequest => ({
  name: textIn(body, 'name'),
  email: textIn(body, 'email'),
});

function scopesIn(body: unknown): readonly string[] {
  const scopes = member(body, 'scopes');
  return Array.isArray(scopes) ? scopes.filter((scope) => typeof scope === 'string') : [];
}
