import fc from 'fast-check';
import { asIs } from './as-is.ts';
import { anyStyle, usual } from './json.ts';
import type { JsonStyle } from './json.ts';
import type { TokenRequest } from '../schemas/interface.ts';

/** What a token request is made of. */
export interface TokenInput {
  readonly scopes: readonly string[];
  readonly expiresIn: number;
  readonly style: JsonStyle;
}

export const tokenInput = (scopes: readonly string[], expiresIn: number): TokenInput => ({
  scopes,
  expiresIn,
  style: usual,
});

/** Lifetimes to try, in whatever unit; the first ones are those that most services take. */
export const lifetimes: readonly number[] = [
  3600, 900, 300, 60, 86_400, 30, 1, 600, 1800, 7200, 120, 604_800, 10, 3_600_000,
];

/** Scope lists to try after the one that the interface shows. */
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

/** Requests over all that the interface allows: `<resource>:<action>` and integers. */
export const wideToken: fc.Arbitrary<TokenInput> = fc.record({
  scopes: fc.uniqueArray(
    fc.tuple(word, word).map((pair) => pair.join(':')),
    { minLength: 1, maxLength: 4 },
  ),
  expiresIn: fc.oneof(fc.integer({ min: 1, max: 86_400 }), fc.integer({ min: 1, max: 2 ** 31 - 1 })),
  style: fc.constant(usual),
});

/** Shrinks any token input that an experiment has made. */
export const shrinkToken: fc.Arbitrary<TokenInput> = fc.record({
  scopes: asIs<readonly string[]>(),
  expiresIn: asIs<number>(),
  style: anyStyle,
});

/** The members that are sent. */
export const tokenOf = (input: TokenInput): TokenRequest => ({
  scopes: [...input.scopes],
  expires_in: input.expiresIn,
});
