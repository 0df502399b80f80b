import { customerOf, shrinkCustomer } from '../../inputs/customers.ts';
import type { CustomerInput } from '../../inputs/customers.ts';
import type { CustomerRequest } from '../../schemas/interface.ts';
import type { Credential } from '../../target/credential.ts';
import { NoReply } from '../../target/exchange.ts';
import type { Exchange, Request, Stopped } from '../../target/exchange.ts';
import { isSuccess, member, reportsError, stringsIn } from '../../target/reply.ts';
import { isObject } from '../../schemas/json.ts';
import type { Reply } from '../../target/reply.ts';
import type { Case, Observation } from '../observation.ts';
import { asIs, paths, post } from './request.ts';
import type { Deviation, Sending } from './request.ts';
import type { Nonce } from '../nonces.ts';
import { scenario } from '../scenario.ts';
import type { Run, Scenario } from '../scenario.ts';

/** A customer creation and its outcome. */
export interface CustomerObservation extends Observation<CustomerInput> {
  readonly submitted: CustomerRequest;
}

export const customerRequestOf = (
  submitted: CustomerRequest,
  input: CustomerInput,
  credential: Credential | undefined,
  deviation?: Deviation,
): Request =>
  post(
    paths.customers,
    input.id === undefined ? submitted : { ...submitted, id: input.id, customer_id: input.id },
    input.style,
    credential,
    deviation,
  );

/** Creates one customer with the right credential. */
export async function createCustomer(
  run: Run,
  testCase: Case<CustomerInput>,
  nonce: Nonce,
  { connection, rewrite = asIs }: Sending = {},
): Promise<CustomerObservation> {
  const { input } = testCase;
  let submitted!: CustomerRequest;
  try {
    const exchange = await run.target.send(
      (tries) => {
        submitted = customerOf(input, nonce(tries), run.settings.emailDomain);
        return rewrite(customerRequestOf(submitted, input, run.credential));
      },
      { queue: testCase.scenario, connection },
    );
    return observeCustomer(testCase, exchange, submitted);
  } catch (error) {
    const wrong = observeWrongPart(testCase, error);
    if (wrong === undefined) throw error;
    return wrong;
  }
}

type CustomerScenario = Scenario<CustomerInput, CustomerObservation>;

/** A scenario that creates customers, each as its case says unless it has a `send` of its own. */
export const customerScenario = (
  definition: Omit<CustomerScenario, 'shrinking' | 'send'> & Partial<Pick<CustomerScenario, 'send'>>,
): CustomerScenario =>
  scenario<CustomerInput, CustomerObservation>({
    shrinking: shrinkCustomer,
    send: (run) => (testCase, nonce) => createCustomer(run, testCase, nonce),
    ...definition,
  });

/** Creates several customers whose requests are complete at the target at the same instant. */
export async function createTogether(
  run: Run,
  cases: readonly { readonly testCase: Case<CustomerInput>; readonly nonce: Nonce }[],
): Promise<(CustomerObservation | NoReply | Stopped)[]> {
  const submitted: CustomerRequest[] = [];
  const requests = cases.map(({ testCase: { input }, nonce }, at) => (tries: number) => {
    submitted[at] = customerOf(input, nonce(tries), run.settings.emailDomain);
    return customerRequestOf(submitted[at], input, run.credential);
  });
  const results = await run.target.together(requests, cases[0]?.testCase.scenario ?? '');
  return results.map((result, at) => {
    const { testCase } = cases[at]!;
    return result instanceof Error
      ? (observeWrongPart(testCase, result) ?? result)
      : observeCustomer(testCase, result, submitted[at]!);
  });
}

/** Observes the beginning of a response that is too long, if it already shows that the response is wrong. */
function observeWrongPart(testCase: Case<CustomerInput>, error: unknown): CustomerObservation | undefined {
  const part = error instanceof NoReply ? error.part : undefined;
  if (!part || !isSuccess(part.reply)) return undefined;
  const submitted = JSON.parse(String(part.request.body)) as CustomerRequest;
  const isWrong = (['name', 'email'] as const).some((name) => isWrongIn(part.reply, name, submitted));
  return isWrong ? observeCustomer(testCase, part, submitted) : undefined;
}

/** Whether a response carries another name or email than the submitted one, as far as it was read. */
export function isWrongIn(
  { json, part }: Reply,
  name: 'name' | 'email',
  submitted: CustomerRequest,
): boolean {
  const value = member(json, name);
  if (value === undefined && part) return false;
  return part?.open === name && typeof value === 'string'
    ? !submitted[name].startsWith(value)
    : value !== submitted[name];
}

const observeCustomer = (
  testCase: Case<CustomerInput>,
  exchange: Exchange,
  submitted: CustomerRequest,
): CustomerObservation => ({
  case: testCase,
  exchange,
  submitted,
  accepted: isSuccess(exchange.reply) && carriesCustomer(exchange.reply, submitted),
});

/** The id of the customer in a reply. */
export const idOf = (reply: Reply): unknown => member(reply.json, 'id');

const CUSTOMER_ID = /^cus_\S+$/;

/**
 * Whether a reply carries the result of a creation: with a 2xx any member of a customer, anywhere in the body; with
 * another status, or beside an error, only an id, and not that of an example with another email.
 */
export function carriesCustomer(reply: Reply, submitted: CustomerRequest): boolean {
  // A copy of the submitted text is no result.
  const isSentBack = (text: string): boolean =>
    submitted.name.includes(text) || submitted.email.includes(text);
  const strings = stringsIn(reply.json);
  const emails = strings.filter(({ name }) => name === 'email').map(({ text }) => text);
  if (!isSuccess(reply) && emails.length > 0 && !emails.includes(submitted.email)) return false;
  if (strings.some(({ text }) => CUSTOMER_ID.test(text) && !isSentBack(text))) return true;
  const ids = reply.json === undefined ? (reply.text.match(/\bcus_[^\s"'<>&\\]+/g) ?? []) : [];
  if (ids.some((id) => !isSentBack(id))) return true;
  const { json } = reply;
  if (!isSuccess(reply) || reportsError(json)) return false;
  if (isObject(json) && ['id', 'name', 'email'].some((name) => Object.hasOwn(json, name))) return true;
  return strings.some(({ text }) => text !== '' && text === submitted.email);
}
