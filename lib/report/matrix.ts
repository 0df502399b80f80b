import { styleText } from 'node:util';
import { byId } from '../schemas/json.ts';
import type { Json } from '../schemas/json.ts';
import type { Level, Report, ReportedRequirement } from '../schemas/report.ts';
import { isRequired } from '../verdict/verdict.ts';
import { stateOf } from './diff.ts';
import { oneLine, printable, quantity } from '../target/output/printable.ts';
import { codeSpan, untrusted, table as markdownTable } from './formats/markdown.ts';
import { urlOf } from './page/document.ts';
import { aligned, answerLine, minuteOf } from './text.ts';
import { NOT_SPECIFIED, byLevel, runVerdicts, verdictNames, verdicts } from './vocabulary.ts';

/** One of several services. */
export interface ComparedService {
  /** A name that no other service has. */
  readonly name: string;
  readonly report: Report;
  /** Where its page is, as a path relative to the matrix; undefined: nowhere. */
  readonly page: string | undefined;
  /** How many required and declared requirements pass, and how many there are. */
  readonly passed: number;
  readonly required: number;
}

/** A requirement with its result for each service; undefined if a report does not contain it. */
export interface RequirementRow {
  readonly id: string;
  readonly section: string;
  readonly level: Level;
  readonly statement: string;
  readonly cells: readonly (ReportedRequirement | undefined)[];
}

/** An open question with the answer of each service. */
export interface QuestionRow {
  readonly id: string;
  readonly question: string;
  readonly cells: readonly (Json | undefined)[];
}

/** Several services side by side. */
export interface Matrix {
  readonly services: readonly ComparedService[];
  readonly rows: readonly RequirementRow[];
  /** Questions with at least one answer. */
  readonly questions: readonly QuestionRow[];
  /** Whether the reports are runs against one target, the oldest first. */
  readonly isHistory: boolean;
}

/**
 * Compares reports: those of one target by their time, others in the given order. Requirements are in the order of the
 * first report that contains them.
 * @param pages where the page of each report is
 */
export function matrixOf(given: readonly Report[], pages: readonly (string | undefined)[] = []): Matrix {
  const targets = new Set(
    given.map(({ target }) => `${target.embedded ? '' : target.baseUrl} ${target.name}`),
  );
  const isHistory = given.length > 1 && targets.size === 1;
  const pageOf = new Map(given.map((report, at) => [report, pages[at]]));
  const timeOf = ({ run }: Report): number => Date.parse(run.startedAt);
  const reports = isHistory ? given.toSorted((one, other) => timeOf(one) - timeOf(other)) : given;
  const names = reports.map(({ target, run }) =>
    isHistory ? minuteOf(run.startedAt) : (target.name ?? target.baseUrl.replace(/^https?:\/\//, '')),
  );
  const isUnique = (name: string): boolean => names.indexOf(name) === names.lastIndexOf(name);
  const requirements = reports.map((report) => byId(report.requirements));
  const questions = reports.map((report) => byId(report.questions));
  return {
    isHistory,
    services: reports.map((report, at) => {
      const required = report.requirements.filter(isRequired);
      const name = names[at]!;
      const occurrence = names.slice(0, at + 1).filter((other) => other === name).length;
      return {
        name: isUnique(name) ? name : `${name} (${occurrence})`,
        report,
        passed: required.filter(({ verdict }) => verdict === 'pass').length,
        required: required.length,
        page: pageOf.get(report),
      };
    }),
    rows: idsOf(requirements).map((id) => {
      const cells = requirements.map((all) => all.get(id));
      const { section, level, statement } = cells.find((one) => one !== undefined)!;
      return { id, section, level, statement, cells };
    }),
    questions: idsOf(questions)
      .map((id) => {
        const asked = questions.map((all) => all.get(id));
        const { question } = asked.find((one) => one !== undefined)!;
        return { id, question, cells: asked.map((one) => one?.answer) };
      })
      .filter(({ cells }) => cells.some((answer) => answer !== undefined)),
  };
}

const idsOf = (maps: readonly ReadonlyMap<string, unknown>[]): string[] => [
  ...new Set(maps.flatMap((map) => [...map.keys()])),
];

/** How the result of a requirement changed over the runs of one target; undefined if it did not. */
export function trendOf({ cells }: Pick<RequirementRow, 'cells'>): 'new' | 'fixed' | 'flaky' | undefined {
  const states = cells.map(stateOf).filter((state) => state === 'passing' || state === 'failing');
  const changes = states.filter((state, at) => at > 0 && state !== states[at - 1]).length;
  if (changes > 1) return 'flaky';
  return changes === 0 ? undefined : states.at(-1) === 'passing' ? 'fixed' : 'new';
}

export function matrixHeadline({ services, isHistory }: Matrix): string {
  if (isHistory) return `${services.length} runs of one target`;
  const conforming = services.filter(({ report }) => report.verdict === 'conforms').length;
  return `${conforming} of ${quantity(services.length, 'service conforms', 'services conform')}`;
}

/** What to know before comparing the services. */
export function matrixNotes({ services }: Matrix): string[] {
  const versions = new Set(services.map(({ report }) => report.suite.version));
  const named = (isOne: (run: Report['run']) => boolean): string =>
    services
      .filter(({ report }) => isOne(report.run))
      .map(({ name }) => name)
      .join(', ');
  const early = named(({ stopped }) => stopped !== undefined);
  const shards = named(({ shard }) => shard !== undefined);
  return [
    ...(versions.size > 1 ? ['The reports are of several versions of the suite: the rules may differ.'] : []),
    ...(early === '' ? [] : [`Runs that ended early: ${early}.`]),
    ...(shards === '' ? [] : [`Runs that had a part of the cases (--shard): ${shards}.`]),
  ];
}

export function matrixMarkdown(matrix: Matrix): string {
  const { services, rows, questions, isHistory } = matrix;
  const names = services.map(({ name }) => untrusted(name));
  const section = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [`## ${title}`, '', ...lines, ''];
  return [
    `# ${matrixHeadline(matrix)}`,
    '',
    ...matrixNotes(matrix).flatMap((text) => [untrusted(text), '']),
    ...markdownTable(
      [isHistory ? 'Run' : 'Service', 'Verdict', 'Required', 'Checked', 'Suite', 'Seed'],
      services.map(({ name, page, report: { verdict, run, suite }, passed, required }) => [
        page === undefined ? untrusted(name) : `[${untrusted(name)}](<${urlOf(page)}>)`,
        runVerdicts[verdict].words,
        `${passed} of ${required}`,
        untrusted(run.startedAt.slice(0, 10)),
        untrusted(suite.version),
        String(run.seed),
      ]),
    ),
    '',
    ...byLevel(rows).flatMap(([{ title }, own]) =>
      section(
        title,
        markdownTable(
          ['Requirement', ...names, ...(isHistory ? ['Trend'] : [])],
          own.map((row) => [
            codeSpan(row.id),
            ...row.cells.map((one) => (one?.verdict === 'fail' ? '**fail**' : (one?.verdict ?? '–'))),
            ...(isHistory ? [trendOf(row) ?? ''] : []),
          ]),
        ),
      ),
    ),
    ...verdictNames.map((name) => `- ${name}: ${verdicts[name].meaning}`),
    '- –: not in the report',
    '',
    ...section(
      NOT_SPECIFIED,
      markdownTable(
        ['Question', ...names],
        questions.map(({ id, cells }) => [
          codeSpan(id),
          ...cells.map((answer) => (answer === undefined ? '–' : untrusted(answerLine(answer)))),
        ]),
      ),
    ),
  ].join('\n');
}

/** Services × requirements for a terminal: each service on a line, then each requirement that does not pass everywhere. */
export function matrixText(matrix: Matrix): string {
  const { services, rows, isHistory } = matrix;
  const differing = rows.filter((row) => !isClear(row));
  const [heads, ...lines] = aligned([
    ['', ...services.map(({ name }) => oneLine(name, 40)), ...(isHistory ? ['trend'] : [])],
    ...differing.map((row) => [
      oneLine(row.id, 60),
      ...row.cells.map((cell) =>
        cell === undefined ? '–' : styleText(verdicts[cell.verdict].style, cell.verdict),
      ),
      ...(isHistory ? [trendOf(row) ?? ''] : []),
    ]),
  ]);
  const clear = rows.length - differing.length;
  return [
    styleText('bold', matrixHeadline(matrix)),
    ...matrixNotes(matrix).map((text) => oneLine(text)),
    ...aligned(
      services.map(({ name, report: { verdict, run }, passed, required, page = '' }) => [
        oneLine(name, 40),
        styleText(runVerdicts[verdict].style, runVerdicts[verdict].words),
        `${passed} of ${required}`,
        oneLine(run.startedAt.slice(0, 10)),
        printable(page),
      ]),
    ),
    ...byLevel(differing.map(({ level }, at) => ({ level, line: lines[at]! }))).flatMap(
      ([{ title }, own]) => ['', styleText('bold', title), heads!, ...own.map(({ line }) => line)],
    ),
    '',
    `${quantity(clear, 'requirement passes', 'requirements pass')} everywhere, or may go untested`,
    '',
  ].join('\n');
}

/** Whether a requirement passes everywhere, as far as it had to be tested. */
const isClear = ({ cells }: RequirementRow): boolean =>
  cells.every((cell) => cell?.verdict === 'pass' || (cell?.verdict === 'untested' && cell.optional === true));
