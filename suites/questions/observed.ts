import { EACH_REQUEST } from '../scenarios/credentials/cases.ts';
import { PLAIN, isAccepted } from '../../lib/engine/observation.ts';
import type { CustomerObservation } from '../../lib/engine/operations/customer.ts';
import { firstCustomer, firstToken } from '../../lib/engine/readiness/first-contact.ts';
import type { Case } from '../../lib/engine/observation.ts';
import type { Question } from '../../lib/engine/question.ts';
import type { Observed, Scenario } from '../../lib/engine/scenario.ts';
import type { Json } from '../../lib/schemas/json.ts';
import { MAX_ELAPSED, timeAt } from '../../lib/engine/operations/expiry.ts';
import { observedIn } from './ask.ts';
import type { TokenObservation } from '../../lib/engine/operations/token.ts';
import type { Exchange } from '../../lib/target/exchange.ts';
import type { CredentialInput } from '../scenarios/credentials/cases.ts';
import { invalidCustomerCredentials, invalidTokenCredentials } from '../scenarios/credentials/credentials.ts';
import type { CredentialObservation } from '../scenarios/credentials/requests.ts';
import { encodedCustomers, plainCustomers, simultaneousCustomers } from '../scenarios/customers.ts';
import { encodedTokens, plainTokens } from '../scenarios/tokens.ts';

/** Scenarios with creations of plain customers. */
export const customerAnswerScenarios = [
  firstCustomer,
  plainCustomers,
  simultaneousCustomers,
  encodedCustomers,
] as const;

/** The plain customers that were accepted. @param observed must have `customerAnswerScenarios` */
export const acceptedCustomers = (observed: Observed): readonly CustomerObservation[] =>
  customerAnswerScenarios
    .flatMap((scenario) => observed(scenario))
    .filter(({ accepted, case: { category } }) => accepted && category.startsWith(PLAIN));

/** Scenarios with the same plain token request. */
export const tokenAnswerScenarios = [firstToken, plainTokens, encodedTokens] as const;

/** The tokens that were issued for equal plain requests. @param observed must have `tokenAnswerScenarios` */
export function issuedTokens(observed: Observed): readonly TokenObservation[] {
  const all = tokenAnswerScenarios.flatMap((scenario) => observed(scenario)).filter(isAccepted);
  const first = all[0]?.case.input;
  return all.filter(
    ({ case: { input } }) =>
      input.expiresIn === first?.expiresIn && input.scopes.join() === first.scopes.join(),
  );
}

/**
 * The tokens that are as old as their responses: a service may hand out one again that it issued before, perhaps to an
 * earlier run. A JWT says when it was issued (RFC 7519, section 4.1.6); any other is new if no other request got it.
 */
export const newTokens = (tokens: readonly TokenObservation[]): readonly TokenObservation[] =>
  tokens.filter(({ found, exchange }) => {
    const issuedAt = found!.claims?.['iat'];
    return typeof issuedAt === 'number'
      ? Math.abs(issuedAt - timeAt(exchange)) <= MAX_ELAPSED
      : tokens.filter((other) => other.found!.text === found!.text).length === 1;
  });

/** A response that rejected a credential. */
interface Rejection {
  /** The operation, and the problem of the credential. */
  readonly kind: string;
  readonly exchange: Exchange;
}

/** Scenarios with the invalid credentials that every run sends early. */
export const credentialScenarios = [invalidCustomerCredentials, invalidTokenCredentials] as const;

/** The rejections of credentials with one thing wrong. @param observed must have `credentialScenarios` */
export const rejections = (observed: Observed): readonly Rejection[] => [
  ...observed(invalidCustomerCredentials).flatMap((one) => rejectionOf('customers', one)),
  ...observed(invalidTokenCredentials).flatMap((one) => rejectionOf('tokens', one)),
];

function rejectionOf(
  operation: string,
  { accepted, rejectsClient, exchange, case: testCase }: CredentialObservation<unknown>,
): Rejection[] {
  const problem = problemOf(testCase);
  const isRejection = !accepted && !rejectsClient;
  return problem !== undefined && isRejection ? [{ kind: `${operation}, ${problem}`, exchange }] : [];
}

/** The problem of a credential; undefined for kinds that some runs do not send. */
function problemOf({ category, input }: Case<CredentialInput<unknown>>): string | undefined {
  const { credential, conditions } = input;
  if (conditions.length > 0 || category === EACH_REQUEST) return undefined;
  if (credential.kind === 'none') return 'missing';
  if (credential.kind === 'change') return 'wrong';
  return credential.kind === 'value' && credential.template === 'Bearer' ? 'malformed' : undefined;
}

type AnswerSource = Pick<Question, 'asked' | 'over' | 'ask'>;

/** Makes questions that some observations of every run answer. */
const answeredBy =
  <O extends { readonly exchange: Exchange }>(
    over: readonly Scenario[],
    of: (observed: Observed) => readonly O[],
  ) =>
  (answer: (observations: readonly O[]) => Json | undefined): AnswerSource => ({
    asked: 'observed',
    over,
    ask: (_, observed) => observedIn(of(observed), answer),
  });

/** Questions that the accepted plain customers answer. */
export const fromAcceptedCustomers = answeredBy(customerAnswerScenarios, acceptedCustomers);

/** Questions that the tokens issued for equal plain requests answer. */
export const fromIssuedTokens = answeredBy(tokenAnswerScenarios, issuedTokens);

/** Questions that the rejections of credentials answer. */
export const fromRejections = answeredBy(credentialScenarios, rejections);
