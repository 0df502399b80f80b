import { inject } from 'vitest';
import { openRun } from '../lib/engine/run.ts';
import { telling } from '../lib/engine/progress.ts';

export const told = telling();

const target = inject('target');
// Few runs judge what another one saw, and what reads it takes time to load.
const recorded =
  target.evidence === undefined
    ? undefined
    : (await import('../lib/engine/recorded.ts')).readRecorded(target.evidence);

/** The run that all suites share: one target, one seed, one budget. */
export const run = openRun(target, told, recorded);
