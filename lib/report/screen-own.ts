import { styleText } from 'node:util';
import { clipped, printable } from '../target/printable.ts';
import { exitCodeOf, exitCodes } from '../verdict/verdict.ts';
import type { Report } from '../schemas/report.ts';
import { named, ownFailureText } from './own-text.ts';

/** What suites of somebody's own have found, apart from the interface: each requirement, then what is broken. */
export function ownLines({ custom: own }: Report, out: string, stream: NodeJS.WriteStream): string[] {
  if (own === undefined) return [];
  const width = Math.max(0, ...own.map((finding) => named(finding).id.length));
  return [
    '',
    styleText('bold', 'Of your own suites, no part of the verdict', { stream }),
    ...own.map((finding) => {
      const { verdict, cases, broken, reason } = finding;
      const { id } = named(finding);
      const counted = broken > 0 ? `${broken} of ${cases} cases broken` : `${cases} cases`;
      return `  ${verdict.padEnd(12)}  ${id.padEnd(width)}  ${reason === undefined ? counted : clipped(printable(reason), 120)}`;
    }),
    ...own
      .filter(({ verdict }) => verdict === 'fail')
      .flatMap((finding) => ['', ownFailureText(finding, out)]),
  ];
}

/** How many there are of each verdict, and what that means where they count. */
export function customCounts(report: Report): string[] {
  const { custom: own = [], verdict } = report;
  const counts = [...Map.groupBy(own, (one) => one.verdict)];
  if (counts.length === 0) return [];
  const code = exitCodeOf(report);
  const counted = code === exitCodes[verdict] ? '' : `; they count, so the exit code is ${code}`;
  return [`  own       ${counts.map(([word, all]) => `${all.length} ${word}`).join(', ')}${counted}`];
}
