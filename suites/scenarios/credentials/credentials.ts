import { customerControl } from '../customers.ts';
import { noAddress } from '../../../lib/inputs/addresses.ts';
import { customerOperation, tokenOperation, untilExpired, withInvalidCredentials } from './requests.ts';
import type { CredentialObservation } from './requests.ts';
import { acceptedInputs } from '../../../lib/engine/observation.ts';
import type { CaseSource, Observed, Run } from '../../../lib/engine/scenario.ts';
import type { CustomerInput } from '../../../lib/inputs/customers.ts';
import { isJwt } from '../../../lib/inputs/jwt.ts';
import { refreshGrant, tokenElsewhere } from './conditions.ts';
import { idOfToken, refreshTokenOf } from './filled-conditions.ts';
import { customerBodies, plainBodies, tokenBodies } from './bodies.ts';
import { credentialCase, credentialCases, onUsedConnection, withBodies } from './cases.ts';
import type { CredentialInput, Rule } from './cases.ts';
import { largeCustomers } from '../large-customers.ts';
import { acceptedToken, plainTokenScenarios, tokenControl, tokenOf, variedTokens } from '../tokens.ts';
import { wideScenarios } from '../simplified-customers.ts';

/** Requests at the end: some services stop checking credentials after a while. */
const CASES_AT_END = 6;

/** Customer creations with the invalid credentials that most faulty services accept. */
export const invalidCustomerCredentials = withInvalidCredentials(customerOperation, {
  name: 'invalid customer credentials',
  *cases(run, observed) {
    const { case: of, submitted } = customerControl(observed);
    // Some services look for an earlier customer, or a response to the same body, before they check the key. Other
    // requests without a credential show that it is the body that matters.
    const again = { ...of.input, name: submitted.name, address: noAddress(submitted.email) };
    const base = plainBodies(run);
    const sources = [
      ...onUsedConnection(base, 'Bearer'),
      ...withBodies(credentialCases(run, 0).early, (at, rule) =>
        rule === 'key required' && at === 0 ? again : base(at),
      ),
    ];
    yield* oneOfEachRuleFirst(sources);
  },
});

/** The other invalid credentials, with the bodies of accepted requests: some services skip the check for some bodies. */
export const laterCustomerCredentials = withInvalidCredentials(customerOperation, {
  name: 'later customer credentials',
  uses: [invalidCustomerCredentials, ...plainTokenScenarios, variedTokens, ...wideScenarios],
  cases: (run, observed) => laterCustomerCases(run, observed).slice(0, -CASES_AT_END),
});

/** Token requests with the invalid credentials that most faulty services accept. */
export const invalidTokenCredentials = withInvalidCredentials(tokenOperation, {
  name: 'invalid token credentials',
  *cases(run, observed) {
    const base = tokenControl(observed).case.input;
    yield* oneOfEachRuleFirst([
      // The scheme in lower case, as some services look for it in one case only, and skip the check otherwise.
      ...onUsedConnection(() => base, 'bearer'),
      ...withBodies(credentialCases(run, 1).early, () => base),
      credentialCase('static key', ISSUED, base),
      credentialCase('static key', REFRESH, { ...base, expiresIn: Math.ceil(base.expiresIn / 2) }),
    ]);
  },
});

/** The other invalid credentials, with the bodies of accepted requests. */
export const laterTokenCredentials = withInvalidCredentials(tokenOperation, {
  name: 'later token credentials',
  uses: [invalidTokenCredentials, variedTokens],
  cases: (run, observed) => {
    const base = tokenControl(observed).case.input;
    const accepted = acceptedInputs(observed(variedTokens));
    const bodies = tokenBodies(observed);
    // The most scopes for the longest time, as some faults need both.
    const widest = accepted.toSorted((a, b) => b.scopes.length - a.scopes.length)[0];
    const longest = Math.max(...accepted.map(({ expiresIn }) => expiresIn));
    const bases = [...(widest ? [{ ...widest, expiresIn: longest }] : []), ...bodies];
    const { late } = credentialCases(run, 1, areLimited(observed(invalidTokenCredentials)));
    const kinds = new Map(
      (['widest', 'longest', 'shortest'] as const).flatMap((which) => {
        const issued = tokenOf(observed(variedTokens), which);
        return issued ? [[issued, which] as const] : [];
      }),
    );
    return [
      ...accepted
        .slice(0, 1)
        .flatMap((input) =>
          [...kinds.values()].map((which) => credentialCase('static key', { ...ISSUED, which }, input)),
        ),
      ...(idOfToken(tokenControl(observed), run.settings.apiKey) === undefined
        ? []
        : [credentialCase('static key', { ...ISSUED, which: 'id' }, base)]),
      credentialCase('static key', { kind: 'none' }, base, tokenElsewhere),
      ...(refreshTokenOf(tokenControl(observed)) === undefined
        ? []
        : [credentialCase('static key', { kind: 'none' }, base, refreshGrant)]),
      ...withBodies(late, (at) => bases[at % bases.length] ?? base),
    ];
  },
});

const triedForCustomers = [invalidCustomerCredentials, laterCustomerCredentials];
const triedForTokens = [invalidTokenCredentials, laterTokenCredentials];

/**
 * The remaining invalid credentials, at the end: one with the largest body, and those with which token requests were
 * accepted.
 */
export const lastCustomerCredentials = withInvalidCredentials(customerOperation, {
  name: 'last customer credentials',
  uses: [
    largeCustomers,
    ...plainTokenScenarios,
    variedTokens,
    ...wideScenarios,
    ...triedForCustomers,
    ...triedForTokens,
  ],
  cases: (run, observed) => [
    ...laterCustomerCases(run, observed).slice(-CASES_AT_END),
    ...acceptedInputs(observed(largeCustomers))
      .slice(0, 1)
      .map((input) => credentialCase('key required', { kind: 'none' }, input)),
    ...acceptedElsewhere(
      triedForTokens.flatMap(observed),
      triedForCustomers.flatMap(observed),
      plainBodies(run),
    ),
  ],
});

/** Token requests with a token that has ended, and with the invalid credentials with which customer creations were accepted. */
export const lastTokenCredentials = withInvalidCredentials(tokenOperation, {
  name: 'last token credentials',
  uses: [variedTokens, ...triedForCustomers, ...triedForTokens],
  cases: (run, observed) => {
    const base = tokenControl(observed).case.input;
    return [
      // A run that is over sooner does not wait for it.
      ...((untilExpired(run, observed) ?? Infinity) <= 0
        ? [credentialCase('static key', { ...ISSUED, which: 'ended' }, base)]
        : []),
      ...acceptedElsewhere(triedForCustomers.flatMap(observed), triedForTokens.flatMap(observed), () => base),
    ];
  },
});

/** The rules whose credentials are tried again with the other operation. */
const TRIED_AGAIN: readonly string[] = ['exact key', 'bearer scheme'] satisfies Rule[];

/** Maximum number of credentials that are tried again with the other operation. */
const MAX_AGAIN = 8;

/** Cases with the invalid credentials that the other operation accepts, as each operation gets half of the rarer ones. */
function acceptedElsewhere<B>(
  others: readonly CredentialObservation<unknown>[],
  own: readonly CredentialObservation<unknown>[],
  base: (at: number) => B,
): CaseSource<CredentialInput<B>>[] {
  const tried = new Set(own.map((observation) => JSON.stringify(observation.case.input.credential)));
  const different = new Map(
    others
      .filter(
        ({ accepted, case: { category, input } }) =>
          accepted && TRIED_AGAIN.includes(category) && input.credential.kind !== 'form of a token',
      )
      .map((one) => [JSON.stringify(one.case.input.credential), one.case] as const)
      .filter(([text]) => !tried.has(text)),
  );
  return [...different.values()]
    .slice(0, MAX_AGAIN)
    .map(({ category, input }, at) => credentialCase(category as Rule, input.credential, base(at)));
}

const ISSUED = { kind: 'issued token' } as const;
/** The refresh token of the same response, if it has one. */
const REFRESH = { ...ISSUED, which: 'refresh' } as const;

/** Whether the target limits the rate of invalid credentials. */
const areLimited = (observations: readonly CredentialObservation<unknown>[]): boolean =>
  observations.some(
    ({ rejectsClient = false, exchange: { troubles } }) =>
      rejectsClient || troubles.some(({ kind }) => kind === 'throttled'),
  );

/** Cases with the bodies of accepted wide requests, those that show the most faults first. */
function laterCustomerCases(run: Run, observed: Observed): CaseSource<CredentialInput<CustomerInput>>[] {
  // Throws if no plain customer was accepted.
  customerOperation.control(observed);
  const bases = customerBodies(run, observed);
  const plain = plainBodies(run);
  const { late: cases } = credentialCases(run, 0, areLimited(observed(invalidCustomerCredentials)));
  const late = withBodies(cases, (at) => bases[at % bases.length] ?? plain(at));
  const token = acceptedToken(observed)?.found;
  const ofToken = { kind: 'form of a token' } as const;
  return [
    ...(token ? [credentialCase('exact key', ofToken, plain(0))] : []),
    ...(token && isJwt(token.text)
      ? [credentialCase('exact key', { ...ofToken, unsigned: true }, plain(1))]
      : []),
    ...late,
  ];
}

/** Tests each rule once before the others, as some targets rate-limit clients with invalid credentials. */
function* oneOfEachRuleFirst<B>(
  sources: readonly CaseSource<CredentialInput<B>>[],
): Generator<CaseSource<CredentialInput<B>>[], void, readonly CredentialObservation<B>[]> {
  const first = sources.filter(
    ({ category }, at) => sources.findIndex((other) => other.category === category) === at,
  );
  yield first;
  yield sources.filter((source) => !first.includes(source));
}
