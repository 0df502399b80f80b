import fc from 'fast-check';
import type { CustomerObservation } from '../../lib/experiment/customer.ts';
import type { Slot } from '../../lib/experiment/experiment.ts';
import type { Run } from '../../lib/experiment/run.ts';
import { addressText, noAddress, plainAddress } from '../../lib/inputs/address.ts';
import type { Address } from '../../lib/inputs/address.ts';
import type { CustomerInput } from '../../lib/inputs/customers.ts';
import { emailSlots } from '../../lib/inputs/emails.ts';
import { usual } from '../../lib/inputs/json.ts';
import { nameSlots } from '../../lib/inputs/names.ts';
import { plainName } from '../../lib/inputs/plain.ts';
import { roundRobin } from '../../lib/inputs/round-robin.ts';

type Draft = { name: fc.Arbitrary<string>; address?: fc.Arbitrary<Address> };

const customer = (
  family: string,
  { name, address = fc.constant(plainAddress) }: Draft,
): Slot<CustomerInput> => ({
  family,
  arbitrary: fc.record({ name, address, style: fc.constant(usual) }),
});

/** Names that are unlucky by themselves; half as many as may be in flight go into the burst. */
export const unluckySlots = (run: Run): Slot<CustomerInput>[] =>
  nameSlots(run.shuffle).alone.map(({ family, name }) => customer(family, { name }));

/**
 * The first wave: each class of names and each class of addresses once. Names that are unlucky by
 * themselves share their request with a wide address; packed ones go with a plain address, so that
 * a service that is strict with addresses still takes them.
 */
export function widestWave(run: Run): Slot<CustomerInput>[] {
  const { alone: all, packed } = nameSlots(run.shuffle);
  const alone = all.slice(Math.floor(run.settings.concurrency / 2));
  const emails = emailSlots(run.shuffle);
  const both = `ada${run.tag}@example.com`;
  return roundRobin([
    [customer('name equals email', { name: fc.constant(both), address: fc.constant(noAddress(both)) })],
    packed.map(({ family, name }) => customer(family, { name })),
    emails.map(({ family, address }, at) => {
      const name = alone[at];
      return name
        ? customer(`${name.family} | ${family}`, { name: name.name, address })
        : customer(`plain | ${family}`, { name: plainName, address });
    }),
    alone.slice(emails.length).map(({ family, name }) => customer(family, { name })),
  ]);
}

/**
 * The second wave follows what the target took: what was refused is tried in plainer company or in
 * parts, and what was taken is combined, as some faults need two properties at once.
 */
export function nextWave(
  run: Run,
  first: readonly CustomerObservation[],
  count: number,
): Slot<CustomerInput>[] {
  const taken = first.filter(({ granted }) => granted).map((observation) => observation.case.input);
  const refused = first.filter(({ granted }) => !granted);
  const names = taken.map(({ name }) => name).filter((name) => name.length > 2 && name.length < 60);
  const addresses = taken
    .map(({ address }) => address)
    .filter(({ mark }, at) => mark !== 'none' && taken[at]!.address !== plainAddress);
  const byLength = addresses.toSorted((a, b) => addressText(b, '').length - addressText(a, '').length);
  const longNames = taken.map(({ name }) => name).filter((name) => name.length > 100 && name.length < 300);
  const combinations = [
    ...byLength.slice(0, 2).map((address, at) =>
      customer('long and long', {
        name: fc.constant(longNames[at] ?? 'Ada'),
        address: fc.constant(address),
      }),
    ),
    ...Array.from({ length: count - 2 }, () =>
      customer('combined', {
        name: names.length > 0 ? joined(names) : plainName,
        address: addresses.length > 0 ? combined(addresses) : fc.constant(plainAddress),
      }),
    ),
  ];
  const plainer = run.shuffle(
    refused.flatMap(({ case: { family, input } }) => inPlainerCompany(family, input)),
  );
  // At most half as much again as was asked for, where there is that much to find out.
  const tries = plainer.slice(0, Math.ceil(count * 1.5));
  return [...tries, ...combinations.slice(0, Math.max(Math.ceil(count / 3), count - tries.length))];
}

function inPlainerCompany(family: string, { name, address }: CustomerInput): Slot<CustomerInput>[] {
  const isPlainAddress = JSON.stringify(address) === JSON.stringify(plainAddress);
  if (!isPlainAddress) {
    return [
      customer(`${family}, name alone`, { name: fc.constant(name) }),
      customer(`${family}, address alone`, { name: plainName, address: fc.constant(address) }),
    ];
  }
  const points = [...name];
  if (points.length < 4 || points.length > 100) return [];
  const half = points.length >> 1;
  return [points.slice(0, half), points.slice(half)].map((part) =>
    customer(`${family}, in part`, { name: fc.constant(part.join('')) }),
  );
}

/** A name made of two. */
const joined = (names: readonly string[]): fc.Arbitrary<string> =>
  fc.tuple(fc.constantFrom(...names), fc.constantFrom(...names)).map((pair) => pair.join(' '));

/** An address with the wide parts of several. */
function combined(addresses: readonly Address[]): fc.Arbitrary<Address> {
  const part = <K extends keyof Address>(key: K): fc.Arbitrary<Address[K]> =>
    fc.constantFrom(...addresses.map((address) => address[key]));
  return fc.record({
    before: fc.constant(''),
    local: part('local'),
    labels: part('labels'),
    domain: part('domain'),
    after: fc.constant(''),
    mark: fc.constant('domain'),
  });
}
