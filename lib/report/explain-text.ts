import { styleText } from 'node:util';
import { entryOf } from '../engine/catalogue.ts';
import type { Level, RequirementId } from '../engine/catalogue.ts';
import { askedIn, explanationOf } from '../engine/explanations.ts';
import { openPoints, questionOf } from '../engine/questions.ts';
import type { QuestionId } from '../engine/questions.ts';
import { wrapped } from './wrapped.ts';

/** A deliberate fault of the reference service that something must catch. */
export interface ProvingFault {
  readonly name: string;
  readonly breaks: string;
}

const FAULTS_SHOWN = 5;

const levels: Readonly<Record<Level, string>> = {
  must: 'Required: the interface states it',
  should: 'Advised by an RFC beneath the interface; it fails a run with --strict only',
  declared: 'Tested, and required, where a profile says how',
};

type Paragraph = readonly [title: string, lines: readonly string[]];

/** A requirement: what it says, why, how it is tested, how it is broken, and what proves that it can fail. */
export function requirementText(
  id: RequirementId,
  faults: readonly ProvingFault[],
  stream: NodeJS.WriteStream,
): string {
  const { statement, section, level, source, needs = [] } = entryOf(id);
  const { why, tested, failure } = explanationOf(id);
  const place =
    source === undefined ? `section ${section}` : `${source}; section ${section} of the interface`;
  return paragraphs(
    id,
    statement,
    [
      ['Level', [`${levels[level]} (${place}).`, ...needsOf(needs)]],
      ['Why', [why]],
      ['How it is tested', [tested]],
      ['What a failure looks like', [failure]],
      ['What proves that it can fail', faultLines(faults)],
      ['Try it', [`npx cts-conformance run --only ${id}`]],
    ],
    stream,
  );
}

/** A question: where it is left open, how it is asked, what an answer looks like. */
export function questionText(
  id: QuestionId,
  faults: readonly ProvingFault[],
  stream: NodeJS.WriteStream,
): string {
  const { question, section, asked, answer } = questionOf(id);
  const points = openPoints.filter(([at]) => at === section).map(([, point]) => point);
  const open =
    points.length === 0
      ? `The interface says nothing of it in section ${section}.`
      : `Section ${section} of the interface does not show: ${points.join('; ')}.`;
  return paragraphs(
    id,
    question,
    [
      ['Level', ['An open question: asked and recorded, never failed, unless a profile answers it.']],
      ['Why', [open]],
      ['How it is asked', [askedIn[asked]]],
      ['What an answer looks like', [`${answer}.`]],
      [
        'In a profile',
        [`"answers": { "${id}": … } makes it a requirement: another answer is drift, and fails.`],
      ],
      ...(faults.length > 0 ? [['What proves that drift is seen', faultLines(faults)] as const] : []),
    ],
    stream,
  );
}

const needsOf = (needs: readonly QuestionId[]): string[] =>
  needs.length === 0 ? [] : [`The profile must answer ${needs.join(', ')}.`];

function faultLines(faults: readonly ProvingFault[]): string[] {
  const count = faults.length === 1 ? 'One fault' : `${faults.length} faults`;
  // From all of them: those that stand together are alike.
  const shown = faults.filter((_, at) => at % Math.ceil(faults.length / FAULTS_SHOWN) === 0);
  return [
    `${count} of the reference service must be caught by it${faults.length > shown.length ? ', such as' : ':'}`,
    ...shown.map(({ name }) => `cts-conformance serve --fault ${name}`),
  ];
}

function paragraphs(
  id: string,
  statement: string,
  all: readonly Paragraph[],
  stream: NodeJS.WriteStream,
): string {
  return [
    styleText('bold', id, { stream }),
    ...wrapped(statement, '  '),
    ...all.flatMap(([title, lines]) => [
      '',
      styleText('bold', title, { stream }),
      ...lines.flatMap((line) => wrapped(line, '  ', line.startsWith('cts-conformance ') ? '    ' : '  ')),
    ]),
    '',
  ].join('\n');
}
