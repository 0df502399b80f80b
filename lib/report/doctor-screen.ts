import { styleText } from 'node:util';
import type { Diagnosis } from '../engine/diagnosis.ts';
import { clipped, printable } from '../target/printable.ts';
import { wrapped } from './wrapped.ts';

type Style = Parameters<typeof styleText>[0];

const marks: Readonly<Record<Diagnosis['state'], { word: string; style: Style }>> = {
  good: { word: 'ok  ', style: 'green' },
  doubt: { word: 'look', style: 'yellow' },
  bad: { word: 'FAIL', style: ['bold', 'red'] },
};

/** One thing that was looked at, and what to do about it. */
export function diagnosisText({ about, state, says, advice }: Diagnosis, stream: NodeJS.WriteStream): string {
  const { word, style } = marks[state];
  const lines = [
    ...wrapped(clipped(printable(says), 600), `  ${word}  ${about.padEnd(11)}  `),
    ...(advice === undefined ? [] : wrapped(advice, ' '.repeat(21))),
  ];
  return `${lines.join('\n').replace(word, () => styleText(style, word, { stream }))}\n`;
}

/** What all of it comes to. */
export function readinessText(diagnoses: readonly Diagnosis[], stream: NodeJS.WriteStream): string {
  const bad = diagnoses.filter(({ state }) => state === 'bad');
  const doubts = diagnoses.filter(({ state }) => state === 'doubt').length;
  if (bad.length > 0) {
    const names = bad.map(({ about }) => about).join(', ');
    return `\n${styleText(['bold', 'red'], 'NOT READY', { stream })}  ${names}: see above\n`;
  }
  const rest = doubts === 0 ? '' : `; ${doubts} ${doubts === 1 ? 'line asks' : 'lines ask'} for a look`;
  return `\n${styleText(['bold', 'green'], 'READY', { stream })}  npx cts-conformance run${rest}\n`;
}
