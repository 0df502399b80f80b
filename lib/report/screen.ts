import { join } from 'node:path';
import { styleText } from 'node:util';
import { failureText } from '../engine/failure-text.ts';
import { printable } from '../target/printable.ts';
import type { Report, ReportedRequirement } from '../schemas/report.ts';
import { customCounts, ownLines } from './screen-own.ts';
import { questionLines } from './screen-questions.ts';
import { counts, remark, sentence } from './sentences.ts';
import { wrapped } from './wrapped.ts';
import type { WrittenProfile } from './write-profile.ts';

type Style = Parameters<typeof styleText>[0];

const marks: Readonly<Record<ReportedRequirement['verdict'], { word: string; style: Style }>> = {
  pass: { word: 'pass', style: 'green' },
  fail: { word: 'FAIL', style: ['bold', 'red'] },
  warn: { word: 'warn', style: 'yellow' },
  untested: { word: 'none', style: 'gray' },
  inconclusive: { word: '  ? ', style: 'yellow' },
  waived: { word: 'waiv', style: 'magenta' },
};

const headlines: Readonly<Record<Report['verdict'], { words: string; style: Style }>> = {
  conforms: { words: 'CONFORMS', style: ['bold', 'green'] },
  'does-not-conform': { words: 'DOES NOT CONFORM', style: ['bold', 'red'] },
  inconclusive: { words: 'INCONCLUSIVE', style: ['bold', 'yellow'] },
};

/** The reason of what `--only` leaves out: who asks for a few wants to see those. */
export const NOT_SELECTED = 'not selected';

/** How much is shown: only what is wrong, what came of each statement, or all that there is. */
export type Detail = 'quiet' | 'normal' | 'verbose';

/** How a report is shown. */
export interface Showing {
  /** Folder of the reports. */
  readonly out: string;
  readonly stream: NodeJS.WriteStream;
  readonly detail: Detail;
  readonly profile?: WrittenProfile | undefined;
}

/** The report as text for a terminal or a pipe; the summary comes last. */
export function screenOf(report: Report, { out, stream, detail, profile }: Showing): string {
  const paint = (style: Style, text: string): string => styleText(style, text, { stream });
  const { requirements, questions, run, target, suite } = report;
  const width = Math.max(...[...requirements, ...questions].map(({ id }) => id.length));
  // In a pipe a line is a line, however long.
  const columns = stream.isTTY ? stream.columns : Infinity;
  const line = (requirement: ReportedRequirement): string => {
    const { word, style } = marks[requirement.verdict];
    const before = `  ${word}  ${requirement.id.padEnd(width)}  `;
    const [first, ...rest] = wrapped(remark(requirement), before, ' '.repeat(before.length), columns);
    const text = first!.slice(before.length);
    return [
      `  ${paint(style, word)}  ${requirement.id.padEnd(width)}  ${paint('gray', text)}`,
      ...rest.map((more) => paint('gray', more)),
    ].join('\n');
  };
  const isShown = ({ verdict, optional, reason }: ReportedRequirement): boolean =>
    !(verdict === 'untested' && reason === NOT_SELECTED) &&
    (detail !== 'quiet' || (verdict !== 'pass' && !optional));
  const block = (title: string, level: ReportedRequirement['level']): string[] => {
    const own = requirements.filter((requirement) => requirement.level === level && isShown(requirement));
    return own.length === 0 ? [] : ['', paint('bold', title), ...own.map(line)];
  };
  const details = requirements
    .filter(
      ({ verdict }) => verdict === 'fail' || (verdict === 'warn' && (run.strict || detail === 'verbose')),
    )
    .flatMap((requirement) => {
      const [first, ...rest] = failureText(requirement, out).split('\n');
      return ['', paint(marks[requirement.verdict].style, first!), ...rest];
    });
  const isDeclared = requirements.some(({ level, optional }) => level === 'declared' && !optional);
  const open = detail === 'quiet' ? [] : questionLines(questions, width, columns, detail === 'verbose');
  const { words, style } = headlines[report.verdict];
  return [
    '',
    `${suite.name} ${suite.version} on ${printable(target.baseUrl)}${nameOf(target)}`,
    ...block('Required by the interface', 'must'),
    ...block('Advised by the RFCs beneath it', 'should'),
    ...block(isDeclared ? 'Declared in the profile' : 'Tested where a profile says how', 'declared'),
    ...(open.length === 0 ? [] : ['', paint('bold', 'Left open by the interface'), ...open]),
    ...ownLines(report, out, stream),
    ...details,
    '',
    ...wrapped(sentence(report), `${words}  `, '  ', columns).map((one) =>
      one.replace(words, () => paint(style, words)),
    ),
    ...(target.embedded ? [`  on the ${target.name}, as no TARGET_BASE_URL was given`] : []),
    ...levels.flatMap(([level, word]) => {
      const told = counts(report, level);
      return told === '' ? [] : [`  ${word}  ${told}`];
    }),
    ...customCounts(report),
    ...trafficLines(report).flatMap((text) => wrapped(text, '  ', '  ', columns)),
    ...(detail === 'verbose' ? latencyLines(report) : []),
    `  reports in ${out}/; ${join(out, 'index.html')} is for people`,
    ...(profile === undefined ? [] : [profileLine(profile)]),
    '',
  ].join('\n');
}

function trafficLines({ run }: Report): string[] {
  const { requests, durationMs, inFlight, retries, seed, throttled, waitedMs, stopped } = run;
  return [
    `${requests} requests in ${(durationMs / 1000).toFixed(1)} s, at most ${inFlight} in flight, ${retries} sent again, seed ${seed}`,
    ...(throttled > 0
      ? [`the target asked for patience ${throttled} times; ${(waitedMs / 1000).toFixed(1)} s were waited`]
      : []),
    ...(stopped === undefined ? [] : [`ended early: ${printable(stopped)}`]),
  ];
}

const latencyLines = ({ run }: Report): string[] =>
  Object.entries(run.latency).map(
    ([operation, { count, p50, p90, p99 }]) =>
      `  ${operation}: half within ${p50} ms, 90 % within ${p90} ms, 99 % within ${p99} ms, of ${count}`,
  );

const levels = [
  ['must', 'required'],
  ['should', 'advised '],
  ['declared', 'declared'],
] as const;

const nameOf = ({ name, embedded }: Report['target']): string =>
  name === undefined ? '' : `, ${embedded ? `the ${name}` : printable(name)}`;

const profileLine = ({ path, answers }: WrittenProfile): string =>
  answers === 0
    ? '  no profile was written: no question was answered'
    : `  a profile with ${answers} ${answers === 1 ? 'answer' : 'answers'} in ${printable(path)}; review it, then run with --profile`;
