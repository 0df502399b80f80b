import type { Measured } from './measure.ts';

const NAME = 42;
const WIDTHS = [4, 7, 7, 8] as const;

const row = (name: string, cells: readonly string[], rest: string): string =>
  [name.padEnd(NAME), ...cells.map((cell, at) => cell.padStart(WIDTHS[at]!)), rest].join('  ');

/** The names of the columns. */
export const header = row('target', ['exit', 'time', 'memory', 'requests'], 'what it told, or what is wrong');

/** One target, and what became of a run against it. */
export const line = ({
  name,
  exitCode,
  seconds,
  memory,
  requests,
  firstLine,
  complaints,
}: Measured): string =>
  row(
    name,
    [String(exitCode), `${seconds.toFixed(1)} s`, `${memory.toFixed(0)} MB`, String(requests)],
    complaints.length > 0 ? `WRONG: ${complaints.join('; ')}` : firstLine.slice(0, 110),
  );
