import type { Diff } from './diff.ts';
import type { ReadReport } from './read.ts';
import { json } from './write.ts';

/** The difference for machines; in ASCII, so that no text in it does anything to a terminal. */
export const diffJson = (before: ReadReport, after: ReadReport, diff: Diff): string =>
  json({ schemaVersion: 1, old: runOf(before), new: runOf(after), ...diff }).replace(
    /[^\n\u0020-\u007E]/g,
    (unit) => String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

const runOf = ({ target, suite, verdict, run: { startedAt, seed } }: ReadReport): object => ({
  target,
  suite,
  verdict,
  startedAt,
  seed,
});
