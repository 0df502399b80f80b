import fc from 'fast-check';
import { addressText, plainAddress } from './address.ts';
import type { Address } from './address.ts';
import { asIs } from './as-is.ts';
import { anyStyle, usual } from './json.ts';
import type { JsonStyle } from './json.ts';
import { plainName } from './plain.ts';
import type { CustomerRequest } from '../schemas/interface.ts';
import { smallerText } from './text.ts';

/** What a customer creation is made of, before its address is made unique. */
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

/** Shrinks any customer input that an experiment has made. */
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

/** The members that are sent. */
export const customerOf = (input: CustomerInput, nonce: string): CustomerRequest => ({
  name: input.name,
  email: addressText(input.address, nonce),
});
