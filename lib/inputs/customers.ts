import fc from 'fast-check';
import { addressText, plainAddress } from './emails.ts';
import type { Address } from './emails.ts';
import { asIs, smallerText } from './shrinking.ts';
import { anyStyle, usual } from './json-styles.ts';
import type { JsonStyle } from './json-styles.ts';
import { plainName } from './names.ts';
import type { CustomerRequest } from '../schemas/interface.ts';

/** The input of a customer creation, before its address is made unique. */
export interface CustomerInput {
  readonly name: string;
  readonly address: Address;
  readonly style: JsonStyle;
}

/** The plain tier. */
export const plainCustomer: fc.Arbitrary<CustomerInput> = plainName.map((name) => ({
  name,
  address: plainAddress,
  style: usual,
}));

/** Shrinks any customer input. */
export const shrinkCustomer: fc.Arbitrary<CustomerInput> = fc.record({
  name: asIs(smallerText),
  address: fc.record({
    before: asIs(smallerText),
    local: asIs(smallerText),
    labels: asIs(smallerText),
    domain: asIs<string>(),
    after: asIs(smallerText),
    nonceIn: asIs<Address['nonceIn']>(),
  }),
  style: anyStyle,
});

/** The body of the request. */
export const customerOf = (input: CustomerInput, nonce: string): CustomerRequest => ({
  name: input.name,
  email: addressText(input.address, nonce),
});
