import { isDrift, sentAgain } from '../../engine/failure-text.ts';
import { clipped, shown } from '../../target/printable.ts';
import type { CustomFinding, Report, ReportedQuestion, ReportedRequirement } from '../../schemas/report.ts';
import { sentence } from '../sentences.ts';
import { code, fenced, plain } from './markdown.ts';
import { gotIn } from './tested.ts';

/**
 * Bytes of each part that are shown in full: below 64 KiB together with all else, so that a comment on a change
 * takes it as well. What does not fit is named.
 */
const MOST = { failures: 26_000, questions: 8000, untested: 4000, others: 3000 };
/** Ids that are named at most where a part does not fit. */
const MOST_NAMED = 60;

const verdicts: Readonly<Record<Report['verdict'], { headline: string; words: string }>> = {
  conforms: { headline: '✅ Conforms', words: 'conforms' },
  'does-not-conform': { headline: '❌ Does not conform', words: 'does not conform' },
  inconclusive: { headline: '❔ Inconclusive', words: 'is inconclusive' },
};

/**
 * The report as Markdown for people who look at a CI job. What comes from the target stands in code spans and
 * fenced blocks alone.
 * @param out folder of the reports, for the replay lines
 */
export function summaryMarkdown(report: Report, out: string): string {
  const { requirements, questions, run, suite, target } = report;
  const broken = requirements.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');
  const [failures, advice] = [
    broken.filter(({ verdict }) => verdict === 'fail' || run.strict),
    broken.filter(({ verdict }) => verdict === 'warn' && !run.strict),
  ];
  const name =
    target.name === undefined ? '' : ` (${target.embedded ? target.name : code(target.name, 100)})`;
  const { headline, words } = verdicts[report.verdict];
  const parts = [
    `## ${headline}`,
    `${code(target.baseUrl)}${name} ${words}: ${inSentence(sentence(report))}`,
    [
      `- Suite: ${plain(suite.name)} ${plain(suite.version)}, seed ${run.seed}`,
      `- Run: ${plain(run.startedAt)}, ${(run.durationMs / 1000).toFixed(1)} s, ${run.requests} requests, ${run.retries} sent again`,
      ...(run.stopped === undefined ? [] : [`- Ended early: ${code(run.stopped)}`]),
    ].join('\n'),
    countsTable(requirements),
    ...section('Broken', failures, MOST.failures, (one) => failure(one, out), idOf),
    ...section('Advice not followed', advice, MOST.others, titled, idOf),
    ...section('Waived', requirements.filter(isVerdict('waived')), MOST.others, reasoned, idOf),
    ...section(
      'Drifted from the profile',
      questions.filter(({ drift }) => drift),
      MOST.others,
      answered,
      idOf,
    ),
    ...untested(requirements),
    ...section(
      'Left open by the interface, and answered',
      questions.filter(({ answer, declared }) => answer !== undefined && declared === undefined),
      MOST.questions,
      answered,
      idOf,
    ),
    ...section(
      `Of your own suites, ${report.customCounts ? 'counted for the exit code' : 'no part of the verdict'}`,
      report.custom ?? [],
      MOST.others,
      owned,
      idOf,
    ),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** A sentence of our own may quote a reason, and a reason the target. */
function inSentence(text: string): string {
  const at = text.indexOf(': ');
  return at < 0 ? `${plain(text)}.` : `${plain(text.slice(0, at))}: ${code(text.slice(at + 2), 500)}`;
}

const isVerdict =
  (verdict: ReportedRequirement['verdict']) =>
  (requirement: ReportedRequirement): boolean =>
    requirement.verdict === verdict;

const VERDICTS = ['pass', 'fail', 'warn', 'waived', 'inconclusive', 'untested'] as const;
const LEVELS = [
  ['must', 'required'],
  ['should', 'advised'],
  ['declared', 'declared'],
] as const;

function countsTable(requirements: readonly ReportedRequirement[]): string {
  const rows = LEVELS.map(([level, word]) => {
    const own = requirements.filter((requirement) => requirement.level === level);
    const counts = VERDICTS.map((verdict) => own.filter(isVerdict(verdict)).length);
    return `| ${[word, ...counts].join(' | ')} |`;
  });
  return [`| | ${VERDICTS.join(' | ')} |`, `|---${'|--:'.repeat(VERDICTS.length)}|`, ...rows].join('\n');
}

/** A heading with what fits of its items below it, the rest in few words. */
function section<T>(
  title: string,
  items: readonly T[],
  most: number,
  full: (item: T) => string,
  short: (item: T) => string,
): string[] {
  if (items.length === 0) return [];
  let left = most;
  const texts = items.map(full);
  const fitting = texts.findIndex((text) => (left -= Buffer.byteLength(text) + 2) < 0);
  const fit = fitting < 0 ? texts : texts.slice(0, fitting);
  const rest = items.slice(fit.length);
  const isList = texts[0]!.startsWith('- ');
  return [
    `### ${title} (${items.length})`,
    ...(isList && fit.length > 0 ? [fit.join('\n')] : fit),
    ...(rest.length === 0
      ? []
      : [
          `${fit.length > 0 ? 'And' : 'In short'}: ${rest.slice(0, MOST_NAMED).map(short).join(', ')}${rest.length > MOST_NAMED ? ' …' : ''}`,
        ]),
  ];
}

function failure(requirement: ReportedRequirement, out: string): string {
  const { id, source, section: at, statement, reason, counterexample, cases, broken } = requirement;
  const title = `#### ${code(id)}\n\n${plain(source ?? `section ${at}`)}: ${statementOf(statement)}`;
  if (counterexample === undefined) return `${title}\n\n- ${code(reason ?? 'broken', 600)}`;
  const { expected, actual, pointer, exchanges, curl, reproduced } = counterexample;
  const last = exchanges.at(-1);
  const place = pointer ? ` at ${code(pointer, 200)}` : '';
  const drifted = isDrift(counterexample);
  const commands = [
    ...(curl === '' || curl.length > 1500 ? [] : [curl]),
    ...(drifted ? [] : [`npx cts-conformance replay ${out}/cases/${id}.json`]),
  ];
  return [
    title,
    [
      `- ${drifted ? 'Declared' : 'Expected'}: ${code(expected, 500)}`,
      `- ${drifted ? 'Seen' : 'Got'}${place}: ${code(actual, 500)}`,
      ...(last ? [`- In: ${code(`${last.response.status} ${last.response.body}`)}`] : []),
      ...(drifted ? [] : [`- ${broken} of ${cases} cases; ${plain(sentAgain(reproduced))}`]),
    ].join('\n'),
    ...(commands.length === 0 ? [] : [fenced('sh', commands)]),
  ].join('\n\n');
}

/** Statements are of the catalogue, but those of waivers have an operator's words in them. */
const statementOf = (statement: string): string => plain(clipped(statement, 300));

const idOf = ({ id }: { readonly id: string }): string => code(id, 80);

const titled = ({ id, statement, reason }: ReportedRequirement): string =>
  `- ${code(id)} ${statementOf(statement)}${reason === undefined ? '' : ` ${code(reason, 200)}`}`;

const reasoned = ({ id, reason = '' }: ReportedRequirement): string => `- ${code(id)} ${code(reason)}`;

const answered = ({ id, answer, declared, drift }: ReportedQuestion): string =>
  `- ${code(id)} ${code(shown(answer), 200)}${drift ? `, declared ${code(shown(declared), 200)}` : ''}`;

function owned(finding: CustomFinding): string {
  const { id, statement, verdict, reason } = finding;
  const why = gotIn(finding) ?? reason;
  return `- ${code(id)} ${verdict}: ${statementOf(statement)}${why === undefined ? '' : ` ${code(why, 400)}`}`;
}

/** What has no verdict, by the reason why. */
function untested(requirements: readonly ReportedRequirement[]): string[] {
  const own = requirements.filter(({ verdict }) => verdict === 'untested' || verdict === 'inconclusive');
  const byReason = [...Map.groupBy(own, ({ reason }) => reason ?? 'unknown')];
  const reasons = byReason.map(([reason, ones]) => ({ reason, ids: ones.map(idOf).join(', ') }));
  return section(
    'Without a verdict',
    reasons,
    MOST.untested,
    ({ reason, ids }) => `- ${code(reason)}: ${ids}`,
    ({ ids }) => ids,
  );
}
