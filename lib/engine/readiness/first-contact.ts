import { plainCustomer } from '../../inputs/customers.ts';
import { tokenInput } from '../../inputs/tokens.ts';
import { credentialFrom, WRONG_KEY } from '../../inputs/invalid-credentials.ts';
import { NoReply, Stopped, pathOf } from '../../target/exchange.ts';
import type { Exchange } from '../../target/exchange.ts';
import type { Credential } from '../../target/credential.ts';
import { isSuccess, mayRejectInput } from '../../target/reply.ts';
import { LONGEST_OUTAGE } from '../../target/retries/outage.ts';
import { casesWithin, limitingSetting, paceOf, shortageOf } from './budget.ts';
import type { Throughput } from './budget.ts';
import { createCustomer, customerScenario, idOf } from '../operations/customer.ts';
import type { CustomerObservation } from '../operations/customer.ts';
import { assertReady } from './diagnosis.ts';
import {
  rejectsBothForAccess,
  isKeyInDoubt,
  isResponse,
  isSameResponse,
  isStatusOfMissingPath,
  keyRejectionOf,
} from './first-responses.ts';
import type { FirstResponses } from './first-responses.ts';
import { PLAIN, REPEATED, hasServiceFailed, unlessWithoutReply } from '../observation.ts';
import type { Observation } from '../observation.ts';
import { fixedCase, phase } from '../scenario.ts';
import type { Run, Scenario } from '../scenario.ts';
import { publicTextsOf } from '../operations/redact-tokens.ts';
import { issueToken, tokenScenario } from '../operations/token.ts';

/**
 * One plain customer, before anything else. A run with the same seed sends the same addresses: if the target accepts each
 * address only once, the run changes its id; if each name too, its inputs.
 */
export const firstCustomer = customerScenario({
  name: 'first customer',
  cases: () => [{ category: PLAIN, arbitrary: plainCustomer }],
  send: (run) => async (testCase, nonce) => {
    const first = await onceItIsThere(run, () => createCustomer(run, testCase, nonce));
    if (first.accepted || testCase.index === REPEATED || !mayBeDuplicate(first)) return first;
    run.renewRunId();
    const second = await createCustomer(run, testCase, nonce);
    if (second.accepted) return unlessFailed(run, first, second);
    if (!mayBeDuplicate(second)) return second;
    const input = run.generate(plainCustomer, `first customer ${run.runId()}`);
    const renamed = await createCustomer(run, { ...testCase, input }, nonce);
    if (!renamed.accepted) return second;
    run.renewInputs();
    return unlessFailed(run, first, renamed);
  },
});

/** An accepted customer; if the service failed on the first one, which it accepts when it is repeated, that was no duplicate. */
async function unlessFailed(
  run: Run,
  first: CustomerObservation,
  accepted: CustomerObservation,
): Promise<CustomerObservation> {
  if (!hasServiceFailed(first)) return accepted;
  const { request, queue } = first.exchange;
  const again = await unlessWithoutReply(run.target.send(request, { queue }));
  const hasFailed = again !== undefined && isSuccess(again.reply) && idOf(again.reply) !== undefined;
  return hasFailed ? { ...accepted, control: first.exchange, intermittent: 'control' } : accepted;
}

/** One plain token request. Valid scopes and lifetimes are not shown: if it is rejected, others are tried. */
export const firstToken = tokenScenario({
  name: 'first token',
  cases: ({ settings: { tokenScopes, tokenExpiresIn } }) => [
    fixedCase('first contact', tokenInput(tokenScopes, tokenExpiresIn)),
  ],
  send: (run) => (testCase) => onceItIsThere(run, () => issueToken(run, testCase)),
});

/** Milliseconds to wait for the response of the other operation. */
const LONGEST_WAIT_FOR_OTHER = 1_000;

/** Sends a first request, and repeats it each second while its path seems to be missing, but the other operation works. */
async function onceItIsThere<O extends Observation>(run: Run, send: () => Promise<O>): Promise<O> {
  let first = await send();
  for (let waited = 0; waited < LONGEST_OUTAGE && isMissing(first);) {
    const path = pathOf(first.exchange.request);
    const other = run.exchanges.findLast(({ request }) => pathOf(request) !== path);
    const works = other && isSuccess(other.reply) && other.reply.json !== undefined;
    if (!works && (other || waited >= LONGEST_WAIT_FOR_OTHER)) break;
    const pause = works ? 1000 : 100;
    await run.target.wait(pause);
    waited += pause;
    if (works) first = await send();
  }
  return first;
}

/** Whether the first response shows that nothing is at a path, or nothing yet; not for a repetition. */
const isMissing = ({ exchange: { reply }, case: { index } }: Observation): boolean =>
  index !== REPEATED && reply.status >= 404 && reply.status !== 405 && isStatusOfMissingPath(reply);

/** The first phase of every run; all others wait for both responses. */
export const firstContact = phase('first contact', { sends: [firstCustomer, firstToken] });

/** Many services fail with a server error on a constraint of their database, and some hide why they reject a request. */
const mayBeDuplicate = ({ exchange: { reply } }: CustomerObservation): boolean =>
  [200, 404, 500].includes(reply.status) || mayRejectInput(reply);

/**
 * Waits for the first responses, and decides by them how many cases there is time for.
 * @returns the number of cases
 * @throws {Inconclusive} if the target does not answer, or does not accept the key
 */
export async function decideCaseCount(run: Run): Promise<number> {
  const { settings, remark } = run;
  const first = assertReady(run, await sendFirstRequests(run));
  const throughput = await throughputOf(run, first);
  const cases = casesWithin(settings, throughput);
  if (cases < settings.cases)
    remark(`${limitingSetting(settings, throughput)} allows ${cases} cases instead of ${settings.cases}`);
  const shortage = settings.only === undefined ? shortageOf(settings, throughput) : undefined;
  if (shortage !== undefined && shortageOf(settings) === undefined)
    remark(`The target is slow: ${paceOf(throughput)}. ${shortage}`);
  return cases;
}

/** Sends the first requests, or waits for them; once a run. */
export async function sendFirstRequests(run: Run): Promise<FirstResponses> {
  const [customer, token] = await Promise.all([
    onlyResultOf(run, firstCustomer),
    onlyResultOf(run, firstToken),
  ]);
  const known = isResponse(customer) ? publicTextsOf(customer.exchange.reply) : new Set();
  run.target.redactor.decideSuspects((text) => known.has(text));
  const first = { customer, token };
  const invalid = credentialFrom(WRONG_KEY, run.settings.apiKey);
  const isInDoubt = isKeyInDoubt(first);
  const rejected = isInDoubt
    ? keyRejectionOf(first)
    : rejectsBothForAccess(first)
      ? first.customer
      : undefined;
  if (rejected === undefined || rejected instanceof Error) return first;
  const credentials = isInDoubt ? [undefined, invalid] : [invalid];
  return {
    ...first,
    isSameForAnyKey: await unlessWithoutReply(isSameWith(credentials, run, rejected.exchange)),
  };
}

/**
 * If a target serves one request at a time, the nth takes n times as long as the first; this share of that is enough to
 * show it.
 */
const SHARE_OF_QUEUE = 0.75;

/**
 * How fast the target answers, by the faster of the first exchanges. If by these the limits may not allow all cases, three
 * more token requests are sent at once: the first may have been slow as they woke the target, or as one waited for the
 * other.
 */
export async function throughputOf(run: Run, { customer, token }: FirstResponses): Promise<Throughput> {
  const { settings } = run;
  const all = casesWithin(settings);
  const durations = [customer, token].filter(isResponse).map(({ exchange }) => exchange.duration);
  const first: Throughput = { duration: Math.min(...durations), served: settings.concurrency };
  const isSlow = casesWithin(settings, first) < all;
  const mayQueue = areServedInTurn(durations) && casesWithin(settings, { ...first, served: 1 }) < all;
  if ((!isSlow && !mayQueue) || !isResponse(token)) return first;
  const { input, category } = token.case;
  const again = await unlessWithoutReply(
    Promise.all([0, 1, 2].map(() => run.repeat(firstToken, input, category))),
  );
  if (!again) return first;
  const next = again.map(({ exchange }) => exchange.duration);
  return areServedInTurn(next)
    ? { duration: Math.max(...next) / next.length, served: 1 }
    : { ...first, duration: Math.min(...durations, ...next) };
}

const areServedInTurn = (durations: readonly number[]): boolean =>
  durations
    .toSorted((one, other) => one - other)
    .every((duration, at, [fastest]) => at === 0 || duration > SHARE_OF_QUEUE * (at + 1) * fastest!);

/** The observation of a scenario with one case. */
async function onlyResultOf<I, O extends Observation<I>>(
  run: Run,
  scenario: Scenario<I, O>,
): Promise<O | NoReply | Stopped> {
  const { observations, lost, stopped } = await run.explore(scenario);
  const [lostCase] = lost;
  return (
    observations[0] ??
    (lostCase?.error instanceof NoReply
      ? lostCase.error
      : new Stopped(stopped ?? 'nothing was sent', run.target.traffic.stopCause))
  );
}

/**
 * Sends a rejected request again, with other credentials.
 * @returns whether all responses are the same, so that they do not show that the key was checked
 */
async function isSameWith(
  credentials: readonly (Credential | undefined)[],
  run: Run,
  rejected: Exchange,
): Promise<boolean> {
  for (const credential of credentials) {
    // One at a time: a gateway may block a client that fails twice at once.
    const other = await run.target.send(
      { ...rejected.request, credential },
      { queue: rejected.queue, ifThrottled: 'final' },
    );
    if (!isSameResponse(rejected, other)) return false;
  }
  return true;
}
