import fc from 'fast-check';
import { isScarce } from '../../lib/engine/affordable.ts';
import { carriesCustomer, customerRequestOf } from '../../lib/engine/customer.ts';
import { experiment } from '../../lib/engine/experiment.ts';
import type { Observation } from '../../lib/engine/observation.ts';
import type { Readiness } from '../../lib/engine/diagnosis.ts';
import { paths, postText } from '../../lib/engine/request.ts';
import { conceal, tokenRequestOf } from '../../lib/engine/token.ts';
import { findCredential } from '../../lib/engine/credential-in-reply.ts';
import { asIs } from '../../lib/inputs/as-is.ts';
import { customerOf, plainCustomer } from '../../lib/inputs/customers.ts';
import { tokenInput } from '../../lib/inputs/tokens.ts';
import type { Request } from '../../lib/target/exchange.ts';
import { USER_AGENT } from '../../lib/target/channel.ts';
import { run } from '../run.ts';
import { refusedCustomers, refusedTokens } from './refusals.ts';
import { acceptedToken } from './tokens.ts';

type Operation = keyof typeof paths;

/** Where requests are few, what is only advised waits until what must be refused has been. */
async function whenAffordable(first: Readiness): Promise<void> {
  if (isScarce(run, first)) await Promise.all([refusedCustomers.settled(), refusedTokens.settled()]);
}

/** A body that is not what the interface shows. */
interface Malformed {
  readonly operation: Operation;
  readonly body: string;
  readonly contentType?: string;
}

const bodies: readonly Malformed[] = [
  { operation: 'customers', body: '{"name":"Ada Berg","email":' },
  { operation: 'customers', body: '' },
  { operation: 'customers', body: '{}' },
  { operation: 'customers', body: '{"name":1,"email":{}}' },
  { operation: 'customers', body: 'name=Ada', contentType: 'application/x-www-form-urlencoded' },
  { operation: 'tokens', body: '{"scopes":[' },
  { operation: 'tokens', body: '{}' },
  { operation: 'tokens', body: '{"scopes":"customers:read","expires_in":"soon"}' },
];

/** Malformed bodies with the right key: open what becomes of them, but not that they break the service. */
export const malformedRequests = experiment<Malformed, Observation<Malformed>>(run, {
  name: 'malformed requests',
  letter: 'x',
  shrinking: asIs<Malformed>(),
  plan: async ({ send }, _, first) => {
    await whenAffordable(first);
    await send(bodies.map((body) => ({ category: body.operation, arbitrary: fc.constant(body) })));
  },
  perform: async (trial) => {
    const { operation, body, contentType } = trial.case.input;
    const deviation = contentType === undefined ? {} : { fields: [['Content-Type', contentType]] as const };
    const request = postText(paths[operation], body, run.credential, deviation);
    const exchange = await run.target.send(request, { queue: trial.case.experiment });
    if (operation === 'tokens') conceal(run, exchange);
    return { case: trial.case, exchange, accepted: false };
  },
});

/** A plain request written differently where HTTP says that it makes no difference. */
interface Rewriting {
  readonly operation: Operation;
  readonly scheme?: string;
  readonly fieldNames?: 'lower' | 'upper';
}

const rewritings: readonly Rewriting[] = [
  { operation: 'customers', scheme: 'bearer' },
  { operation: 'customers', scheme: 'BEARER' },
  { operation: 'tokens', scheme: 'bearer' },
  { operation: 'customers', fieldNames: 'lower' },
  { operation: 'tokens', fieldNames: 'lower' },
];

export const rewrittenRequests = experiment<Rewriting, Observation<Rewriting>>(run, {
  name: 'rewritten requests',
  letter: 'y',
  shrinking: asIs<Rewriting>(),
  plan: async ({ send }, _, first) => {
    await whenAffordable(first);
    await send(
      rewritings.map((rewriting) => ({
        category: rewriting.scheme === undefined ? 'field names' : 'scheme name',
        arbitrary: fc.constant(rewriting),
      })),
    );
  },
  perform: async (trial) => {
    const { operation } = trial.case.input;
    const options = { queue: trial.case.experiment };
    if (operation === 'customers') {
      const input = run.draw(plainCustomer, `rewritten ${trial.case.index}`);
      const submitted = customerOf(input, trial.mark(0));
      const request = rewrite(customerRequestOf(submitted, input, run.credential), trial.case.input);
      const exchange = await run.target.send(request, options);
      return { case: trial.case, exchange, accepted: carriesCustomer(exchange.reply, submitted) };
    }
    const { tokenScopes, tokenExpiresIn } = run.settings;
    const input = (await acceptedToken())?.case.input ?? tokenInput(tokenScopes, tokenExpiresIn);
    const exchange = await run.target.send(
      rewrite(tokenRequestOf(input, run.credential), trial.case.input),
      options,
    );
    const found = findCredential(exchange.reply, input.scopes);
    conceal(run, exchange);
    return { case: trial.case, exchange, accepted: found !== undefined };
  },
});

function rewrite(request: Request, { scheme, fieldNames }: Rewriting): Request {
  const rename = (name: string): string => {
    if (fieldNames === undefined) return name;
    return fieldNames === 'lower' ? name.toLowerCase() : name.toUpperCase();
  };
  const credential = request.credential!;
  const reschemed = (text: string): string => (scheme === undefined ? text : text.replace('Bearer', scheme));
  return {
    ...request,
    credential: {
      field: rename(credential.field),
      value: reschemed(credential.value),
      label: reschemed(credential.label),
      shell: reschemed(credential.shell),
    },
    fields: request.fields.map(([name, value]) => [rename(name), value]),
  };
}

/** GET on the paths of the operations: nothing is created by it. */
export const otherMethods = experiment<{ path: string }, Observation<{ path: string }>>(run, {
  name: 'other methods',
  letter: 'o',
  shrinking: asIs<{ path: string }>(),
  plan: async ({ send }, _, first) => {
    await whenAffordable(first);
    await send(Object.values(paths).map((path) => ({ category: 'GET', arbitrary: fc.constant({ path }) })));
  },
  perform: async (trial) => {
    const { path } = trial.case.input;
    const fields = [
      ['Accept', 'application/json'],
      ['User-Agent', USER_AGENT],
    ] as const;
    const request: Request = { method: 'GET', path, credential: run.credential, fields, body: undefined };
    const exchange = await run.target.send(request, { queue: trial.case.experiment });
    return { case: trial.case, exchange, accepted: false };
  },
});
