import { carriesCustomer, createCustomer, customerRequestOf } from '../../lib/engine/customer.ts';
import { firstCustomer } from '../../lib/engine/first-contact.ts';
import { Inconclusive } from '../../lib/engine/observation.ts';
import type { Case, Observation } from '../../lib/engine/observation.ts';
import type { paths } from '../../lib/engine/request.ts';
import type { Run } from '../../lib/engine/run.ts';
import { scenario } from '../../lib/engine/scenario.ts';
import type { CaseSource, Found, Nonce, Scenario } from '../../lib/engine/scenario.ts';
import { carriesCredential, conceal, issueToken, tokenRequestOf } from '../../lib/engine/token.ts';
import { customerOf, plainCustomer, shrinkCustomer } from '../../lib/inputs/customers.ts';
import type { CustomerInput } from '../../lib/inputs/customers.ts';
import { credentialFrom, invalidKey } from '../../lib/inputs/invalid-credentials.ts';
import { shrinkToken } from '../../lib/inputs/tokens.ts';
import type { TokenInput } from '../../lib/inputs/tokens.ts';
import type { Channel } from '../../lib/target/channel.ts';
import { issuedBearer } from '../../lib/target/credential.ts';
import type { Credential } from '../../lib/target/credential.ts';
import { secretsInHeaders } from '../../lib/target/header-secrets.ts';
import { NoReply } from '../../lib/target/exchange.ts';
import type { Exchange, Request } from '../../lib/target/exchange.ts';
import type { Reply } from '../../lib/target/reply.ts';
import {
  credentialCase,
  credentialCases,
  onUsedConnection,
  shrinkCredentialInput,
  underConditions,
  withBodies,
} from './credential-cases.ts';
import type { CredentialInput, Rule } from './credential-cases.ts';
import { combine, conditionsOf, leftCookies } from './conditions.ts';
import type { Condition } from './conditions.ts';
import { plainCustomers } from './customers.ts';
import { plainTokenScenarios, tokenControl, variedTokens } from './tokens.ts';
import { plainerCustomers, wideAndPlainer, wideCustomers } from './wide-customers.ts';

/** The response to a request with an invalid credential, and its accepted control. */
export interface CredentialObservation<B> extends Observation<CredentialInput<B>> {
  readonly control: Exchange;
  /** Whether it was sent on the connection of the control, directly after it; undefined: that was not tried. */
  readonly sameConnection?: boolean;
}

/** Requests at the end: some services stop checking credentials after a while. */
const LAST = 6;

/** Consecutive 429 responses after which no more requests are sent. */
const MOST_THROTTLED = 5;

/** How the requests of one operation are sent with invalid credentials. */
interface CredentialOperation<B> {
  /** An earlier, accepted request with the right key. @throws {Inconclusive} if there is none */
  readonly control: (found: Found) => Exchange;
  /** Sends a request with the right key; resolves to undefined if it is rejected. */
  readonly accept: (
    run: Run,
    base: Case<B>,
    nonce: Nonce,
    connection?: Channel,
  ) => Promise<Exchange | undefined>;
  /** The request with another credential, and whether a response to it carries the result. */
  readonly vary: (
    run: Run,
    found: Found,
    input: CredentialInput<B>,
    nonce: string,
    credential: Credential | undefined,
  ) => { readonly request: Request; readonly isAccepted: (exchange: Exchange) => boolean };
}

const creating: CredentialOperation<CustomerInput> = {
  control: (found) => {
    const control = [firstCustomer, plainCustomers].flatMap(found).find(({ accepted }) => accepted);
    if (!control) throw new Inconclusive('no plain customer with the right key was accepted');
    return control.exchange;
  },
  accept: async (run, base, nonce, connection) => {
    const { accepted, exchange } = await createCustomer(run, base, nonce, connection ? { connection } : {});
    return accepted ? exchange : undefined;
  },
  vary: (run, found, { base, conditions }, nonce, credential) => {
    const submitted = customerOf(base, nonce);
    const deviation = combine(conditions.map((one) => filled(run, creating.control(found), one)));
    return {
      request: customerRequestOf(submitted, base, credential, deviation),
      isAccepted: ({ reply }) => carriesCustomer(reply, submitted),
    };
  },
};

const issuing: CredentialOperation<TokenInput> = {
  control: (found) => tokenControl(found).exchange,
  accept: async (run, base, _, connection) => {
    const { accepted, exchange } = await issueToken(run, base, connection ? { connection } : {});
    return accepted ? exchange : undefined;
  },
  vary: (run, found, { base, conditions }, _, credential) => {
    const control = tokenControl(found);
    const deviation = combine(conditions.map((one) => filled(run, control.exchange, one)));
    return {
      request: tokenRequestOf(base, credential, deviation),
      isAccepted: (exchange) => {
        const carried = carriesCredential(exchange.reply, credential?.value ?? '', control.found!);
        if (carried) conceal(run.target.redactor, exchange, carried);
        return carried !== undefined;
      },
    };
  },
};

/** A scenario that sends requests with invalid credentials to one operation. */
const withInvalidCredentials = <B>(
  operation: CredentialOperation<B>,
  definition: Pick<
    Scenario<CredentialInput<B>, CredentialObservation<B>>,
    'name' | 'uses' | 'shrinking' | 'cases'
  >,
): Scenario<CredentialInput<B>, CredentialObservation<B>> =>
  scenario<CredentialInput<B>, CredentialObservation<B>>({
    ...definition,
    send: (run, found) => {
      let throttledInARow = 0;
      const begun = new Set<Rule>();
      const sendInvalid = async (
        testCase: Case<CredentialInput<B>>,
        nonce: Nonce,
        connection?: Channel,
      ): Promise<Omit<CredentialObservation<B>, 'control'>> => {
        const { input } = testCase;
        const isFirst = !begun.has(input.rule);
        begun.add(input.rule);
        const credential = credentialOf(run, found, input);
        const { request, isAccepted } = operation.vary(run, found, input, nonce(0), credential);
        if (!isFirst && throttledInARow >= MOST_THROTTLED)
          throw new Inconclusive('the target rate-limits clients that send wrong credentials');
        const exchange = await run.target.send(request, {
          queue: testCase.scenario,
          // The first case of a rule is retried after a 429; the others are not.
          throttling: isFirst ? 'wait alone' : 'answer',
          ...(connection ? { connection } : {}),
        });
        throttledInARow = exchange.reply.status === 429 ? throttledInARow + 1 : 0;
        return { case: testCase, exchange, accepted: isAccepted(exchange) };
      };
      /** Sends the control and then, on the same connection, the request with the invalid credential. */
      const afterControl = async (
        testCase: Case<CredentialInput<B>>,
        nonce: Nonce,
        connection?: Channel,
      ): Promise<CredentialObservation<B>> => {
        const control = await operation.accept(
          run,
          { ...testCase, input: testCase.input.base },
          (tries) => `${nonce(tries)}c`,
          connection,
        );
        if (control === undefined) throw new Inconclusive('the control just before it was rejected');
        const opened = connection?.connects();
        const observation = await sendInvalid(testCase, nonce, connection);
        const used: CredentialObservation<B> = {
          ...observation,
          control,
          ...(connection ? { sameConnection: connection.connects() === opened } : {}),
        };
        return used.accepted ? ((await withoutEarlier(testCase, nonce, control)) ?? used) : used;
      };
      /** The same on a new connection: if it is accepted there too, it breaks another rule, and says nothing of this one. */
      const withoutEarlier = async (
        { input, ...testCase }: Case<CredentialInput<B>>,
        nonce: Nonce,
        control: Exchange,
      ): Promise<CredentialObservation<B> | undefined> => {
        const rule = ruleOf(input.credential);
        const alone = await run.target.withConnection((connection) =>
          sendInvalid(
            { ...testCase, category: rule, input: { ...input, rule } },
            (tries) => `${nonce(tries)}n`,
            connection,
          ),
        );
        return alone.accepted ? { ...alone, control } : undefined;
      };
      return async (testCase, nonce) => {
        if (testCase.input.rule !== 'each request') {
          const control = operation.control(found);
          return { ...(await sendInvalid(testCase, nonce)), control };
        }
        try {
          return await run.target.withConnection((connection) => afterControl(testCase, nonce, connection));
        } catch (error) {
          // If the target allows no further connection, a shared one serves: it carries accepted requests as well.
          if (!(error instanceof NoReply)) throw error;
          return afterControl(testCase, nonce);
        }
      };
    },
  });

const customerBase = [firstCustomer, plainCustomers];
const shrinkCustomerCredential = shrinkCredentialInput(shrinkCustomer);
const shrinkTokenCredential = shrinkCredentialInput(shrinkToken);

/** Customer creations with the invalid credentials that most faulty services accept. */
export const invalidCustomerCredentials = withInvalidCredentials(creating, {
  name: 'invalid customer credentials',
  uses: customerBase,
  shrinking: shrinkCustomerCredential,
  *cases(run, found) {
    creating.control(found);
    const base = plainBodies(run);
    const sources = [...onUsedConnection(base), ...withBodies(credentialCases(run, 0).early, base)];
    yield* oneOfEachRuleFirst(sources);
  },
});

/** The other invalid credentials, with the bodies of accepted requests: some services skip the check for some bodies. */
export const laterCustomerCredentials = withInvalidCredentials(creating, {
  name: 'later customer credentials',
  uses: [...customerBase, wideCustomers, plainerCustomers],
  shrinking: shrinkCustomerCredential,
  cases: (run, found) => laterCustomerCases(run, found).slice(0, -LAST),
});

/** The last of them, when everything else is over. */
export const lastCustomerCredentials = withInvalidCredentials(creating, {
  name: 'last customer credentials',
  uses: [...customerBase, wideCustomers, plainerCustomers],
  shrinking: shrinkCustomerCredential,
  cases: (run, found) => laterCustomerCases(run, found).slice(-LAST),
});

/** Token requests with the invalid credentials that most faulty services accept. */
export const invalidTokenCredentials = withInvalidCredentials(issuing, {
  name: 'invalid token credentials',
  uses: plainTokenScenarios,
  shrinking: shrinkTokenCredential,
  *cases(run, found) {
    const base = tokenControl(found).case.input;
    yield* oneOfEachRuleFirst([
      ...onUsedConnection(() => base),
      ...withBodies(credentialCases(run, 1).early, () => base),
      credentialCase('static key', ISSUED, base),
      credentialCase('static key', ISSUED, { ...base, expiresIn: Math.ceil(base.expiresIn / 2) }),
    ]);
  },
});

/** The other invalid credentials, with the bodies of accepted requests. */
export const laterTokenCredentials = withInvalidCredentials(issuing, {
  name: 'later token credentials',
  uses: [...plainTokenScenarios, variedTokens],
  shrinking: shrinkTokenCredential,
  cases: (run, found) => {
    const base = tokenControl(found).case.input;
    const accepted = acceptedInputs(found(variedTokens));
    const byLifetime = accepted.toSorted((a, b) => a.expiresIn - b.expiresIn);
    const byScopes = accepted.toSorted((a, b) => b.scopes.length - a.scopes.length);
    const bases = [...byLifetime.slice(0, 2), ...byScopes.slice(0, 2), ...byLifetime.slice(-1), ...accepted];
    const { late } = credentialCases(run, 1);
    return [
      ...accepted.slice(0, 2).map((input) => credentialCase('static key', ISSUED, input)),
      ...withBodies(late, (at) => bases[at % bases.length] ?? base),
    ];
  },
});

/** Customer creations without a credential, under conditions that must not take its place. */
export const customersWithoutKey = withInvalidCredentials(creating, {
  name: 'customers without a key',
  uses: [...customerBase, invalidCustomerCredentials],
  shrinking: shrinkCustomerCredential,
  cases: (run, found) =>
    underConditions(
      rowsFor(run, 'customers', creating.control(found)),
      rejectedForKey(found(invalidCustomerCredentials)),
      plainBodies(run),
    ),
});

/** Token requests without a credential, under conditions that must not take its place. */
export const tokensWithoutKey = withInvalidCredentials(issuing, {
  name: 'tokens without a key',
  uses: [...plainTokenScenarios, invalidTokenCredentials],
  shrinking: shrinkTokenCredential,
  cases: (run, found) =>
    underConditions(
      rowsFor(run, 'tokens', issuing.control(found)),
      rejectedForKey(found(invalidTokenCredentials)),
      () => tokenControl(found).case.input,
    ),
});

/** Every scenario with invalid credentials for creating customers. */
export const customerCredentials = [
  invalidCustomerCredentials,
  customersWithoutKey,
  laterCustomerCredentials,
  lastCustomerCredentials,
];

/** Every scenario with invalid credentials for issuing tokens. */
export const tokenCredentials = [invalidTokenCredentials, tokensWithoutKey, laterTokenCredentials];

/** The rows of conditions that a run of its size sends. */
const rowsFor = (run: Run, operation: keyof typeof paths, control: Exchange): (readonly Condition[])[] => [
  ...(cookiesOf(control).length > 0 ? [[leftCookies]] : []),
  ...conditionsOf(operation, run.settings.route.http).slice(0, Math.ceil(run.cases / 9)),
];

/** The responses to requests that only lack the credential. */
const rejectedForKey = (observations: readonly CredentialObservation<unknown>[]): Reply[] =>
  observations
    .filter(({ accepted, case: { input } }) => !accepted && input.rule === 'key required')
    .map(({ exchange }) => exchange.reply);

const ISSUED = { kind: 'issued token' } as const;

const plainBodies =
  (run: Run) =>
  (at: number): CustomerInput =>
    run.generate(plainCustomer, `invalid credential ${at}`);

const acceptedInputs = <I>(observations: readonly Observation<I>[]): I[] =>
  observations.filter(({ accepted }) => accepted).map((observation) => observation.case.input);

/** Cases with the bodies of accepted wide requests, those that show the most faults first. */
function laterCustomerCases(run: Run, found: Found): CaseSource<CredentialInput<CustomerInput>>[] {
  creating.control(found);
  const accepted = acceptedInputs(wideAndPlainer(found));
  const bySize = accepted.toSorted((a, b) => b.name.length - a.name.length);
  const trusted = accepted.filter(({ name }) => /^(?:admin|test|root|system)$/i.test(name));
  const bases = [
    ...bySize.slice(0, 1),
    ...bySize.slice(-1),
    ...trusted,
    ...bySize.slice(1, 5),
    ...run.shuffle(accepted),
  ];
  const plain = plainBodies(run);
  return withBodies(credentialCases(run, 0).late, (at) => bases[at % bases.length] ?? plain(at));
}

/** Tests each rule once before the others, as some targets rate-limit clients with wrong credentials. */
function* oneOfEachRuleFirst<B>(
  sources: readonly CaseSource<CredentialInput<B>>[],
): Generator<CaseSource<CredentialInput<B>>[], void, readonly CredentialObservation<B>[]> {
  const first = sources.filter(
    ({ category }, at) => sources.findIndex((other) => other.category === category) === at,
  );
  yield first;
  yield sources.filter((source) => !first.includes(source));
}

/** The rule that a credential breaks by itself. */
const ruleOf = ({ kind }: CredentialInput<unknown>['credential']): Rule =>
  kind === 'none' ? 'key required' : kind === 'value' ? 'bearer scheme' : 'exact key';

/** The invalid credential; hides near misses of the key from all output. */
function credentialOf<B>(run: Run, found: Found, { credential }: CredentialInput<B>): Credential | undefined {
  if (credential.kind === 'issued token') return issuedBearer(tokenControl(found).found!.text);
  const { apiKey } = run.settings;
  if (credential.kind !== 'none' && credential.kind !== 'value' && credential.kind !== 'other') {
    const text = invalidKey(credential, apiKey);
    if (text.length >= apiKey.length / 2) run.target.redactor.hide(text, 'near miss of the key');
  }
  return credentialFrom(credential, apiKey);
}

/** Puts the right key, and the cookies of the control, where a condition has them. */
function filled(run: Run, control: Exchange, { fields, query, ...others }: Condition): Condition {
  const { apiKey } = run.settings;
  for (const { text } of secretsInHeaders(control.reply.fields)) run.target.redactor.hide(text, 'redacted');
  const fill = (text: string): string =>
    text.replaceAll('{key}', () => apiKey).replace('{cookies}', () => cookiesOf(control).join('; '));
  return {
    ...others,
    ...(query && { query: query.replace('{key}', () => encodeURIComponent(apiKey)) }),
    ...(fields && { fields: fields.map(([name, value]) => [name, fill(value)] as const) }),
  };
}

/** The cookies that a response has set (RFC 6265, section 4.1). */
const cookiesOf = ({ reply }: Exchange): string[] =>
  [...(reply.fields['set-cookie'] ?? '').matchAll(/(?:^|, )([^=;, ]+=[^;]*)/g)].map(([, pair]) => pair!);
