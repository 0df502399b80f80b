import { printable } from '../requirements/printable.ts';
import { questionOf } from '../requirements/questions.ts';
import { brief } from './brief.ts';
import type { ReportedQuestion } from './model.ts';

/** The questions that no profile answers, in lines of text: each answer, then how many have none. */
export function questionLines(questions: readonly ReportedQuestion[], width: number): string[] {
  const open = questions.filter(
    ({ id, declared }) => declared === undefined && questionOf(id).asked !== 'operator',
  );
  const answered = open.filter(({ answer }) => answer !== undefined);
  const reason = open.find(({ answer }) => answer === undefined)?.reason ?? '';
  return [
    ...answered.map(({ id, answer }) => `        ${id.padEnd(width)}  ${brief(answer!)}`),
    ...(answered.length === open.length
      ? []
      : [`        ${open.length - answered.length} without an answer: ${printable(reason)}`]),
  ];
}
