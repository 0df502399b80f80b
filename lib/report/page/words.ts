import type { Verdict } from '../../verdict/verdict.ts';
import type { ReportedRequirement } from '../../schemas/report.ts';

/** How a verdict is told: never by its colour alone. */
export interface Mark {
  readonly symbol: string;
  readonly word: string;
}

/** The verdicts on a statement, the gravest first. */
export const marks: Readonly<Record<ReportedRequirement['verdict'], Mark>> = {
  fail: { symbol: '✕', word: 'fails' },
  inconclusive: { symbol: '?', word: 'no verdict' },
  warn: { symbol: '!', word: 'warns' },
  waived: { symbol: '~', word: 'waived' },
  untested: { symbol: '–', word: 'untested' },
  pass: { symbol: '✓', word: 'holds' },
};

export const verdictNames = Object.keys(marks) as ReportedRequirement['verdict'][];

export const headlines: Readonly<Record<Verdict, Mark>> = {
  conforms: { symbol: '✓', word: 'Conforms' },
  'does-not-conform': { symbol: '✕', word: 'Does not conform' },
  inconclusive: { symbol: '?', word: 'Inconclusive' },
};

export const levels: Readonly<Record<ReportedRequirement['level'], string>> = {
  must: 'Required',
  should: 'Advised',
  declared: 'Declared',
};

/** A number with its noun. */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : plural}`;

/** Milliseconds as a person says them. */
export const time = (milliseconds: number): string =>
  milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${plain(milliseconds / 1000, 3)} s`;

/** A number with so many digits at most, and no more than it needs. */
export const plain = (value: number, digits: number): string =>
  String(Number(value.toPrecision(Math.max(digits, Math.ceil(Math.log10(Math.abs(value) + 1))))));
