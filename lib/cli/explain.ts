import { styleText } from 'node:util';
import { Command } from 'commander';
import { allFaults } from '../reference/faults/faults.ts';
import type { Question } from '../engine/question.ts';
import type { Requirement } from '../engine/requirement.ts';
import { wrapped } from '../report/text.ts';
import { levels } from '../report/vocabulary.ts';
import { COMMAND } from '../settings/package-root.ts';
import { catalogue, checkedMatcher, openPoints } from './from-suites.ts';
import { print } from './output.ts';
import { quantity } from '../target/output/printable.ts';

const description = `Explains a requirement or an open question.

Shows what is required and where the interface states it, why, how it is tested,
what a failure looks like, and which faults of the reference service prove that
the requirement can fail.`;

const examples = `
Examples:
  cts-conformance explain customer.name.echoed
  cts-conformance explain 'auth.tokens.*'

Exit codes:
  0  explained
  2  wrong usage, or an unknown id; similar ids are suggested`;

export const commandWith = (): Command =>
  new Command('explain')
    .description(description)
    .argument('<ids>', 'ids, separated by commas; * matches any text; cts-conformance list prints all')
    .addHelpText('after', examples)
    .action((ids: string) => {
      const isSelected = checkedMatcher(ids, 'explain');
      const { requirements, questions } = catalogue;
      const texts = [
        ...requirements.filter(({ id }) => isSelected(id)).map(requirementText),
        ...questions.filter(({ id }) => isSelected(id)).map(questionText),
      ];
      print(texts.join('\n\n'));
    });

type Paragraph = readonly [title: string, lines: readonly string[], commands?: readonly string[]];

/** What a requirement demands, why, how it is tested, and which faults prove that it can fail. */
function requirementText(requirement: Requirement): string {
  const { id, statement, section, level, source, needs = [] } = requirement;
  const { sentence = '', why = '', tested = '', failure = '' } = requirement;
  const origin =
    source === undefined ? `section ${section}` : `${source}; section ${section} of the interface`;
  return paragraphs(id, statement, [
    [
      'Level',
      [
        `${levels[level].title} (${origin}).${level === 'should' ? ' A failure is a warning; it fails the run only with --strict.' : ''}`,
        ...(needs.length === 0 ? [] : [`Tested if the profile answers ${needs.join(', ')}.`]),
      ],
    ],
    ['Read from', [`“${sentence}”`]],
    ['Why', [why]],
    ['How it is tested', [tested]],
    ['Example of a failure', [failure]],
    ['Proof that it can fail', ...faultLines(faultsFor(id))],
    ['Try it', [], [`run --only ${id}`]],
  ]);
}

const howAsked: Readonly<Record<Question['asked'], string>> = {
  observed: 'Every run answers it, from exchanges that it has anyway.',
  probed: 'It needs requests of its own: add --write-profile FILE or --profile FILE.',
  operator: 'Only the operator can answer it, in a profile.',
};

/** What an open question asks, how it is answered, and how a profile declares an answer. */
function questionText({ id, section, question, asked, answer }: Question): string {
  const faults = faultsFor(id);
  const points = openPoints.filter(([ofSection]) => ofSection === section).map(([, point]) => point);
  return paragraphs(id, question, [
    ['Level', ['An open question: recorded, and never a failure unless a profile declares an answer.']],
    [
      'Why',
      [
        points.length === 0
          ? `Section ${section} of the interface does not mention it.`
          : `Section ${section} of the interface does not show: ${points.join('; ')}.`,
      ],
    ],
    ['How it is answered', [howAsked[asked]]],
    ['Form of an answer', [`${answer}.`]],
    [
      'In a profile',
      [`"answers": { "${id}": … } makes it a requirement: a different answer is drift, and fails.`],
    ],
    ...(faults.length > 0 ? [['Proof that drift is detected', ...faultLines(faults)] as const] : []),
  ]);
}

/** The names of the faults that a requirement or a question must catch. */
const faultsFor = (id: string): string[] =>
  allFaults.filter(({ caughtBy }) => caughtBy.includes(id)).map(({ name }) => name);

const FAULTS_SHOWN = 5;

function faultLines(faults: readonly string[]): readonly [lines: string[], commands: string[]] {
  // Spread over all of them, because neighbours are similar.
  const shown = faults.filter((_, at) => at % Math.ceil(faults.length / FAULTS_SHOWN) === 0);
  const isSample = faults.length > shown.length;
  return [
    [
      `It must catch ${quantity(faults.length, 'fault')} of the reference service${isSample ? ', for example' : ''}:`,
    ],
    shown.map((name) => `serve --fault ${name}`),
  ];
}

const paragraphs = (id: string, statement: string, all: readonly Paragraph[]): string =>
  [
    styleText('bold', id),
    ...wrapped(statement, '  '),
    ...all.flatMap(([title, lines, commands = []]) => [
      '',
      styleText('bold', title),
      ...lines.flatMap((line) => wrapped(line, '  ')),
      ...commands.map((command) => `  ${COMMAND} ${command}`),
    ]),
    '',
  ].join('\n');
