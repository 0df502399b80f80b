import type { Json } from '../../schemas/json.ts';
import { named } from '../behaviour.ts';
import type { Behaviour } from '../behaviour.ts';

/** What faults are about; each category has a file of its own. */
export const categories = [
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
  'advice',
  'token-life',
  'drift',
] as const;
export type Category = (typeof categories)[number];

/** What faults of one kind have in common. */
export interface Kind {
  readonly category: Category;
  /** The statement that is broken, after its section or its RFC. */
  readonly breaks: string;
  /** Ids of requirements: any one of them must be found broken. */
  readonly caughtBy: readonly string[];
  /** What an operator has declared, by open question; without it the fault is none. */
  readonly profile?: Readonly<Record<string, Json>>;
}

/** One deliberate violation of a statement of the interface, or of the advice of an RFC beneath it. */
export interface Fault extends Kind {
  readonly name: string;
  /** What it changes in the service; made anew for each start, so that no state outlives one. */
  readonly behaviour: () => Behaviour;
}

/** Faults of one kind: what each changes, by name. */
export const faultsOf: (kind: Kind, table: Readonly<Record<string, () => Behaviour>>) => Fault[] = named;
