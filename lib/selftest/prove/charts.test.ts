import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { foundChart, phaseChart } from './charts.ts';
import type { FaultRun } from './charts.ts';
import { picture } from './picture.ts';
import type { Proof } from './picture.ts';

const shown = (foundAfter: number, phase: string): FaultRun => ({
  result: 'caught',
  requests: 100,
  foundAfter,
  phase,
});
const runs: readonly FaultRun[] = [
  shown(10, 'wide input'),
  shown(1, 'first contact'),
  // A missed fault may break a recommendation all the same.
  { ...shown(2, 'first contact'), result: 'missed' },
  { result: 'caught', requests: 400 },
  shown(5, 'wide input'),
  shown(10, 'wide input'),
  { result: 'missed', requests: 100 },
  { ...shown(3, 'plain requests'), result: 'caught-by-other' },
];
const series = { depth: 'default', runs };

describe('the chart of the share that was found', () => {
  const { words, marks } = foundChart([series]);

  it('rises by a step for each fault that a response shows, and ends with the longest run', () => {
    const [, path] = /d="(M52 208[^"]*V[^"]+)"/.exec(marks.toString())!;
    const [end, ...steps] = path!.match(/H[\d.]+(?:V[\d.]+)?/g)!.toReversed();
    expect(steps).toHaveLength(5);
    // Five of eight, of 200 pixels.
    expect(steps[0]).toMatch(/V83\.0$/);
    const right = (responses: number): string =>
      (52 + (Math.log(responses) / Math.log(400)) * 736).toFixed(1);
    expect(steps.map((step) => step.replace(/V.*/, '')).toReversed()).toEqual(
      [1, 3, 5, 10, 10].map((responses) => `H${right(responses)}`),
    );
    expect(end).toBe(`H${right(400)}`);
  });

  it('says how many were found, and after how many responses half of all', () => {
    expect(words).toBe('default: 6 of 8 found, half within 10 responses');
    expect(foundChart([{ depth: 'quick', runs: runs.slice(2, 4) }]).words).toBe('quick: 1 of 2 found');
  });
});

describe('the chart of phases', () => {
  it('counts every run once, in the order of the plan', () => {
    expect(phaseChart([series, { depth: 'deep', runs: runs.slice(0, 1) }]).words.split('; ')).toEqual([
      'first contact: default 1, deep 0',
      'plain requests: default 1, deep 0',
      'wide input: default 3, deep 1',
      'no single response: default 1, deep 0',
      'missed: default 2, deep 0',
    ]);
  });

  it('has bars in proportion to the counts', () => {
    const widths = [
      ...phaseChart([series])
        .marks.toString()
        .matchAll(/width="([\d.]+)"/g),
    ].map(([, width]) => Number(width));
    const [first] = widths;
    expect(first).toBeGreaterThan(0);
    expect(widths.map((width) => Math.round(width / first!))).toEqual([1, 1, 3, 1, 2]);
  });
});

describe('the picture', () => {
  const proof = (name: string, depth?: string): Proof => ({
    seeds: [23],
    faults: [{ name, runs: runs.map((run) => (depth === undefined ? run : { ...run, depth })) }],
  });

  it('is well-formed, with colours that are defined for both schemes', () => {
    const svg = picture([proof('a', 'quick'), proof('a')]);
    new SaxesParser({ xmlns: true }).write(svg).close();
    expect(svg).toContain('>quick<');
    expect(svg).toContain('>default<');
    const colours = new Set(svg.match(/(?<=var\()--\w+/g));
    expect(colours.size).toBeGreaterThan(3);
    for (const colour of colours) expect(svg).toContain(`${colour}: light-dark(`);
  });

  it('compares only proofs of the same faults', () => {
    expect(() => picture([proof('a'), proof('b')])).toThrow('same faults');
    expect(() => picture([])).toThrow('one or more');
  });
});
