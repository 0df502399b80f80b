import type { Reporter } from 'vitest/node';
import { conformanceReporter } from '../report/reporter.ts';
import { catalogue } from './from-suites.ts';

/**
 * The reporter of plain `vitest run`, which shows the failures itself: this one writes the reports and prints the
 * verdict.
 */
export default function reporterBesideVitest(): Reporter {
  return conformanceReporter({ catalogue: async () => catalogue });
}
