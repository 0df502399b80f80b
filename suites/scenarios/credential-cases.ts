import fc from 'fast-check';
import type { Deviation } from '../../lib/engine/request.ts';
import type { Run } from '../../lib/engine/run.ts';
import type { CaseSource } from '../../lib/engine/scenario.ts';
import { asIs } from '../../lib/inputs/shrinking.ts';
import { missing, nearMisses, otherSchemes } from '../../lib/inputs/near-misses.ts';
import type { InvalidCredential } from '../../lib/inputs/invalid-credentials.ts';
import { roundRobin } from '../../lib/inputs/names.ts';

/** The rule of section 5 that a request with an invalid credential tests. */
export type Rule = 'key required' | 'bearer scheme' | 'exact key' | 'each request' | 'static key';

/** An accepted request with another credential, and possibly misleading headers, framing or path. */
export interface CredentialInput<B> {
  readonly rule: Rule;
  /** `issued token`: a token that the target has issued, in place of the key. */
  readonly credential: InvalidCredential | { readonly kind: 'issued token' };
  readonly base: B;
  readonly deviation: Deviation;
}

/** Headers and framings that some services and proxies trust more than they should. */
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
  { without: ['Content-Type'] },
  { without: ['User-Agent'] },
  { close: true },
  { chunked: true },
];

const misleadingPaths = (path: string): Deviation[] =>
  [
    `${path}/`,
    `${path}?debug=true`,
    `/${path}`,
    path.replace(/[a-z]+$/, (word) => word.toUpperCase()),
    path.replace(/[a-z](?=[a-z]+$)/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  ].map((other) => ({ path: other }));

/** A case without a body. */
interface Bodiless {
  readonly rule: Rule;
  readonly credential: fc.Arbitrary<InvalidCredential>;
  readonly deviation: Deviation;
}

/**
 * The cases for one operation. Both operations get those that most faulty services accept; the others are divided
 * between the two, as services usually check the credentials of all operations in one place.
 * @param share 0 or 1: which half of the others
 * @returns `early` cases, and `late` ones, which are sent with other bodies
 */
export function credentialCases(
  { settings: { apiKey }, cases }: Run,
  path: string,
  share: 0 | 1,
): { early: Bodiless[]; late: Bodiless[] } {
  const bodiless = (
    rule: Rule,
    credential: fc.Arbitrary<InvalidCredential>,
    deviation: Deviation = {},
  ): Bodiless => ({ rule, credential, deviation });
  const exact = (list: readonly fc.Arbitrary<InvalidCredential>[]): Bodiless[] =>
    list.map((credential) => bodiless('exact key', credential));
  const schemes = (list: readonly InvalidCredential[]): Bodiless[] =>
    list.map((credential) => bodiless('bearer scheme', fc.constant(credential)));
  const half = <T>(list: readonly T[]): T[] => list.filter((_, at) => at % 2 === share);
  const { common, rarer } = nearMisses(apiKey);
  const both = roundRobin([
    missing.map((credential) => bodiless('key required', fc.constant(credential))),
    exact(common),
    schemes(otherSchemes.slice(0, 4)),
    [{ fields: [['X-API-Key', '{key}']] } as const, { path: `${path}?access_token={key}` }].map((deviation) =>
      bodiless('key required', fc.constant({ kind: 'none' }), deviation),
    ),
  ]);
  const misled = [...misleading, ...misleadingPaths(path)].map((deviation) =>
    bodiless('key required', fc.constant({ kind: 'none' }), deviation),
  );
  const bare = [1, 2, 3].map(() => bodiless('key required', fc.constant({ kind: 'none' })));
  const rest = roundRobin([exact(half(rarer)), half(misled), schemes(half(otherSchemes.slice(4)))]);
  const most = Math.max(10, Math.ceil(cases / 2.9));
  return { early: both.slice(0, 10), late: [...bare, ...both.slice(10), ...rest].slice(0, most - 10) };
}

/** Adds bodies to cases; each rule begins with the first bodies, which show the most faults. */
export const withBodies = <B>(
  cases: readonly Bodiless[],
  base: (at: number) => B,
): CaseSource<CredentialInput<B>>[] =>
  cases.map(({ rule, credential, deviation }, index) => {
    const at = cases.slice(0, index).filter((other) => other.rule === rule).length;
    return {
      category: rule,
      arbitrary: credential.map((invalid) => ({ rule, credential: invalid, base: base(at), deviation })),
    };
  });

/** Shrinks the body; the credential stays. */
export const shrinkCredentialInput = <B>(base: fc.Arbitrary<B>): fc.Arbitrary<CredentialInput<B>> =>
  fc.record({
    rule: asIs<Rule>(),
    credential: asIs<CredentialInput<B>['credential']>(),
    base,
    deviation: asIs<Deviation>(),
  });

/** Credentials that are sent on one connection after an accepted request, which must not authenticate them. */
export const onUsedConnection = <B>(base: (at: number) => B): CaseSource<CredentialInput<B>>[] =>
  (
    [
      { kind: 'none' },
      { kind: 'add', before: '', after: 'wrong' },
      { kind: 'value', template: 'Token {key}' },
    ] as const
  ).map((credential, at) => credentialCase('each request', credential, base(at)));

export const credentialCase = <B>(
  rule: Rule,
  credential: CredentialInput<B>['credential'],
  base: B,
): CaseSource<CredentialInput<B>> => ({
  category: rule,
  arbitrary: fc.constant({ rule, credential, base, deviation: {} }),
});
