import fc from 'fast-check';
import type { CustomerObservation } from '../../lib/engine/operations/customer.ts';
import { acceptedInputs } from '../../lib/engine/observation.ts';
import type { CaseSource } from '../../lib/engine/scenario.ts';
import type { CustomerInput } from '../../lib/inputs/customers.ts';
import { ends, signEnds, signStarts, starts } from '../../lib/inputs/fragments.ts';

/** A response is late if it takes this many times as long as most, and this many milliseconds more. */
const TIMES = 4;
const LATE = 20;

/**
 * Accepted inputs that the target seems to handle in another way than most: the response has another status, other
 * members or other headers, or comes late. A service that handles an input differently may handle it wrongly.
 */
export function outliersIn(observations: readonly CustomerObservation[]): readonly CustomerInput[] {
  const accepted = observations.filter(
    ({ accepted, case: { input } }) => accepted && input.address.nonceIn !== 'none',
  );
  const alike = Map.groupBy(accepted, formOf);
  const most = Math.max(0, ...[...alike.values()].map(({ length }) => length));
  const durations = accepted.map(({ exchange }) => exchange.duration).toSorted((one, other) => one - other);
  const late = TIMES * (durations[durations.length >> 1] ?? 0) + LATE;
  return acceptedInputs(
    accepted.filter(
      (observation) => alike.get(formOf(observation))!.length < most || observation.exchange.duration > late,
    ),
  );
}

const formOf = ({ exchange: { reply } }: CustomerObservation): string =>
  JSON.stringify(
    [[String(reply.status)], Object.keys(reply.json ?? {}), Object.keys(reply.fields)].map((names) =>
      names.toSorted(),
    ),
  );

/** Inputs that share a name or an address with an outlier, or whose name is an outlier's with something at an end. */
export function nearOutliers(
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
