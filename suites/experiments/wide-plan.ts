import fc from 'fast-check';
import type { CustomerObservation } from '../../lib/engine/customer.ts';
import type { Slot } from '../../lib/engine/experiment.ts';
import type { Run } from '../../lib/engine/run.ts';
import { addressText, noAddress, plainAddress } from '../../lib/inputs/address.ts';
import type { Address } from '../../lib/inputs/address.ts';
import type { CustomerInput } from '../../lib/inputs/customers.ts';
import { emailSlots } from '../../lib/inputs/emails.ts';
import { usual } from '../../lib/inputs/json.ts';
import { nameSlots } from '../../lib/inputs/names.ts';
import { plainName } from '../../lib/inputs/plain.ts';
import { roundRobin } from '../../lib/inputs/round-robin.ts';

/** Combinations of one wave. */
export const MOST_COMBINED = 200;

type Draft = { name: fc.Arbitrary<string>; address?: fc.Arbitrary<Address> };

const customer = (
  category: string,
  { name, address = fc.constant(plainAddress) }: Draft,
): Slot<CustomerInput> => ({
  category,
  arbitrary: fc.record({ name, address, style: fc.constant(usual) }),
});

let dealt: ReturnType<typeof nameSlots> | undefined;
/** The names that a run begins with: the burst and the first wave have them between them. */
const firstNames = (run: Run): ReturnType<typeof nameSlots> => (dealt ??= nameSlots(run.shuffle));

/** Names that are unlucky by themselves; half as many as may be in flight go into the burst. */
export const unluckySlots = (run: Run): Slot<CustomerInput>[] =>
  firstNames(run).alone.map(({ category, name }) => customer(category, { name }));

/** Upper case, a dot and a plus tag: wide, and yet known everywhere. */
const gentleAddress: Address = { ...plainAddress, local: 'Ada.B+news' };

/**
 * The first wave: each class of names and each class of addresses once. Names that are unlucky by
 * themselves share their request with a wide address; packed ones go with a plain or a gentle one, so
 * that a service that is strict with addresses still takes them.
 * @param round of a long run, which meets each class again, drawn anew
 */
export function widestWave(run: Run, round = 0): Slot<CustomerInput>[] {
  const shuffle = <T>(items: readonly T[]): readonly T[] => run.shuffle(items, round);
  const { alone: all, packed } = round === 0 ? firstNames(run) : nameSlots(shuffle);
  const alone = all.slice(Math.floor(run.settings.concurrency / 2));
  const emails = emailSlots(shuffle);
  const both = `ada${run.tag}${round || ''}@example.com`;
  return roundRobin([
    [customer('name equals email', { name: fc.constant(both), address: fc.constant(noAddress(both)) })],
    // Every other one with an address that most services take, as some faults need both.
    packed.map(({ category, name }, at) =>
      customer(category, at % 2 === 0 ? { name, address: fc.constant(gentleAddress) } : { name }),
    ),
    emails.map(({ category, address }, at) => {
      const name = alone[at];
      return name
        ? customer(`${name.category} | ${category}`, { name: name.name, address })
        : customer(`plain | ${category}`, { name: plainName, address });
    }),
    alone.slice(emails.length).map(({ category, name }) => customer(category, { name })),
  ]);
}

/**
 * The second wave tries in plainer company what the first one did not get through: a name whose wide
 * address may have been the reason, and halves of a packed name.
 * @param most slots at most
 */
export function plainerWave(
  run: Run,
  first: readonly CustomerObservation[],
  most: number,
): Slot<CustomerInput>[] {
  const taken = new Set(
    first.filter(({ accepted }) => accepted).map((observation) => observation.case.input.address),
  );
  const refused = run.shuffle(first.filter(({ accepted }) => !accepted));
  // Where another name got through with the same address, the name was the reason.
  const packed = refused.filter(({ case: { input } }) => isPlain(input.address) || taken.has(input.address));
  const shared = refused.filter((observation) => !packed.includes(observation));
  return roundRobin([
    shared.map(({ case: { category, input } }) =>
      customer(`${category}, name alone`, { name: fc.constant(input.name) }),
    ),
    packed.flatMap(({ case: { category, input } }) =>
      halvesOf(input.name).map((half) => customer(`${category}, in part`, { name: fc.constant(half) })),
    ),
  ]).slice(0, most);
}

/**
 * The third wave sends alone the addresses whose names were refused too, and combines what was taken,
 * as some faults need two properties at once.
 * @param count combinations
 */
export function combiningWave(
  run: Run,
  observations: readonly CustomerObservation[],
  count: number,
): Slot<CustomerInput>[] {
  const taken = observations.filter(({ accepted }) => accepted).map((observation) => observation.case.input);
  const takenNames = new Set(taken.map(({ name }) => name));
  const untried = observations
    .filter(
      ({ accepted, case: { input } }) => !accepted && !isPlain(input.address) && !takenNames.has(input.name),
    )
    .map(({ case: { category, input } }) =>
      customer(`${category}, address alone`, { name: plainName, address: fc.constant(input.address) }),
    );
  const names = [...takenNames].filter((name) => name.length > 2 && name.length < 60);
  const longNames = [...takenNames].filter((name) => name.length > 100 && name.length < 300);
  const addresses = taken.map(({ address }) => address).filter(({ mark }) => mark !== 'none');
  const wide = addresses.filter((address) => !isPlain(address));
  const byLength = wide.toSorted((a, b) => addressText(b, '').length - addressText(a, '').length);
  const combinations = [
    ...byLength.slice(0, 2).map((address, at) =>
      customer('long and long', {
        name: fc.constant(longNames[at] ?? 'Ada'),
        address: fc.constant(address),
      }),
    ),
    ...Array.from({ length: Math.max(0, count - 2) }, () =>
      customer('combined', {
        name: names.length > 0 ? joined(names) : plainName,
        address: wide.length > 0 ? combined(wide) : fc.constant(plainAddress),
      }),
    ),
  ];
  return [...run.shuffle(untried).slice(0, count), ...combinations.slice(0, count)];
}

/** What a long run has beyond that: each class again, drawn anew, and more combinations, in turn. */
export const furtherWave = (
  run: Run,
  observations: readonly CustomerObservation[],
  round: number,
  most: number,
): Slot<CustomerInput>[] =>
  (round % 2 === 0
    ? widestWave(run, round)
    : combiningWave(
        run,
        observations.filter(({ accepted }) => accepted),
        MOST_COMBINED,
      )
  ).slice(0, most);

const isPlain = (address: Address): boolean => JSON.stringify(address) === JSON.stringify(plainAddress);

function halvesOf(name: string): string[] {
  const points = [...name];
  if (points.length < 4 || points.length > 100) return [];
  const half = points.length >> 1;
  return [points.slice(0, half), points.slice(half)].map((part) => part.join(''));
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
