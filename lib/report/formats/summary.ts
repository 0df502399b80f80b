import { hasNoVerdict, isCounted } from '../../verdict/verdict.ts';
import {
  caseFileIn,
  exampleFacts,
  failureFacts,
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
import { shown } from '../../target/output/printable.ts';
import {
  NOT_SPECIFIED,
  NOT_FOLLOWED,
  byLevel,
  capitalised,
  runVerdicts,
  verdictNames,
  NO_REASON,
} from '../vocabulary.ts';
import { expectedAndGot, warningCount } from '../finding-in-words.ts';
import { explainedVerdict, extentOf, trafficOf } from '../run-in-words.ts';
import { codeSpan, factList, table, untrusted } from './markdown.ts';

/**
 * Bytes of each part that are shown in full. Together with the rest they stay below 64 KiB, so that the summary fits
 * into a comment on a pull request. What does not fit is named.
 */
const MAX_BYTES = { failures: 26_000, warnings: 8000, questions: 8000, untested: 4000, others: 3000 };
/** Ids that are named of a part that does not fit. */
const MAX_NAMED = 60;

/**
 * The report as Markdown for the summary of a CI job. Text of the target is in code spans unless it is only words.
 * @param out folder of the reports, for the replay commands
 */
export function summaryMarkdown(report: Report, out: string): string {
  const { requirements, questions, run, suite, target } = report;
  const failures = failuresIn(report);
  const warnings = warningsIn(report);
  const name = target.name === undefined ? '' : ` (${untrusted(target.name, 100)})`;
  const { emoji, words } = runVerdicts[report.verdict];
  const [sentence, reason] = explainedVerdict(report);
  const withVerdict = (verdict: FindingVerdict): ReportedRequirement[] =>
    requirements.filter((one) => one.verdict === verdict);
  const drifted = questions.filter(({ drift }) => drift);
  const undeclared = questions.filter(
    ({ answer, declared }) => answer !== undefined && declared === undefined,
  );
  const parts = [
    `## ${emoji} ${capitalised(words)}`,
    `${codeSpan(target.baseUrl)}${name} ${verbBefore[report.verdict] ?? ''}${words}: ${inSentence([sentence, reason])}`,
    ...(report.causes ?? []).map(({ text }) => `Likely cause: ${codeSpan(text)}.`),
    ...failureTable(failures, report),
    ...baselineLines(report).map((text) => codeSpan(text, 600)),
    countsTable(report).join('\n'),
    ...section(
      'Failures in full',
      entries(failures, (one) => failureMarkdown(one, out)),
      MAX_BYTES.failures,
      '\n\n',
    ),
    ...section(NOT_FOLLOWED, entries(warnings, warning), MAX_BYTES.warnings),
    ...section('Known from the baseline', entries(withVerdict('known'), known), MAX_BYTES.others),
    ...section('Waived', entries(withVerdict('waived'), waived), MAX_BYTES.others),
    ...section('Drift from the profile', entries(drifted, answered), MAX_BYTES.others),
    ...section('Without a verdict', untested(requirements, reason), MAX_BYTES.untested),
    ...section(`${NOT_SPECIFIED}: answers`, entries(undeclared, answered), MAX_BYTES.questions),
    [
      `Suite ${untrusted(suite.name)} ${untrusted(suite.version)}, seed ${run.seed}, ${[untrusted(run.startedAt), ...(target.route === undefined ? [] : [untrusted(target.route)]), ...extentOf(report), ...trafficOf(report, untrusted)].join('; ')}.`,
      ...(run.stopped === undefined || run.stopped === reason
        ? []
        : [`Ended early: ${codeSpan(run.stopped)}.`]),
    ].join(' '),
    ...section(
      `Custom suites, ${report.customCounts ? 'part of the exit code' : 'not part of the verdict'}`,
      entries(report.custom ?? [], custom),
      MAX_BYTES.others,
    ),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** What precedes the words of a verdict in a sentence. */
const verbBefore: Readonly<Partial<Record<Verdict, string>>> = {
  inconclusive: 'is ',
  'no-new-failures': 'has ',
};

const inSentence = ([sentence, reason]: ReturnType<typeof explainedVerdict>): string =>
  `${untrusted(sentence)}${reason === undefined ? '.' : `: ${codeSpan(reason, 500)}`}`;

function countsTable({ requirements, baseline }: Report): string[] {
  const names = verdictNames.filter((name) => name !== 'known' || baseline !== undefined);
  const rows = byLevel(requirements.filter(isCounted)).map(([level, own]) => [
    level.name,
    ...names.map((name) => String(own.filter(({ verdict }) => verdict === name).length)),
  ]);
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
              untrusted(titleOf(one)),
              `${idOf(one)} (${sourceOf(one)})`,
              codeSpan(one.counterexample?.actual ?? one.reason ?? 'broken', 100),
              one.cases === 0 ? '' : `${one.broken} of ${one.cases}`,
              ...(report.baseline ? [untrusted(failedSince(report, one.id) ?? '')] : []),
            ]),
        ).join('\n'),
        ...(failures.length > MAX_ROWS ? [`and ${failures.length - MAX_ROWS} more`] : []),
      ];

/** Something in a section: the name that stands for it where it does not fit, and its text in full. */
type Entry = readonly [name: string, full: string];

const entries = <T extends { readonly id: string }>(
  items: readonly T[],
  full: (item: T) => string,
): Entry[] => items.map((item) => [idOf(item), full(item)]);

/** A section to unfold: its entries in full as far as they fit, and the others by their names. */
function section(title: string, all: readonly Entry[], maxBytes: number, separator = '\n'): string[] {
  if (all.length === 0) return [];
  let left = maxBytes;
  const tooMuch = all.findIndex(([, full]) => (left -= Buffer.byteLength(full) + 2) < 0);
  const fit = tooMuch < 0 ? all : all.slice(0, tooMuch);
  const rest = all.slice(fit.length);
  const named = rest.slice(0, MAX_NAMED).map(([name]) => name);
  return [
    `<details>\n<summary>${title} (${all.length})</summary>`,
    ...(fit.length > 0 ? [fit.map(([, full]) => full).join(separator)] : []),
    ...(rest.length === 0
      ? []
      : [
          `${fit.length > 0 ? 'And' : 'In short'}: ${named.join(', ')}${rest.length > MAX_NAMED ? ' …' : ''}`,
        ]),
    '</details>',
  ];
}

export function failureMarkdown(failed: ReportedRequirement, out: string): string {
  const { id } = failed;
  const facts = factList(failureFacts(failed, caseFileIn(out, id)));
  return [
    `#### ${codeSpan(id)}`,
    `${sourceOf(failed)}: ${untrusted(titleOf(failed))}`,
    facts.join('\n'),
  ].join('\n\n');
}

const sourceOf = ({ source, section: at }: ReportedRequirement): string =>
  untrusted(source ?? `section ${at}`);

const idOf = ({ id }: { readonly id: string }): string => codeSpan(id, 80);

const warning = (warned: ReportedRequirement): string =>
  [
    `- ${idOf(warned)} ${untrusted(titleOf(warned))} ${untrusted(warningCount(warned))}`,
    ...(warned.counterexample ? factList(exampleFacts(warned), '  ') : []),
  ].join('\n');

const known = (one: ReportedRequirement): string =>
  `- ${codeSpan(one.id)} ${untrusted(one.statement)} ${failedOf(one)}`;

const waived = ({ id, reason = '' }: ReportedRequirement): string => `- ${codeSpan(id)} ${codeSpan(reason)}`;

const answered = ({ id, answer, declared, drift }: ReportedQuestion): string =>
  `- ${codeSpan(id)} ${codeSpan(shown(answer), 200)}${drift ? `, declared ${codeSpan(shown(declared), 200)}` : ''}`;

function custom(finding: CustomFinding): string {
  const { id, statement, verdict, reason } = finding;
  const why = expectedAndGot(finding) ?? reason;
  return `- ${codeSpan(id)} ${verdict}: ${untrusted(statement)}${why === undefined ? '' : ` ${codeSpan(why, 400)}`}`;
}

/** What has no verdict, by reason. @param given the reason that stands at the top */
function untested(requirements: readonly ReportedRequirement[], given: string | undefined): Entry[] {
  const open = requirements.filter(hasNoVerdict);
  return [...Map.groupBy(open, ({ reason }) => reason ?? NO_REASON)].map(([reason, all]) => {
    const ids = all.map(idOf).join(', ');
    return [ids, `- ${reason === given ? 'for the reason above' : codeSpan(reason)}: ${ids}`];
  });
}
