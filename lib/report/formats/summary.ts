import { isOpen } from '../../verdict/verdict.ts';
import {
  caseFileIn,
  exampleOf,
  isDrift,
  replayCommand,
  reproduction,
  titleOf,
  failedOf,
} from '../../engine/judging/failure-text.ts';
import { baselineLines, failedSince } from '../baseline.ts';
import { failuresIn, warningsIn } from '../order.ts';
import type { FindingVerdict } from '../../schemas/case.ts';
import type {
  CustomFinding,
  Report,
  ReportedQuestion,
  ReportedRequirement,
  Verdict,
} from '../../schemas/report.ts';
import { clipped, shown } from '../../target/output/printable.ts';
import {
  OPEN,
  WARNINGS,
  capitalised,
  expectedAndGot,
  levelNames,
  levels,
  runVerdicts,
  verdictSentence,
  trafficOf,
  verdictNames,
  NO_REASON,
} from '../vocabulary.ts';
import { code, fenced, plain, table } from './markdown.ts';

/**
 * Bytes of each part that are shown in full. Together with the rest they stay below 64 KiB, so that the summary fits
 * into a comment on a pull request. What does not fit is named.
 */
const MOST = { failures: 26_000, warnings: 8000, questions: 8000, untested: 4000, others: 3000 };
/** Ids that are named of a part that does not fit. */
const MAX_NAMED = 60;

/**
 * The report as Markdown for the summary of a CI job. Text of the target occurs only in code spans and code blocks.
 * @param out folder of the reports, for the replay commands
 */
export function summaryMarkdown(report: Report, out: string): string {
  const { requirements, questions, run, suite, target } = report;
  const failures = failuresIn(report);
  const warnings = warningsIn(report);
  const name =
    target.name === undefined ? '' : ` (${target.embedded ? target.name : code(target.name, 100)})`;
  const { emoji, words } = runVerdicts[report.verdict];
  const withVerdict = (verdict: FindingVerdict): ReportedRequirement[] =>
    requirements.filter((one) => one.verdict === verdict);
  const drifted = questions.filter(({ drift }) => drift);
  const undeclared = questions.filter(
    ({ answer, declared }) => answer !== undefined && declared === undefined,
  );
  const parts = [
    `## ${emoji} ${capitalised(words)}`,
    `${code(target.baseUrl)}${name} ${verbs[report.verdict] ?? ''}${words}: ${inSentence(verdictSentence(report))}`,
    ...(report.causes ?? []).map(
      ({ text, explains, of }) => `Likely cause: ${code(text)}, explains ${explains} of ${of} failed cases.`,
    ),
    ...failureTable(failures, report),
    ...baselineLines(report).map((text) => code(text, 600)),
    countsTable(report).join('\n'),
    ...section('Failures in full', failures, MOST.failures, (one) => failureMarkdown(one, out)),
    ...section(WARNINGS, warnings, MOST.warnings, warning),
    ...section('Known from the baseline', withVerdict('known'), MOST.others, known),
    ...section('Waived', withVerdict('waived'), MOST.others, waived),
    ...section('Drift from the profile', drifted, MOST.others, answered),
    ...untested(requirements),
    ...section(`${OPEN}: answers`, undeclared, MOST.questions, answered),
    [
      `Suite ${plain(suite.name)} ${plain(suite.version)}, seed ${run.seed}, ${[plain(run.startedAt), ...trafficOf(report)].join('; ')}.`,
      ...(run.stopped === undefined ? [] : [`Ended early: ${code(run.stopped)}.`]),
    ].join(' '),
    ...section(
      `Custom suites, ${report.customCounts ? 'part of the exit code' : 'not part of the verdict'}`,
      report.custom ?? [],
      MOST.others,
      custom,
    ),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** What stands before the words of a verdict in a sentence. */
const verbs: Readonly<Partial<Record<Verdict, string>>> = { inconclusive: 'is ', 'no-new-failures': 'has ' };

/** The text after a colon is a reason, which may quote the target. */
function inSentence(text: string): string {
  const at = text.indexOf(': ');
  return at < 0 ? `${plain(text)}.` : `${plain(text.slice(0, at))}: ${code(text.slice(at + 2), 500)}`;
}

function countsTable({ requirements, baseline }: Report): string[] {
  const names = verdictNames.filter((name) => name !== 'known' || baseline !== undefined);
  const rows = levelNames.map((level) => {
    const own = requirements.filter((one) => one.level === level);
    return [
      levels[level].name,
      ...names.map((name) => String(own.filter(({ verdict }) => verdict === name).length)),
    ];
  });
  return table(['', ...names], rows);
}

/** Failures in the table; the others are named below. */
const MAX_ROWS = 40;

/** A row for each failure: what is wrong, what came back, and whether the baseline knows it. */
const failureTable = (failures: readonly ReportedRequirement[], report: Report): string[] =>
  failures.length === 0
    ? []
    : [
        table(
          ['Failure', 'Requirement', 'Got', 'Failed cases', ...(report.baseline ? ['Baseline'] : [])],
          failures
            .slice(0, MAX_ROWS)
            .map((one) => [
              statementOf(titleOf(one)),
              `${idOf(one)} (${plain(one.source ?? `section ${one.section}`)})`,
              code(one.counterexample?.actual ?? one.reason ?? 'broken', 100),
              one.cases === 0 ? '' : `${one.broken} of ${one.cases}`,
              ...(report.baseline ? [plain(failedSince(report, one.id) ?? '')] : []),
            ]),
        ).join('\n'),
        ...(failures.length > MAX_ROWS ? [`and ${failures.length - MAX_ROWS} more`] : []),
      ];

/** What can be unfolded: those of its items that fit in full, and the others by their ids. */
function section<T extends { readonly id: string } | { readonly ids: string }>(
  title: string,
  items: readonly T[],
  most: number,
  full: (item: T) => string,
): string[] {
  if (items.length === 0) return [];
  let left = most;
  const texts = items.map(full);
  const tooMuch = texts.findIndex((text) => (left -= Buffer.byteLength(text) + 2) < 0);
  const fit = tooMuch < 0 ? texts : texts.slice(0, tooMuch);
  const rest = items.slice(fit.length);
  const isList = texts[0]!.startsWith('- ');
  return [
    `<details>\n<summary>${title} (${items.length})</summary>`,
    ...(isList && fit.length > 0 ? [fit.join('\n')] : fit),
    ...(rest.length === 0
      ? []
      : [
          `${fit.length > 0 ? 'And' : 'In short'}: ${rest
            .slice(0, MAX_NAMED)
            .map((one) => ('ids' in one ? one.ids : idOf(one)))
            .join(', ')}${rest.length > MAX_NAMED ? ' …' : ''}`,
        ]),
    '</details>',
  ];
}

/** A failure as Markdown, as in an issue. */
export function failureMarkdown(requirement: ReportedRequirement, out: string): string {
  const { id, source, section: at, reason, counterexample } = requirement;
  const title = `#### ${code(id)}\n\n${plain(source ?? `section ${at}`)}: ${statementOf(titleOf(requirement))}`;
  if (counterexample === undefined) return `${title}\n\n- ${code(reason ?? 'broken', 600)}`;
  const { expected, actual, pointer, exchanges, curl, reproduced } = counterexample;
  const { cause } = requirement;
  const last = exchanges.at(-1);
  const place = pointer ? ` at ${code(pointer, 200)}` : '';
  const drifted = isDrift(counterexample);
  const commands = [
    ...(curl === '' || curl.length > 1500 ? [] : [curl]),
    ...(drifted ? [] : [replayCommand(caseFileIn(out, id))]),
  ];
  return [
    title,
    [
      ...(cause ? [`- Likely cause: ${code(cause.text)}, explains ${cause.explains} of ${cause.of}`] : []),
      `- ${drifted ? 'Declared' : 'Expected'}: ${code(expected, 500)}`,
      `- ${drifted ? 'Observed' : 'Got'}${place}: ${code(actual, 500)}`,
      ...(last ? [`- In: ${code(`${last.response.status} ${last.response.body}`)}`] : []),
      ...(drifted ? [] : [`- ${failedOf(requirement)}; ${plain(reproduction(reproduced))}`]),
    ].join('\n'),
    ...(commands.length === 0 ? [] : [fenced('sh', commands)]),
  ].join('\n\n');
}

/** Statements about waivers contain an operator's words. */
const statementOf = (statement: string): string => plain(clipped(statement, 300));

const idOf = ({ id }: { readonly id: string }): string => code(id, 80);

function warning(warned: ReportedRequirement): string {
  const { id, reason, counterexample } = warned;
  const often = counterexample ? `; ${plain(reproduction(counterexample.reproduced))}` : '';
  const title = `- ${code(id)} ${statementOf(titleOf(warned))} ${failedOf(warned)}${often}`;
  if (counterexample === undefined) return `${title}${reason === undefined ? '' : `: ${code(reason)}`}`;
  const { sent, expected, got, curl } = exampleOf(counterexample);
  return [
    title,
    `  - Sent: ${code(sent, 600)}`,
    `  - Expected ${code(expected)}, got ${code(got, 400)}`,
    `  - Send it again: ${curl === undefined ? 'see `conformance.json`' : code(curl, 1000)}`,
  ].join('\n');
}

const known = (one: ReportedRequirement): string =>
  `- ${code(one.id)} ${statementOf(one.statement)} ${failedOf(one)}`;

const waived = ({ id, reason = '' }: ReportedRequirement): string => `- ${code(id)} ${code(reason)}`;

const answered = ({ id, answer, declared, drift }: ReportedQuestion): string =>
  `- ${code(id)} ${code(shown(answer), 200)}${drift ? `, declared ${code(shown(declared), 200)}` : ''}`;

function custom(finding: CustomFinding): string {
  const { id, statement, verdict, reason } = finding;
  const why = expectedAndGot(finding) ?? reason;
  return `- ${code(id)} ${verdict}: ${statementOf(statement)}${why === undefined ? '' : ` ${code(why, 400)}`}`;
}

function untested(requirements: readonly ReportedRequirement[]): string[] {
  const open = requirements.filter(isOpen);
  const reasons = [...Map.groupBy(open, ({ reason }) => reason ?? NO_REASON)].map(([reason, all]) => ({
    reason,
    ids: all.map(idOf).join(', '),
  }));
  return section(
    'Without a verdict',
    reasons,
    MOST.untested,
    ({ reason, ids }) => `- ${code(reason)}: ${ids}`,
  );
}
