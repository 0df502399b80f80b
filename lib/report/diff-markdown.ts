import { changes } from './diff.ts';
import type { Diff } from './diff.ts';
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
import { code, inert } from './markdown-text.ts';
import type { ReadReport } from './read.ts';

/** The difference as Markdown, for a pull request or a job's summary; what it comes to is first. */
export function diffMarkdown(before: ReadReport, after: ReadReport, diff: Diff): string {
  const section = (title: string, items: readonly string[]): string[] =>
    items.length === 0 ? [] : [`## ${title}`, '', ...items, ''];
  const { word, text } = headlineOf(diff);
  return [
    `# ${word}: ${text}`,
    '',
    runLine('Old', before),
    runLine('New', after),
    '',
    ...notesOn(before, after).flatMap((note) => [inert(note), '']),
    ...changes.flatMap((change) =>
      section(
        titles[change],
        diff[change].flatMap((changed) => {
          const { statement, section: place } = (changed.new ?? changed.old)!;
          return [
            `- ${code(changed.id)} (section ${inert(place)}): ${inert(statement)}`,
            `  - ${fromTo(changed)}`,
            ...detailsOf(changed).map(([name, detail]) => `  - ${name} ${inert(detail)}`),
          ];
        }),
      ),
    ),
    ...section(
      'Answered otherwise',
      diff.drifted.map((drifted) => {
        const [was, now] = driftOf(drifted);
        return `- ${code(drifted.id)}: was ${inert(was)}, now ${inert(now)}`;
      }),
    ),
    ...section(
      'Slower',
      diff.slower.map((slower) => `- ${code(slower.operation)}: ${slownessOf(slower)}`),
    ),
    ...section(
      'Questions',
      unanswered(diff).map((line) => `- ${inert(line)}`),
    ),
  ].join('\n');
}

const runLine = (which: string, { target, run, verdict, suite }: ReadReport): string =>
  `- ${which}: ${verdict.replaceAll('-', ' ')}; ${code(target.baseUrl)}` +
  `${target.name === undefined ? '' : ` (${inert(target.name)})`}, ` +
  `${run.startedAt.slice(0, 16).replace('T', ' ')}, seed ${run.seed}, suite ${inert(suite.version)}`;
