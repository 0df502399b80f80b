import fc from 'fast-check';
import { addressText, isPlainAddress, plainAddress } from './addresses.ts';
import type { Address } from './addresses.ts';
import { asIs, readable } from './shrinking.ts';
import { shrinkStyle, usualStyle } from './json-styles.ts';
import type { JsonStyle } from './json-styles.ts';
import { plainName } from './names.ts';
import type { CustomerRequest } from '../schemas/interface.ts';

/** The input of a customer creation, before its address is made unique. */
export interface CustomerInput {
  readonly name: string;
  readonly address: Address;
  readonly style: JsonStyle;
  /** An id that is sent with the request, although the service assigns it. */
  readonly id?: string;
}

export const plainCustomer: fc.Arbitrary<CustomerInput> = plainName.map((name) => ({
  name,
  address: plainAddress,
  style: usualStyle,
}));

/** Shrinks any customer input, to plain parts where the failure allows it. */
export const shrinkCustomer: fc.Arbitrary<CustomerInput> = fc.record(
  {
    address: asIs(smallerAddress),
    name: asIs(readable('Ada Berg')),
    style: shrinkStyle,
    id: asIs<string>(),
  },
  { requiredKeys: ['address', 'name', 'style'] },
);

function* smallerAddress(address: Address): Generator<Address> {
  const isPlain = isPlainAddress(address);
  if (isPlain && address.local === plainAddress.local) return;
  yield plainAddress;
  if (isPlain) return;
  for (const part of ['before', 'after', 'labels', 'local'] as const)
    for (const text of readable(plainAddress[part])(address[part]))
      if (keepsReservedName(part, text)) yield { ...address, [part]: text };
  const { total, ...short } = address;
  if (total !== undefined) {
    yield short;
    for (const fewer of [64, 100, 128, 191, 254, 255, 256, 257, 320])
      if (fewer < total) yield { ...address, total: fewer };
  }
  if (address.nonceIn === 'domain') yield { ...address, nonceIn: 'local' };
}

/** Whether a part of an address leaves the domain of each mailbox under a reserved name: no mail ever leaves. */
function keepsReservedName(part: 'before' | 'after' | 'labels' | 'local', text: string): boolean {
  if (part === 'labels') return text === '' || /[.。．]$/.test(text);
  if (part === 'after') return !/^[\w-]/.test(text);
  return part === 'local' || !text.includes('@') || /@example\.com[^\w.-]/.test(text);
}

/**
 * The body of the request.
 * @param ownDomain replaces example.com, as some services reject reserved domains
 */
export function customerOf(
  { name, address }: CustomerInput,
  nonce: string,
  ownDomain: string | undefined,
): CustomerRequest {
  const isReplaced =
    ownDomain !== undefined && address.labels === '' && address.domain === plainAddress.domain;
  const at = isReplaced ? { ...address, domain: ownDomain } : address;
  return { name, email: addressText(at, nonce) };
}
