import fc from 'fast-check';
import { customerScenario } from '../../lib/engine/operations/customer.ts';
import type { CaseSource, Run } from '../../lib/engine/scenario.ts';
import { noAddress, plainAddress, plainAddresses } from '../../lib/inputs/addresses.ts';
import { emailSources, commonAddresses } from '../../lib/inputs/emails.ts';
import type { Address } from '../../lib/inputs/addresses.ts';
import type { CustomerInput } from '../../lib/inputs/customers.ts';
import { codings, otherClients, usualStyle } from '../../lib/inputs/json-styles.ts';
import type { JsonStyle } from '../../lib/inputs/json-styles.ts';
import { nameSources, plainName } from '../../lib/inputs/names.ts';
import { roundRobin } from '../../lib/inputs/lists.ts';

/**
 * Names and addresses of every category. Names of one dictionary entry are sent with a wide address; names that join
 * several entries with a plain or a common one, so that services with strict rules for addresses accept them.
 */
export const wideCustomers = customerScenario({
  name: 'wide customers',
  cases: (run) => everyCategory(run).slice(0, run.cases),
});

type CustomerParts = { name?: fc.Arbitrary<string>; address?: fc.Arbitrary<Address>; style?: JsonStyle };

/** A customer with a plain name and address, in the usual style, unless others are given. */
export const customerCase = (
  category: string,
  { name = plainName, address = fc.constant(plainAddress), style = usualStyle }: CustomerParts,
): CaseSource<CustomerInput> => ({
  category,
  arbitrary: fc.record({ name, address, style: fc.constant(style) }),
});

/** Names of one dictionary entry: the first are sent at the same instant, the others with wide addresses. */
export const singleEntryNames = (run: Run): CaseSource<CustomerInput>[] =>
  nameSources(run.shuffle).alone.map(({ category, name }) => customerCase(category, { name }));

/** How many of these are sent at the same instant, beside plain customers: three of four, as many as may be in flight. */
export const namesTogether = ({ settings: { concurrency } }: Run): number =>
  Math.floor(Math.max(2, concurrency) * 0.75);

/**
 * Each category of names and each category of addresses once.
 * @param round of a long run, which sends each category again, with other input
 */
export function everyCategory(run: Run, round = 0): CaseSource<CustomerInput>[] {
  const shuffle = <T>(items: readonly T[]): readonly T[] => run.shuffle(items, round);
  const { alone: all, combined } = nameSources(shuffle);
  const alone = all.slice(namesTogether(run));
  const emails = emailSources(shuffle, run.settings.emailDomain);
  const common = commonAddresses(shuffle);
  const plain = shuffle(plainAddresses);
  const plainAt = (at: number): fc.Arbitrary<Address> => fc.constant(plain[at % plain.length]!);
  const both = `ada${run.runId()}${round || ''}@${run.settings.emailDomain ?? plainAddress.domain}`;
  return roundRobin([
    [customerCase('name equals email', { name: fc.constant(both), address: fc.constant(noAddress(both)) })],
    // Every other one with a common address, as some faults need both, the others with plain ones of all letters; in turn
    // with each content coding and as other clients; some in chunks.
    combined.map(({ category, name }, at) =>
      customerCase(category, {
        name,
        style: {
          ...usualStyle,
          ...(at % 3 === 1 && otherClients[Math.floor(at / 3) % otherClients.length]),
          codings: codings[(at >> 1) % codings.length]!,
          chunked: at % 16 === 5,
        },
        address: at % 2 === 0 ? fc.constant(common[(at / 2) % common.length]!) : plainAt(at >> 1),
      }),
    ),
    emails.map(({ category, address }, at) => {
      const name = alone[at];
      return name
        ? customerCase(`${name.category} | ${category}`, { name: name.name, address })
        : customerCase(`plain | ${category}`, { address });
    }),
    alone
      .slice(emails.length)
      .map(({ category, name }, at) => customerCase(category, { name, address: plainAt(at) })),
  ]);
}
