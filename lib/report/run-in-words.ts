import type { FindingVerdict } from '../schemas/case.ts';
import type { Report, ReportedRequirement } from '../schemas/report.ts';
import { oneLine, quantity } from '../target/output/printable.ts';
import { blockedIn, isCounted, isRequired, hasNoVerdict } from '../verdict/verdict.ts';
import { depths } from '../settings/depths.ts';
import type { Shard } from '../settings/settings.ts';
import { NO_REASON, verdictCounts } from './vocabulary.ts';

export const shardName = ({ index, count }: Shard): string => `shard ${index} of ${count}`;

/** How far a run went: its depth, and which part of the cases it had. */
export function extentOf({ run: { cases, wantedCases, shard } }: Report): string[] {
  const [depth] = Object.entries(depths).find(([, of]) => of === cases) ?? [];
  const whole = depth === undefined ? quantity(cases ?? 0, 'case') : `depth ${depth}`;
  return [
    ...(cases === undefined ? [] : [wantedCases === undefined ? whole : `${cases} of ${wantedCases} cases`]),
    ...(shard ? [`${shardName(shard)}, which has a part of the cases: merge the reports of all shards`] : []),
  ];
}

/**
 * What a run sent, and what it waited for; nothing about a run that has not ended.
 * @param untrusted makes a text harmless that may be of the target
 */
export function trafficOf(
  { requirements, run }: Report,
  untrusted: (text: string) => string = oneLine,
): string[] {
  const { unfinished, requests, customers, durationMs, inFlight, retries, trouble, throttled, waitedMs } =
    run;
  const { outages = 0, unavailableMs = 0 } = run;
  if (unfinished) return [];
  const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;
  const unjudged = requirements.reduce((sum, one) => sum + (one.unjudged ?? 0), 0);
  return [
    `${quantity(requests, 'request')} in ${seconds(durationMs)}, at most ${inFlight} in flight, ${quantity(retries, 'retry', 'retries')}${trouble === undefined || retries === 0 ? '' : ` (mostly after ${untrusted(trouble)})`}`,
    ...(customers !== undefined && customers.requested > 0
      ? [`accepted ${customers.accepted} of ${quantity(customers.requested, 'customer')}`]
      : []),
    ...(throttled > 0 ? [`rate-limited ${quantity(throttled, 'time')}; waited ${seconds(waitedMs)}`] : []),
    ...(outages > 0
      ? [`unavailable ${quantity(outages, 'time')}, for ${seconds(unavailableMs)} in all`]
      : []),
    ...(unjudged > 0
      ? [
          `at least ${quantity(unjudged, 'case')} with wrong keys not judged, as the target limits their number or does not answer them`,
        ]
      : []),
  ];
}

/** The one reason why nothing has a verdict, such as a rejected key; undefined if there are several, or a verdict. */
export function commonReason(requirements: readonly ReportedRequirement[]): string | undefined {
  const judged = requirements.filter(({ optional = false }) => !optional);
  const [first] = judged;
  const isAlike = (one: ReportedRequirement): boolean => hasNoVerdict(one) && one.reason === first!.reason;
  return judged.length > 1 && judged.every(isAlike) ? first!.reason : undefined;
}

/** The verdict of a run in one sentence, with the reason where there is one. */
export const verdictSentence = (report: Report): string =>
  explainedVerdict(report)
    .filter((part) => part !== undefined)
    .join(': ');

/** A verdict, and the reason why it is none, or why something is untested. The reason may quote the target. */
type ExplainedVerdict = readonly [sentence: string, reason?: string | undefined];

/** The verdict of a run and its reason apart. */
export function explainedVerdict(report: Report): ExplainedVerdict {
  const { verdict, requirements, run } = report;
  if (run.defects) return ['the suite itself failed, so there is no verdict'];
  if (run.unfinished)
    return ['there is no verdict, because the run has not ended; it is still under way, or it was killed'];
  const required = requirements.filter(isRequired);
  const source = required.some(({ level }) => level === 'declared')
    ? 'the interface and the profile'
    : 'the interface';
  const all = `${quantity(required.length, run.only === undefined ? 'requirement' : 'selected requirement')} of ${source}`;
  if (verdict === 'inconclusive') return whyNoVerdict(report, required, all);
  const count = (name: FindingVerdict): number => required.filter((one) => one.verdict === name).length;
  const [failed, known, waived] = [count('fail'), count('known'), count('waived')];
  const fail = (number: number): string => quantity(number, `of ${all} fails`, `of ${all} fail`);
  if (verdict === 'does-not-conform') {
    const open = required.filter(hasNoVerdict).length;
    const fails =
      failed === 0
        ? 'a recommendation is not followed, which --strict counts as a failure'
        : `${fail(failed)}${known === 0 ? '' : `, besides ${known} known from the baseline`}`;
    return [open === 0 ? fails : `${fails}; ${open} could not be judged`];
  }
  const blocked = blockedIn(requirements).filter(isRequired).length;
  const behind = blocked === 0 ? '' : `, and ${blocked} can't be tested until these pass`;
  const selected = requirements.filter(({ optional = false }) => !optional);
  const sentence = {
    'selection-passes': `nothing required fails in the selection (${verdictCounts(selected)}); the rest was not tested`,
    conforms: `all ${all} pass${waived === 0 ? '' : `, except ${waived} waived by the profile`}${behind}`,
    'no-new-failures':
      known === 0
        ? 'a recommendation is not followed, as in the baseline'
        : `${fail(known)}, as in the baseline${behind}; nothing else ${blocked === 0 ? 'does' : 'fails'}`,
  }[verdict];
  const { cases, wantedCases } = run;
  const reduction = `; with ${cases} of ${wantedCases} cases, as the limits of the run allowed no more`;
  const untested = requirements.filter((one) => one.optional && one.verdict === 'inconclusive');
  const but = untested.map(({ id }) => `; ${id} could not be tested`).join('');
  return [`${sentence}${wantedCases === undefined ? '' : reduction}${but}`, reasonOf(untested)];
}

/** The first of their reasons, and how many others there are; undefined: there are none. */
function reasonOf(open: readonly ReportedRequirement[]): string | undefined {
  const [first, ...others] = new Set(open.map(({ reason = NO_REASON }) => reason));
  return others.length === 0 ? first : `${first!}, and ${quantity(others.length, 'more reason')}`;
}

/** Why a run that has ended has no verdict. @param all the required ones in words */
function whyNoVerdict(
  { requirements, run }: Report,
  required: readonly ReportedRequirement[],
  all: string,
): ExplainedVerdict {
  const open = required.filter(hasNoVerdict);
  const recommended = requirements.filter((one) => !isRequired(one) && isCounted(one));
  const noun = recommended.every(({ level }) => level === 'should') ? 'recommendation' : 'requirement';
  // A recommendation that nothing applies to does not prevent a verdict, unless nothing else was selected.
  const inconclusive = recommended.filter(({ verdict }) => verdict === 'inconclusive');
  const undecided =
    inconclusive.length > 0 || required.length > 0 ? inconclusive : recommended.filter(hasNoVerdict);
  const countsRecommended = run.strict || run.only !== undefined;
  if (open.length === 0 && (!countsRecommended || undecided.length === 0))
    return required.length === 0
      ? ['no requirement was selected that could be tested']
      : ['everything tested passes, but the run ended early, so there is no verdict', run.stopped];
  const [without, of] = open.length > 0 ? [open, all] : [undecided, quantity(recommended.length, noun)];
  return [
    `${quantity(without.length, `of ${of} has`, `of ${of} have`)} no verdict`,
    run.stopped ?? reasonOf(without),
  ];
}
