import { grouped } from '../fault-or-variant.ts';
import type { Variant } from '../fault-or-variant.ts';
import { combinationsOf } from './combinations.ts';
import { addresses, connections } from './connections.ts';
import { constraints } from './constraints.ts';
import { credentials } from './credentials.ts';
import { gateways } from './gateways.ts';
import { http } from './http.ts';
import { limits } from './limits.ts';
import { oddRequests } from './odd-requests.ts';
import { rejections } from './rejections.ts';
import { ids, members, responses, serialisation } from './responses.ts';
import { issuing, tokens } from './tokens.ts';

/** The reference service itself. */
const reference = {
  name: 'reference',
  open: 'all sections: the simplest choice each time',
  behaviour: () => ({}),
};

const single: readonly Variant[] = grouped({
  responses,
  members,
  serialisation,
  http,
  connections,
  rejections,
  constraints,
  credentials,
  limits,
  ids,
  tokens,
  issuing,
  addresses,
  gateways,
  'odd-requests': oddRequests,
});

/** Every conforming variant that the reference service can be started as. */
export const allVariants: readonly Variant[] = [
  ...grouped({ combinations: [reference] }),
  ...single,
  ...grouped({ combinations: combinationsOf(single) }),
];
