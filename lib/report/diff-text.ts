import { styleText } from 'node:util';
import { clipped, printable } from '../target/printable.ts';
import { changes } from './diff.ts';
import type { Change, Changed, Diff } from './diff.ts';
import {
  detailsOf,
  driftOf,
  fromTo,
  headlineOf,
  notesOn,
  slownessOf,
  titles,
  unanswered,
} from './diff-words.ts';
import type { ReadReport } from './read.ts';
import { wrapped } from './wrapped.ts';

type Style = Parameters<typeof styleText>[0];

const styles: Readonly<Record<Change, Style>> = {
  broken: ['bold', 'red'],
  unadvised: 'yellow',
  fixed: 'green',
  newlyUntested: 'yellow',
  newlyTested: 'green',
  newlyWaived: 'magenta',
  vanished: 'yellow',
  added: 'bold',
};

/** The difference as text for a terminal or a pipe; what it comes to is last. */
export function diffText(
  before: ReadReport,
  after: ReadReport,
  diff: Diff,
  stream: NodeJS.WriteStream,
): string {
  const paint = (style: Style, text: string): string => styleText(style, text, { stream });
  const block = (style: Style, title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : ['', paint(style, title), ...lines];
  const { word, text } = headlineOf(diff);
  const style: Style = diff.isWorse ? ['bold', 'red'] : ['bold', 'green'];
  return [
    runLine('old', before),
    runLine('new', after),
    ...notesOn(before, after).flatMap((note) => wrapped(note, '  ')),
    ...changes.flatMap((change) =>
      block(
        styles[change],
        titles[change],
        diff[change].flatMap((one) => entry(change, one)),
      ),
    ),
    ...block(
      'yellow',
      'Answered otherwise',
      diff.drifted.flatMap((drifted) => {
        const [was, now] = driftOf(drifted);
        return [
          `  ${shortly(drifted.id)}`,
          ...wrapped(was, '    was       '),
          ...wrapped(now, '    now       '),
        ];
      }),
    ),
    ...block(
      'yellow',
      'Slower',
      diff.slower.flatMap((slower) => [
        `  ${shortly(slower.operation)}`,
        ...wrapped(slownessOf(slower), '    '),
      ]),
    ),
    ...block(
      'bold',
      'Questions',
      unanswered(diff).flatMap((line) => wrapped(line, '  ')),
    ),
    '',
    wrapped(text, `${word}  `)
      .join('\n')
      .replace(word, () => paint(style, word)),
    '',
  ].join('\n');
}

const shortly = (text: string): string => clipped(printable(text), 76);

function runLine(which: string, { target, run, verdict, suite }: ReadReport): string {
  const at = run.startedAt.slice(0, 16).replace('T', ' ');
  const name = target.name === undefined ? '' : `, ${clipped(printable(target.name), 60)}`;
  return [
    `${which}  ${verdict.replaceAll('-', ' ')}; ${at}, seed ${run.seed}, suite ${clipped(printable(suite.version), 20)}`,
    `     ${clipped(printable(target.baseUrl), 200)}${name}`,
  ].join('\n');
}

function entry(change: Change, changed: Changed): string[] {
  const { statement, section } = (changed.new ?? changed.old)!;
  const title = `${printable(changed.id)} (section ${printable(section)}): ${printable(statement)}`;
  const isTold = change !== 'fixed' && change !== 'newlyTested';
  return [
    ...wrapped(clipped(title, 300), '  ', '    '),
    ...wrapped(fromTo(changed), '    '),
    ...(isTold ? detailsOf(changed) : []).flatMap(([name, text]) =>
      wrapped(clipped(printable(text)), `    ${name.padEnd(8)}  `),
    ),
  ];
}
