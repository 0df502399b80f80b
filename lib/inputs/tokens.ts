import fc from 'fast-check';
import { asIs, smallerList } from './shrinking.ts';
import { shrinkStyle, usualStyle } from './json-styles.ts';
import type { JsonStyle } from './json-styles.ts';
import type { TokenRequest } from '../schemas/interface.ts';

export interface TokenInput {
  readonly scopes: readonly string[];
  readonly expiresIn: number;
  readonly style: JsonStyle;
}

export const tokenInput = (scopes: readonly string[], expiresIn: number): TokenInput => ({
  scopes,
  expiresIn,
  style: usualStyle,
});

/** Lifetimes to try, whatever their unit is; most services accept the first ones. */
export const lifetimes: readonly number[] = [
  3600, 900, 300, 60, 86_400, 30, 1, 600, 1800, 7200, 120, 604_800, 10, 3_600_000, 28_800, 2_592_000,
  31_536_000, 365,
];

/** The scope list that the interface shows, then others to try. */
export const scopeLists: readonly (readonly string[])[] = [
  ['customers:read'],
  ['customers:write'],
  ['customers:read', 'customers:write'],
  ['tokens:read'],
  ['customers:create'],
];

const word = fc.constantFrom(
  'customers',
  'orders',
  'tokens',
  'invoices',
  'users',
  'read',
  'write',
  'list',
  'delete',
);

/** Any token request that the interface allows: scopes `<resource>:<action>`, and an integer. */
export const wideToken: fc.Arbitrary<TokenInput> = fc.record({
  scopes: fc.uniqueArray(
    fc.tuple(word, word).map((pair) => pair.join(':')),
    { minLength: 1, maxLength: 4 },
  ),
  expiresIn: fc.oneof(fc.integer({ min: 1, max: 86_400 }), fc.integer({ min: 1, max: 2 ** 31 - 1 })),
  style: fc.constant(usualStyle),
});

/** Different scopes of the form `<resource>:<action>`, of 16 characters each. */
export const manyScopes = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => {
    const letters = at.toString(26).replace(/./g, (digit) => LETTERS[Number.parseInt(digit, 26)]!);
    return `${letters.padStart(11, 'a')}:read`;
  });

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

export const shrinkToken: fc.Arbitrary<TokenInput> = fc.record({
  scopes: asIs<readonly string[]>(smallerList),
  expiresIn: asIs<number>(),
  style: shrinkStyle,
});

export const tokenOf = (input: TokenInput): TokenRequest => ({
  scopes: [...input.scopes],
  expires_in: input.expiresIn,
});
