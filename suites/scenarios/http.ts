import fc from 'fast-check';
import { withSuffix } from '../../lib/engine/nonces.ts';
import { issueToken, tokenScenario } from '../../lib/engine/operations/token.ts';
import type { TokenObservation } from '../../lib/engine/operations/token.ts';
import { createCustomer, customerScenario } from '../../lib/engine/operations/customer.ts';
import type { CustomerObservation } from '../../lib/engine/operations/customer.ts';
import { isServerError } from '../../lib/engine/observation.ts';
import type { Case, Observation } from '../../lib/engine/observation.ts';
import { paths, postText, standardFields, withoutBody } from '../../lib/engine/operations/request.ts';
import type { Condition, OperationName, OperationOptions } from '../../lib/engine/operations/request.ts';
import { scenario, fixedCase } from '../../lib/engine/scenario.ts';
import type { CaseSource, Run } from '../../lib/engine/scenario.ts';
import { asIs } from '../../lib/inputs/shrinking.ts';
import { plainCustomer } from '../../lib/inputs/customers.ts';
import { bearer } from '../../lib/target/credential.ts';
import { customerControl, plainCustomerScenarios } from './customers.ts';
import { markedIfIntermittent } from './recurrence.ts';
import { acceptedToken, plainTokenScenarios } from './tokens.ts';

/** A body that differs from the form that the interface shows. */
interface Malformed {
  readonly operation: OperationName;
  readonly body: string;
  readonly contentType?: string;
}

const bodies: readonly Malformed[] = [
  { operation: 'customers', body: '{"name":"Ada Berg","email":' },
  { operation: 'customers', body: '' },
  { operation: 'customers', body: '{"name":"Grace Hall"}' },
  { operation: 'customers', body: '{"name":{},"email":"grace{run id}@example.com"}' },
  { operation: 'customers', body: 'name=Ada', contentType: 'application/x-www-form-urlencoded' },
  { operation: 'tokens', body: '{"scopes":[' },
  { operation: 'tokens', body: '{}' },
  { operation: 'tokens', body: '{"scopes":"customers:read","expires_in":"soon"}' },
];

/** Malformed bodies with the right key: the interface does not show their outcome, but it should not be a server error. */
export const malformedRequests = scenario<Malformed>({
  name: 'malformed requests',
  shrinking: asIs<Malformed>(),
  cases: (run) =>
    bodies.map((body) =>
      fixedCase(body.operation, { ...body, body: body.body.replace('{run id}', run.runId()) }),
    ),
  send: (run) => async (testCase) => {
    const { operation, body, contentType } = testCase.input;
    const condition = contentType === undefined ? {} : { fields: [['Content-Type', contentType]] as const };
    const request = postText(paths[operation], body, run.credential, condition);
    const exchange = await run.target.send(request, { queue: testCase.scenario });
    return { case: testCase, exchange, accepted: false };
  },
});

/** How a plain request is written differently where HTTP says that it makes no difference, by category. */
const rewritings: Readonly<Record<string, (key: string) => Condition>> = {
  'scheme name bearer': (key) => ({ credential: bearer(key, 'bearer') }),
  'scheme name BEARER': (key) => ({ credential: bearer(key, 'BEARER') }),
  'header names': (key) => ({
    credential: { ...bearer(key), field: 'authorization' },
    fields: standardFields.map(([name, value]) => [name.toLowerCase(), value]),
  }),
};

/** Whether a request has the name of the scheme in another case. */
export const hasRewrittenScheme = ({ case: { category } }: Pick<Observation, 'case'>): boolean =>
  category.startsWith('scheme name');

/** How a rewritten request is sent. Services that compare the name of the scheme exactly treat its credential as wrong. */
const rewriting = ({ settings }: Run, testCase: Case<unknown>): OperationOptions => ({
  condition: rewritings[testCase.category]!(settings.apiKey),
  ...(hasRewrittenScheme({ case: testCase }) && { ifThrottled: 'final', mayBeRejected: true }),
});

/**
 * Marks a rewritten request that the service failed on, but not each time. A rejection of the name of the scheme may be
 * that of one instance among several, of which only some compare it exactly.
 */
const markedIfFailed = async <O extends Observation>(
  observation: O,
  again: (attempt: number) => Promise<O>,
): Promise<O> =>
  hasRewrittenScheme(observation) && !isServerError(observation)
    ? observation
    : markedIfIntermittent(observation, again);

/** Whether a request has its header names in another case. */
export const hasRewrittenHeaderNames = ({ case: { category } }: Observation): boolean =>
  category === 'header names';

/** One input rewritten in several ways. HTTP/2 has one case of header names only. */
const rewritten = <I>(
  { settings: { route } }: Run,
  arbitrary: fc.Arbitrary<I>,
  categories = Object.keys(rewritings),
): CaseSource<I>[] =>
  categories
    .filter((category) => category !== 'header names' || route.http === '1.1')
    .map((category) => ({ category, arbitrary }));

/** Plain customers, with the scheme name or the header names in another case. */
export const rewrittenCustomers = customerScenario({
  name: 'rewritten customers',
  uses: plainCustomerScenarios,
  cases: (run) => rewritten(run, plainCustomer),
  send: (run, observed) => async (testCase, nonce) => {
    // Throws if no plain customer was accepted.
    customerControl(observed);
    const send = (suffix = ''): Promise<CustomerObservation> => {
      return createCustomer(run, testCase, withSuffix(nonce, suffix), rewriting(run, testCase));
    };
    return markedIfFailed(await send(), (attempt) => send(`v${attempt}`));
  },
});

/** The accepted token request, with the scheme name or the header names in another case. */
export const rewrittenTokens = tokenScenario({
  name: 'rewritten tokens',
  uses: plainTokenScenarios,
  cases: (run, observed) => {
    const input = acceptedToken(observed)?.case.input;
    return input ? rewritten(run, fc.constant(input), ['scheme name bearer', 'header names']) : [];
  },
  send: (run) => async (testCase) => {
    const send = (): Promise<TokenObservation> => issueToken(run, testCase, rewriting(run, testCase));
    return markedIfFailed(await send(), send);
  },
});

/** GET on the paths of the operations, which creates nothing. */
export const otherMethods = scenario<{ readonly path: string }>({
  name: 'other methods',
  shrinking: asIs<{ path: string }>(),
  cases: () => Object.values(paths).map((path) => fixedCase('GET', { path })),
  send: (run) => async (testCase) => {
    const request = withoutBody('GET', testCase.input.path, run.credential);
    const exchange = await run.target.send(request, { queue: testCase.scenario });
    return { case: testCase, exchange, accepted: false };
  },
});
