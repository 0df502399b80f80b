import { conceal } from '../../lib/engine/operations/credentials-in-reply.ts';
import { issueToken } from '../../lib/engine/operations/token.ts';
import { createCustomer } from '../../lib/engine/operations/customer.ts';
import type { Observation } from '../../lib/engine/observation.ts';
import { paths, postText, withoutBody } from '../../lib/engine/operations/request.ts';
import type { OperationName } from '../../lib/engine/operations/request.ts';
import { scenario, fixedCase } from '../../lib/engine/scenario.ts';
import { asIs } from '../../lib/inputs/shrinking.ts';
import { plainCustomer } from '../../lib/inputs/customers.ts';
import type { Request } from '../../lib/target/exchange.ts';
import { customerControl, plainCustomerScenarios } from './customers.ts';
import { isIntermittent } from './recurrence.ts';
import { plainTokenScenarios, tokenControl } from './tokens.ts';

/** A body that differs from the form that the interface shows. */
export interface Malformed {
  readonly operation: OperationName;
  readonly body: string;
  readonly contentType?: string;
}

const bodies: readonly Malformed[] = [
  { operation: 'customers', body: '{"name":"Ada Berg","email":' },
  { operation: 'customers', body: '' },
  { operation: 'customers', body: '{"name":"Grace Hall"}' },
  { operation: 'customers', body: '{"name":{},"email":"grace@example.com"}' },
  { operation: 'customers', body: 'name=Ada', contentType: 'application/x-www-form-urlencoded' },
  { operation: 'tokens', body: '{"scopes":[' },
  { operation: 'tokens', body: '{}' },
  { operation: 'tokens', body: '{"scopes":"customers:read","expires_in":"soon"}' },
];

/** Malformed bodies with the right key: the interface does not show their outcome, but it should not be a server error. */
export const malformedRequests = scenario<Malformed>({
  name: 'malformed requests',
  shrinking: asIs<Malformed>(),
  cases: () => bodies.map((body) => fixedCase(body.operation, body)),
  send: (run) => async (testCase) => {
    const { operation, body, contentType } = testCase.input;
    const deviation = contentType === undefined ? {} : { fields: [['Content-Type', contentType]] as const };
    const request = postText(paths[operation], body, run.credential, deviation);
    const exchange = await run.target.send(request, { queue: testCase.scenario });
    if (operation === 'tokens') conceal(run.target.redactor, exchange);
    return { case: testCase, exchange, accepted: false };
  },
});

/** A plain request written differently where HTTP says that it makes no difference. */
export interface Rewriting {
  readonly operation: OperationName;
  readonly scheme?: string;
  readonly headerNames?: 'lower' | 'upper';
}

const rewritings: readonly Rewriting[] = [
  { operation: 'customers', scheme: 'bearer' },
  { operation: 'customers', scheme: 'BEARER' },
  { operation: 'tokens', scheme: 'bearer' },
  { operation: 'customers', headerNames: 'lower' },
  { operation: 'tokens', headerNames: 'lower' },
];

/** Plain requests whose scheme name or header names are written in another case. */
export const rewrittenRequests = scenario<Rewriting>({
  name: 'rewritten requests',
  uses: [...plainCustomerScenarios, ...plainTokenScenarios],
  shrinking: asIs<Rewriting>(),
  cases: ({ settings: { route } }) =>
    rewritings
      .filter(({ headerNames }) => headerNames === undefined || route.http === '1.1')
      .map((rewriting) =>
        fixedCase(rewriting.scheme === undefined ? 'header names' : 'scheme name', rewriting),
      ),
  send: (run, observed) => async (testCase, nonce) => {
    const options = { rewrite: rewriting(testCase.input) };
    const sendOnce = async (suffix = ''): Promise<Observation<Rewriting>> => {
      if (testCase.input.operation === 'customers') {
        customerControl(observed);
        const input = run.generate(plainCustomer, `rewritten ${testCase.index}`);
        const own = (tries: number): string => `${nonce(tries)}${suffix}`;
        return { ...(await createCustomer(run, { ...testCase, input }, own, options)), case: testCase };
      }
      const { input } = tokenControl(observed).case;
      return { ...(await issueToken(run, { ...testCase, input }, options)), case: testCase };
    };
    const observation = await sendOnce();
    return (await isIntermittent(observation, (attempt) => sendOnce(`v${attempt}`)))
      ? { ...observation, intermittent: 'exchange' }
      : observation;
  },
});

function rewriting({ scheme, headerNames }: Rewriting): (request: Request) => Request {
  const rename = (name: string): string => {
    if (headerNames === undefined) return name;
    return headerNames === 'lower' ? name.toLowerCase() : name.toUpperCase();
  };
  const reschemed = (text: string): string => (scheme === undefined ? text : text.replace('Bearer', scheme));
  return ({ credential, fields, ...request }) => ({
    ...request,
    credential: credential && {
      field: rename(credential.field),
      value: reschemed(credential.value),
      label: reschemed(credential.label),
      shell: reschemed(credential.shell),
    },
    fields: fields.map(([name, value]) => [rename(name), value]),
  });
}

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
