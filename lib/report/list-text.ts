import { styleText } from 'node:util';
import { entryOf } from '../engine/catalogue.ts';
import { questionOf } from '../engine/questions.ts';
import type { Section } from '../engine/sections.ts';
import { wrapped } from './wrapped.ts';

const colours = { must: 'bold', should: 'yellow', declared: 'magenta', question: 'cyan' } as const;

/** What the suite checks and asks, by section. @param outline sections with something in them */
export function listText(outline: readonly Section[], stream: NodeJS.WriteStream): string {
  const paint = (level: keyof typeof colours): string =>
    styleText(colours[level], level.padEnd(8), { stream });
  const sections = outline.map(({ number, title, requirements, questions }) =>
    [
      styleText('bold', `${number}  ${title}`, { stream }),
      ...requirements.flatMap((id) => {
        const { level, statement, source } = entryOf(id);
        const text = source === undefined ? statement : `${statement} (${source})`;
        return [`  ${paint(level)}  ${id}`, ...wrapped(text, ' '.repeat(12))];
      }),
      ...questions.flatMap((id) => [
        `  ${paint('question')}  ${id}`,
        ...wrapped(questionOf(id).question, ' '.repeat(12)),
      ]),
      '',
    ].join('\n'),
  );
  const count = (key: 'requirements' | 'questions'): number =>
    outline.reduce((sum, section) => sum + section[key].length, 0);
  return [
    ...sections,
    `${count('requirements')} requirements, ${count('questions')} open questions; npx cts-conformance explain ID says more`,
    '',
  ].join('\n');
}
