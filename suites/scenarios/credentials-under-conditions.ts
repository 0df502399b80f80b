import { isRateLimited } from '../../lib/target/pace/retry-policy.ts';
import { acceptedInputs } from '../../lib/engine/observation.ts';
import type { Observation } from '../../lib/engine/observation.ts';
import type { OperationName } from '../../lib/engine/operations/request.ts';
import type { CaseSource, Run } from '../../lib/engine/scenario.ts';
import type { Reply } from '../../lib/target/reply.ts';
import {
  customerOperation,
  headersOfAccepted,
  tokenOperation,
  withInvalidCredentials,
} from './credential-requests.ts';
import type { CredentialObservation } from './credential-requests.ts';
import {
  bySize,
  hasOtherThanAscii,
  invalidCustomerCredentials,
  invalidTokenCredentials,
  plainBodies,
} from './credentials.ts';
import { credentialCase, ruleOf } from './credential-cases.ts';
import type { CredentialInput } from './credential-cases.ts';
import type { InvalidCredential } from '../../lib/inputs/invalid-credentials.ts';
import { keyElsewhereWithWrongKey, conditionsOf, returnedHeaders, secondCredential } from './conditions.ts';
import { isCarriedBy } from './condition.ts';
import type { Condition } from './condition.ts';
import { tokenControl, variedTokens } from './tokens.ts';
import { plainerCustomers, wideAndPlainer } from './rejected-input.ts';
import { wideCustomers } from './wide-customers.ts';

/** Customer creations without a credential, or with a wrong one, under conditions that must not take its place. */
export const customersUnderConditions = withInvalidCredentials(customerOperation, {
  name: 'customer credentials under conditions',
  uses: [invalidCustomerCredentials, wideCustomers, plainerCustomers],
  cases: (run, observed) =>
    underConditions(
      rowsFor(run, 'customers'),
      rejectedForKey(observed(invalidCustomerCredentials)),
      largest(acceptedInputs(wideAndPlainer(observed))) ?? plainBodies(run)(0),
    ),
});

/** Token requests without a credential, or with a wrong one, under conditions that must not take its place. */
export const tokensUnderConditions = withInvalidCredentials(tokenOperation, {
  name: 'token credentials under conditions',
  uses: [invalidTokenCredentials, variedTokens],
  cases: (run, observed) =>
    underConditions(
      rowsFor(run, 'tokens'),
      rejectedForKey(observed(invalidTokenCredentials)),
      largest(acceptedInputs(observed(variedTokens))) ?? tokenControl(observed).case.input,
    ),
});

/** Cases of the widest scenario for each row: all rows in a default run, the first ones in a quick run. */
const CASES_PER_ROW = 8;

/** The rows of conditions that a run of its size sends, those that show the most faults first. */
function rowsFor(run: Run, operation: OperationName): readonly ConditionRow[] {
  const none = { kind: 'none' } as const;
  const wrong = { kind: 'other', text: 'sk_test_wrong' } as const;
  const returned = returnedHeaders(operation, {
    customers: headersOfAccepted(run, 'customers'),
    tokens: headersOfAccepted(run, 'tokens'),
  });
  const [first = [], ...others] = conditionsOf(operation);
  const isCarried = isCarriedBy(run.settings.route.http);
  const rows: ConditionRow[] = [
    { credential: none, conditions: first },
    { credential: wrong, conditions: keyElsewhereWithWrongKey },
    ...(returned.length > 0 ? [{ credential: none, conditions: returned }] : []),
    ...others.map((conditions) => ({ credential: none, conditions })),
    { credential: wrong, conditions: secondCredential },
  ];
  return rows
    .slice(0, Math.ceil(run.cases / CASES_PER_ROW))
    .map((row) => ({ ...row, conditions: row.conditions.filter(isCarried) }))
    .filter(({ conditions }) => conditions.length > 0);
}

/** The largest input, as some services look at large bodies differently; with characters that are not ASCII, if any has. */
function largest<I>(inputs: readonly I[]): I | undefined {
  const sorted = bySize(inputs);
  return sorted.findLast(hasOtherThanAscii) ?? sorted.at(-1);
}

/** The responses to requests with invalid credentials alone. */
const rejectedForKey = (observations: readonly CredentialObservation<unknown>[]): Reply[] =>
  observations
    .filter(
      ({ accepted, rejectsClient = false, case: { category } }) =>
        !accepted && !rejectsClient && category !== 'each request',
    )
    .map(({ exchange }) => exchange.reply);

/** A row of conditions, and the credential of a request under them. */
interface ConditionRow {
  readonly credential: InvalidCredential;
  readonly conditions: readonly Condition[];
}

/** Most rows of conditions that are divided. */
const MAX_DIVIDED = 12;

/**
 * Requests with invalid credentials under rows of conditions. A row that was accepted is divided until the conditions
 * that it was accepted for are known. So is one that was rejected with another status than requests without conditions,
 * as one of its conditions may have been rejected in place of its credential; but not one with another path, where
 * nothing needs to be.
 * @param usual responses to requests with invalid credentials alone
 */
export function* underConditions<B>(
  rows: readonly ConditionRow[],
  usual: readonly Reply[],
  base: B,
): Generator<CaseSource<CredentialInput<B>>[], void, readonly Observation<CredentialInput<B>>[]> {
  const statuses = new Set(usual.map(({ status }) => status));
  const wasRejectedForCondition = ({
    accepted,
    exchange,
    case: { input },
  }: Observation<CredentialInput<B>>): boolean =>
    !accepted &&
    !statuses.has(exchange.reply.status) &&
    !isRateLimited(exchange.reply) &&
    input.conditions.every(({ path }) => path === undefined);
  let divided = 0;
  for (let next = rows; next.length > 0;) {
    const observations = yield next.map(({ credential, conditions }) =>
      credentialCase(ruleOf(credential), credential, base, conditions),
    );
    const accepted = observations.filter((observation) => observation.accepted);
    next = [...accepted, ...observations.filter(wasRejectedForCondition)]
      .map((observation) => observation.case.input as ConditionRow)
      .filter(({ conditions }) => conditions.length > 1)
      .slice(0, MAX_DIVIDED - divided)
      .flatMap(({ credential, conditions }) => [
        { credential, conditions: conditions.slice(0, conditions.length >> 1) },
        { credential, conditions: conditions.slice(conditions.length >> 1) },
      ]);
    divided += next.length / 2;
  }
}
