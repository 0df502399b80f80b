import fc from 'fast-check';
import { fixedCase } from '../../../lib/engine/scenario.ts';
import type { CaseSource, Run } from '../../../lib/engine/scenario.ts';
import { asIs, smallerList } from '../../../lib/inputs/shrinking.ts';
import { manyNearMisses, missing, nearMisses, otherSchemes } from '../../../lib/inputs/near-misses.ts';
import type { InvalidCredential } from '../../../lib/inputs/invalid-credentials.ts';
import { halves, roundRobin } from '../../../lib/inputs/lists.ts';
import { repeatedRequest } from './conditions.ts';
import type { Condition } from '../../../lib/engine/operations/request.ts';
import type { TokenKind } from '../tokens.ts';
import { strengthFor } from '../../../lib/settings/depths.ts';

/** The category of a case: the rule of section 5 that its request tests; `right key`: none, as it is a control. */
export type Rule =
  | 'key required'
  | 'bearer scheme'
  | 'exact key'
  | 'each request'
  | 'static key'
  | 'right key';

/** The category of requests that follow an accepted one on its connection, and so are sent in another way. */
export const EACH_REQUEST: Rule = 'each request';

/** An accepted request with another credential, and possibly further conditions. */
export interface CredentialInput<B> {
  readonly credential:
    | InvalidCredential
    /** A token that the target has issued: that of a plain request, its refresh token or its id, or one of another kind. */
    | { readonly kind: 'issued token'; readonly which?: TokenKind | 'refresh' | 'id' }
    /** A text of the form of the token for the most scopes; `unsigned`: its claims in a JWT without a signature. */
    | { readonly kind: 'form of a token'; readonly unsigned?: true }
    | { readonly kind: 'right key' };
  readonly conditions: readonly Condition[];
  readonly base: B;
}

/** Cases of the widest scenario for each invalid credential of an operation: 44 in a default run. */
const CASES_PER_CREDENTIAL = 3.95;

/** Tried on a used connection; if it is accepted there, it is sent on a new one, too. */
const SCHEME_ON_USED_CONNECTION = 'Token {key}';

/** Cases of an operation that come early. */
const EARLY_CASES = 10;

/**
 * The cases for one operation. Both operations get those that most faulty services accept; the others are divided
 * between the two, as services usually check the credentials of all operations in one place.
 * @param share 0 or 1: which half of the others
 * @param isLimited whether the target limits the rate of invalid credentials: then a long run sends no more than others
 * @returns `early` cases, and `late` ones, which are sent with other bodies
 */
export function credentialCases(
  { settings: { apiKey }, cases }: Run,
  share: 0 | 1,
  isLimited = false,
): Readonly<Record<'early' | 'late', readonly CaseSource<InvalidCredential>[]>> {
  const exact = (list: readonly fc.Arbitrary<InvalidCredential>[]): CaseSource<InvalidCredential>[] =>
    list.map((arbitrary) => ({ category: 'exact key' satisfies Rule, arbitrary }));
  const fixed = (rule: Rule, list: readonly InvalidCredential[]): CaseSource<InvalidCredential>[] =>
    list.map((credential) => fixedCase(rule, credential));
  const half = <T>(list: readonly T[]): T[] => list.filter((_, at) => at % 2 === share);
  const schemes = otherSchemes.filter(({ template }) => template !== SCHEME_ON_USED_CONNECTION);
  // A separator, as between a user, or the id of a key, and the key.
  const { common, rarer } = nearMisses(apiKey, share === 0 ? [''] : [':', '|']);
  const both = roundRobin([
    fixed('key required', missing),
    exact(common),
    fixed('bearer scheme', schemes.slice(0, 3)),
  ]);
  const rest = roundRobin([
    exact(roundRobin(rarer.map((list) => half(list)))),
    fixed('bearer scheme', half(schemes.slice(3))),
  ]);
  const further = strengthFor(cases) === 0 || isLimited ? [] : exact(half(manyNearMisses(apiKey)));
  const maxCases = Math.max(EARLY_CASES, Math.ceil(cases / CASES_PER_CREDENTIAL));
  return {
    early: both.slice(0, EARLY_CASES),
    late: [...both.slice(EARLY_CASES), ...rest, ...further].slice(0, maxCases - EARLY_CASES),
  };
}

/** Adds bodies to cases; each rule begins with the first bodies, which show the most faults. */
export const withBodies = <B>(
  cases: readonly CaseSource<InvalidCredential>[],
  base: (at: number, rule: string) => B,
): CaseSource<CredentialInput<B>>[] =>
  cases.map(({ category, arbitrary }, index) => {
    const at = cases.slice(0, index).filter((other) => other.category === category).length;
    return {
      category,
      arbitrary: arbitrary.map((credential) => ({ credential, conditions: [], base: base(at, category) })),
    };
  });

/** Shrinks conditions and body; the credential stays. */
export const shrinkCredentialInput = <B>(base: fc.Arbitrary<B>): fc.Arbitrary<CredentialInput<B>> =>
  fc.record({
    credential: asIs<CredentialInput<B>['credential']>(),
    conditions: asIs<readonly Condition[]>(smallerConditions),
    base,
  });

/**
 * Fewer conditions, or parts of one. If one of them has an issued token, one remains that has: without it, the request
 * tests another rule.
 */
function* smallerConditions(conditions: readonly Condition[]): Generator<readonly Condition[]> {
  const hasToken = (list: readonly Condition[]): boolean =>
    /\{(?:token|refresh)\}/.test(JSON.stringify(list));
  for (const fewer of smallerList(conditions)) if (hasToken(fewer) || !hasToken(conditions)) yield fewer;
  for (const [at, condition] of conditions.entries())
    for (const part of halvesOf(condition)) yield conditions.with(at, part);
}

/** What separates the parts of some headers: products (RFC 9110, section 10.1.5) and cookies (RFC 6265, section 4.2). */
const SEPARATORS: Readonly<Record<string, string>> = { 'User-Agent': ' ', Cookie: '; ' };

/** A condition with each half of its header, if it has one of several parts. */
function halvesOf({ fields = [] }: Condition): Condition[] {
  const [[name, value] = ['', '']] = fields;
  const separator = SEPARATORS[name];
  const parts = separator === undefined ? [] : value.split(separator);
  if (parts.length < 2) return [];
  return halves(parts).map((half) => ({ fields: [[name, half.join(separator)]] }));
}

/**
 * Credentials that are sent on one connection after an accepted request, which must not authenticate them.
 * @param scheme the name of the Bearer scheme before a wrong key
 */
export const onUsedConnection = <B>(
  base: (at: number) => B,
  scheme: 'Bearer' | 'bearer',
): CaseSource<CredentialInput<B>>[] =>
  (
    [
      [{ kind: 'none' }, repeatedRequest],
      // A further part of the key, or what follows the path in a URL.
      [
        {
          kind: 'add',
          before: '',
          after: scheme === 'bearer' ? '#wrong' : '_wrong',
          ...(scheme === 'bearer' && { scheme }),
        },
        [],
      ],
      [{ kind: 'value', template: SCHEME_ON_USED_CONNECTION }, []],
    ] as const
  ).map(([credential, conditions], at) => credentialCase(EACH_REQUEST, credential, base(at), conditions));

export const credentialCase = <B>(
  rule: Rule,
  credential: CredentialInput<B>['credential'],
  base: B,
  conditions: readonly Condition[] = [],
): CaseSource<CredentialInput<B>> => fixedCase(rule, { credential, conditions, base });

/** The rule that a credential breaks on its own. */
export const ruleOf = ({ kind }: CredentialInput<unknown>['credential']): Rule => {
  if (kind === 'right key') return kind;
  return kind === 'none' ? 'key required' : kind === 'value' ? 'bearer scheme' : 'exact key';
};
