import { categorised } from '../fault-or-variant.ts';
import type { Fault } from '../fault-or-variant.ts';
import { conditions } from './authentication/conditions.ts';
import { comparisons, headers } from './authentication/credentials.ts';
import { exemptions } from './authentication/exemptions.ts';
import { operations } from './authentication/operations.ts';
import { severalConditions } from './authentication/several-conditions.ts';
import { severalCredentials } from './authentication/several-credentials.ts';
import { bytes } from './bytes.ts';
import { combinations } from './combinations.ts';
import { concurrency } from './concurrency.ts';
import { drift } from './drift.ts';
import { emails } from './emails.ts';
import { encodings } from './encodings.ts';
import { hard } from './hard.ts';
import { ids } from './ids.ts';
import { mailboxes } from './mailboxes.ts';
import { names } from './names.ts';
import { rareAndLate } from './rare-and-late.ts';
import { recommendations } from './recommendations.ts';
import { scripts } from './scripts.ts';
import { shapes } from './shapes.ts';
import { state } from './state.ts';
import { tokenLife } from './token-life.ts';
import { tokenTampering } from './token-tampering.ts';
import { tokens } from './tokens.ts';

/** Every fault that the reference service can be started with. */
export const allFaults: readonly Fault[] = categorised({
  ids,
  names,
  emails,
  shapes,
  authentication: [
    ...comparisons,
    ...headers,
    ...exemptions,
    ...operations,
    ...conditions,
    ...severalConditions,
    ...severalCredentials,
  ],
  tokens,
  encodings,
  concurrency,
  'rare-and-late': rareAndLate,
  combinations,
  recommendations,
  'token-life': [...tokenLife, ...tokenTampering],
  state,
  bytes,
  scripts,
  mailboxes,
  drift,
  hard,
});
