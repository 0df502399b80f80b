import { comparisons, headers } from './authentication/credentials.ts';
import { exemptions } from './authentication/exemptions.ts';
import { operations } from './authentication/operations.ts';
import { combinations } from './combinations.ts';
import { concurrency } from './concurrency.ts';
import { drift } from './drift.ts';
import { emails } from './emails.ts';
import { encodings } from './encodings.ts';
import type { Fault } from './fault.ts';
import { ids } from './ids.ts';
import { names } from './names.ts';
import { rareAndLate } from './rare-and-late.ts';
import { recommendations } from './recommendations.ts';
import { shapes } from './shapes.ts';
import { tokenLife } from './token-life.ts';
import { tokens } from './tokens.ts';

/** Every fault that the reference service can be started with. */
export const allFaults: readonly Fault[] = [
  ...ids,
  ...names,
  ...emails,
  ...shapes,
  ...comparisons,
  ...headers,
  ...exemptions,
  ...operations,
  ...tokens,
  ...encodings,
  ...concurrency,
  ...rareAndLate,
  ...combinations,
  ...recommendations,
  ...tokenLife,
  ...drift,
];
