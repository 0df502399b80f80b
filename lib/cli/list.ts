import { styleText } from 'node:util';
import { Command, Option } from 'commander';
import type { Question } from '../engine/question.ts';
import type { Requirement } from '../engine/requirement.ts';
import { sections, titleOfSection } from '../report/order.ts';
import { wrapped } from '../report/text.ts';
import { printableJson, quantity } from '../target/output/printable.ts';
import { pick } from '../schemas/json.ts';
import type { ReportedSentence } from '../schemas/report.ts';
import { COMMAND } from '../settings/package-root.ts';
import { catalogue, checkedMatcher } from './from-suites.ts';
import { print } from './output.ts';

const description = `Lists all requirements and open questions, by section of the interface.

The level of a requirement is must (stated by the interface), should
(recommended by an RFC that it builds on) or declared (tested if a profile
states how). A question is a point that the interface does not specify.`;

const examples = `
Examples:
  cts-conformance list
  cts-conformance list 'auth.*'
  cts-conformance list --json
  cts-conformance list --by-sentence 'token.life.*'

Exit codes:
  0  listed
  2  wrong usage`;

export const commandWith = (): Command =>
  new Command('list')
    .description(description)
    .argument('[ids]', 'only these ids, separated by commas; * matches any text', '*')
    .addOption(
      new Option(
        '--by-sentence',
        'each sentence of the interface, with its requirements and questions',
      ).conflicts('json'),
    )
    .option('--json', 'for machines: ids, sections, levels and statements')
    .addHelpText('after', examples)
    .action((list: string, options: { readonly json?: true; readonly bySentence?: true }) => {
      const isSelected = checkedMatcher(list, 'IDS');
      if (options.bySentence) {
        const sentences = catalogue.sentences.filter(
          ({ tested, asked }) => list === '*' || [...tested, ...asked].some(isSelected),
        );
        print(sentencesText(sentences));
        return;
      }
      const requirements = catalogue.requirements.filter(({ id }) => isSelected(id));
      const questions = catalogue.questions.filter(({ id }) => isSelected(id));
      print(
        options.json
          ? printableJson({
              schemaVersion: 1,
              requirements: requirements.map((one) =>
                pick(one, ['id', 'level', 'section', 'source', 'needs', 'statement']),
              ),
              questions: questions.map((one) => pick(one, ['id', 'section', 'question', 'asked', 'answer'])),
            })
          : listText(requirements, questions),
      );
    });

const colours = { must: 'bold', should: 'yellow', declared: 'magenta', question: 'cyan' } as const;

/** The requirements and open questions, by section of the interface document. */
function listText(requirements: readonly Requirement[], questions: readonly Question[]): string {
  const entry = (kind: keyof typeof colours, id: string, text: string): string[] => [
    `  ${styleText(colours[kind], kind.padEnd(8))}  ${id}`,
    ...wrapped(text, ' '.repeat(12)),
  ];
  return [
    ...sections.flatMap(({ number, title }) => {
      const entries = [
        ...requirements
          .filter(({ section }) => section === number)
          .flatMap(({ id, level, statement, source }) =>
            entry(level, id, source === undefined ? statement : `${statement} (${source})`),
          ),
        ...questions
          .filter(({ section }) => section === number)
          .flatMap(({ id, question }) => entry('question', id, question)),
      ];
      return entries.length === 0 ? [] : [styleText('bold', `${number}  ${title}`), ...entries, ''];
    }),
    `${quantity(requirements.length, 'requirement')}, ${quantity(questions.length, 'open question')}`,
    `For details: ${COMMAND} explain ID`,
    '',
  ].join('\n');
}

/** Each sentence of the interface, with the requirements that test it and the questions that ask about it. */
const sentencesText = (all: readonly ReportedSentence[]): string =>
  [...Map.groupBy(all, ({ section }) => section)]
    .flatMap(([section, own]) => [
      styleText('bold', `${section}  ${titleOfSection(section)}`),
      ...own.flatMap(({ text, tested, asked, reason }) => [
        ...wrapped(text, '  '),
        ...(tested.length > 0 ? wrapped(tested.join(' '), '    tested by  ') : []),
        ...(asked.length > 0 ? wrapped(asked.join(' '), '    asked by   ') : []),
        ...(reason === undefined ? [] : wrapped(reason, '    neither    ')),
      ]),
      '',
    ])
    .join('\n');
