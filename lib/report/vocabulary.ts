import type { styleText } from 'node:util';
import { reproduction, failedOf } from '../engine/judging/failure-text.ts';
import type { FindingVerdict } from '../schemas/case.ts';
import type { Finding, Level, Report, ReportedRequirement, Verdict } from '../schemas/report.ts';
import { clipped, oneLine, quantity } from '../target/output/printable.ts';
import { blockedIn, isCounted, isRequired, hasNoVerdict } from '../verdict/verdict.ts';
import { depths } from '../settings/depths.ts';
import type { Shard } from '../settings/settings.ts';

export type Style = Parameters<typeof styleText>[0];

/** How a verdict is shown: a colour is never its only mark. */
interface Mark {
  readonly symbol: string;
  readonly style: Style;
}

/** The verdicts on a requirement, the most severe first, with what they mean. */
export const verdicts: Readonly<Record<FindingVerdict, Mark & { readonly meaning: string }>> = {
  fail: { symbol: '✕', style: ['bold', 'red'], meaning: 'at least one case failed' },
  known: {
    symbol: '≈',
    style: 'magenta',
    meaning: 'it fails in the baseline too; it does not fail the run, but the run cannot conform',
  },
  inconclusive: {
    symbol: '?',
    style: 'yellow',
    meaning: 'could not be judged: a request that it builds on was rejected, or no response arrived',
  },
  warn: { symbol: '!', style: 'yellow', meaning: 'a recommendation that is not followed' },
  waived: {
    symbol: '~',
    style: 'magenta',
    meaning: 'it fails, and the profile accepts that until a given day',
  },
  untested: { symbol: '–', style: 'gray', meaning: 'not tested, for the reason given' },
  pass: { symbol: '✓', style: 'green', meaning: 'no case failed' },
};

export const verdictNames = Object.keys(verdicts) as FindingVerdict[];

export const runVerdicts: Readonly<
  Record<Verdict, Mark & { readonly words: string; readonly emoji: string }>
> = {
  conforms: { words: 'conforms', symbol: '✓', emoji: '✅', style: ['bold', 'green'] },
  'selection-passes': { words: 'selection passes', symbol: '✓', emoji: '☑️', style: ['bold', 'cyan'] },
  'no-new-failures': { words: 'no new failures', symbol: '≈', emoji: '☑️', style: ['bold', 'cyan'] },
  'does-not-conform': { words: 'does not conform', symbol: '✕', emoji: '❌', style: ['bold', 'red'] },
  inconclusive: { words: 'inconclusive', symbol: '?', emoji: '❔', style: ['bold', 'yellow'] },
};

/** The levels of requirements, the most important first. */
export const levels: Readonly<Record<Level, { readonly name: string; readonly title: string }>> = {
  must: { name: 'required', title: 'Required by the interface' },
  should: { name: 'recommended', title: 'Recommended by the RFCs that it builds on' },
  declared: { name: 'declared', title: 'Declared in the profile' },
};

/** Some requirements by level, the most important first, with its name and title; only the levels that occur. */
export const byLevel = <R extends { readonly level: Level }>(
  all: readonly R[],
): (readonly [(typeof levels)[Level], R[]])[] =>
  (Object.keys(levels) as Level[])
    .map((name) => [levels[name], all.filter(({ level }) => level === name)] as const)
    .filter(([, own]) => own.length > 0);

/** The target of a run without one. */
export const EMBEDDED = 'the embedded reference service';

/** Title of what the interface does not specify. */
export const NOT_SPECIFIED = 'Not specified by the interface';

/** Replaces a missing reason: a report may have been edited. */
export const NO_REASON = 'the reason is unknown';

/** Replaces a reason that equals that of the requirement before. */
export const SAME_REASON = '(as above)';

/** Title of the warnings. */
export const NOT_FOLLOWED = 'Recommendations not followed';

export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The most severe of some results; undefined if there are none. */
export const severest = <J extends { readonly verdict: FindingVerdict }>(
  judged: readonly J[],
): J | undefined => verdictNames.flatMap((name) => judged.find(({ verdict }) => verdict === name) ?? [])[0];

/** How often each verdict occurs, such as `2 fail, 21 pass`; empty if there are none. */
export const verdictCounts = (judged: readonly { readonly verdict: FindingVerdict }[]): string =>
  countsIn(judged)
    .map(([verdict, count]) => `${count} ${verdict}`)
    .join(', ');

/** The verdicts that occur, each with its number. */
export const countsIn = (
  judged: readonly { readonly verdict: FindingVerdict }[],
): (readonly [verdict: FindingVerdict, count: number])[] =>
  verdictNames
    .map((name) => [name, judged.filter(({ verdict }) => verdict === name).length] as const)
    .filter(([, count]) => count > 0);

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

/** The one reason why nothing has a verdict, such as a rejected key; undefined if there are several, or a verdict. */
export function commonReason(requirements: readonly ReportedRequirement[]): string | undefined {
  const judged = requirements.filter(({ optional = false }) => !optional);
  const [first] = judged;
  const isAlike = (one: ReportedRequirement): boolean => hasNoVerdict(one) && one.reason === first!.reason;
  return judged.length > 1 && judged.every(isAlike) ? first!.reason : undefined;
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

/** What was expected and what came instead, in one line; undefined without a counterexample. */
export const expectedAndGot = ({
  counterexample,
}: Pick<ReportedRequirement, 'counterexample'>): string | undefined =>
  counterexample && `expected ${counterexample.expected}, got ${counterexample.actual}`;
