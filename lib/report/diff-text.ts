import { styleText } from 'node:util';
import { reproduction, titleOf } from '../engine/judging/failure-text.ts';
import { pick } from '../schemas/json.ts';
import type { Report, ReportedRequirement } from '../schemas/report.ts';
import { oneLine, printable, quantity } from '../target/output/printable.ts';
import { changes } from './diff.ts';
import type { Change, Changed, Diff, Drifted, Slower } from './diff.ts';
import { codeSpan, untrusted } from './formats/markdown.ts';
import { answerLine, minuteOf, wrapped } from './text.ts';
import { runVerdicts } from './vocabulary.ts';
import type { Style } from './vocabulary.ts';
import { json } from './write.ts';

/** How each change is called, in a heading and in the summary. */
const kinds: Readonly<
  Record<Change, { readonly title: string; readonly style: Style; readonly short: string }>
> = {
  broken: { title: 'Broken', style: ['bold', 'red'], short: 'broken' },
  newlyWarned: { title: 'Recommendations no longer followed', style: 'yellow', short: 'newly warned' },
  fixed: { title: 'Fixed', style: 'green', short: 'fixed' },
  newlyUntested: { title: 'No longer tested', style: 'yellow', short: 'no longer tested' },
  newlyTested: { title: 'Newly tested', style: 'green', short: 'newly tested' },
  newlyWaived: { title: 'Newly waived', style: 'magenta', short: 'newly waived' },
  removed: { title: 'Removed', style: 'yellow', short: 'removed' },
  added: { title: 'Added', style: 'bold', short: 'added' },
};

/** A section of the difference, before it becomes text, Markdown or a part of the page. All texts in it may be hostile. */
interface DiffSection {
  readonly kind: Change | 'answers' | 'slower' | 'answered';
  readonly title: string;
  readonly style: Style;
  readonly items: readonly Item[];
}

export interface Item {
  readonly id: string;
  /** What follows the id. */
  readonly text?: string;
  readonly details: readonly (readonly [name: string, text: string])[];
}

export const diffSections = (diff: Diff): DiffSection[] =>
  [
    ...changes.map((change) => ({
      ...kinds[change],
      kind: change,
      items: diff[change].map((changed): Item => {
        const shown = (changed.new ?? changed.old)!;
        return {
          id: changed.id,
          text: `(section ${shown.section}): ${titleOf(shown)}`,
          details: [['', fromTo(changed)], ...detailsOf(change, changed)],
        };
      }),
    })),
    {
      kind: 'answers' as const,
      title: 'Changed answers',
      style: 'yellow' as const,
      items: diff.drifted.map(driftItem),
    },
    {
      kind: 'slower' as const,
      title: 'Slower',
      style: 'yellow' as const,
      items: diff.slower.map(slowerItem),
    },
    {
      kind: 'answered' as const,
      title: 'Questions',
      style: 'bold' as const,
      items: [
        ...diff.unanswered.map((id): Item => ({ id, text: 'is no longer answered', details: [] })),
        ...diff.answered.map((id): Item => ({ id, text: 'is newly answered', details: [] })),
      ],
    },
  ].filter(({ items }) => items.length > 0);

export const verdictWord = (requirement: ReportedRequirement | undefined): string =>
  requirement?.verdict ?? 'not in the report';

const fromTo = ({ old: before, new: after }: Changed): string =>
  after === undefined
    ? `was ${verdictWord(before)}`
    : `was ${verdictWord(before)}, is now ${verdictWord(after)}`;

/** The reasons for the new verdict; something that passes needs none. */
function detailsOf(change: Change, { new: after }: Changed): Item['details'] {
  if (after === undefined || change === 'fixed' || change === 'newlyTested') return [];
  const { counterexample, reason, broken, cases } = after;
  if (counterexample === undefined) return reason === undefined ? [] : [['because', reason]];
  const { expected, actual } = counterexample;
  return [
    ['expected', expected],
    ['got', actual],
    ['broken', `${broken} of ${quantity(cases, 'case')}; ${reproduction(counterexample)}`],
  ];
}

const driftItem = ({ id, old: before, new: after, isDeclared }: Drifted): Item => ({
  id,
  details: [
    ['was', answerLine(before)],
    ['is now', `${answerLine(after)}${isDeclared ? ' (not as declared)' : ''}`],
  ],
});

const slowerItem = ({ operation, old: before, new: after }: Slower): Item => ({
  id: operation,
  details: [['', `p50 ${before.p50} ms, now ${after.p50} ms; p90 ${before.p90} ms, now ${after.p90} ms`]],
});

/** What to know before comparing the reports. */
export function diffNotes(before: Report, after: Report): string[] {
  // The embedded service has a different port each time.
  const isOneTarget =
    before.target.baseUrl === after.target.baseUrl || (before.target.embedded && after.target.embedded);
  const isOneSeed = before.run.seed === after.run.seed;
  const ended = (which: string, { run, verdict }: Report): string[] => {
    if (run.stopped !== undefined) return [`The ${which} run ended early: ${printable(run.stopped)}.`];
    return verdict === 'inconclusive'
      ? [`The ${which} run is inconclusive, so a missing result means nothing.`]
      : [];
  };
  return [
    ...(isOneTarget
      ? []
      : [isOneSeed ? 'The targets differ; the inputs are the same (one seed).' : 'The targets differ.']),
    ...(isOneSeed
      ? []
      : [
          'The seeds differ, and so do the inputs: a rare fault may occur in one run only. Use --seed to compare.',
        ]),
    ...(before.suite.version === after.suite.version
      ? []
      : ['The versions of the suite differ: the rules may have changed.']),
    ...ended('old', before),
    ...ended('new', after),
  ];
}

export function diffHeadline(diff: Diff): { readonly word: string; readonly text: string } {
  const counts = [
    ...changes.map((change) => [diff[change].length, kinds[change].short] as const),
    [diff.drifted.length, 'drifted'] as const,
    [diff.slower.length, 'slower'] as const,
  ]
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}`)
    .join(', ');
  if (diff.isWorse) return { word: 'WORSE', text: counts };
  if (diff.isInconclusive)
    return { word: 'INCONCLUSIVE', text: ['the new run has no verdict', counts].filter(Boolean).join('; ') };
  return counts === ''
    ? { word: 'UNCHANGED', text: 'no verdict and no answer differs' }
    : { word: 'NOT WORSE', text: counts };
}

/** The difference as text for a terminal or a pipe; the summary comes last. */
export function diffText(before: Report, after: Report, diff: Diff): string {
  const runLines = (which: string, report: Report): string[] => {
    const { target, run, verdict, suite } = report;
    const name = target.name === undefined ? '' : `, ${oneLine(target.name, 60)}`;
    return [
      `${which}  ${runVerdicts[verdict].words}; ${minuteOf(run.startedAt)}, seed ${run.seed}, suite ${oneLine(suite.version, 20)}`,
      `     ${oneLine(target.baseUrl, 200)}${name}`,
    ];
  };
  const { word, text } = diffHeadline(diff);
  return [
    ...runLines('old', before),
    ...runLines('new', after),
    ...diffNotes(before, after).flatMap((note) => wrapped(note, '  ')),
    ...diffSections(diff).flatMap(({ title, style, items }) => [
      '',
      styleText(style, title),
      ...items.flatMap((item) => [
        ...wrapped(oneLine(`${item.id} ${item.text ?? ''}`.trimEnd()), '  ', '    '),
        ...item.details.flatMap(([name, detail]) =>
          wrapped(oneLine(detail), name === '' ? '    ' : `    ${name.padEnd(8)}  `),
        ),
      ]),
    ]),
    '',
    ...wrapped(
      text,
      `${styleText(['bold', diff.isWorse ? 'red' : diff.isInconclusive ? 'yellow' : 'green'], word)}  `,
    ),
    '',
  ].join('\n');
}

/** The difference as Markdown, for a pull request or the summary of a job. */
export function diffMarkdown(before: Report, after: Report, diff: Diff): string {
  const runLine = (which: string, report: Report): string => {
    const { target, run, verdict, suite } = report;
    const name = target.name === undefined ? '' : ` (${untrusted(target.name)})`;
    return `- ${which}: ${runVerdicts[verdict].words}; ${codeSpan(target.baseUrl)}${name}, ${untrusted(minuteOf(run.startedAt))}, seed ${run.seed}, suite ${untrusted(suite.version)}`;
  };
  const { word, text } = diffHeadline(diff);
  return [
    `# ${word}: ${text}`,
    '',
    runLine('Old', before),
    runLine('New', after),
    '',
    ...diffNotes(before, after).flatMap((note) => [untrusted(note), '']),
    ...diffSections(diff).flatMap(({ title, items }) => [
      `## ${title}`,
      '',
      ...items.flatMap((item) => [
        `- ${codeSpan(item.id)}${item.text === undefined ? '' : ` ${untrusted(item.text)}`}`,
        ...item.details.map(([name, detail]) => `  - ${name === '' ? '' : `${name} `}${untrusted(detail)}`),
      ]),
      '',
    ]),
  ].join('\n');
}

/** The difference as JSON that is safe to print. */
export function diffJson(before: Report, after: Report, diff: Diff): string {
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
  return json({ schemaVersion: 1, old: runOf(before), new: runOf(after), ...diff, ...requirements });
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
