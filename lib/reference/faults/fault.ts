import type { Seams } from '../seams.ts';

/** What faults are about; each family has a file of its own. */
export const families = [
  'ids',
  'names',
  'emails',
  'shapes',
  'authentication',
  'tokens',
  'encodings',
  'concurrency',
  'rare-and-late',
  'combinations',
] as const;
export type Family = (typeof families)[number];

/** What faults of one kind have in common. */
export interface Kind {
  readonly family: Family;
  /** The statement of the interface that is broken. */
  readonly breaks: string;
  /** Ids of requirements: any one of them must fail. */
  readonly caughtBy: readonly string[];
}

/** One deliberate violation of a statement of the interface. */
export interface Fault extends Kind {
  readonly name: string;
  /** What it changes in the service; made anew for each start, so that no state outlives one. */
  readonly seams: () => Seams;
}

/** Faults of one kind: what each changes, by name. */
export const faultsOf = (kind: Kind, table: Readonly<Record<string, () => Seams>>): Fault[] =>
  Object.entries(table).map(([name, seams]) => ({ name, ...kind, seams }));
