import type { Json } from '../../settings/profile.ts';
import { namedVariants } from '../variant.ts';
import type { Variant } from '../variant.ts';

/** What twins choose about; each family has a file of its own. */
export const families = [
  'responses',
  'members',
  'serialisation',
  'http',
  'connections',
  'refusals',
  'constraints',
  'credentials',
  'limits',
  'ids',
  'tokens',
  'grants',
  'addresses',
  'combinations',
] as const;
export type Family = (typeof families)[number];

/** What twins of one kind have in common. */
export interface Kind {
  readonly family: Family;
  /** The point of the interface, with its section, that is left to the service. */
  readonly open: string;
  /** What its operator has declared, by open question. */
  readonly profile?: Readonly<Record<string, Json>>;
}

/** A service that keeps the interface to the letter, and chooses otherwise where it leaves a choice. */
export interface Twin extends Kind {
  readonly name: string;
  /** What it does otherwise; made anew for each start, so that no state outlives one. */
  readonly variant: () => Variant;
}

/** Twins of one kind: what each chooses, by name. */
export const twinsOf: (kind: Kind, table: Readonly<Record<string, () => Variant>>) => Twin[] = namedVariants;
