import fc from 'fast-check';
import { carriesCustomer, createCustomer, customerRequestOf } from '../../lib/experiment/customer.ts';
import { experiment } from '../../lib/experiment/experiment.ts';
import type { Slot, Trial } from '../../lib/experiment/experiment.ts';
import { Inconclusive } from '../../lib/experiment/observation.ts';
import type { Observation } from '../../lib/experiment/observation.ts';
import { paths } from '../../lib/experiment/request.ts';
import type { Deviation } from '../../lib/experiment/request.ts';
import { carriesCredential, issueToken, tokenRequestOf } from '../../lib/experiment/token.ts';
import type { TokenObservation } from '../../lib/experiment/token.ts';
import { asIs } from '../../lib/inputs/as-is.ts';
import { customerOf, plainCustomer, shrinkCustomer } from '../../lib/inputs/customers.ts';
import type { CustomerInput } from '../../lib/inputs/customers.ts';
import { forge, forgedKey, missing, nearMisses, otherSchemes } from '../../lib/inputs/forgeries.ts';
import type { Forgery } from '../../lib/inputs/forgeries.ts';
import { roundRobin } from '../../lib/inputs/round-robin.ts';
import { shrinkToken } from '../../lib/inputs/tokens.ts';
import type { TokenInput } from '../../lib/inputs/tokens.ts';
import type { Credential } from '../../lib/target/credential.ts';
import type { Exchange, Request } from '../../lib/target/exchange.ts';
import { run } from '../run.ts';
import { plainCustomers, wideCustomers } from './customers.ts';
import { grantedToken, variedTokens } from './tokens.ts';

/** Which rule of section 5 a forged request is about. */
export type Rule = 'key required' | 'bearer scheme' | 'exact key' | 'each request' | 'static key';

/** A granted request with another credential, and perhaps with fields or a path that mislead. */
export interface RefusalInput<B> {
  readonly rule: Rule;
  /** `issued token`: a token that the target has issued, in place of the key. */
  readonly forgery: Forgery | { readonly kind: 'issued token' };
  readonly base: B;
  readonly deviation: Deviation;
}

/** What the target answered to a forged request, beside its granted control. */
export interface RefusalObservation<B> extends Observation<RefusalInput<B>> {
  readonly control: Exchange;
  /** Whether it left on the connection that had just carried the control; undefined: not tried. */
  readonly sameConnection?: boolean;
}

type Refusal<B> = Slot<RefusalInput<B>>;

/** Fields, framings and paths that some services and proxies trust more than they should. */
const misleading: readonly Deviation[] = [
  { fields: [['X-Forwarded-For', '127.0.0.1']] },
  { fields: [['X-Original-URL', '/health']] },
  { fields: [['X-HTTP-Method-Override', 'GET']] },
  { fields: [['X-Requested-With', 'XMLHttpRequest']] },
  { fields: [['Cookie', 'session=1']] },
  { fields: [['Origin', 'http://localhost']] },
  { fields: [['User-Agent', 'kube-probe/1.31']] },
  { fields: [['Content-Type', 'application/json; charset=utf-8']] },
  { fields: [['Content-Type', 'text/plain']] },
  { fields: [['Accept', 'text/html']] },
  { fields: [['X-Name', '\u00e9']] },
  { fields: [['X-API-Key', '{key}']] },
  { without: ['Content-Type'] },
  { without: ['User-Agent'] },
  { close: true },
  { chunked: true },
];

const misleadingPaths = (path: string): Deviation[] =>
  [
    `${path}/`,
    `${path}?debug=true`,
    `${path}?access_token={key}`,
    `/${path}`,
    path.replace(/[a-z]+$/, (word) => word.toUpperCase()),
    path.replace(/[a-z](?=[a-z]+$)/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  ].map((other) => ({ path: other }));

type Draft = { rule: Rule; forgery: fc.Arbitrary<Forgery>; deviation: Deviation };

/**
 * The forged requests for one operation. What is most often got wrong goes to both; the rest is
 * divided between them, as services check credentials of all operations in one place.
 * @param turn 0 or 1: which half of the rest
 * @returns those to start with and those to go on with
 */
function draftsFor(path: string, turn: 0 | 1): { early: Draft[]; late: Draft[] } {
  const { apiKey, cases } = run.settings;
  const draft = (rule: Rule, forgery: fc.Arbitrary<Forgery>, deviation: Deviation = {}): Draft => ({
    rule,
    forgery,
    deviation,
  });
  const exact = (list: readonly fc.Arbitrary<Forgery>[]): Draft[] =>
    list.map((forgery) => draft('exact key', forgery));
  const schemes = (list: readonly Forgery[]): Draft[] =>
    list.map((forgery) => draft('bearer scheme', fc.constant(forgery)));
  const half = <T>(list: readonly T[]): T[] => list.filter((_, at) => at % 2 === turn);
  const { common, rarer } = nearMisses(apiKey);
  const both = roundRobin([
    missing.map((forgery) => draft('key required', fc.constant(forgery))),
    exact(common),
    schemes(otherSchemes.slice(0, 4)),
  ]);
  const misled = [...misleading, ...misleadingPaths(path)].map((deviation) =>
    draft('key required', fc.constant({ kind: 'none' }), deviation),
  );
  const rest = roundRobin([exact(half(rarer)), half(misled), schemes(half(otherSchemes.slice(4)))]);
  const most = Math.max(10, Math.ceil(cases / 3.2));
  return { early: both.slice(0, 10), late: [...both.slice(10), ...rest].slice(0, most - 10) };
}

/** Puts bodies to drafts. */
const withBodies = <B>(drafts: readonly Draft[], base: (at: number) => B): Refusal<B>[] =>
  drafts.map(({ rule, forgery, deviation }, at) => ({
    family: rule,
    arbitrary: forgery.map((drawn) => ({ rule, forgery: drawn, base: base(at), deviation })),
  }));

const shrinkRefusal = <B>(base: fc.Arbitrary<B>): fc.Arbitrary<RefusalInput<B>> =>
  fc.record({
    rule: asIs<Rule>(),
    forgery: asIs<RefusalInput<B>['forgery']>(),
    base,
    deviation: asIs<Deviation>(),
  });

/** The forged credential, with whatever is nearly the key kept out of all output. */
function forged(forgery: Forgery): Credential | undefined {
  const { apiKey } = run.settings;
  if (forgery.kind !== 'none' && forgery.kind !== 'value' && forgery.kind !== 'other') {
    const text = forgedKey(forgery, apiKey);
    if (text.length >= apiKey.length / 2) run.target.redactor.hide(text, 'near miss of the key');
  }
  return forge(forgery, apiKey);
}

const issued = ({ found }: TokenObservation): Credential => ({
  field: 'Authorization',
  value: `Bearer ${found!.text}`,
  label: 'Bearer [issued token]',
  shell: '"Bearer $ISSUED_TOKEN"',
});

/** On one connection: a granted request, then forged ones; the connection must not vouch for them. */
const vouched: readonly Forgery[] = [
  { kind: 'none' },
  { kind: 'other', text: 'sk_test_wrong' },
  { kind: 'value', template: 'Token {key}' },
];

/** Customer creations that had to be refused. */
export const refusedCustomers = experiment<RefusalInput<CustomerInput>, RefusalObservation<CustomerInput>>(
  run,
  {
    name: 'forged customer requests',
    letter: 'f',
    shrinking: shrinkRefusal(shrinkCustomer),
    plan: async ({ send }) => {
      await plainControl();
      const { early, late } = draftsFor(paths.customers, 0);
      const drawn = (at: number): CustomerInput => run.draw(plainCustomer, `forged ${at}`);
      const sameConnection = vouched.map((forgery, at) => ({
        family: 'each request',
        arbitrary: fc.constant({ rule: 'each request' as const, forgery, base: drawn(at), deviation: {} }),
      }));
      await send([...withBodies(early, drawn), ...sameConnection]);
      // The bodies of granted wide requests, the large ones first: some services look away for some bodies.
      const { observations } = await wideCustomers.explore();
      const taken = observations
        .filter(({ granted }) => granted)
        .map((observation) => observation.case.input);
      const bySize = taken.toSorted((a, b) => b.name.length - a.name.length);
      const trusted = taken.filter(({ name }) => /^(?:admin|test|root|system)$/i.test(name));
      const bases = [...bySize.slice(0, 4), ...bySize.slice(-2), ...trusted, ...run.shuffle(taken)];
      await send(withBodies(late, (at) => bases[at % bases.length] ?? drawn(at)));
    },
    perform: async (trial) => {
      const { rule, base } = trial.case.input;
      const customer = { ...trial, case: { ...trial.case, input: base } };
      if (rule === 'each request') return afterControl(trial, customer);
      return refuse(trial, (await plainControl()).exchange, (credential, deviation) => {
        const submitted = customerOf(base, trial.mark(0));
        return {
          request: customerRequestOf(submitted, base, credential, deviation),
          isGranted: ({ reply }) => carriesCustomer(reply, submitted),
        };
      });
    },
  },
);

async function plainControl(): Promise<Observation<CustomerInput>> {
  const { observations } = await plainCustomers.explore();
  const control = observations.find(({ granted }) => granted);
  if (!control) throw new Inconclusive('its control, a plain customer with the right key, was not granted');
  return control;
}

type Judged = { readonly request: Request; readonly isGranted: (exchange: Exchange) => boolean };

/** Sends a forged request and sees whether it was refused. */
async function refuse<B>(
  trial: Trial<RefusalInput<B>>,
  control: Exchange,
  make: (credential: Credential | undefined, deviation: Deviation) => Judged,
): Promise<RefusalObservation<B>> {
  const { forgery, deviation } = trial.case.input;
  const credential = forgery.kind === 'issued token' ? issued((await grantedToken())!) : forged(forgery);
  const { request, isGranted } = make(credential, withKey(deviation));
  const exchange = await run.target.send(request, { lane: trial.case.experiment, expect: 'refusal' });
  return { case: trial.case, control, exchange, granted: isGranted(exchange) };
}

/** Puts the right key where it does not count. */
const withKey = ({ path, fields, ...others }: Deviation): Deviation => ({
  ...others,
  ...(path === undefined
    ? {}
    : { path: path.replace('{key}', () => encodeURIComponent(run.settings.apiKey)) }),
  ...(fields === undefined
    ? {}
    : {
        fields: fields.map(
          ([name, value]) => [name, value.replace('{key}', () => run.settings.apiKey)] as const,
        ),
      }),
});

/** Sends the control and then the forged request on a connection of their own. */
async function afterControl(
  trial: Trial<RefusalInput<CustomerInput>>,
  customer: Trial<CustomerInput>,
): Promise<RefusalObservation<CustomerInput>> {
  const { forgery, base } = trial.case.input;
  return run.target.withConnection(async (connection, connects) => {
    const control = await createCustomer({ ...customer, mark: (tries) => `${trial.mark(tries)}c` }, run, {
      connection,
    });
    if (!control.granted) throw new Inconclusive('its control on the same connection was not granted');
    const before = connects();
    const submitted = customerOf(base, trial.mark(0));
    const credential = forgery.kind === 'issued token' ? undefined : forged(forgery);
    const exchange = await run.target.send(customerRequestOf(submitted, base, credential), {
      lane: trial.case.experiment,
      expect: 'refusal',
      connection,
    });
    return {
      case: trial.case,
      control: control.exchange,
      exchange,
      granted: carriesCustomer(exchange.reply, submitted),
      sameConnection: connects() === before,
    };
  });
}

/** Token requests that had to be refused. */
export const refusedTokens = experiment<RefusalInput<TokenInput>, RefusalObservation<TokenInput>>(run, {
  name: 'forged token requests',
  letter: 'g',
  shrinking: shrinkRefusal(shrinkToken),
  plan: async ({ send }) => {
    const control = await tokenControl();
    const base = control.case.input;
    const { early, late } = draftsFor(paths.tokens, 1);
    const own = (rule: Rule, forgery: RefusalInput<TokenInput>['forgery']): Refusal<TokenInput> => ({
      family: rule,
      arbitrary: fc.constant({ rule, forgery, base, deviation: {} }),
    });
    const sameConnection = vouched.map((forgery) => own('each request', forgery));
    const issuedTokens = [1, 2].map(() => own('static key', { kind: 'issued token' }));
    await send([...withBodies(early, () => base), ...sameConnection, ...issuedTokens]);
    const { observations } = await variedTokens.explore();
    const taken = observations.filter(({ granted }) => granted).map((observation) => observation.case.input);
    const byLifetime = taken.toSorted((a, b) => a.expiresIn - b.expiresIn);
    const byScopes = taken.toSorted((a, b) => b.scopes.length - a.scopes.length);
    const bases = [...byLifetime.slice(0, 2), ...byScopes.slice(0, 2), ...byLifetime.slice(-1), ...taken];
    await send(withBodies(late, (at) => bases[at % bases.length] ?? base));
  },
  perform: async (trial) => {
    const control = await tokenControl();
    const { rule, base, forgery } = trial.case.input;
    const judge = ({ reply, number }: Exchange): boolean => {
      const found = carriesCredential(reply, base.scopes, control.found!);
      if (found) run.target.redactor.hide(found.text, `token ${number}`);
      return found !== undefined;
    };
    if (rule !== 'each request') {
      return refuse(trial, control.exchange, (credential, deviation) => ({
        request: tokenRequestOf(base, credential, deviation),
        isGranted: judge,
      }));
    }
    return run.target.withConnection(async (connection, connects) => {
      const before = await issueToken({ ...trial, case: { ...trial.case, input: base } }, run, {
        connection,
      });
      if (!before.granted) throw new Inconclusive('its control on the same connection was not granted');
      const opened = connects();
      const credential = forgery.kind === 'issued token' ? undefined : forged(forgery);
      const exchange = await run.target.send(tokenRequestOf(base, credential), {
        lane: trial.case.experiment,
        expect: 'refusal',
        connection,
      });
      return {
        case: trial.case,
        control: before.exchange,
        exchange,
        granted: judge(exchange),
        sameConnection: connects() === opened,
      };
    });
  },
});

async function tokenControl(): Promise<TokenObservation> {
  const control = await grantedToken();
  if (!control)
    throw new Inconclusive('its control, a plain token request with the right key, was not granted');
  return control;
}
