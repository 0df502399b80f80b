import type { Fault } from '../../reference/faults/fault.ts';
import type { Variant } from '../../reference/variants/variant.ts';
import { provableIds } from './provable.ts';
import { isFault } from './trial.ts';
import type { Proof, Result } from './trial.ts';

/** What the proofs say of one requirement; a fault counts once a seed. */
export interface RequirementSummary {
  readonly id: string;
  /** Faults that name it as one that must catch them. */
  readonly named: number;
  /** Faults that it caught. */
  readonly caught: number;
  /** Faults that it caught and nothing else did. */
  readonly alone: number;
  /** Responses until the fault showed, of the faults that it caught: the median. */
  readonly foundAfter: number | undefined;
  /** Conforming services that it blamed. */
  readonly falseReds: number;
}

/** What all proofs come to. */
export interface Summary {
  readonly results: Readonly<Record<Result, number>>;
  readonly missed: readonly Proof<Fault>[];
  readonly blamed: readonly Proof<Variant>[];
  readonly requirements: readonly RequirementSummary[];
  /** Requirements that no fault trips: they have not been shown to be able to fail. */
  readonly untripped: readonly string[];
}

export const ofFaults = (proofs: readonly Proof[]): Proof<Fault>[] =>
  proofs.filter((proof): proof is Proof<Fault> => isFault(proof.service));
export const ofVariants = (proofs: readonly Proof[]): Proof<Variant>[] =>
  proofs.filter((proof): proof is Proof<Variant> => !isFault(proof.service));

export function summarise(proofs: readonly Proof[]): Summary {
  const faults = ofFaults(proofs);
  const variants = ofVariants(proofs);
  const blamed = variants.filter(({ result }) => result === 'blamed');
  const requirements = provableIds.map((id): RequirementSummary => {
    const caught = faults.filter(({ broken }) => broken.includes(id));
    return {
      id,
      named: faults.filter(({ service }) => service.caughtBy.includes(id)).length,
      caught: caught.length,
      alone: caught.filter(({ broken }) => broken.length === 1).length,
      foundAfter: middle(caught.flatMap(({ foundAfter }) => foundAfter ?? [])),
      falseReds: blamed.filter(({ broken, untested }) => broken.includes(id) || untested.includes(id)).length,
    };
  });
  const count = (result: Result): number => proofs.filter((proof) => proof.result === result).length;
  return {
    results: {
      named: count('named'),
      other: count('other'),
      missed: count('missed'),
      passed: count('passed'),
      blamed: count('blamed'),
    },
    missed: faults.filter(({ result }) => result === 'missed'),
    blamed,
    requirements,
    untripped: requirements.filter(({ caught }) => caught === 0).map(({ id }) => id),
  };
}

/** The summary as text, worst last. @param isWhole whether every fault was tried */
export function renderSummary(summary: Summary, proofs: readonly Proof[], isWhole = true): string {
  const { results, missed, blamed, requirements, untripped } = summary;
  const width = Math.max(...requirements.map(({ id }) => id.length));
  const row = (id: string, ...cells: readonly (string | number)[]): string =>
    `  ${id.padEnd(width)}${cells.map((cell) => String(cell).padStart(12)).join('')}`;
  const faults = ofFaults(proofs);
  return [
    '',
    row('requirement', 'named', 'caught', 'alone', 'found after', 'false reds'),
    ...requirements.map(({ id, named, caught, alone, foundAfter, falseReds }) =>
      row(id, named, caught, alone, foundAfter ?? '-', falseReds),
    ),
    '',
    ...section(
      'caught only by requirements that they do not name:',
      faults.filter(({ result }) => result === 'other').map(line),
    ),
    ...section('requirements that no fault trips:', isWhole ? untripped : []),
    ...section(
      'CONFORMING SERVICES THAT WERE BLAMED:',
      blamed.map((proof) => `${line(proof)}\n${proof.output}`),
    ),
    ...section(
      'MISSED:',
      missed.map((proof) => `${line(proof)}  ${proof.service.breaks}`),
    ),
    `${results.named + results.other} of ${faults.length} faults caught:` +
      ` ${results.named} by a requirement that they name, ${results.other} by another; ${results.missed} missed`,
    `${results.passed} of ${results.passed + results.blamed} conforming services passed`,
    `median and most: requests ${spread(proofs.map(({ requests }) => requests))};` +
      ` responses until a fault was found ${spread(faults.flatMap(({ foundAfter }) => foundAfter ?? []))};` +
      ` seconds ${spread(proofs.map(({ seconds }) => seconds))}`,
    '',
  ].join('\n');
}

/** One trial in a line. */
export const line = ({ service, seed, exitCode, broken, untested, requests, seconds }: Proof): string =>
  `${service.name} [seed ${seed}] exit ${exitCode}, ${requests} requests, ` +
  `${seconds.toFixed(1)} s: ${[...broken, ...untested.map((id) => `(${id})`)].join(' ') || '-'}`;

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [title, ...lines.map((text) => `  ${text}`), ''];

const spread = (values: readonly number[]): string =>
  values.length === 0 ? '-' : `${rounded(middle(values)!)} and ${rounded(Math.max(...values))}`;

const rounded = (value: number): string => value.toFixed(Number.isInteger(value) ? 0 : 1);

/** The median; of an even number the higher of the two. */
function middle(values: readonly number[]): number | undefined {
  return values.toSorted((one, other) => one - other)[values.length >> 1];
}
