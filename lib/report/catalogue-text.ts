import { styleText } from 'node:util';
import type { Level, ReportedQuestion, ReportedSentence } from '../schemas/report.ts';
import { sections, titleOfSection } from './sections.ts';
import { wrapped } from './text.ts';
import { quantity, levels } from './vocabulary.ts';
import { COMMAND } from '../settings/package-root.ts';

/** A requirement of the catalogue. */
export interface CatalogueRequirement {
  readonly id: string;
  readonly statement: string;
  readonly section: string;
  readonly level: Level;
  readonly source?: string;
  /** Ids of the questions that a profile must answer. */
  readonly needs?: readonly string[];
}

/** An open question of the catalogue. */
export interface CatalogueQuestion {
  readonly id: string;
  readonly question: string;
  readonly section: string;
}

const colours = { must: 'bold', should: 'yellow', declared: 'magenta', question: 'cyan' } as const;

/** The requirements and open questions, by section of the interface document. */
export function listText(
  {
    requirements,
    questions,
  }: {
    readonly requirements: readonly CatalogueRequirement[];
    readonly questions: readonly CatalogueQuestion[];
  },
  stream: NodeJS.WriteStream,
): string {
  const entry = (kind: keyof typeof colours, id: string, text: string): string[] => [
    `  ${styleText(colours[kind], kind.padEnd(8), { stream })}  ${id}`,
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
      return entries.length === 0
        ? []
        : [styleText('bold', `${number}  ${title}`, { stream }), ...entries, ''];
    }),
    `${quantity(requirements.length, 'requirement')}, ${quantity(questions.length, 'open question')}`,
    `For details: ${COMMAND} explain ID`,
    '',
  ].join('\n');
}

/** Each sentence of the interface, with the requirements that test it and the questions that ask about it. */
export const sentencesText = (all: readonly ReportedSentence[], stream: NodeJS.WriteStream): string =>
  [...Map.groupBy(all, ({ section }) => section)]
    .flatMap(([section, own]) => [
      styleText('bold', `${section}  ${titleOfSection(section)}`, { stream }),
      ...own.flatMap(({ text, tested, asked, because }) => [
        ...wrapped(text, '  '),
        ...(tested.length > 0 ? wrapped(tested.join(' '), '    tested by  ') : []),
        ...(asked.length > 0 ? wrapped(asked.join(' '), '    asked by   ') : []),
        ...(because === undefined ? [] : wrapped(because, '    neither    ')),
      ]),
      '',
    ])
    .join('\n');

type Paragraph = readonly [title: string, lines: readonly string[]];

/** What a requirement demands, why, how it is tested, and which faults prove that it can fail. */
export function requirementText(
  requirement: CatalogueRequirement & {
    readonly sentence?: string;
    readonly why?: string;
    readonly tested?: string;
    readonly failure?: string;
  },
  faults: readonly string[],
  stream: NodeJS.WriteStream,
): string {
  const { id, statement, section, level, source, needs = [] } = requirement;
  const { sentence = '', why = '', tested = '', failure = '' } = requirement;
  const place =
    source === undefined ? `section ${section}` : `${source}; section ${section} of the interface`;
  return paragraphs(
    id,
    statement,
    [
      [
        'Level',
        [
          `${levels[level].title} (${place}).${level === 'should' ? ' A failure is a warning; it fails the run only with --strict.' : ''}`,
          ...(needs.length === 0 ? [] : [`Tested if the profile answers ${needs.join(', ')}.`]),
        ],
      ],
      ['Read from', [`“${sentence}”`]],
      ['Why', [why]],
      ['How it is tested', [tested]],
      ['Example of a failure', [failure]],
      ['Proof that it can fail', faultLines(faults)],
      ['Try it', [`${COMMAND} run --only ${id}`]],
    ],
    stream,
  );
}

const howAsked: Readonly<Record<ReportedQuestion['asked'], string>> = {
  observed: 'Every run answers it, from exchanges that it has anyway.',
  probed: 'It needs requests of its own: add --write-profile FILE or --profile FILE.',
  operator: 'Only the operator can answer it, in a profile.',
};

/** What an open question asks, how it is answered, and how a profile declares an answer. */
export function questionText(
  question: CatalogueQuestion & {
    /** What the section does not show. */
    readonly openPoints: readonly string[];
    readonly asked: ReportedQuestion['asked'];
    /** What an answer looks like. */
    readonly answer: string;
  },
  faults: readonly string[],
  stream: NodeJS.WriteStream,
): string {
  const { id, section, openPoints, asked, answer } = question;
  return paragraphs(
    id,
    question.question,
    [
      ['Level', ['An open question: recorded, and never a failure unless a profile declares an answer.']],
      [
        'Why',
        [
          openPoints.length === 0
            ? `Section ${section} of the interface does not mention it.`
            : `Section ${section} of the interface does not show: ${openPoints.join('; ')}.`,
        ],
      ],
      ['How it is answered', [howAsked[asked]]],
      ['Form of an answer', [`${answer}.`]],
      [
        'In a profile',
        [`"answers": { "${id}": … } makes it a requirement: a different answer is drift, and fails.`],
      ],
      ...(faults.length > 0 ? [['Proof that drift is detected', faultLines(faults)] as const] : []),
    ],
    stream,
  );
}

const FAULTS_SHOWN = 5;

function faultLines(faults: readonly string[]): string[] {
  // Spread over all of them, because neighbours are similar.
  const shown = faults.filter((_, at) => at % Math.ceil(faults.length / FAULTS_SHOWN) === 0);
  const isSample = faults.length > shown.length;
  return [
    `It must catch ${quantity(faults.length, 'fault')} of the reference service${isSample ? ', for example' : ''}:`,
    ...shown.map((name) => `${COMMAND} serve --fault ${name}`),
  ];
}

const paragraphs = (
  id: string,
  statement: string,
  all: readonly Paragraph[],
  stream: NodeJS.WriteStream,
): string =>
  [
    styleText('bold', id, { stream }),
    ...wrapped(statement, '  '),
    ...all.flatMap(([title, lines]) => [
      '',
      styleText('bold', title, { stream }),
      ...lines.flatMap((line) => (line.startsWith(COMMAND) ? [`  ${line}`] : wrapped(line, '  '))),
    ]),
    '',
  ].join('\n');
