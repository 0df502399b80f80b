import { styleText } from 'node:util';
import { clipped, printable } from '../target/output/printable.ts';
import { code, inert, table as markdownTable } from './formats/markdown.ts';
import type { Matrix, RequirementRow } from './matrix.ts';
import { urlOf } from './page/document.ts';
import { aligned, brief } from './text.ts';
import { OPEN, levelNames, levels, quantity, runVerdicts, verdictNames, verdicts } from './vocabulary.ts';

export function headlineOf({ services }: Matrix): string {
  const conforming = services.filter(({ report }) => report.verdict === 'conforms').length;
  return `${conforming} of ${services.length} ${services.length === 1 ? 'service conforms' : 'services conform'}`;
}

/** What to know before comparing the services. */
export function notesOn({ services }: Matrix): string[] {
  const versions = new Set(services.map(({ report }) => report.suite.version));
  const early = services.filter(({ report }) => report.run.stopped !== undefined).map(({ name }) => name);
  return [
    ...(versions.size > 1 ? ['The reports are of several versions of the suite: the rules may differ.'] : []),
    ...(early.length > 0 ? [`Runs that ended early: ${early.join(', ')}.`] : []),
  ];
}

/** Services × requirements as Markdown. */
export function matrixMarkdown(matrix: Matrix): string {
  const { services, rows, questions } = matrix;
  const names = services.map(({ name }) => inert(name));
  const section = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [`## ${title}`, '', ...lines, ''];
  return [
    `# ${headlineOf(matrix)}`,
    '',
    ...notesOn(matrix).flatMap((text) => [inert(text), '']),
    ...markdownTable(
      ['Service', 'Verdict', 'Required', 'Checked', 'Suite', 'Seed'],
      services.map(({ name, page, report: { verdict, run, suite }, passed, required }) => [
        page === undefined ? inert(name) : `[${inert(name)}](<${urlOf(page)}>)`,
        runVerdicts[verdict].words,
        `${passed} of ${required}`,
        run.startedAt.slice(0, 10),
        inert(suite.version),
        String(run.seed),
      ]),
    ),
    '',
    ...levelNames.flatMap((level) =>
      section(
        levels[level].title,
        markdownTable(
          ['Requirement', ...names],
          rows
            .filter((one) => one.level === level)
            .map(({ id, cells }) => [
              code(id),
              ...cells.map((one) => (one?.verdict === 'fail' ? '**fail**' : (one?.verdict ?? '–'))),
            ]),
        ),
      ),
    ),
    ...verdictNames.map((name) => `- ${name}: ${verdicts[name].meaning}`),
    '- –: not in the report',
    '',
    ...section(
      OPEN,
      markdownTable(
        ['Question', ...names],
        questions.map(({ id, cells }) => [
          code(id),
          ...cells.map((answer) => (answer === undefined ? '–' : inert(brief(answer)))),
        ]),
      ),
    ),
  ].join('\n');
}

/** Services × requirements for a terminal: each service on a line, then each requirement that does not pass everywhere. */
export function matrixText(matrix: Matrix): string {
  const { services, rows } = matrix;
  const differing = rows.filter((row) => !isClear(row));
  const [heads, ...lines] = aligned([
    ['', ...services.map(({ name }) => line(name, 40))],
    ...differing.map(({ id, cells }) => [
      line(id, 60),
      ...cells.map((cell) =>
        cell === undefined ? '–' : styleText(verdicts[cell.verdict].style, cell.verdict),
      ),
    ]),
  ]);
  const clear = rows.length - differing.length;
  return [
    styleText('bold', headlineOf(matrix)),
    ...notesOn(matrix).map((text) => line(text)),
    ...aligned(
      services.map(({ name, report: { verdict, run }, passed, required, page = '' }) => [
        line(name, 40),
        styleText(runVerdicts[verdict].style, runVerdicts[verdict].words),
        `${passed} of ${required}`,
        line(run.startedAt.slice(0, 10)),
        printable(page),
      ]),
    ),
    ...levelNames.flatMap((level) => {
      const own = lines.filter((_, at) => differing[at]!.level === level);
      return own.length === 0 ? [] : ['', styleText('bold', levels[level].title), heads!, ...own];
    }),
    '',
    `${quantity(clear, 'requirement')} ${clear === 1 ? 'passes' : 'pass'} everywhere, or may go untested`,
    '',
  ].join('\n');
}

/** Whether a requirement passes everywhere, as far as it had to be tested. */
const isClear = ({ cells }: RequirementRow): boolean =>
  cells.every((cell) => cell?.verdict === 'pass' || (cell?.verdict === 'untested' && cell.optional === true));

/** Untrusted text on one line. */
export const line = (text: string, most = 300): string => clipped(printable(text), most);
