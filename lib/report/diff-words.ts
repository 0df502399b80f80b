import { sentAgain } from '../engine/failure-text.ts';
import { clipped, printable } from '../target/printable.ts';
import { brief } from './brief.ts';
import { changes } from './diff.ts';
import type { Change, Changed, Diff, Drifted, Slower } from './diff.ts';
import type { ReadReport, ReadRequirement } from './read.ts';

/** Titles of what changed, the worst first. */
export const titles: Readonly<Record<Change, string>> = {
  broken: 'Broken',
  unadvised: 'Now against the advice of an RFC',
  fixed: 'Fixed',
  newlyUntested: 'Newly untested',
  newlyTested: 'Newly tested',
  newlyWaived: 'Newly waived',
  vanished: 'Vanished',
  added: 'New',
};

const counted: Readonly<Record<Change, string>> = {
  ...titles,
  unadvised: 'against advice',
};

/** What the two reports are of, and what a reader must know before comparing them. */
export function notesOn(before: ReadReport, after: ReadReport): string[] {
  // The embedded service has another port each time.
  const isOneTarget =
    before.target.baseUrl === after.target.baseUrl || (before.target.embedded && after.target.embedded);
  const isOneSeed = before.run.seed === after.run.seed;
  const ended = (which: string, { run, verdict }: ReadReport): string[] => {
    if (run.stopped !== undefined) return [`The ${which} run ended early: ${printable(run.stopped)}.`];
    return verdict === 'inconclusive'
      ? [`The ${which} run is inconclusive: what it lacks says nothing.`]
      : [];
  };
  return [
    ...(isOneTarget
      ? []
      : [isOneSeed ? 'Two targets, at one seed: both were sent the same inputs.' : 'Two targets.']),
    ...(isOneSeed
      ? []
      : [
          'Two seeds: the inputs differ, and a rare fault may show in one run only. --seed gives both the same.',
        ]),
    ...(before.suite.version === after.suite.version
      ? []
      : ['Two versions of the suite: the rules may differ.']),
    ...ended('old', before),
    ...ended('new', after),
  ];
}

/** A verdict as a reader sees it beside another one. */
export const wordOf = (requirement: ReadRequirement | undefined): string => {
  if (requirement === undefined) return 'not in the report';
  return requirement.verdict === 'fail' ? 'FAIL' : requirement.verdict;
};

/** What became of a requirement, such as `pass, now FAIL`. */
export const fromTo = ({ old: before, new: after }: Changed): string =>
  after === undefined ? `was ${wordOf(before)}` : `was ${wordOf(before)}, now ${wordOf(after)}`;

/** Why the new verdict is what it is, in a line each. */
export function detailsOf({ new: after }: Changed): [name: string, text: string][] {
  if (after === undefined) return [];
  const { counterexample, reason, broken, cases } = after;
  if (counterexample === undefined) return reason === undefined ? [] : [['because', after.reason!]];
  const { expected, actual, reproduced } = counterexample;
  return [
    ['expected', expected],
    ['got', actual],
    ['broken', `in ${broken} of ${cases} cases; ${sentAgain(reproduced)}`],
  ];
}

/** An answer that has changed, and whether that is against the profile. */
export const driftOf = ({ old: before, new: after, isDeclared }: Drifted): [was: string, now: string] => [
  brief(before),
  `${brief(after)}${isDeclared ? ' (not as declared)' : ''}`,
];

/** How much slower an operation is. */
export const slownessOf = ({ old: before, new: after }: Slower): string =>
  `median ${before.p50} ms, now ${after.p50} ms; nine in ten within ${before.p90} ms, now ${after.p90} ms`;

/** Questions that only one of the reports answers, in a sentence each. */
export const unanswered = ({ unanswered: lost, answered: won }: Diff): string[] => [
  ...(lost.length > 0 ? [`No longer answered: ${shortList(lost)}.`] : []),
  ...(won.length > 0 ? [`Newly answered: ${shortList(won)}.`] : []),
];

function shortList(ids: readonly string[]): string {
  const shown = ids.slice(0, 3).map((id) => clipped(printable(id), 60));
  const rest = ids.length - shown.length;
  return rest > 0 ? `${shown.join(', ')} and ${rest} more questions` : shown.join(', ');
}

/** All that differs, counted: `1 broken, 2 fixed`; empty where nothing does. */
export function countsOf(diff: Diff): string {
  const counts: [number, string][] = [
    ...changes.map((change): [number, string] => [diff[change].length, counted[change].toLowerCase()]),
    [diff.drifted.length, 'drifted'],
    [diff.slower.length, 'slower'],
  ];
  return counts
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}`)
    .join(', ');
}

/** The outcome in a word, and what it comes to. */
export function headlineOf(diff: Diff): { word: string; text: string } {
  const counts = countsOf(diff);
  if (diff.isWorse) return { word: 'WORSE', text: counts };
  return counts === ''
    ? { word: 'THE SAME', text: 'no verdict and no answer differs' }
    : { word: 'NOT WORSE', text: counts };
}
