import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { missing, nearMisses, otherSchemes } from '../../../lib/inputs/near-misses.ts';
import { depths } from '../../../lib/settings/depths.ts';
import { credentialCases, onUsedConnection, shrinkCredentialInput } from './cases.ts';
import type { CredentialInput } from './cases.ts';
import type { Condition } from '../../../lib/engine/operations/request.ts';
import { asIs } from '../../../lib/inputs/shrinking.ts';

const KEY = 'sk_test_4eC39HqLyjWDarjtT1zdp7dc';

/** The invalid credentials for both operations, in order; random ones as the same seed generates them. */
const casesAt = (cases: number): string[][] =>
  ([0, 1] as const).map((share) => {
    const { early, late } = credentialCases({ settings: { apiKey: KEY }, cases } as never, share);
    return [...early, ...late].map(({ arbitrary }) => textOf(arbitrary));
  });

const textOf = (credential: fc.Arbitrary<unknown>): string =>
  JSON.stringify(fc.sample(credential, { seed: 1, numRuns: 1 })[0]);

describe('the invalid credentials of a default run', () => {
  it('are all that exist, each tried with at least one operation', () => {
    const { common, rarer } = nearMisses(KEY);
    const all = [...missing, ...otherSchemes].map((one) => JSON.stringify(one));
    const operations = casesAt(depths.default);
    const used = onUsedConnection(() => null, 'Bearer').map(({ arbitrary }) =>
      JSON.stringify(fc.sample(arbitrary, { seed: 1, numRuns: 1 })[0]!.credential),
    );
    const behindSeparator = textOf(nearMisses(KEY, [':', '|']).common[5]!);
    expect(behindSeparator).toMatch(/"x[:|]"/);
    expect(new Set([...operations.flat(), used.at(-1)])).toEqual(
      new Set([...all, behindSeparator, ...[...common, ...rarer.flat()].map(textOf)]),
    );
    for (const [at, cases] of operations.entries())
      for (const one of common.map(textOf).with(5, at === 0 ? textOf(common[5]!) : behindSeparator))
        expect(cases).toContain(one);
    expect(operations.map(({ length }) => length)).toEqual([41, 41]);
  });

  it('are fewer in a quick one, the most common first', () => {
    const [quick, usual] = [casesAt(depths.quick), casesAt(depths.default)];
    for (const [at, cases] of quick.entries()) expect(usual[at]!.slice(0, cases.length)).toEqual(cases);
    expect(quick.map(({ length }) => length)).toEqual([16, 16]);
  });
});

describe('smaller conditions', () => {
  const smaller = (conditions: readonly Condition[]): readonly (readonly Condition[])[] => {
    const input: CredentialInput<null> = { credential: { kind: 'none' }, conditions, base: null };
    return [...shrinkCredentialInput(asIs<null>()).shrink(input, undefined)].map(
      ({ value }) => value.conditions,
    );
  };
  const token: Condition = { query: 'token={token}' };
  const origin: Condition = { fields: [['Origin', 'http://localhost']] };

  it('keep an issued token, without which they would test another rule', () => {
    expect(smaller([origin, token])).toEqual([[token]]);
    expect(smaller([token])).toEqual([]);
  });

  it('are none first, if there is no token', () => {
    expect(smaller([origin, { close: true }])[0]).toEqual([]);
  });
});
