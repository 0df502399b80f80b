import { styleText } from 'node:util';
import { failureText } from '../requirements/failure-text.ts';
import { clipped, printable } from '../requirements/printable.ts';
import type { Report } from './model.ts';

/** What suites of somebody's own have found, apart from the interface: each requirement, then what is broken. */
export function ownLines({ own }: Report, out: string, stream: NodeJS.WriteStream): string[] {
  if (own === undefined) return [];
  const width = Math.max(0, ...own.map(({ id }) => id.length));
  return [
    '',
    styleText('bold', 'Of your own suites, no part of the verdict', { stream }),
    ...own.map(({ id, verdict, cases, broken, reason }) => {
      const counted = broken > 0 ? `${broken} of ${cases} cases broken` : `${cases} cases`;
      return `  ${verdict.padEnd(12)}  ${id.padEnd(width)}  ${reason === undefined ? counted : clipped(printable(reason), 120)}`;
    }),
    ...own
      .filter(({ verdict }) => verdict === 'fail')
      .flatMap((finding) => {
        const text = failureText({ section: '', ...finding }, out);
        // A replay knows the suites of the interface alone.
        return ['', ...text.split('\n').filter((line) => !line.startsWith('  replay '))];
      }),
  ];
}

/** How many there are of each verdict. */
export function ownCounts({ own = [] }: Report): string[] {
  const counts = [...Map.groupBy(own, ({ verdict }) => verdict)];
  return counts.length === 0
    ? []
    : [`  own       ${counts.map(([verdict, all]) => `${all.length} ${verdict}`).join(', ')}`];
}
