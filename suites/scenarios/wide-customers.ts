import fc from 'fast-check';
import { createCustomer, customerScenario } from '../../lib/engine/operations/customer.ts';
import type { CustomerObservation } from '../../lib/engine/operations/customer.ts';
import { acceptedInputs, isServerError } from '../../lib/engine/observation.ts';
import { fixedCase } from '../../lib/engine/scenario.ts';
import type { CaseSource, Observed, Run } from '../../lib/engine/scenario.ts';
import {
  addressText,
  emailSources,
  commonAddresses,
  noAddress,
  plainAddress,
} from '../../lib/inputs/emails.ts';
import type { Address } from '../../lib/inputs/emails.ts';
import type { CustomerInput } from '../../lib/inputs/customers.ts';
import { codings, otherClients, usual } from '../../lib/inputs/json-styles.ts';
import type { JsonStyle } from '../../lib/inputs/json-styles.ts';
import { nameSources, plainName } from '../../lib/inputs/names.ts';
import { roundRobin } from '../../lib/inputs/round-robin.ts';
import { isSuccess, reportsError } from '../../lib/target/reply.ts';
import { outliersIn, nearOutliers } from './outliers.ts';

/**
 * Names and addresses of every category. Names of one dictionary entry are sent with a wide address; names that join
 * several entries with a plain or a common one, so that services with strict rules for addresses accept them.
 */
export const wideCustomers = customerScenario({
  name: 'wide customers',
  cases: (run) => everyCategory(run).slice(0, run.cases),
});

/** Most parts of rejected input that are sent, as a share of the cases: 65 in a default run. */
const SHARE_OF_PARTS = 0.38;

/**
 * Parts of rejected input with plain other parts: names without their wide address, and halves of combined names. Before
 * these, some requests that got a server error, or a 2xx without a customer, are repeated unchanged.
 */
export const plainerCustomers = customerScenario({
  name: 'plainer customers',
  uses: [wideCustomers],
  cases: (run, observed) => {
    const first = observed(wideCustomers);
    const again = first
      .filter(hasFailed)
      .slice(0, 8)
      .map(({ case: { category, input } }) => fixedCase(category, input));
    return [...again, ...withPlainParts(run, first, Math.ceil(run.cases * SHARE_OF_PARTS))];
  },
  send: (run, observed) => {
    const failed = new Map(
      observed(wideCustomers)
        .filter(hasFailed)
        .map(({ case: { input }, exchange }) => [input, exchange]),
    );
    return async (testCase, nonce) => {
      const control = failed.get(testCase.input);
      const observation = await createCustomer(run, testCase, nonce);
      return control && observation.accepted
        ? { ...observation, control, intermittent: 'control' }
        : observation;
    };
  },
});

/** Whether a response shows that the service failed, rather than that it rejected the input. */
const hasFailed = (observation: CustomerObservation): boolean => {
  const { reply } = observation.exchange;
  return (
    isServerError(observation) || (!observation.accepted && isSuccess(reply) && !reportsError(reply.json))
  );
};

/** The observations of both scenarios. */
export const wideAndPlainer = (observed: Observed): readonly CustomerObservation[] => [
  ...observed(wideCustomers),
  ...observed(plainerCustomers),
];

/** Combinations of accepted input, as some faults need two properties at once; in a long run also every category again. */
export const combinedCustomers = customerScenario({
  name: 'combined customers',
  uses: [wideCustomers, plainerCustomers],
  isShared: true,
  *cases(run, observed) {
    const { cases } = run;
    const observations = wideAndPlainer(observed);
    let left = Math.max(Math.ceil(cases / 19), cases - observed(wideCustomers).length - LARGE_AND_RELATED);
    const first = combinedCases(run, observations, Math.min(left, MAX_COMBINED));
    yield first;
    left -= first.length;
    const outliers = outliersIn(observations);
    for (let round = 1; left > 0; round++) {
      const further =
        outliers.length > 0 && round % 3 === 2
          ? nearOutliers(outliers, observations, Math.min(left, MAX_COMBINED))
          : furtherCases(run, observations, round, left);
      yield further;
      left -= further.length;
    }
  },
});

/** Cases of the scenarios of large and of related customers. */
const LARGE_AND_RELATED = 7;

/** Most combinations in a list. */
const MAX_COMBINED = 200;

type Parts = { name: fc.Arbitrary<string>; address?: fc.Arbitrary<Address>; style?: JsonStyle };

const customerCase = (
  category: string,
  { name, address = fc.constant(plainAddress), style = usual }: Parts,
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
function everyCategory(run: Run, round = 0): CaseSource<CustomerInput>[] {
  const shuffle = <T>(items: readonly T[]): readonly T[] => run.shuffle(items, round);
  const { alone: all, combined } = nameSources(shuffle);
  const alone = all.slice(namesTogether(run));
  const emails = emailSources(shuffle, run.settings.emailDomain);
  const common = commonAddresses(shuffle);
  const both = `ada${run.runId}${round || ''}@example.com`;
  return roundRobin([
    [customerCase('name equals email', { name: fc.constant(both), address: fc.constant(noAddress(both)) })],
    // Every other one with a common address, as some faults need both; in turn with each content coding and as other
    // clients; some in chunks.
    combined.map(({ category, name }, at) =>
      customerCase(category, {
        name,
        style: {
          ...usual,
          ...(at % 3 === 1 && otherClients[Math.floor(at / 3) % otherClients.length]),
          codings: codings[(at >> 1) % codings.length]!,
          chunked: at % 16 === 5,
        },
        ...(at % 2 === 0 && { address: fc.constant(common[(at / 2) % common.length]!) }),
      }),
    ),
    emails.map(({ category, address }, at) => {
      const name = alone[at];
      return name
        ? customerCase(`${name.category} | ${category}`, { name: name.name, address })
        : customerCase(`plain | ${category}`, { name: plainName, address });
    }),
    alone.slice(emails.length).map(({ category, name }) => customerCase(category, { name })),
  ]);
}

/**
 * A name without its wide address, and halves of a combined name.
 * @param most cases at most
 */
function withPlainParts(
  run: Run,
  first: readonly CustomerObservation[],
  most: number,
): CaseSource<CustomerInput>[] {
  const accepted = new Set(acceptedInputs(first).map(({ address }) => address));
  const rejected = run.shuffle(first.filter(({ accepted }) => !accepted));
  // If another name was accepted with the same address, the name was the reason.
  const combined = rejected.filter(
    ({ case: { input } }) => isPlain(input.address) || accepted.has(input.address),
  );
  const shared = rejected.filter((observation) => !combined.includes(observation));
  const parts = roundRobin<NamePart>([
    shared.map(({ case: { category, input } }) => [`${category}, name alone`, input.name]),
    combined.flatMap(({ case: { category, input } }) =>
      halvesOf(input.name).map((half): NamePart => [`${category}, in part`, half]),
    ),
  ]);
  return [...parts.filter(isOrdinary), ...parts.filter((part) => !isOrdinary(part))]
    .slice(0, most)
    .map(([category, name]) => customerCase(category, { name: fc.constant(name) }));
}

type NamePart = readonly [category: string, name: string];

/** Whether a name consists of what strict validators accept. */
const isOrdinary = ([, name]: NamePart): boolean => /^[\p{L}\p{M} .'’-]+$/u.test(name);

/**
 * Rejected addresses without their names, then combinations of accepted names and addresses.
 * @param count number of combinations
 */
function combinedCases(
  run: Run,
  observations: readonly CustomerObservation[],
  count: number,
): CaseSource<CustomerInput>[] {
  const accepted = acceptedInputs(observations);
  const acceptedNames = new Set(accepted.map(({ name }) => name));
  const untried = observations
    .filter(
      ({ accepted, case: { input } }) =>
        !accepted && !isPlain(input.address) && !acceptedNames.has(input.name),
    )
    .map(({ case: { category, input } }) =>
      customerCase(`${category}, address alone`, { name: plainName, address: fc.constant(input.address) }),
    );
  const names = [...acceptedNames].filter((name) => name.length > 2 && name.length < 60);
  const longNames = [...acceptedNames].filter((name) => name.length > 100 && name.length < 300);
  const addresses = accepted.map(({ address }) => address).filter(({ nonceIn }) => nonceIn !== 'none');
  const wide = addresses.filter((address) => !isPlain(address));
  const byLength = wide.toSorted((a, b) => addressText(b, '').length - addressText(a, '').length);
  const combinations = [
    ...byLength.slice(0, 2).map((address, at) =>
      customerCase('long and long', {
        name: fc.constant(longNames[at] ?? 'Ada'),
        address: fc.constant(address),
      }),
    ),
    ...Array.from({ length: Math.max(0, count - 2) }, () =>
      customerCase('combined', {
        name: names.length > 0 ? joined(names) : plainName,
        address: wide.length > 0 ? mixed(wide) : fc.constant(plainAddress),
      }),
    ),
  ];
  return [...run.shuffle(untried).slice(0, count), ...combinations.slice(0, count)];
}

/** Further cases of a long run: in turn, each category again, with other input, and more combinations. */
const furtherCases = (
  run: Run,
  observations: readonly CustomerObservation[],
  round: number,
  most: number,
): CaseSource<CustomerInput>[] =>
  (round % 2 === 0
    ? everyCategory(run, round)
    : combinedCases(
        run,
        observations.filter(({ accepted }) => accepted),
        MAX_COMBINED,
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
function mixed(addresses: readonly Address[]): fc.Arbitrary<Address> {
  const part = <K extends keyof Address>(key: K): fc.Arbitrary<Address[K]> =>
    fc.constantFrom(...addresses.map((address) => address[key]));
  return fc.record({
    before: fc.constant(''),
    local: part('local'),
    labels: part('labels'),
    domain: part('domain'),
    after: fc.constant(''),
    nonceIn: fc.constant('domain'),
  });
}
