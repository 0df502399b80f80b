import { styleText } from 'node:util';
import { failureText } from '../requirements/failure-text.ts';
import { clipped, printable } from '../requirements/printable.ts';
import type { Report, ReportedRequirement } from './model.ts';
import { ownCounts, ownLines } from './screen-own.ts';
import { questionLines } from './screen-questions.ts';
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

/**
 * The report as text for a terminal or a pipe; the summary comes last.
 * @param out folder of the reports
 */
export function screenOf(
  report: Report,
  out: string,
  stream: NodeJS.WriteStream,
  profile?: WrittenProfile,
): string {
  const paint = (style: Style, text: string): string => styleText(style, text, { stream });
  const { requirements, questions, run, target, suite } = report;
  const width = Math.max(...[...requirements, ...questions].map(({ id }) => id.length));
  const line = (requirement: ReportedRequirement): string => {
    const { word, style } = marks[requirement.verdict];
    return `  ${paint(style, word)}  ${requirement.id.padEnd(width)}  ${paint('gray', remark(requirement))}`;
  };
  const block = (title: string, level: ReportedRequirement['level']): string[] => {
    const own = requirements.filter((requirement) => requirement.level === level);
    return own.length === 0 ? [] : ['', paint('bold', title), ...own.map(line)];
  };
  const details = requirements
    .filter(({ verdict }) => verdict === 'fail' || (verdict === 'warn' && run.strict))
    .flatMap((requirement) => {
      const [first, ...rest] = failureText(requirement, out).split('\n');
      return ['', paint(marks[requirement.verdict].style, first!), ...rest];
    });
  const isDeclared = requirements.some(({ level, optional }) => level === 'declared' && !optional);
  const open = questionLines(questions, width);
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
    `${paint(style, words)}  ${sentence(report)}`,
    ...(target.embedded ? [`  on the ${target.name}, as no TARGET_BASE_URL was given`] : []),
    ...levels.flatMap(([level, word]) => {
      const told = counts(report, level);
      return told === '' ? [] : [`  ${word}  ${told}`];
    }),
    ...ownCounts(report),
    `  ${run.requests} requests in ${(run.durationMs / 1000).toFixed(1)} s, at most ${run.inFlight} in flight, ${run.retries} sent again, seed ${run.seed}`,
    ...(run.throttled > 0
      ? [
          `  the target asked for patience ${run.throttled} times; ${(run.waitedMs / 1000).toFixed(1)} s were waited`,
        ]
      : []),
    ...(run.stopped === undefined ? [] : [`  ended early: ${printable(run.stopped)}`]),
    `  reports in ${out}/`,
    ...(profile === undefined ? [] : [profileLine(profile)]),
    '',
  ].join('\n');
}

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

/** What a verdict is worth, or why there is none. */
function remark({ level, verdict, cases, granted, broken, reason }: ReportedRequirement): string {
  if (level === 'declared' && reason !== undefined) return clipped(printable(reason ?? ''), 120);
  if (verdict === 'untested' || verdict === 'inconclusive' || verdict === 'waived')
    return clipped(printable(reason ?? ''), 120);
  if (broken > 0 || verdict === 'fail')
    return reason === undefined ? `${broken} of ${cases} cases broken` : clipped(printable(reason), 120);
  // With n clean cases the rate of faults is below 3/n at 95 % (the rule of three).
  const bound = cases >= 4 ? `, < ${(300 / cases).toPrecision(2)} % at 95 %` : '';
  const taken = granted > 0 && granted < cases ? `, ${granted} granted` : '';
  return `${cases} ${cases === 1 ? 'case' : 'cases'}${taken}${bound}${reason === undefined ? '' : `; ${clipped(printable(reason), 120)}`}`;
}

function sentence({ verdict, requirements }: Report): string {
  const required = requirements.filter(({ level, optional }) => level !== 'should' && !optional);
  const failed = required.filter((requirement) => requirement.verdict === 'fail');
  const open = required.filter((requirement) => ['untested', 'inconclusive'].includes(requirement.verdict));
  const statements = required.some(({ level }) => level === 'declared')
    ? 'required and declared statements'
    : 'required statements';
  if (verdict === 'conforms') {
    const waived = required.filter((requirement) => requirement.verdict === 'waived').length;
    return waived === 0
      ? `all ${required.length} ${statements} were tested and hold`
      : `all ${required.length} ${statements} were tested and hold, but ${waived} that the profile waives`;
  }
  if (verdict === 'does-not-conform') {
    return failed.length > 0
      ? `${failed.length} of ${required.length} ${statements} ${failed.length === 1 ? 'is' : 'are'} broken`
      : 'an advisory statement is broken, and --strict counts it';
  }
  const reasons = new Set(open.map(({ reason }) => reason ?? 'unknown'));
  const first = printable([...reasons][0] ?? 'nothing was tested');
  return `${open.length} of ${required.length} ${statements} have no verdict: ${first}${reasons.size > 1 ? `, and ${reasons.size - 1} more reasons above` : ''}`;
}

function counts({ requirements }: Report, level: ReportedRequirement['level']): string {
  const ofLevel = requirements.filter((requirement) => requirement.level === level && !requirement.optional);
  return (['pass', 'fail', 'warn', 'waived', 'inconclusive', 'untested'] as const)
    .map(
      (verdict) =>
        [ofLevel.filter((requirement) => requirement.verdict === verdict).length, verdict] as const,
    )
    .filter(([count]) => count > 0)
    .map(([count, verdict]) => `${count} ${verdict}`)
    .join(', ');
}
