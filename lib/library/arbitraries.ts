import fc from 'fast-check';
import { addressText } from '../inputs/address.ts';
import type { Address } from '../inputs/address.ts';
import { plainCustomer } from '../inputs/customers.ts';
import { emailSources } from '../inputs/emails.ts';
import { credentialFrom } from '../inputs/invalid-credentials.ts';
import { missing, nearMisses, otherSchemes } from '../inputs/near-misses.ts';
import { nameSources } from '../inputs/names.ts';
import type { CustomerRequest, TokenRequest } from '../schemas/interface.ts';
import { tokenInput, tokenOf, wideToken } from '../inputs/tokens.ts';

/** What every address carries, so that hardly two are the same. */
const nonce: fc.Arbitrary<string> = fc
  .noShrink(fc.noBias(fc.nat({ max: 36 ** 6 - 1 })))
  .map((number) => `q${number.toString(36).padStart(6, '0')}`);

const request = (name: fc.Arbitrary<string>, address: fc.Arbitrary<Address>): fc.Arbitrary<CustomerRequest> =>
  fc
    .tuple(name, address, nonce)
    .map(([name, address, nonce]) => ({ name, email: addressText(address, nonce) }));

const inOrder = <T>(items: readonly T[]): readonly T[] => items;
const { alone, packed } = nameSources(inOrder);

/** Bodies of customer creations. No address leads to a mailbox (RFC 2606); one comes again only while it is made smaller. */
export const customers = {
  /** What no sensible service refuses: two short ASCII words, a simple address at example.com. */
  plain: request(
    plainCustomer.map(({ name }) => name),
    plainCustomer.map(({ address }) => address),
  ),
  /** Any well-formed Unicode and every form of address: may be refused, must be echoed where it is accepted. */
  wide: request(
    fc.oneof(...[...alone, ...packed].map(({ name }) => name)),
    fc.oneof(...emailSources(inOrder).map(({ address }) => address)),
  ),
} as const;

/** Bodies of token requests. */
export const tokenRequests = {
  /** What the interface shows: `customers:read`, with a lifetime that is usual in seconds. */
  plain: fc.constant<TokenRequest>(tokenOf(tokenInput(['customers:read'], 3600))),
  /** Any scopes of the form `<resource>:<action>`, any whole lifetime from 1. */
  wide: wideToken.map(tokenOf),
} as const;

/** A credential that must not count. */
export interface InvalidAuthorization {
  /** Value of the `Authorization` field; undefined: there is none. Nearly the key, so as secret. */
  readonly authorization: string | undefined;
  /** How it differs from the right one, in words that hold no secret. */
  readonly description: string;
}

/** Credentials that are not the key in the Bearer scheme: none, other schemes, and near misses of the key. */
export function invalidCredentials(key: string): fc.Arbitrary<InvalidAuthorization> {
  const { common, rarer } = nearMisses(key);
  return fc
    .oneof(fc.constantFrom(...missing), fc.constantFrom(...otherSchemes), ...common, ...rarer)
    .map((invalid) => {
      const credential = credentialFrom(invalid, key);
      return {
        authorization: credential?.value,
        description: credential === undefined ? 'no Authorization field' : credential.label,
      };
    });
}
