import { brief } from './brief.ts';
import { cell, code, inert } from './markdown-text.ts';
import { caveats, legend, levelTitles, sentenceOf, wordIn } from './matrix.ts';
import type { Matrix } from './matrix.ts';

const row = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;

const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string[] =>
  rows.length === 0 ? [] : [row(heads), `|${' --- |'.repeat(heads.length)}`, ...rows.map(row), ''];

/** Vendors × requirements as Markdown. */
export function matrixMarkdown(matrix: Matrix): string {
  const { vendors, rows, questions } = matrix;
  const names = vendors.map(({ name }) => inert(name));
  const section = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [`## ${title}`, '', ...lines];
  return [
    `# ${sentenceOf(matrix)}`,
    '',
    ...caveats(matrix).flatMap((text) => [inert(text), '']),
    ...table(
      ['Service', 'Verdict', 'Required', 'Checked', 'Suite', 'Seed'],
      vendors.map(({ name, report: { verdict, run, suite }, held, required }) => [
        inert(name),
        verdict.replaceAll('-', ' '),
        `${held} of ${required}`,
        run.startedAt.slice(0, 10),
        inert(suite.version),
        String(run.seed),
      ]),
    ),
    ...levelTitles.flatMap(([level, title]) =>
      section(
        title,
        table(
          ['Requirement', ...names],
          rows
            .filter((one) => one.level === level)
            .map(({ id, cells }) => [
              code(id),
              ...cells.map((one) => (one?.verdict === 'fail' ? `**${wordIn(one)}**` : wordIn(one))),
            ]),
        ),
      ),
    ),
    legend,
    '',
    ...section(
      'Open questions',
      table(
        ['Question', ...names],
        questions.map(({ id, cells }) => [
          code(id),
          ...cells.map((answer) => (answer === undefined ? '–' : inert(brief(answer)))),
        ]),
      ),
    ),
  ].join('\n');
}
