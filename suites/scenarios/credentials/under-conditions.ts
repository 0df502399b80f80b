import { isRateLimited } from '../../../lib/target/retries/throttling.ts';
import { acceptedInputs } from '../../../lib/engine/observation.ts';
import type { Observation } from '../../../lib/engine/observation.ts';
import type { OperationName } from '../../../lib/engine/operations/request.ts';
import type { CaseSource, Run } from '../../../lib/engine/scenario.ts';
import { isSameResponse } from '../../../lib/engine/readiness/first-responses.ts';
import type { Exchange } from '../../../lib/target/exchange.ts';
import { customerOperation, tokenOperation, withInvalidCredentials } from './requests.ts';
import type { CredentialObservation } from './requests.ts';
import { bySize, customerBodies, hasOtherThanAscii, plainBodies, tokenBodies } from './bodies.ts';
import { invalidCustomerCredentials, invalidTokenCredentials } from './credentials.ts';
import { EACH_REQUEST, credentialCase, ruleOf } from './cases.ts';
import type { CredentialInput } from './cases.ts';
import { halves } from '../../../lib/inputs/lists.ts';
import { WRONG_KEY } from '../../../lib/inputs/invalid-credentials.ts';
import type { InvalidCredential } from '../../../lib/inputs/invalid-credentials.ts';
import {
  calledForm,
  conditionsOf,
  keyElsewhereWithWrongKey,
  returnedHeaders,
  secondCredential,
  trustedConditions,
} from './conditions.ts';
import { headersOfAccepted, isCarriedBy } from './filled-conditions.ts';
import type { Condition } from '../../../lib/engine/operations/request.ts';
import { tokenControl, variedTokens } from '../tokens.ts';
import { wideAndSimplified, wideScenarios } from '../simplified-customers.ts';

/** Customer creations without a credential, or with a wrong one, under conditions that must not take its place. */
export const customersUnderConditions = withInvalidCredentials(customerOperation, {
  name: 'customer credentials under conditions',
  uses: [invalidCustomerCredentials, ...wideScenarios],
  cases: (run, observed) =>
    underConditions(
      rowsFor(
        run,
        'customers',
        [...customerBodies(run, observed), plainBodies(run)(0)],
        largest(acceptedInputs(wideAndSimplified(observed))) ?? plainBodies(run)(0),
      ),
      rejectedForKey(observed(invalidCustomerCredentials)),
    ),
});

/** Token requests without a credential, or with a wrong one, under conditions that must not take its place. */
export const tokensUnderConditions = withInvalidCredentials(tokenOperation, {
  name: 'token credentials under conditions',
  uses: [invalidTokenCredentials, variedTokens],
  cases: (run, observed) =>
    underConditions(
      rowsFor(
        run,
        'tokens',
        [...tokenBodies(observed), tokenControl(observed).case.input],
        largest(acceptedInputs(observed(variedTokens))) ?? tokenControl(observed).case.input,
      ),
      rejectedForKey(observed(invalidTokenCredentials)),
    ),
});

/** Cases of the widest scenario for each row: all rows in a default run, the first ones in a quick run. */
const CASES_PER_ROW = 8;

/**
 * The rows of conditions that a run of its size sends, those that show the most faults first.
 * @param bases the bodies of the rows without a credential, in turn
 * @param large the body of the other rows, and of those that send it in another form
 */
function rowsFor<B>(
  run: Run,
  operation: OperationName,
  bases: readonly B[],
  large: B,
): readonly ConditionRow<B>[] {
  const none = { kind: 'none' } as const;
  const wrongBesideKey = operation === 'customers' ? WRONG_KEY : ({ kind: 'hash' } as const);
  const returned = returnedHeaders(operation, {
    customers: headersOfAccepted(run, 'customers'),
    tokens: headersOfAccepted(run, 'tokens'),
  });
  const [firstRow = [], ...otherRows] = conditionsOf(operation);
  const rowsOfHeaders = otherRows.slice(0, 3);
  // Some services check the form of a credential before they read other headers.
  const wrongKeys: readonly InvalidCredential[] = [WRONG_KEY, WRONG_KEY, { kind: 'other', text: 'None' }];
  const isCarried = isCarriedBy(run.settings.route.http);
  const [first, ...others] = [firstRow, ...(returned.length > 0 ? [returned] : []), ...otherRows].map(
    (conditions, at) => ({
      // Some services read these headers only if there is a credential, most of them for both operations alike. For those
      // that read them only if there is none, another row of token requests has them all.
      credential: operation === 'tokens' ? (wrongKeys[rowsOfHeaders.indexOf(conditions)] ?? none) : none,
      conditions,
      base: conditions.some(changesBody) ? large : bases[at % bases.length]!,
    }),
  );
  const rows = [
    first!,
    { credential: wrongBesideKey, conditions: keyElsewhereWithWrongKey, base: large },
    ...others,
    ...(operation === 'tokens' ? [{ credential: none, conditions: trustedConditions, base: bases[0]! }] : []),
    { credential: wrongBesideKey, conditions: [...secondCredential, calledForm], base: large },
  ];
  return rows
    .slice(0, Math.ceil(run.cases / CASES_PER_ROW))
    .map((row) => ({ ...row, conditions: row.conditions.filter(isCarried) }))
    .filter(({ conditions }) => conditions.length > 0);
}

/** The largest input, as some services handle large bodies differently; with characters beyond ASCII, if any has them. */
function largest<I>(inputs: readonly I[]): I | undefined {
  const sorted = bySize(inputs);
  return sorted.findLast(hasOtherThanAscii) ?? sorted.at(-1);
}

const changesBody = ({ chunked = false, content, without = [] }: Condition): boolean =>
  chunked || content !== undefined || without.includes('Content-Type');

const changesForm = (condition: Condition): boolean =>
  changesBody(condition) ||
  condition.members !== undefined ||
  condition.query !== undefined ||
  condition.absolute !== undefined ||
  (condition.fields ?? []).some(([name]) => /^(?:content-type|host)$/i.test(name));

/**
 * The conditions that change the form of the request, and the others; halves, if all are of one kind. A request target in
 * absolute form is separated first, as many services do not understand it.
 */
function splitRow(conditions: readonly Condition[]): readonly (readonly Condition[])[] {
  const rest = conditions.filter(({ absolute }) => absolute === undefined);
  if (rest.length > 0 && rest.length < conditions.length)
    return [conditions.filter(({ absolute }) => absolute !== undefined), rest];
  const [form, others] = [conditions.filter(changesForm), conditions.filter((one) => !changesForm(one))];
  return form.length > 0 && others.length > 0 ? [form, others] : halves(conditions);
}

/** The exchanges of rejected requests with invalid credentials alone. */
const rejectedForKey = (observations: readonly CredentialObservation<unknown>[]): Exchange[] =>
  observations
    .filter(
      ({ accepted, rejectsClient = false, case: { category } }) =>
        !accepted && !rejectsClient && category !== EACH_REQUEST,
    )
    .map(({ exchange }) => exchange);

/** A row of conditions, and what else a request under them has. */
interface ConditionRow<B> {
  readonly credential: InvalidCredential;
  readonly conditions: readonly Condition[];
  readonly base: B;
}

/** Maximum number of rows of conditions that are divided. */
const MAX_DIVIDED = 16;

/**
 * Requests with invalid credentials under rows of conditions. An accepted row is divided until the conditions that made
 * it accepted are known. So is a row that was rejected differently from requests without conditions, as the target may
 * have rejected one of its conditions, not its credential; but not with a 401, which is always for the credential (RFC
 * 9110, section 15.5.2), nor if it has another path, where there need not be anything. Conditions that change the form of
 * the request are separated from the others first: many services check the form before the credential.
 * @param usual exchanges of requests with invalid credentials alone
 */
export function* underConditions<B>(
  rows: readonly ConditionRow<B>[],
  usual: readonly Exchange[],
): Generator<CaseSource<CredentialInput<B>>[], void, readonly Observation<CredentialInput<B>>[]> {
  const isUsual = (exchange: Exchange): boolean =>
    usual.some((one) =>
      exchange.reply.status === 401 ? one.reply.status === 401 : isSameResponse(one, exchange),
    );
  const wasRejectedForCondition = ({
    accepted,
    exchange,
    case: { input },
  }: Observation<CredentialInput<B>>): boolean =>
    !accepted &&
    !isUsual(exchange) &&
    !isRateLimited(exchange.reply) &&
    input.conditions.every(({ path }) => path === undefined);
  let divided = 0;
  for (let next = rows; next.length > 0;) {
    const observations = yield next.map(({ credential, conditions, base }) =>
      credentialCase(ruleOf(credential), credential, base, conditions),
    );
    const accepted = observations.filter((observation) => observation.accepted);
    next = [...accepted, ...observations.filter(wasRejectedForCondition)]
      .map((observation) => observation.case.input as ConditionRow<B>)
      .filter(({ conditions }) => conditions.length > 1)
      .slice(0, MAX_DIVIDED - divided)
      .flatMap((row) => splitRow(row.conditions).map((conditions) => ({ ...row, conditions })));
    divided += next.length / 2;
  }
}
