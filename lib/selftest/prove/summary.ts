import type { Fault, Variant } from '../../reference/fault-or-variant.ts';
import { median } from '../median.ts';
import { idsToProve, isFault } from './proof-task.ts';
import type { ProofOutcome, ProofResult } from './proof-task.ts';

/** The outcomes for one requirement. A service counts once per seed. */
interface RequirementSummary {
  readonly id: string;
  /** Faults that name it as one that must catch them. */
  readonly named: number;
  /** Faults that it caught. */
  readonly caught: number;
  /** Faults that no other requirement caught. */
  readonly caughtAlone: number;
  /** Responses until the fault showed, of the faults that it caught: the median. */
  readonly foundAfter: number | undefined;
  /** Conforming variants for which it failed or was not tested, and whose run failed. */
  readonly falsePositives: number;
}

export interface ProofSummary {
  readonly faults: readonly ProofOutcome<Fault>[];
  readonly variants: readonly ProofOutcome<Variant>[];
  readonly results: Readonly<Record<ProofResult, number>>;
  readonly missed: readonly ProofOutcome<Fault>[];
  readonly falsePositives: readonly ProofOutcome<Variant>[];
  /** All of them; in the proof of a selection, those that a service names or breaks. */
  readonly requirements: readonly RequirementSummary[];
  /** Requirements that caught no fault, so that nothing shows that they can fail; none if only a selection was run. */
  readonly unproven: readonly string[];
}

/** @param isWhole whether every fault ran, so that each requirement must have caught one */
export function summariseProof(outcomes: readonly ProofOutcome[], isWhole: boolean): ProofSummary {
  const faults = outcomes.filter((one): one is ProofOutcome<Fault> => isFault(one.service));
  const variants = outcomes.filter((one): one is ProofOutcome<Variant> => !isFault(one.service));
  const falsePositives = variants.filter(({ result }) => result === 'false-positive');
  const concerned = new Set([
    ...faults.flatMap(({ service }) => service.caughtBy),
    ...outcomes.flatMap(({ broken }) => broken),
    ...falsePositives.flatMap(({ untested }) => untested),
  ]);
  const ids = isWhole ? idsToProve : idsToProve.filter((id) => concerned.has(id));
  const requirements = ids.map((id): RequirementSummary => {
    const caught = faults.filter(({ broken }) => broken.includes(id));
    const numbers = caught.flatMap(({ foundAfter }) => foundAfter ?? []);
    return {
      id,
      named: faults.filter(({ service }) => service.caughtBy.includes(id)).length,
      caught: caught.length,
      caughtAlone: caught.filter(({ broken }) => broken.length === 1).length,
      foundAfter: numbers.length === 0 ? undefined : median(numbers),
      falsePositives: falsePositives.filter(
        ({ broken, untested }) => broken.includes(id) || untested.includes(id),
      ).length,
    };
  });
  const count = (result: ProofResult): number =>
    outcomes.filter((outcome) => outcome.result === result).length;
  return {
    faults,
    variants,
    results: {
      caught: count('caught'),
      'caught-by-other': count('caught-by-other'),
      missed: count('missed'),
      passed: count('passed'),
      'false-positive': count('false-positive'),
    },
    missed: faults.filter(({ result }) => result === 'missed'),
    falsePositives,
    requirements,
    unproven: isWhole ? requirements.filter(({ caught }) => caught === 0).map(({ id }) => id) : [],
  };
}

export function renderSummary(summary: ProofSummary): string {
  const { faults, variants, results, missed, falsePositives, requirements, unproven } = summary;
  const outcomes = [...faults, ...variants];
  const width = Math.max(...idsToProve.map((id) => id.length));
  const row = (id: string, ...cells: readonly (string | number)[]): string =>
    `  ${id.padEnd(width)}${cells.map((cell) => String(cell).padStart(17)).join('')}`;
  const caught = results.caught + results['caught-by-other'];
  return [
    '',
    row('requirement', 'named', 'caught', 'caught alone', 'found after', 'false positives'),
    ...requirements.map(({ id, named, caught, caughtAlone, foundAfter, falsePositives }) =>
      row(id, named, caught, caughtAlone, foundAfter ?? '-', falsePositives),
    ),
    '',
    '  named            faults that must be caught by this requirement',
    '  caught           faults that this requirement caught',
    '  caught alone     faults that no other requirement caught',
    '  found after      responses until the fault showed, median',
    '  false positives  conforming variants for which this requirement failed or was not tested',
    '',
    ...section(
      'Faults caught only by requirements that they do not name:',
      faults.filter(({ result }) => result === 'caught-by-other').map(line),
    ),
    ...section('Requirements that caught no fault:', unproven),
    ...section(
      'FALSE POSITIVES:',
      falsePositives.map((outcome) => `${line(outcome)}\n${outcome.output}`),
    ),
    ...section(
      'MISSED FAULTS:',
      missed.map((outcome) => `${line(outcome)}; it violates: ${outcome.service.violates}`),
    ),
    `faults: ${caught} of ${faults.length} caught` +
      ` (${results.caught} by a requirement that they name, ${results['caught-by-other']} by another one), ${results.missed} missed`,
    `conforming variants: ${results.passed} of ${results.passed + results['false-positive']} passed`,
    `requests per run: ${spread(outcomes.map(({ requests }) => requests))}`,
    `responses until a fault showed: ${spread(faults.flatMap(({ foundAfter }) => foundAfter ?? []))}`,
    `seconds per run: ${spread(outcomes.map(({ seconds }) => seconds))}`,
    '',
  ].join('\n');
}

export const line = ({
  service,
  seed,
  exitCode,
  broken,
  untested,
  requests,
  seconds,
}: ProofOutcome): string =>
  [
    `${service.name}, seed ${seed}: exit ${exitCode}, ${requests} requests, ${seconds.toFixed(1)} s`,
    broken.length > 0 && `broken: ${broken.join(' ')}`,
    untested.length > 0 && `untested: ${untested.join(' ')}`,
  ]
    .filter((part) => part !== false)
    .join('; ');

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [title, ...lines.map((text) => `  ${text}`), ''];

const spread = (values: readonly number[]): string =>
  values.length === 0 ? '-' : `median ${rounded(median(values))}, at most ${rounded(Math.max(...values))}`;

const rounded = (value: number): string => value.toFixed(Number.isInteger(value) ? 0 : 1);

/** `proof.json`: the outcomes and their summary. */
export function proofJson(
  { faults, variants, results, requirements, unproven }: ProofSummary,
  run: { readonly seeds: readonly number[]; readonly startedAt: string; readonly seconds: number },
): string {
  const ofFaults = byService(faults).map(([{ name, group, violates, caughtBy }, runs]) => ({
    name,
    group,
    violates,
    caughtBy,
    runs,
  }));
  const ofVariants = byService(variants).map(([{ name, group, open }, runs]) => ({
    name,
    group,
    open,
    runs,
  }));
  const value = {
    schemaVersion: 1,
    ...run,
    results,
    unproven,
    requirements,
    faults: ofFaults,
    variants: ofVariants,
  };
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

/** The outcomes of each service, without the service and without the output, which only helps on the screen. */
const byService = <O extends ProofOutcome>(
  outcomes: readonly O[],
): [service: O['service'], runs: object[]][] =>
  [...Map.groupBy(outcomes, ({ service }) => service.name).values()].map((own) => [
    own[0]!.service,
    own.map(({ service: _service, output: _output, ...run }) => run),
  ]);
