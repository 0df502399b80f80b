import type { Json } from '../schemas/json.ts';
import type { Depth } from '../settings/depths.ts';
import type { Behaviour } from './behaviour.ts';

/** The reference service with changes. */
interface ChangedService {
  readonly name: string;
  readonly group: string;
  /** The profile that makes it a fault, or that it conforms to: declared answers, by open question. */
  readonly profile?: Readonly<Record<string, Json>>;
  /** Makes the changed behaviour, with new state for each start of the service. */
  readonly behaviour: () => Behaviour;
}

/** One deliberate violation of the interface, or of a recommendation of an RFC that it builds on. */
export interface Fault extends ChangedService {
  /** The violated statement, with its section of the interface, or its RFC. */
  readonly violates: string;
  /** Ids of requirements, at least one of which must fail. */
  readonly caughtBy: readonly string[];
  /** The depth of a run that is needed to find it; default: that of the command. */
  readonly depth?: Depth;
}

/** A service that conforms to the interface, but differs from the reference where the interface allows it. */
export interface Variant extends ChangedService {
  /** What the interface does not specify, with its section. */
  readonly open: string;
}

type Behaviours = Readonly<Record<string, () => Behaviour>>;

/** Makes the faults that violate one statement from the behaviour of each, by name. */
export const faultsOf =
  (violates: string, caughtBy: readonly string[], more: Pick<Fault, 'depth' | 'profile'> = {}) =>
  (table: Behaviours): Omit<Fault, 'group'>[] =>
    Object.entries(table).map(([name, behaviour]) => ({ name, violates, caughtBy, ...more, behaviour }));

/** Makes the variants that differ at one open point from the behaviour of each, by name. */
export const variantsOf =
  (open: string, more: Pick<Variant, 'profile'> = {}) =>
  (table: Behaviours): Omit<Variant, 'group'>[] =>
    Object.entries(table).map(([name, behaviour]) => ({ name, open, ...more, behaviour }));

/** Adds its group to each service of several lists, by group. */
export const grouped = <S extends object>(
  lists: Readonly<Record<string, readonly S[]>>,
): (S & { readonly group: string })[] =>
  Object.entries(lists).flatMap(([group, services]) => services.map((service) => ({ ...service, group })));
