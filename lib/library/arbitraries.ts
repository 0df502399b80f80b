import fc from 'fast-check';
import { addressText } from '../inputs/addresses.ts';
import { emailSources } from '../inputs/emails.ts';
import type { Address } from '../inputs/addresses.ts';
import { plainCustomer } from '../inputs/customers.ts';
import { credentialFrom } from '../inputs/invalid-credentials.ts';
import { missing, nearMisses, otherSchemes } from '../inputs/near-misses.ts';
import { nameSources } from '../inputs/names.ts';
import type { CustomerRequest, TokenRequest } from '../schemas/interface.ts';
import { tokenInput, tokenOf, wideToken } from '../inputs/tokens.ts';

/** Makes addresses differ. */
const nonce: fc.Arbitrary<string> = fc
  .noShrink(fc.noBias(fc.nat({ max: 36 ** 6 - 1 })))
  .map((number) => `q${number.toString(36).padStart(6, '0')}`);

const request = (name: fc.Arbitrary<string>, address: fc.Arbitrary<Address>): fc.Arbitrary<CustomerRequest> =>
  fc
    .tuple(name, address, nonce)
    .map(([name, address, nonce]) => ({ name, email: addressText(address, nonce) }));

const inOrder = <T>(items: readonly T[]): readonly T[] => items;
const { alone, combined } = nameSources(inOrder);

/** Bodies of customer creations. All addresses are under reserved domains (RFC 2606) and differ, except while shrinking. */
export const customers = {
  /** Bodies that every sensible service accepts: two short ASCII words, a simple address at example.com. */
  plain: request(
    plainCustomer.map(({ name }) => name),
    plainCustomer.map(({ address }) => address),
  ),
  /** Any well-formed Unicode and every form of address: may be rejected, must be echoed if accepted. */
  wide: request(
    fc.oneof(...[...alone, ...combined].map(({ name }) => name)),
    fc.oneof(...emailSources(inOrder).map(({ address }) => address)),
  ),
} as const;

/** Bodies of token requests. */
export const tokenRequests = {
  /** `customers:read`, as the interface shows, and 3600, a usual lifetime in seconds. */
  plain: fc.constant<TokenRequest>(tokenOf(tokenInput(['customers:read'], 3600))),
  /** Any scopes of the form `<resource>:<action>`, any whole lifetime from 1. */
  wide: wideToken.map(tokenOf),
} as const;

/** A credential that must be rejected. */
export interface InvalidAuthorization {
  /** Value of the `Authorization` header; undefined: no such header. Nearly the key, so as secret. */
  readonly authorization: string | undefined;
  /** How it differs from the right one, without secrets. */
  readonly description: string;
}

/** Credentials that are not the key in the Bearer scheme: none, other schemes, and near misses of the key. */
export function invalidCredentials(key: string): fc.Arbitrary<InvalidAuthorization> {
  const { common, rarer } = nearMisses(key);
  return fc
    .oneof(fc.constantFrom(...missing), fc.constantFrom(...otherSchemes), ...common, ...rarer.flat())
    .map((invalid) => {
      const credential = credentialFrom(invalid, key);
      return {
        authorization: credential?.value,
        description: credential === undefined ? 'no Authorization header' : credential.label,
      };
    });
}
