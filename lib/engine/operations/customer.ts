import { customerOf, shrinkCustomer } from '../../inputs/customers.ts';
import type { CustomerInput } from '../../inputs/customers.ts';
import type { CustomerRequest } from '../../schemas/interface.ts';
import type { Credential } from '../../target/credential.ts';
import { NoReply } from '../../target/exchange.ts';
import type { Exchange, Request, Stopped } from '../../target/exchange.ts';
import { member, stringsIn } from '../../schemas/json.ts';
import { isSuccess, reportsError } from '../../target/reply.ts';
import type { Reply } from '../../target/reply.ts';
import type { Case, Observation } from '../observation.ts';
import { hasNoOtherCharacters } from './credential-form.ts';
import { paths, post } from './request.ts';
import type { Condition, OperationOptions } from './request.ts';
import type { Nonce } from '../nonces.ts';
import { scenario } from '../scenario.ts';
import type { Run, Scenario, SentCase } from '../scenario.ts';

/** A customer creation and its outcome. */
export interface CustomerObservation extends Observation<CustomerInput> {
  readonly submitted: CustomerRequest;
}

/** Members in which a service may read an id that it should assign. */
const ID_MEMBERS = ['id', '_id', 'customer_id', 'customerId'];

export const customerRequestOf = (
  submitted: CustomerRequest,
  input: CustomerInput,
  credential: Credential | undefined,
  condition?: Condition,
): Request =>
  post(
    paths.customers,
    input.id === undefined
      ? submitted
      : { ...submitted, ...Object.fromEntries(ID_MEMBERS.map((name) => [name, input.id])) },
    input.style,
    credential,
    condition,
  );

/** Creates one customer with the right credential. */
export async function createCustomer(
  run: Run,
  testCase: Case<CustomerInput>,
  nonce: Nonce,
  { condition, ...options }: OperationOptions = {},
): Promise<CustomerObservation> {
  const { input } = testCase;
  let submitted!: CustomerRequest;
  try {
    const exchange = await run.target.send(
      (tries) => {
        submitted = customerOf(input, nonce(tries), run.settings.emailDomain);
        return customerRequestOf(submitted, input, run.credential, condition);
      },
      { queue: testCase.scenario, ...options },
    );
    return observeCustomer(testCase, exchange, submitted);
  } catch (error) {
    const wrong = observeWrongPart(testCase, error);
    if (wrong === undefined) throw error;
    return wrong;
  }
}

type CustomerScenario = Scenario<CustomerInput, CustomerObservation>;

/** A scenario that creates customers, by default as each case says; `send` overrides this. */
export const customerScenario = (
  definition: Omit<CustomerScenario, 'shrinking' | 'send'> & Partial<Pick<CustomerScenario, 'send'>>,
): CustomerScenario =>
  scenario<CustomerInput, CustomerObservation>({
    kind: 'customers',
    shrinking: shrinkCustomer,
    ...(!definition.send && { sendUses: [] }),
    send: (run) => (testCase, nonce) => createCustomer(run, testCase, nonce),
    ...definition,
  });

/** Creates several customers whose requests are complete at the target at the same instant. */
export async function createTogether(
  run: Run,
  cases: readonly SentCase<CustomerInput>[],
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

export const idOf = (reply: Reply): unknown => member(reply.json, 'id');

const CUSTOMER_ID = /^cus_\S+$/;

/** Whether a reply carries the result of a creation. */
export const carriesCustomer = (reply: Reply, submitted: CustomerRequest): boolean =>
  placeOfCustomer(reply, submitted) !== undefined;

/**
 * Where a reply carries the result of a creation, as a JSON pointer: with a 2xx at any member of a customer, or an id or
 * the email anywhere in the body; with another status, or beside an error, at an id only.
 * @param ids those of created customers, which distinguish ids from codes that begin like one
 */
export function placeOfCustomer(
  reply: Reply,
  submitted: CustomerRequest,
  ids: readonly string[] = [],
): string | undefined {
  const { json } = reply;
  const isRejected = !isSuccess(reply);
  // A copy of the submitted text is not a result.
  const isId = (text: string): boolean =>
    CUSTOMER_ID.test(text) && !submitted.name.includes(text) && !submitted.email.includes(text);
  const afterPrefix = (id: string): string => id.slice(4);
  const isLikeAccepted = (text: string): boolean =>
    ids.length === 0 || hasFormOf(ids.map(afterPrefix), afterPrefix(text));
  if (json === undefined) {
    const found = (reply.text.match(/\bcus_[^\s"'<>&\\]+/g) ?? []).filter(isId);
    const isAlone = found[0] === reply.text.trim() || reply.text.includes(submitted.email);
    // A page, such as one of documentation, may have an id as an example.
    const mayBeOther = isRejected || ids.length > 0;
    return found.some((id) => isLikeAccepted(id) && (!mayBeOther || isAlone)) ? '' : undefined;
  }
  const strings = stringsIn(json);
  const emails = strings.filter(({ name }) => name === 'email').map(({ text }) => text);
  if (isRejected && emails.length > 0 && !emails.includes(submitted.email)) return undefined;
  const isError = reportsError(json);
  const id = strings.find(({ pointer, name, text }) => {
    if (!isId(text) || /\/examples?\//i.test(pointer)) return false;
    // An error names the customer that it is about.
    if (!isRejected) return !isError || (name === 'id' && !/^\/errors?\//.test(pointer));
    return (name === 'id' && emails.includes(submitted.email)) || isLikeAccepted(text);
  });
  if (id || isRejected || isError) return id?.pointer;
  const email = strings.find(({ text }) => text !== '' && text === submitted.email);
  // Other things than a customer have an id, too, such as an event or a review.
  const isOther =
    typeof member(json, 'id') === 'string' && !('name' in Object(json) || 'email' in Object(json));
  // Some services describe errors in members with the names of a customer's, and a message.
  const own = ['id', 'name', 'email'].find((name) => {
    const value = member(json, name);
    // Other things than a customer have a name, too.
    const isSubmitted =
      typeof value === 'string' && value.trim().toLowerCase() === submitted.name.trim().toLowerCase();
    return (
      ![undefined, null, ''].includes(value as null) &&
      !(name === 'id' && isOther) &&
      (name !== 'name' || ids.length === 0 || isSubmitted)
    );
  });
  return (
    email?.pointer ?? (own !== undefined && member(json, 'message') === undefined ? `/${own}` : undefined)
  );
}

/**
 * Whether a text may be one more of some ids: about as long as they are, with no kinds of characters that all of them lack,
 * and with a digit if each of them has one.
 */
function hasFormOf(ids: readonly string[], text: string): boolean {
  const lengths = ids.map((id) => id.length);
  return (
    text.length >= Math.min(...lengths) - 1 &&
    text.length <= Math.max(...lengths) + 1 &&
    hasNoOtherCharacters(text, ids.join('')) &&
    (/\d/.test(text) || ids.some((id) => !/\d/.test(id)))
  );
}
