import { inject } from 'vitest';
import { openRun } from '../lib/experiment/run.ts';
import { reportProgress } from '../lib/requirements/progress.ts';

/** The run that all suites share: one target, one seed, one budget. */
export const run = openRun(inject('target'), reportProgress());
