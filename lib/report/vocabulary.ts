import type { styleText } from 'node:util';
import type { FindingVerdict } from '../schemas/case.ts';
import type { Level, Verdict } from '../schemas/report.ts';

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
