import type { BaselineComparison, Report } from '../schemas/report.ts';
import { clipped } from '../target/output/printable.ts';

/** How many ids are named; the report has all. */
const MAX_LISTED = 20;

const baselineDay = ({ startedAt }: BaselineComparison): string => startedAt.slice(0, 10);

const changeCounts = (baseline: BaselineComparison): string =>
  (['known', 'new', 'fixed'] as const).map((change) => `${baseline[change].length} ${change}`).join(', ');

/** How a failure compares with the baseline; undefined if it is not a failure, or without a baseline. */
export function failedSince({ baseline }: Report, id: string): string | undefined {
  if (baseline?.new.includes(id)) return `new since the baseline of ${baselineDay(baseline)}`;
  return baseline?.known.includes(id) ? `known from the baseline of ${baselineDay(baseline)}` : undefined;
}

/**
 * How a run compares with its baseline, a fact a line, the counts first; none without a baseline. What a baseline says
 * is untrusted.
 */
export function baselineLines({ baseline, suite, target }: Report): string[] {
  if (baseline === undefined) return [];
  const { version, baseUrl, until, expired } = baseline;
  const named = (ids: readonly string[]): string =>
    `${ids.slice(0, MAX_LISTED).join(', ')}${ids.length > MAX_LISTED ? ' …' : ''}`;
  const elsewhere = [
    ...(baseUrl === target.baseUrl ? [] : [`of another target (${clipped(baseUrl, 200)})`]),
    ...(version === suite.version ? [] : [`of version ${clipped(version, 20)} of the suite`]),
  ];
  const word = expired ? 'expired on' : 'until';
  const end = until === undefined ? NO_END : `${word} ${clipped(until, 10)}`;
  const untested = baseline.untested ?? [];
  return [
    `baseline of ${[baselineDay(baseline), ...elsewhere, end].join(', ')}: ${changeCounts(baseline)}${untested.length > 0 ? `, ${untested.length} not tested again` : ''}`,
    ...(expired
      ? ['failures of an expired baseline fail the run: fix them, or agree on another --baseline-until']
      : []),
    ...(baseline.otherCause
      ? [
          `known, but its likely cause differs from that of the baseline; it may be another fault: ${named(baseline.otherCause)}`,
        ]
      : []),
    // Known failures are listed among the requirements.
    ...(['new', 'fixed'] as const)
      .filter((change) => baseline[change].length > 0)
      .map((change) => `${change}: ${named(baseline[change])}`),
    ...(untested.length > 0
      ? [`not tested again, or with fewer cases than in the baseline: ${named(untested)}`]
      : []),
  ];
}

const NO_END = 'without an end date (--baseline-until sets one)';
