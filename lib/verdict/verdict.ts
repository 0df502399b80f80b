import { entryOf } from '../requirements/catalogue.ts';
import type { Finding } from '../requirements/finding.ts';
import type { StopCause } from '../target/exchange.ts';

/** What a run says of its target. */
export type Verdict = 'conforms' | 'does-not-conform' | 'inconclusive';

/** Process exit codes; the README explains them. */
export const exitCodes = {
  conforms: 0,
  'does-not-conform': 1,
  usage: 2,
  inconclusive: 3,
  defect: 4,
} as const;

/**
 * The verdict over all findings of the catalogue: one failure is enough against the target, and only
 * requirements that were all tested speak for it.
 * @param strict whether an advisory finding counts as a failure
 * @param stopCause why the run ended early: one that spent its budget may still speak for the target
 */
export function verdictOf(findings: readonly Finding[], strict: boolean, stopCause?: StopCause): Verdict {
  if (findings.some(({ verdict }) => verdict === 'fail' || (strict && verdict === 'warn')))
    return 'does-not-conform';
  if (stopCause === 'away' || stopCause === 'interrupt') return 'inconclusive';
  const required = findings.filter(({ id }) => entryOf(id).level === 'must');
  const allHold = required.length > 0 && required.every(({ verdict }) => verdict === 'pass');
  return allHold ? 'conforms' : 'inconclusive';
}
