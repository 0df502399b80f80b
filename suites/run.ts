import { inject } from 'vitest';
import { openRun } from '../lib/experiment/run.ts';
import { telling } from '../lib/requirements/progress.ts';

export const told = telling();

const target = inject('target');
// Few runs judge what another one saw, and what reads it takes time to load.
const recorded =
  target.evidence === undefined
    ? undefined
    : (await import('../lib/experiment/recorded.ts')).readRecorded(target.evidence);

/** The run that all suites share: one target, one seed, one budget. */
export const run = openRun(target, told, recorded);
