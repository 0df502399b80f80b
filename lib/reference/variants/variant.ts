import type { Json } from '../../schemas/json.ts';
import { named } from '../behaviour.ts';
import type { Behaviour } from '../behaviour.ts';

/** The categories of variants, a file each. */
export const variantCategories = [
  'responses',
  'members',
  'serialisation',
  'http',
  'connections',
  'rejections',
  'constraints',
  'credentials',
  'limits',
  'ids',
  'tokens',
  'issuing',
  'addresses',
  'gateways',
  'odd-requests',
  'combinations',
  'odd-input',
] as const;
type VariantCategory = (typeof variantCategories)[number];

/** What similar variants have in common. */
interface VariantKind {
  readonly category: VariantCategory;
  /** What the interface does not specify, with its section. */
  readonly open: string;
  /** The profile that it conforms to: declared answers, by open question. */
  readonly profile?: Readonly<Record<string, Json>>;
}

/** A service that conforms to the interface, but differs from the reference where the interface allows it. */
export interface Variant extends VariantKind {
  readonly name: string;
  /** Makes the changed behaviour, with new state for each start of the service. */
  readonly behaviour: () => Behaviour;
}

/** Makes similar variants from the behaviour of each, by name. */
export const variantsOf: (kind: VariantKind, table: Readonly<Record<string, () => Behaviour>>) => Variant[] =
  named;
