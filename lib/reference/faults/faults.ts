import { grouped } from '../fault-or-variant.ts';
import type { Fault } from '../fault-or-variant.ts';
import { comparisons } from './authentication/comparisons.ts';
import { headers, operations, severalCredentials } from './authentication/credentials.ts';
import { conditions, exemptions, severalConditions } from './authentication/exemptions.ts';
import { drift } from './drift.ts';
import { emails, mailboxes, strictEmails } from './emails.ts';
import { bytes, encodings } from './encodings.ts';
import { hard } from './hard.ts';
import { ids } from './ids.ts';
import { names, scripts, strictNames } from './names.ts';
import { combinations, rareAndLate } from './rare-and-late.ts';
import { recommendations } from './recommendations.ts';
import { shapes } from './shapes.ts';
import { concurrency, state } from './state.ts';
import { tokenLife, tokenTampering } from './token-life.ts';
import { tokens } from './tokens.ts';

/** Every fault that the reference service can be started with. */
export const allFaults: readonly Fault[] = grouped({
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
  strict: [...strictNames, ...strictEmails],
  mailboxes,
  drift,
  hard,
});
