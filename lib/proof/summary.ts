import { entryOf, requirementIds } from '../requirements/catalogue.ts';
import type { RequirementId } from '../requirements/catalogue.ts';
import type { Proof, Result } from './prove.ts';

/** What the proofs say of one required statement. */
export interface RequirementSummary {
  readonly id: RequirementId;
  /** Faults that name it as one that must catch them. */
  readonly named: number;
  /** Faults that it caught. */
  readonly caught: number;
  /** Faults that it caught and nothing else did. */
  readonly alone: number;
}

/** What all proofs come to; a fault counts once a seed. */
export interface Summary {
  readonly results: Readonly<Record<Result, number>>;
  readonly missed: readonly Proof[];
  /** Proofs of the correct service that did not conform. */
  readonly blamed: readonly Proof[];
  readonly requirements: readonly RequirementSummary[];
  /** Required statements that no fault trips: they have not been shown to be able to fail. */
  readonly untripped: readonly RequirementId[];
}

export function summarise(proofs: readonly Proof[]): Summary {
  const faulty = proofs.filter(({ fault }) => fault !== undefined);
  const count = (matches: (proof: Proof) => boolean): number => faulty.filter(matches).length;
  const requirements = requirementIds
    .filter((id) => entryOf(id).level === 'must')
    .map((id) => ({
      id,
      named: count(({ fault }) => fault!.caughtBy.includes(id)),
      caught: count(({ failing }) => failing.includes(id)),
      alone: count(({ failing }) => failing.length === 1 && failing[0] === id),
    }));
  return {
    results: {
      named: count(({ result }) => result === 'named'),
      other: count(({ result }) => result === 'other'),
      missed: count(({ result }) => result === 'missed'),
    },
    missed: faulty.filter(({ result }) => result === 'missed'),
    blamed: proofs.filter(({ fault, exitCode }) => fault === undefined && exitCode !== 0),
    requirements,
    untripped: requirements.filter(({ caught }) => caught === 0).map(({ id }) => id),
  };
}

/** The summary as text, worst last. */
export function renderSummary(summary: Summary, proofs: readonly Proof[]): string {
  const { results, missed, blamed, requirements, untripped } = summary;
  const width = Math.max(...requirements.map(({ id }) => id.length));
  const row = (id: string, ...cells: readonly (string | number)[]): string =>
    `  ${id.padEnd(width)}${cells.map((cell) => String(cell).padStart(8)).join('')}`;
  return [
    '',
    row('requirement', 'named', 'caught', 'alone'),
    ...requirements.map(({ id, named, caught, alone }) => row(id, named, caught, alone)),
    '',
    ...section(
      'caught only by requirements that they do not name:',
      proofs.filter(({ result, fault }) => fault && result === 'other').map(line),
    ),
    ...section('required statements that no fault trips:', untripped),
    ...section(
      'THE CORRECT SERVICE WAS BLAMED:',
      blamed.map((proof) => `${line(proof)}\n${proof.output}`),
    ),
    ...section(
      'MISSED:',
      missed.map((proof) => `${line(proof)}  ${proof.fault!.breaks}`),
    ),
    `${results.named + results.other} of ${results.named + results.other + results.missed} faults caught:` +
      ` ${results.named} by a requirement that they name, ${results.other} by another; ${results.missed} missed`,
    `requests ${spread(proofs.map(({ requests }) => requests))},` +
      ` seconds ${spread(proofs.map(({ seconds }) => seconds))} (median, most)`,
    '',
  ].join('\n');
}

/** One trial in a line. */
export const line = ({ fault, seed, exitCode, failing, requests, seconds }: Proof): string =>
  `${fault?.name ?? '(no fault)'} [seed ${seed}] exit ${exitCode}, ${requests} requests, ` +
  `${seconds.toFixed(1)} s: ${failing.join(' ') || '-'}`;

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [title, ...lines.map((text) => `  ${text}`), ''];

function spread(values: readonly number[]): string {
  const sorted = values.toSorted((one, other) => one - other);
  return `${sorted[sorted.length >> 1]?.toFixed(1)}, ${sorted.at(-1)?.toFixed(1)}`;
}
