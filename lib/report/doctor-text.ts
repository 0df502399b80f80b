import { styleText } from 'node:util';
import type { Diagnosis } from '../engine/diagnosis.ts';
import { clipped, printable } from '../target/printable.ts';
import { wrapped } from './text.ts';
import { quantity } from './vocabulary.ts';
import type { Style } from './vocabulary.ts';
import { COMMAND } from '../settings/package-root.ts';

const marks: Readonly<Record<Diagnosis['state'], { readonly word: string; readonly style: Style }>> = {
  good: { word: 'ok', style: 'green' },
  doubt: { word: 'warn', style: 'yellow' },
  bad: { word: 'fail', style: ['bold', 'red'] },
};

/** The result of one check, and what to do about it. */
export function diagnosisText({ about, state, says, advice }: Diagnosis, stream: NodeJS.WriteStream): string {
  const { word, style } = marks[state];
  const lines = [
    ...wrapped(clipped(printable(says), 600), `  ${word.padEnd(4)}  ${about.padEnd(11)}  `),
    ...(advice === undefined ? [] : wrapped(advice, ' '.repeat(21))),
  ];
  return `${lines.join('\n').replace(word, () => styleText(style, word, { stream }))}\n`;
}

/** Whether a run is possible. */
export function readinessText(diagnoses: readonly Diagnosis[], stream: NodeJS.WriteStream): string {
  const bad = diagnoses.filter(({ state }) => state === 'bad');
  if (bad.length > 0) {
    const names = bad.map(({ about }) => about).join(', ');
    return `\n${styleText(['bold', 'red'], 'NOT READY', { stream })}  ${names}: see above\n`;
  }
  const warnings = diagnoses.filter(({ state }) => state === 'doubt').length;
  const more = warnings === 0 ? '' : `, ${quantity(warnings, 'warning')}`;
  return `\n${styleText(['bold', 'green'], 'READY', { stream })}${more}; start with: ${COMMAND} run\n`;
}
