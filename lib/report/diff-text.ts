import { styleText } from 'node:util';
import { REASONS, factLines, failureFacts, firstLines, titleOf } from '../engine/judging/failure-text.ts';
import type { Fact } from '../engine/judging/failure-text.ts';
import { pick } from '../schemas/json.ts';
import type { Report, ReportedRequirement } from '../schemas/report.ts';
import { clipped, oneLine, printable, printableJson } from '../target/output/printable.ts';
import { changes } from './diff.ts';
import type { Change, Changed, Diff } from './diff.ts';
import { codeSpan, factList, untrusted } from './formats/markdown.ts';
import { answerLine, minuteOf, wrapped } from './text.ts';
import { SAME_REASON, runVerdicts, verdicts } from './vocabulary.ts';
import type { Style } from './vocabulary.ts';

type Kind = Change | 'drifted' | 'slower' | 'unanswered' | 'answered';

/** The words for each kind of change in a heading and in the summary, in the order in which they are shown. */
const kinds: Readonly<
  Record<Kind, { readonly title: string; readonly style: Style; readonly short: string }>
> = {
  broken: { title: 'Broken', style: ['bold', 'red'], short: 'broken' },
  newlyWarned: { title: 'Recommendations no longer followed', style: 'yellow', short: 'newly warned' },
  fixed: { title: 'Fixed', style: 'green', short: 'fixed' },
  newlyUntested: { title: 'No longer tested', style: 'yellow', short: 'no longer tested' },
  newlyTested: { title: 'Newly tested', style: 'green', short: 'newly tested' },
  newlyWaived: { title: 'Newly waived', style: 'magenta', short: 'newly waived' },
  removed: { title: 'Removed', style: 'yellow', short: 'removed' },
  added: { title: 'Added', style: 'bold', short: 'added' },
  drifted: { title: 'Changed answers', style: 'yellow', short: 'changed' },
  slower: { title: 'Slower', style: 'yellow', short: 'slower' },
  unanswered: { title: 'Questions no longer answered', style: 'yellow', short: 'no longer answered' },
  answered: { title: 'Questions newly answered', style: 'green', short: 'newly answered' },
};

/** What changed, before it becomes text, Markdown or a chapter of the page. All texts in it may be hostile. */
export interface Item {
  readonly id: string;
  /** What follows the id. */
  readonly text?: string;
  readonly facts: readonly Fact[];
}

const itemsOf: { readonly [K in Kind]: (diff: Diff) => readonly Item[] } = {
  ...(Object.fromEntries(
    changes.map((change) => [
      change,
      (diff: Diff) =>
        diff[change].map((one, at, all) =>
          changedItem(change, one, [diff.new.run.stopped, all[at - 1]?.new?.reason]),
        ),
    ]),
  ) as Record<Change, (diff: Diff) => Item[]>),
  drifted: ({ drifted }) =>
    drifted.map(({ id, old: before, new: after, contradictsProfile }) => ({
      id,
      facts: [
        ['old', answerLine(before)],
        ['new', `${answerLine(after)}${contradictsProfile ? ' (not as declared)' : ''}`],
      ],
    })),
  slower: ({ slower }) =>
    slower.map(({ operation, old: before, new: after }) => ({
      id: operation,
      facts: [
        ['old', `p50 ${before.p50} ms, p90 ${before.p90} ms`],
        ['new', `p50 ${after.p50} ms, p90 ${after.p90} ms`],
      ],
    })),
  unanswered: ({ unanswered }) => unanswered.map((id) => ({ id, facts: [] })),
  answered: ({ answered }) => answered.map((id) => ({ id, facts: [] })),
};

/** What changed, by kind; only the kinds that occur. */
export const diffSections = (diff: Diff) =>
  (Object.keys(kinds) as Kind[])
    .map((kind) => ({ kind, ...kinds[kind], items: itemsOf[kind](diff) }))
    .filter(({ items }) => items.length > 0);

function changedItem(
  change: Change,
  { id, old: before, new: after }: Changed,
  given: readonly (string | undefined)[],
): Item {
  const { section, ...shown } = (after ?? before)!;
  const isSameReason = after?.reason !== undefined && given.includes(after.reason);
  // Something that passes needs no reason.
  const isExplained = change !== 'fixed' && change !== 'newlyTested';
  return {
    id,
    text: `(section ${section}): ${titleOf(shown)}`,
    facts: [
      ['old', verdictWord(before)],
      ['new', verdictWord(after)],
      ...(after && isExplained
        ? firstLines(failureFacts(isSameReason ? { ...after, reason: SAME_REASON } : after), REASONS)
        : []),
    ],
  };
}

export const verdictWord = (requirement: ReportedRequirement | undefined): string =>
  requirement?.verdict ?? 'not in the report';

/** What to know before comparing the reports. */
export function diffNotes({ old: before, new: after }: Diff): string[] {
  // The embedded service has a different port each time.
  const isOneTarget =
    before.target.baseUrl === after.target.baseUrl || (before.target.embedded && after.target.embedded);
  const isOneSeed = before.run.seed === after.run.seed;
  const ended = (which: string, { run, verdict }: Report): string | false =>
    run.stopped === undefined
      ? verdict === 'inconclusive' && `The ${which} run is inconclusive, so a missing result means nothing.`
      : `The ${which} run ended early: ${run.stopped}.`;
  return [
    !isOneTarget && `The targets differ${isOneSeed ? '; the inputs are the same (one seed)' : ''}.`,
    !isOneSeed &&
      'The seeds differ, and so do the inputs: a rare fault may occur in one run only. Use --seed to compare.',
    (after.run.cases ?? Infinity) < (before.run.cases ?? 0) &&
      `The new run had fewer cases (${after.run.cases}, not ${before.run.cases}): what it did not reach may only seem fixed.`,
    before.suite.version !== after.suite.version &&
      'The versions of the suite differ: the rules may have changed.',
    ended('old', before),
    ended('new', after),
  ].filter((note) => note !== false);
}

/** The result in a word, with the verdict whose colour it has, and the number of changes of each kind. */
export function diffHeadline(diff: Diff): {
  readonly word: string;
  readonly verdict: 'fail' | 'inconclusive' | 'pass';
  readonly text: string;
} {
  const counts = diffSections(diff)
    .map(({ items, short }) => `${items.length} ${short}`)
    .join(', ');
  if (diff.isWorse) return { word: 'WORSE', verdict: 'fail', text: counts };
  const hasVerdict = diff.new.verdict !== 'inconclusive';
  if (!hasVerdict || diff.newlyUntested.some((one) => one.new?.level === 'must')) {
    const text = [hasVerdict ? '' : 'the new run has no verdict', counts].filter(Boolean).join('; ');
    return { word: 'INCONCLUSIVE', verdict: 'inconclusive', text };
  }
  return counts === ''
    ? { word: 'UNCHANGED', verdict: 'pass', text: 'no verdict and no answer differs' }
    : { word: 'NOT WORSE', verdict: 'pass', text: counts };
}

const runFact = (name: string, { target, run, verdict, suite }: Report): Fact => [
  name,
  `${runVerdicts[verdict].words}; ${minuteOf(run.startedAt)}, seed ${run.seed}, suite ${clipped(suite.version, 20)}`,
  [target.baseUrl, ...(target.name === undefined ? [] : [target.name])]
    .map((text) => clipped(text, 200))
    .join(', '),
];

const runFacts = (diff: Diff): Fact[] => [runFact('old', diff.old), runFact('new', diff.new)];

/** The difference as text for a terminal or a pipe; the summary comes last. */
export function diffText(diff: Diff): string {
  const { word, verdict, text } = diffHeadline(diff);
  return [
    ...factLines(runFacts(diff)),
    ...diffNotes(diff).flatMap((note) => wrapped(printable(note), '  ')),
    ...diffSections(diff).flatMap(({ title, style, items }) => [
      '',
      styleText(style, title),
      ...items.flatMap(({ id, text: more = '', facts }) => [
        ...wrapped(oneLine(`${id} ${more}`.trimEnd()), '  ', '    '),
        ...facts.flatMap(([name, line]) => wrapped(oneLine(line, 600), `    ${name.padEnd(8)}  `)),
      ]),
    ]),
    '',
    ...wrapped(text, `${styleText(verdicts[verdict].style, word)}  `),
    '',
  ].join('\n');
}

/** The difference as Markdown, for a pull request or the summary of a job. */
export function diffMarkdown(diff: Diff): string {
  const { word, text } = diffHeadline(diff);
  return [
    `# ${word}: ${text}`,
    '',
    ...factList(runFacts(diff)),
    '',
    ...diffNotes(diff).flatMap((note) => [untrusted(note), '']),
    ...diffSections(diff).flatMap(({ title, items }) => [
      `## ${title}`,
      '',
      ...items.flatMap(({ id, text: more = '', facts }) => [
        `- ${codeSpan(id)} ${untrusted(more)}`.trimEnd(),
        ...factList(facts, '  '),
      ]),
      '',
    ]),
  ].join('\n');
}

/** The difference as JSON that is safe to print. */
export function diffJson(diff: Diff): string {
  const runOf = (report: Report): object => ({
    ...pick(report, ['target', 'suite', 'verdict']),
    ...pick(report.run, ['startedAt', 'seed']),
  });
  const briefly = (requirement: ReportedRequirement): object => ({
    ...pick(requirement, inJson),
    ...(requirement.counterexample && {
      counterexample: pick(requirement.counterexample, ['expected', 'actual', 'reproduced']),
    }),
  });
  const requirements = Object.fromEntries(
    changes.map((change) => [
      change,
      diff[change].map((one) => ({
        id: one.id,
        ...(one.old && { old: briefly(one.old) }),
        ...(one.new && { new: briefly(one.new) }),
      })),
    ]),
  );
  return printableJson({
    schemaVersion: 1,
    ...diff,
    ...requirements,
    old: runOf(diff.old),
    new: runOf(diff.new),
    hasVerdict: diff.new.verdict !== 'inconclusive',
    stopped: diff.new.run.stopped,
  });
}

/** Members of a requirement in JSON. */
const inJson = [
  'id',
  'section',
  'level',
  'statement',
  'verdict',
  'reason',
  'cases',
  'broken',
  'optional',
] as const;
