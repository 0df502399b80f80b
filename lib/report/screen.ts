import { styleText } from 'node:util';
import {
  caseFileIn,
  exampleFacts,
  FACT_INDENT,
  factLines,
  failureFacts,
  failureTitle,
  firstLines,
} from '../engine/judging/failure-text.ts';
import type { Finding, Report, ReportedRequirement } from '../schemas/report.ts';
import { matcherOf } from '../engine/selection.ts';
import { clipped, printable, quantity } from '../target/output/printable.ts';
import { exitCodeOf, exitCodes, failsRun, isExcused, isCounted, hasNoVerdict } from '../verdict/verdict.ts';
import { baselineLines } from './baseline.ts';
import { inOrder, sectionsOf } from './order.ts';
import { aligned, answerLine, columnsOf, wrapped } from './text.ts';
import {
  EMBEDDED,
  NOT_SPECIFIED,
  NOT_FOLLOWED,
  byLevel,
  countsIn,
  runVerdicts,
  verdictCounts,
  verdicts,
  NO_REASON,
  SAME_REASON,
} from './vocabulary.ts';
import { highestRate, evidenceInBrief, warningCount } from './finding-in-words.ts';
import { commonReason, explainedVerdict, verdictSentence, extentOf, trafficOf } from './run-in-words.ts';
import type { Style } from './vocabulary.ts';
import type { Settings } from '../settings/run-settings.ts';

/** How a report is shown. */
interface Showing {
  /** Folder of the reports. */
  readonly out: string;
  /** The page; undefined: it could not be rendered. */
  readonly page?: string | undefined;
  readonly stream: NodeJS.WriteStream;
  readonly verbosity: Settings['verbosity'];
  /** What was written besides the reports. */
  readonly written?: readonly string[];
}

/** How its parts are shown. */
interface View extends Showing {
  readonly paint: (style: Style, text: string) => string;
  /** {@link wrapped}, in the columns of the terminal, and printable. */
  readonly wrap: (text: string, first?: string, others?: string) => string[];
  /** Columns of the longest id. */
  readonly idWidth: number;
}

/** Whether a requirement has a line of its own; failures and warnings have more than one. */
function isListed(one: ReportedRequirement, { run }: Report, verbosity: Settings['verbosity']): boolean {
  const { id, verdict } = one;
  if (verdict === 'untested' && !isSelectedBy(run, id)) return false;
  if (verbosity === 'verbose') return true;
  if (isExcused(one)) return true;
  // Warnings have their examples, which a quiet screen leaves out.
  if (verdict === 'warn') return verbosity === 'quiet' && !run.strict;
  return verbosity !== 'verdict' && hasNoVerdict(one) && isCounted(one);
}

/** Whether `--only` selects an id; the screen does not mention others that have no result. */
const isSelectedBy = ({ only = '*' }: Report['run'], id: string): boolean => matcherOf(only)(id);

/** The report as text for a terminal or a pipe: what failed, then the rest in brief; the summary comes last. */
export function screenOf(report: Report, showing: Showing): string {
  const { page, stream, verbosity, written = [] } = showing;
  const { requirements, questions, custom = [], target, suite, run } = report;
  const listed = requirements.filter((one) => isListed(one, report, verbosity));
  // The sentence of the verdict gives the reason once.
  const hasResults = commonReason(requirements) === undefined || verbosity === 'verbose';
  const [, reason] = explainedVerdict(report);
  const given = [reason, run.stopped];
  const verdictWidth = Math.max(4, ...[...listed, ...custom].map(({ verdict }) => verdict.length));
  const view: View = {
    ...showing,
    paint: (style, text) => styleText(style, text, { stream }),
    wrap: (text, first, others) => wrapped(printable(text), first, others, columnsOf(stream)),
    idWidth: Math.max(...[...requirements, ...questions].map(({ id }) => id.length)),
  };
  const { paint, wrap, idWidth } = view;
  const line = (judged: Finding, at: number, all: readonly Finding[]): string => {
    const verdict = paint(verdicts[judged.verdict].style, judged.verdict.padEnd(verdictWidth));
    const start = `  ${verdict}  ${printable(judged.id).padEnd(idWidth)}  `;
    const [first, ...rest] = wrap(evidenceInBrief(withoutRepetition(judged, all[at - 1], given)), start);
    return [
      `${start}${paint('gray', first!.slice(start.length))}`,
      ...rest.map((more) => paint('gray', more)),
    ].join('\n');
  };
  const block = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : ['', paint('bold', title), ...lines];
  const { words, style } = runVerdicts[report.verdict];
  const headline = words.toUpperCase();
  const rates = listed.some((one) => one.verdict === 'pass' && highestRate(one.cases) !== undefined);
  const lists = hasResults ? byLevel(listed).flatMap(([{ title }, own]) => block(title, own.map(line))) : [];
  const warnings = block(NOT_FOLLOWED, warningLines(report, view));
  const hasSections = hasResults && verbosity !== 'quiet';
  const results = [
    '',
    printable(`${suite.name} ${suite.version} on ${target.baseUrl}${targetSuffix(target)}`),
    ...(target.route === undefined ? [] : [`  ${printable(target.route)}`]),
    ...failureLines(report, view),
    ...warnings,
    ...lists,
    ...block('Sections of the interface', hasSections ? sectionLines(report, view) : []),
    ...block(NOT_SPECIFIED, hasSections ? questionLines(report, view) : []),
    ...block('Custom suites (not part of the verdict)', custom.map(line)),
  ];
  return [
    ...(verbosity === 'verdict' ? [...lists, ...warnings] : results),
    '',
    ...wrap(verdictSentence(report), `${paint(style, headline)}  `, '  '),
    ...(target.embedded ? [`  on ${EMBEDDED}, because TARGET_BASE_URL is not set`] : []),
    ...causeLines(report).flatMap((text) => wrap(text, '  ', '    ')),
    ...baselineLines(report).flatMap((text) => wrap(text, '  ', '    ')),
    ...countLines(report),
    ...[
      [...trafficOf(report), ...extentOf(report), `seed ${run.seed}`].join('; '),
      ...(run.stopped === undefined || run.stopped === reason
        ? []
        : [`ended early: ${clipped(run.stopped, MAX_REASON_LENGTH)}`]),
      ...(rates ? ['(< x %): 95 % confident that fewer than x % of such cases fail'] : []),
      ...(verbosity === 'verbose' ? latencyLines(report) : []),
    ].flatMap((text) => wrap(text, '  ')),
    ...written.map((text) => `  ${text}`),
    ...(page === undefined ? [] : [`  Open ${page}`]),
    '',
  ].join('\n');
}

/** A finding whose reason is not that of the line before, nor among those that come with the verdict. */
function withoutRepetition(
  judged: Finding,
  before: Finding | undefined,
  given: readonly (string | undefined)[],
): Finding {
  const { reason } = judged;
  if (!hasNoVerdict(judged) || reason === undefined) return judged;
  if (given.includes(reason)) return { ...judged, reason: '(see below)' };
  const isSame = before !== undefined && hasNoVerdict(before) && before.reason === reason;
  return isSame ? { ...judged, reason: SAME_REASON } : judged;
}

/** Characters of the reason why a run ended early, which quotes a response and ends with what to do. */
const MAX_REASON_LENGTH = 1000;

/** The verdicts of each section in a line. */
function sectionLines({ requirements }: Report, { paint }: View): string[] {
  const judged = sectionsOf(requirements.filter(isCounted));
  return aligned(
    judged.map(({ number, title, requirements: own }) => [
      number,
      title,
      countsIn(own)
        .map(([verdict, count]) => paint(verdicts[verdict].style, `${count} ${verdict}`))
        .join(', '),
    ]),
  );
}

/** The failures in full: those that fail the run, those of custom suites, and warnings if it is verbose. */
function failureLines(
  { requirements, custom = [], run }: Report,
  { out, verbosity, wrap, paint }: View,
): string[] {
  const isShown = (one: ReportedRequirement): boolean => failsRun(one, run.strict || verbosity === 'verbose');
  const failures = inOrder(requirements.filter(isShown));
  return [...failures, ...custom.filter(({ verdict }) => verdict === 'fail')].flatMap((one, at, all) => {
    const facts = failureFacts(one, caseFileOf(one, out));
    return [
      '',
      ...wrap(failureTitle(one), '', '  ').map((line) => paint(verdicts[one.verdict].style, line)),
      ...(isSameCause(one, all[at - 1]) ? firstLines(facts, OF_SAME_CAUSE) : facts).flatMap((fact) => {
        const lines = factLines([fact]);
        // Other lines quote what was sent and received, or are commands to copy.
        return fact[0] === 'cause'
          ? lines.flatMap((line) => wrap(line.slice(FACT_INDENT), line.slice(0, FACT_INDENT)))
          : lines;
      }),
    ];
  });
}

const isSameCause = ({ cause }: Finding, before: Finding | undefined): boolean =>
  cause !== undefined && cause.text === before?.cause?.text;

/** The facts that are shown of a failure after another one of the same cause. */
const OF_SAME_CAUSE = ['cause', 'failed', 'replay'];

/** A custom suite can't be replayed. */
const caseFileOf = (judged: Finding, out: string): string | undefined =>
  'level' in judged ? caseFileIn(out, judged.id) : undefined;

const causeLines = ({ causes = [] }: Report): string[] =>
  causes.map(({ text, requirements }) => `likely cause: ${text} (${requirements.join(', ')})`);

/** The warnings with their examples in brief; none if they are shown in full, or if the screen is quiet. */
function warningLines(
  { requirements, custom = [], run }: Report,
  { verbosity, wrap, paint }: View,
): string[] {
  if (verbosity === 'quiet' || verbosity === 'verbose' || run.strict) return [];
  return [...requirements, ...custom]
    .filter(({ verdict }) => verdict === 'warn')
    .flatMap((warned) => [
      ...wrap(warningCount(warned), `${paint(verdicts.warn.style, printable(warned.id))}: `, '  '),
      ...(warned.counterexample ? factLines(exampleFacts(warned)) : []),
    ]);
}

function countLines(report: Report): string[] {
  const { requirements, custom = [], verdict } = report;
  const counts = byLevel(requirements.filter(isCounted)).map(([{ name }, own]) => [name, verdictCounts(own)]);
  const code = exitCodeOf(report);
  const effect = code === exitCodes[verdict] ? '' : `; with --suite-counts the exit code is ${code}`;
  return aligned([
    ...counts,
    ...(custom.length === 0 ? [] : [['custom', `${verdictCounts(custom)}${effect}`]]),
  ]);
}

/** How many questions are answered, and the others by reason; each of them if it is verbose. */
function questionLines({ questions: all, run }: Report, { idWidth, wrap, verbosity }: View): string[] {
  const isVerbose = verbosity === 'verbose';
  const questions = all.filter(({ id, answer }) => answer !== undefined || isSelectedBy(run, id));
  if (questions.length === 0) return [];
  const unanswered = questions.filter(({ answer }) => answer === undefined);
  const answered = questions.length - unanswered.length;
  const summary = [
    `  ${answered} of ${quantity(questions.length, 'question')} answered${isVerbose || answered === 0 ? '' : '; --verbose lists the answers'}`,
    ...[...Map.groupBy(unanswered, ({ reason = NO_REASON }) => reason)].flatMap(([reason, alike]) =>
      wrap(`${alike.length} without an answer: ${reason}`, '  '),
    ),
  ];
  return isVerbose
    ? [
        ...questions.flatMap(({ id, answer, reason = '' }) =>
          wrap(
            answer === undefined ? `no answer: ${reason}` : answerLine(answer),
            `  ${printable(id).padEnd(idWidth)}  `,
          ),
        ),
        ...summary,
      ]
    : summary;
}

const latencyLines = ({ run }: Report): string[] =>
  Object.entries(run.latency).map(
    ([operation, { count, p50, p90, p99 }]) =>
      `${operation}: p50 ${p50} ms, p90 ${p90} ms, p99 ${p99} ms, of ${quantity(count, 'accepted request')}`,
  );

// A profile may give the embedded reference service the name of another target.
const targetSuffix = ({ name, embedded }: Report['target']): string =>
  name === undefined ? '' : `, ${embedded ? EMBEDDED : name}`;
