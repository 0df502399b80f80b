import { carriesCustomer, createCustomer, customerRequestOf } from '../../lib/engine/customer.ts';
import { experiment } from '../../lib/engine/experiment.ts';
import { Inconclusive } from '../../lib/engine/observation.ts';
import { paths } from '../../lib/engine/request.ts';
import { carriesCredential, conceal, issueToken, tokenRequestOf } from '../../lib/engine/token.ts';
import type { TokenObservation } from '../../lib/engine/token.ts';
import { customerOf, plainCustomer, shrinkCustomer } from '../../lib/inputs/customers.ts';
import type { CustomerInput } from '../../lib/inputs/customers.ts';
import { shrinkToken } from '../../lib/inputs/tokens.ts';
import type { TokenInput } from '../../lib/inputs/tokens.ts';
import { run } from '../run.ts';
import { eachKind, plainCustomers, wideCustomers } from './customers.ts';
import { draftsFor, oneOfEachRule, ownSlot, shrinkRefusal, vouched, withBodies } from './forgery-plan.ts';
import type { RefusalInput } from './forgery-plan.ts';
import { refuse } from './refuse.ts';
import type { Operation, RefusalObservation } from './refuse.ts';
import { acceptedToken, variedTokens } from './tokens.ts';

const CUSTOMERS = 'forged customer requests';
const TOKENS = 'forged token requests';

/** Forged requests that are kept for the end. */
const LAST = 6;

/** Slots of which the last ones wait for something when their turn comes. */
const endingAfter = <S extends object>(
  slots: readonly S[],
  last: number,
  after: () => Promise<unknown>,
): S[] => slots.map((slot, at) => (at < slots.length - last ? slot : { ...slot, after }));

const [lastCustomers, lastToken] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];

/** When no request is left to be forged but the last ones, or none at all. */
export const almostRefused = (): Promise<unknown> =>
  Promise.all([
    Promise.race([lastCustomers.promise, refusedCustomers.settled()]),
    Promise.race([lastToken.promise, refusedTokens.settled()]),
  ]);

const creating: Operation<CustomerInput> = {
  control: async () => {
    const { observations } = await plainCustomers.explore();
    const control = observations.find(({ accepted }) => accepted);
    if (!control)
      throw new Inconclusive('its control, a plain customer with the right key, was not accepted');
    return control.exchange;
  },
  grant: async (input, mark, connection) => {
    const trial = { case: { experiment: CUSTOMERS, index: -1, category: 'control', input }, mark };
    const { accepted, exchange } = await createCustomer(trial, run, connection ? { connection } : {});
    return accepted ? exchange : undefined;
  },
  forge: async (input, mark, credential, deviation) => {
    const submitted = customerOf(input, mark);
    return {
      request: customerRequestOf(submitted, input, credential, deviation),
      isAccepted: ({ reply }) => carriesCustomer(reply, submitted),
    };
  },
};

/** Customer creations that had to be refused. */
export const refusedCustomers = experiment<RefusalInput<CustomerInput>, RefusalObservation<CustomerInput>>(
  run,
  {
    name: CUSTOMERS,
    letter: 'f',
    shrinking: shrinkRefusal(shrinkCustomer),
    plan: async ({ send }) => {
      await creating.control();
      const { early, late } = draftsFor(paths.customers, 0);
      const drawn = (at: number): CustomerInput => run.draw(plainCustomer, `forged ${at}`);
      const { first, others } = oneOfEachRule([...vouched(drawn), ...withBodies(early, drawn)]);
      await send(first);
      await send(others);
      // The bodies of accepted wide requests, the telling ones first: some services look away for some bodies.
      const taken = (await eachKind())
        .filter(({ accepted }) => accepted)
        .map((observation) => observation.case.input);
      const bySize = taken.toSorted((a, b) => b.name.length - a.name.length);
      const trusted = taken.filter(({ name }) => /^(?:admin|test|root|system)$/i.test(name));
      const bases = [
        ...bySize.slice(0, 1),
        ...bySize.slice(-1),
        ...trusted,
        ...bySize.slice(1, 5),
        ...run.shuffle(taken),
      ];
      const slots = withBodies(late, (at) => bases[at % bases.length] ?? drawn(at));
      // A service may look away only after a while.
      const after = (): Promise<unknown> => {
        lastCustomers.resolve();
        return wideCustomers.settled();
      };
      await send(endingAfter(slots, LAST, after));
    },
    perform: (trial) => refuse(trial, creating),
  },
);

async function tokenControl(): Promise<TokenObservation> {
  const control = await acceptedToken();
  if (!control)
    throw new Inconclusive('its control, a plain token request with the right key, was not accepted');
  return control;
}

const issuing: Operation<TokenInput> = {
  control: async () => (await tokenControl()).exchange,
  grant: async (input, mark, connection) => {
    const trial = { case: { experiment: TOKENS, index: -1, category: 'control', input }, mark };
    const { accepted, exchange } = await issueToken(trial, run, connection ? { connection } : {});
    return accepted ? exchange : undefined;
  },
  forge: async (input, _, credential, deviation) => {
    const control = await tokenControl();
    return {
      request: tokenRequestOf(input, credential, deviation),
      isAccepted: (exchange) => {
        const found = carriesCredential(exchange.reply, credential?.value ?? '', control.found!);
        if (found) conceal(run, exchange);
        return found !== undefined;
      },
    };
  },
};

/** Token requests that had to be refused. */
export const refusedTokens = experiment<RefusalInput<TokenInput>, RefusalObservation<TokenInput>>(run, {
  name: TOKENS,
  letter: 'g',
  shrinking: shrinkRefusal(shrinkToken),
  plan: async ({ send }) => {
    const base = (await tokenControl()).case.input;
    const { early, late } = draftsFor(paths.tokens, 1);
    const issued = { kind: 'issued token' } as const;
    const { first, others } = oneOfEachRule([
      ...vouched(() => base),
      ...withBodies(early, () => base),
      ownSlot('static key', issued, base),
      ownSlot('static key', issued, { ...base, expiresIn: Math.ceil(base.expiresIn / 2) }),
    ]);
    await send(first);
    await send(others);
    const { observations } = await variedTokens.explore();
    const taken = observations
      .filter(({ accepted }) => accepted)
      .map((observation) => observation.case.input);
    const byLifetime = taken.toSorted((a, b) => a.expiresIn - b.expiresIn);
    const byScopes = taken.toSorted((a, b) => b.scopes.length - a.scopes.length);
    const bases = [...byLifetime.slice(0, 2), ...byScopes.slice(0, 2), ...byLifetime.slice(-1), ...taken];
    const slots = [
      ...taken.slice(0, 2).map((input) => ownSlot('static key', issued, input)),
      ...withBodies(late, (at) => bases[at % bases.length] ?? base),
    ];
    await send(endingAfter(slots, 1, async () => lastToken.resolve()));
  },
  perform: (trial) => refuse(trial, issuing),
});
