import type { Json } from '../../schemas/json.ts';
import { named } from '../behaviour.ts';
import type { Behaviour } from '../behaviour.ts';

/** What variants choose about; each category has a file of its own. */
export const categories = [
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
export type Category = (typeof categories)[number];

/** What variants of one kind have in common. */
export interface Kind {
  readonly category: Category;
  /** The point of the interface, with its section, that is left to the service. */
  readonly open: string;
  /** What its operator has declared, by open question. */
  readonly profile?: Readonly<Record<string, Json>>;
}

/** A service that keeps the interface to the letter, and chooses otherwise where it leaves a choice. */
export interface Variant extends Kind {
  readonly name: string;
  /** What it does otherwise; made anew for each start, so that no state outlives one. */
  readonly behaviour: () => Behaviour;
}

/** Variants of one kind: what each chooses, by name. */
export const variantsOf: (kind: Kind, table: Readonly<Record<string, () => Behaviour>>) => Variant[] = named;
