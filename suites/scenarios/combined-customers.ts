import fc from 'fast-check';
import { acceptedInputs, isAccepted } from '../../lib/engine/observation.ts';
import { customerScenario } from '../../lib/engine/operations/customer.ts';
import type { CustomerObservation } from '../../lib/engine/operations/customer.ts';
import { fixedCase } from '../../lib/engine/scenario.ts';
import type { CaseSource, Run } from '../../lib/engine/scenario.ts';
import type { CustomerInput } from '../../lib/inputs/customers.ts';
import { addressText, isPlainAddress, plainAddress } from '../../lib/inputs/addresses.ts';
import type { Address } from '../../lib/inputs/addresses.ts';
import { characterKinds, sizeOf } from '../../lib/inputs/name-rules.ts';
import { plainName } from '../../lib/inputs/names.ts';
import { simplifiedCustomers, wideAndSimplified, wideScenarios } from './simplified-customers.ts';
import { usualStyle } from '../../lib/inputs/json-styles.ts';
import { customerCase, everyCategory, wideCustomers } from './wide-customers.ts';
import { ends, signEnds, signStarts, starts } from '../../lib/inputs/dictionaries.ts';

/** Combinations of accepted input, as some faults need two properties at once; in a long run also every category again. */
export const combinedCustomers = customerScenario({
  name: 'combined customers',
  uses: wideScenarios,
  isShared: true,
  *cases(run, observed) {
    const { cases } = run;
    const observations = wideAndSimplified(observed);
    let left = Math.max(Math.ceil(cases / 19), cases - observed(wideCustomers).length - LARGE_AND_RELATED);
    const first = combinedCases(run, observations, Math.min(left, MAX_COMBINED));
    yield first;
    left -= first.length;
    // Except simultaneous requests, which wait for each other.
    const outliers = outliersIn([wideCustomers, simplifiedCustomers].flatMap(observed));
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
const LARGE_AND_RELATED = 9;

/** Maximum number of combinations in a list. */
const MAX_COMBINED = 200;

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
        !accepted && !isPlainAddress(input.address) && !acceptedNames.has(input.name),
    )
    .map(({ case: { category, input } }) =>
      customerCase(`${category}, address alone`, { name: plainName, address: fc.constant(input.address) }),
    );
  const names = [...acceptedNames].filter((name) => name.length > 2 && name.length < 60);
  const longest = Math.max(0, ...[...acceptedNames].map((name) => sizeOf(name).points));
  const longNames = [...acceptedNames].filter((name) => name.length > 100 && name.length < 300);
  const addresses = accepted.map(({ address }) => address).filter(({ nonceIn }) => nonceIn !== 'none');
  const wide = addresses.filter((address) => !isPlainAddress(address));
  const byLength = wide.toSorted((a, b) => addressText(b, '').length - addressText(a, '').length);
  const combinations = [
    ...byLength.slice(0, 2).map((address, at) =>
      customerCase('long and long', {
        name: fc.constant(longNames[at] ?? 'Ada'),
        address: fc.constant(address),
      }),
    ),
    ...mostDiverse(
      run,
      fc.record({
        name: names.length > 0 ? joined(names, longest) : plainName,
        address: wide.length > 0 ? mixed(wide) : fc.constant(plainAddress),
        style: fc.constant(usualStyle),
      }),
      Math.max(0, count - 2),
    ).map((input) => fixedCase('combined', input)),
  ];
  return [...run.shuffle(untried).slice(0, count), ...combinations.slice(0, count)];
}

/** How many combinations are generated for each one that is sent. */
const CANDIDATES = 30;

/** Combinations in which as many features of names and of addresses as possible occur together. */
function mostDiverse(run: Run, combination: fc.Arbitrary<CustomerInput>, count: number): CustomerInput[] {
  const candidates = fc.array(combination, { minLength: CANDIDATES, maxLength: CANDIDATES });
  const together = new Set<string>();
  return Array.from({ length: count }, (_, at) => {
    const candidatesWithPairs = run
      .generate(candidates, `combination ${at} of ${count}`)
      .map((input) => [input, pairsIn(input).filter((pair) => !together.has(pair))] as const);
    const [chosen, pairs] = candidatesWithPairs.reduce((best, one) =>
      one[1].length > best[1].length ? one : best,
    );
    for (const pair of pairs) together.add(pair);
    return chosen;
  });
}

/** Each feature of a name with each of its address. */
function pairsIn({ name, address }: CustomerInput): string[] {
  const others = featuresOf(addressText(address, ''));
  return featuresOf(name).flatMap((one) => others.map((other) => `${one} ${other}`));
}

/** From this number of characters on, a text is long for some services. */
const LONG_TEXT = 20;

/** The kinds of characters in a text, and whether it has capitals or is long. */
const featuresOf = (text: string): string[] => [
  ...characterKinds(text),
  ...(/\p{Lu}/u.test(text) ? ['capitals'] : []),
  ...(text.length > LONG_TEXT ? ['long'] : []),
];

/** Further cases of a long run: in turn, each category again, with other input, and more combinations. */
const furtherCases = (
  run: Run,
  observations: readonly CustomerObservation[],
  round: number,
  count: number,
): CaseSource<CustomerInput>[] =>
  (round % 2 === 0
    ? everyCategory(run, round)
    : combinedCases(run, observations.filter(isAccepted), MAX_COMBINED)
  ).slice(0, count);

/** A name made of two, unless that is too long. @param longest code points */
const joined = (names: readonly string[], longest: number): fc.Arbitrary<string> =>
  fc.tuple(fc.constantFrom(...names), fc.constantFrom(...names)).map((pair) => {
    const both = pair.join(' ');
    return sizeOf(both).points <= longest ? both : pair[0];
  });

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
    // Some services accept no further label of a domain.
    nonceIn: fc.constant(addresses.some(({ nonceIn }) => nonceIn === 'domain') ? 'domain' : 'local'),
  });
}

/** A response is late if it takes this many times as long as most, and this many milliseconds more. */
const LATE_FACTOR = 4;
const LATE_MILLISECONDS = 20;

/**
 * Accepted inputs that the target seems to handle differently from most: the response has another status, other members
 * or other headers, or is late. A service that handles an input differently may handle it wrongly.
 */
export function outliersIn(observations: readonly CustomerObservation[]): readonly CustomerInput[] {
  const accepted = observations.filter(
    ({ accepted, case: { input } }) => accepted && input.address.nonceIn !== 'none',
  );
  const alike = Map.groupBy(accepted, formOf);
  const largestGroup = Math.max(0, ...[...alike.values()].map(({ length }) => length));
  const durations = accepted.map(({ exchange }) => exchange.duration).toSorted((one, other) => one - other);
  const late = LATE_FACTOR * (durations[durations.length >> 1] ?? 0) + LATE_MILLISECONDS;
  return acceptedInputs(
    accepted.filter(
      (observation) =>
        alike.get(formOf(observation))!.length < largestGroup || observation.exchange.duration > late,
    ),
  );
}

const formOf = ({ exchange: { reply } }: CustomerObservation): string =>
  JSON.stringify(
    [[String(reply.status)], Object.keys(reply.json ?? {}), Object.keys(reply.fields)].map((names) =>
      names.toSorted(),
    ),
  );

/** Inputs with the name or the address of an outlier, or with its name and something added at an end. */
function nearOutliers(
  outliers: readonly CustomerInput[],
  observations: readonly CustomerObservation[],
  count: number,
): CaseSource<CustomerInput>[] {
  const inputs = acceptedInputs(observations).filter(({ address }) => address.nonceIn !== 'none');
  const start = fc.constantFrom(...starts, ...signStarts);
  const end = fc.constantFrom(...ends, ...signEnds);
  const near = fc
    .tuple(fc.constantFrom(...outliers), fc.constantFrom(...inputs), start, end)
    .chain(([outlier, other, before, after]) =>
      fc.constantFrom<CustomerInput>(
        { ...outlier, address: other.address },
        { ...outlier, name: other.name },
        { ...outlier, name: `${outlier.name} ${other.name}` },
        { ...outlier, name: `${other.name} ${outlier.name}` },
        { ...outlier, name: before + outlier.name },
        { ...outlier, name: outlier.name + after },
      ),
    );
  return Array.from({ length: count }, () => ({ category: 'near an outlier', arbitrary: near }));
}
