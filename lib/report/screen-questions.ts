import { printable } from '../target/printable.ts';
import { brief } from './brief.ts';
import type { ReportedQuestion } from '../schemas/report.ts';
import { wrapped } from './wrapped.ts';

/**
 * The questions that no profile answers, in lines of text: each answer, then how many have none.
 * @param width of the ids
 * @param isWhole whether each of those is named too
 */
export function questionLines(
  questions: readonly ReportedQuestion[],
  width: number,
  columns: number,
  isWhole: boolean,
): string[] {
  const line = (id: string, text: string): string[] =>
    wrapped(text, `        ${id.padEnd(width)}  `, ' '.repeat(width + 10), columns);
  const open = questions.filter(({ declared, asked }) => declared === undefined && asked !== 'operator');
  const answered = open.filter(({ answer }) => answer !== undefined);
  const reason = open.find(({ answer }) => answer === undefined)?.reason ?? '';
  return [
    ...answered.flatMap(({ id, answer }) => line(id, brief(answer!))),
    ...(isWhole
      ? open
          .filter(({ answer }) => answer === undefined)
          .flatMap((question) => line(question.id, `no answer: ${printable(question.reason ?? '')}`))
      : answered.length === open.length
        ? []
        : wrapped(
            `${open.length - answered.length} without an answer: ${printable(reason)}`,
            '        ',
            '        ',
            columns,
          )),
  ];
}
