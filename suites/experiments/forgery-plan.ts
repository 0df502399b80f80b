import fc from 'fast-check';
import type { Slot } from '../../lib/engine/experiment.ts';
import type { Deviation } from '../../lib/engine/request.ts';
import { asIs } from '../../lib/inputs/as-is.ts';
import { missing, nearMisses, otherSchemes } from '../../lib/inputs/near-misses.ts';
import type { Forgery } from '../../lib/inputs/forgeries.ts';
import { roundRobin } from '../../lib/inputs/round-robin.ts';
import { run } from '../run.ts';

/** Which rule of section 5 a forged request is about. */
export type Rule = 'key required' | 'bearer scheme' | 'exact key' | 'each request' | 'static key';

/** A accepted request with another credential, and perhaps with fields or a path that mislead. */
export interface RefusalInput<B> {
  readonly rule: Rule;
  /** `issued token`: a token that the target has issued, in place of the key. */
  readonly forgery: Forgery | { readonly kind: 'issued token' };
  readonly base: B;
  readonly deviation: Deviation;
}

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

/** A forged request before it has a body. */
type Draft = { rule: Rule; forgery: fc.Arbitrary<Forgery>; deviation: Deviation };

/**
 * The forged requests for one operation. What is most often got wrong goes to both; the rest is
 * divided between them, as services check credentials of all operations in one place.
 * @param turn 0 or 1: which half of the rest
 * @returns those to start with and those to go on with
 */
export function draftsFor(path: string, turn: 0 | 1): { early: Draft[]; late: Draft[] } {
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
    [{ fields: [['X-API-Key', '{key}']] } as const, { path: `${path}?access_token={key}` }].map((deviation) =>
      draft('key required', fc.constant({ kind: 'none' }), deviation),
    ),
  ]);
  const misled = [...misleading, ...misleadingPaths(path)].map((deviation) =>
    draft('key required', fc.constant({ kind: 'none' }), deviation),
  );
  const bare = [1, 2, 3].map(() => draft('key required', fc.constant({ kind: 'none' })));
  const rest = roundRobin([exact(half(rarer)), half(misled), schemes(half(otherSchemes.slice(4)))]);
  const most = Math.max(10, Math.ceil(cases / 2.9));
  return { early: both.slice(0, 10), late: [...bare, ...both.slice(10), ...rest].slice(0, most - 10) };
}

/** Puts bodies to drafts. */
export const withBodies = <B>(drafts: readonly Draft[], base: (at: number) => B): Slot<RefusalInput<B>>[] =>
  drafts.map(({ rule, forgery, deviation }, index) => {
    // Each rule begins with the first bodies, which are the most telling.
    const at = drafts.slice(0, index).filter((draft) => draft.rule === rule).length;
    return {
      category: rule,
      arbitrary: forgery.map((drawn) => ({ rule, forgery: drawn, base: base(at), deviation })),
    };
  });

/** Shrinks the body; the forgery stays. */
export const shrinkRefusal = <B>(base: fc.Arbitrary<B>): fc.Arbitrary<RefusalInput<B>> =>
  fc.record({
    rule: asIs<Rule>(),
    forgery: asIs<RefusalInput<B>['forgery']>(),
    base,
    deviation: asIs<Deviation>(),
  });

/** On one connection: a accepted request, then one of these; the connection must not vouch for it. */
export const vouched = <B>(base: (at: number) => B): Slot<RefusalInput<B>>[] =>
  (
    [
      { kind: 'none' },
      { kind: 'add', before: '', after: 'wrong' },
      { kind: 'value', template: 'Token {key}' },
    ] as const
  ).map((forgery, at) => ownSlot('each request', forgery, base(at)));

export const ownSlot = <B>(
  rule: Rule,
  forgery: RefusalInput<B>['forgery'],
  base: B,
): Slot<RefusalInput<B>> => ({
  category: rule,
  arbitrary: fc.constant({ rule, forgery, base, deviation: {} }),
});

/** Some targets slow down whoever shows wrong credentials: each rule is asked about before they do. */
export function oneOfEachRule<B>(slots: readonly Slot<RefusalInput<B>>[]): {
  first: Slot<RefusalInput<B>>[];
  others: Slot<RefusalInput<B>>[];
} {
  const first = slots.filter(
    ({ category }, at) => slots.findIndex((slot) => slot.category === category) === at,
  );
  return { first, others: slots.filter((slot) => !first.includes(slot)) };
}
