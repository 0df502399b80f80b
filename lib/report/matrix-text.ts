import { styleText } from 'node:util';
import { clipped, printable } from '../target/printable.ts';
import { headlineOf, notesOn } from './matrix-render.ts';
import type { Matrix, RequirementRow } from './matrix.ts';
import { quantity, levelNames, levels, runVerdicts, verdicts } from './vocabulary.ts';

const GAP = '  ';

/** Services × requirements for a terminal: each service on a line, then each requirement that does not pass everywhere. */
export function matrixText(matrix: Matrix, stream: NodeJS.WriteStream): string {
  const names = matrix.services.map(({ name }) => line(name, 40));
  const width = Math.max(...names.map(({ length }) => length));
  const verdictWidth = Math.max(
    ...matrix.services.map(({ report }) => runVerdicts[report.verdict].words.length),
  );
  const services = matrix.services.map(({ report: { verdict, run }, passed, required, page }, at) => {
    const { words, style } = runVerdicts[verdict];
    return [
      `  ${names[at]!.padEnd(width)}`,
      styleText(style, words.padEnd(verdictWidth), { stream }),
      `${passed} of ${required}`,
      line(run.startedAt.slice(0, 10), 10),
      ...(page === undefined ? [] : [printable(page)]),
    ].join(GAP);
  });
  const differing = matrix.rows.filter((row) => !isClear(row));
  const idWidth = Math.max(0, ...differing.map(({ id }) => line(id, 60).length));
  const cells = (row: RequirementRow): string =>
    row.cells
      .map((cell, at) => {
        const word = cell?.verdict ?? '–';
        const padded = word.padEnd(Math.max(names[at]!.length, WORD));
        return cell === undefined ? padded : styleText(verdicts[cell.verdict].style, padded, { stream });
      })
      .join(GAP);
  const heads = names.map((name) => name.padEnd(WORD)).join(GAP);
  const ofLevel = (level: (typeof levelNames)[number]): string[] => {
    const rows = differing.filter((row) => row.level === level);
    if (rows.length === 0) return [];
    return [
      '',
      styleText('bold', levels[level].title, { stream }),
      `  ${' '.repeat(idWidth)}${GAP}${heads}`.trimEnd(),
      ...rows.map((row) => `  ${line(row.id, 60).padEnd(idWidth)}${GAP}${cells(row)}`.trimEnd()),
    ];
  };
  const clear = matrix.rows.length - differing.length;
  return [
    styleText('bold', headlineOf(matrix), { stream }),
    ...notesOn(matrix).map((text) => line(text, 300)),
    ...services,
    ...levelNames.flatMap(ofLevel),
    '',
    `${quantity(clear, 'requirement')} ${clear === 1 ? 'passes' : 'pass'} everywhere, or may go untested`,
    '',
  ].join('\n');
}

/** Characters of the longest verdict. */
const WORD = 'inconclusive'.length;

/** Whether a requirement passes everywhere, as far as it had to be tested. */
const isClear = ({ cells }: RequirementRow): boolean =>
  cells.every((cell) => cell?.verdict === 'pass' || (cell?.verdict === 'untested' && cell.optional === true));

/** Untrusted text on one line. */
const line = (text: string, most: number): string => clipped(printable(text), most);
