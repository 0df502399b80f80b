import { inject } from 'vitest';
import { openRun } from '../lib/experiment/run.ts';
import { telling } from '../lib/requirements/progress.ts';

export const told = telling();

/** The run that all suites share: one target, one seed, one budget. */
export const run = openRun(inject('target'), told);
