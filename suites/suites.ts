import { suitesOf } from '../lib/engine/vitest.ts';
import { catalogue } from './catalogue.ts';
import { plan } from './plan.ts';

/** Makes the tests of each chapter; all of them share one run. */
export const suites = suitesOf({ catalogue, plan });
