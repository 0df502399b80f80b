import type { Json } from '../../schemas/json.ts';
import type { Depth } from '../../settings/depths.ts';
import { named } from '../behaviour.ts';
import type { Behaviour } from '../behaviour.ts';

/** The categories of faults, a file each. */
export const faultCategories = [
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
  'recommendations',
  'token-life',
  'state',
  'bytes',
  'scripts',
  'mailboxes',
  'drift',
  'hard',
] as const;
type FaultCategory = (typeof faultCategories)[number];

/** What similar faults have in common. */
export interface FaultKind {
  readonly category: FaultCategory;
  /** The violated statement, with its section of the interface, or its RFC. */
  readonly breaks: string;
  /** Ids of requirements, at least one of which must fail. */
  readonly caughtBy: readonly string[];
  /** The depth of a run that is needed to find it; default: that of the command. */
  readonly depth?: Depth;
  /** The profile that makes it a fault: declared answers, by open question. */
  readonly profile?: Readonly<Record<string, Json>>;
}

/** One deliberate violation of the interface, or of a recommendation of an RFC that it builds on. */
export interface Fault extends FaultKind {
  readonly name: string;
  /** Makes the changed behaviour, with new state for each start of the service. */
  readonly behaviour: () => Behaviour;
}

/** Makes similar faults from the behaviour of each, by name. */
export const faultsOf: (kind: FaultKind, table: Readonly<Record<string, () => Behaviour>>) => Fault[] = named;
