import { addresses } from './addresses.ts';
import { combinationsOf } from './combinations.ts';
import { connections } from './connections.ts';
import { constraints } from './constraints.ts';
import { credentials } from './credentials.ts';
import { grants } from './grants.ts';
import { http } from './http.ts';
import { ids } from './ids.ts';
import { limits } from './limits.ts';
import { members } from './members.ts';
import { refusals } from './refusals.ts';
import { responses } from './responses.ts';
import { serialisation } from './serialisation.ts';
import { tokens } from './tokens.ts';
import type { Variant } from './variant.ts';

/** The reference service itself. */
const plainest: Variant = {
  name: 'reference',
  category: 'combinations',
  open: 'everything: the plainest choice each time',
  behaviour: () => ({}),
};

const single: readonly Variant[] = [
  ...responses,
  ...members,
  ...serialisation,
  ...http,
  ...connections,
  ...refusals,
  ...constraints,
  ...credentials,
  ...limits,
  ...ids,
  ...tokens,
  ...grants,
  ...addresses,
];

/** Every conforming service that the reference service can be started as. */
export const allVariants: readonly Variant[] = [plainest, ...single, ...combinationsOf(single)];
