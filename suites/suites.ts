import { defineSuites } from '../lib/engine/vitest.ts';
import { catalogue } from './catalogue.ts';
import { plan } from './plan.ts';

/** Defines the tests of each chapter; all share one run. */
export const suites = defineSuites({ catalogue, plan });
