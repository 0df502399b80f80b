import { reproduction, failedOf } from '../engine/judging/failure-text.ts';
import type { Finding, ReportedRequirement } from '../schemas/report.ts';
import { clipped } from '../target/output/printable.ts';
import { hasNoVerdict } from '../verdict/verdict.ts';

/**
 * The highest failure rate, in percent, that so many passing cases leave possible at 95 % confidence (the rule of
 * three, 3/n); undefined for too few cases.
 */
export const highestRate = (cases: number): string | undefined =>
  cases >= 4 ? (300 / cases).toPrecision(2) : undefined;

/** The evidence behind a verdict, in a few words, or the reason why there is no verdict. */
export function evidenceInBrief(judged: Finding): string {
  const { verdict, cases, accepted, broken, reason } = judged;
  const isDeclared = 'level' in judged && judged.level === 'declared';
  const why = clipped(reason ?? '');
  const isOpen = hasNoVerdict({ verdict });
  if (verdict === 'waived' || (isOpen && cases === 0)) return why;
  const hasFailed = broken > 0 || verdict === 'fail';
  if (reason !== undefined && (isDeclared || hasFailed)) return why;
  const rate = hasFailed || isOpen ? undefined : highestRate(cases);
  return [
    failedOf(judged),
    ...(rate === undefined ? [] : [` (< ${rate} %)`]),
    ...(accepted > 0 && accepted < cases ? [`, ${accepted} accepted`] : []),
    ...(reason === undefined ? [] : [`; ${why}`]),
  ].join('');
}

/** How often a warning occurred; without an example, also why. The reason may be untrusted. */
export function warningCount(judged: Finding): string {
  const { reason, counterexample } = judged;
  const why = counterexample
    ? `; ${reproduction(counterexample)}`
    : reason === undefined
      ? ''
      : `; ${clipped(reason)}`;
  return `${failedOf(judged)}${why}`;
}

/** What was expected and what came instead, in one line; undefined without a counterexample. */
export const expectedAndGot = ({
  counterexample,
}: Pick<ReportedRequirement, 'counterexample'>): string | undefined =>
  counterexample && `expected ${counterexample.expected}, got ${counterexample.actual}`;
