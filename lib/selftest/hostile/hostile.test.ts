import { describe, expect, it } from 'vitest';
import { complaintsAbout } from './measure.ts';
import type { HostileRun } from './measure.ts';
import { hostileTargets, sample } from './targets.ts';

describe('hostile targets', () => {
  it('have unique names, and the sample is some of them', () => {
    const names = hostileTargets.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining([...sample]));
  });

  // `.ci/run` tries the sample, `npm run hostile` all of them.
  it('are checked for how the run ends', () => {
    const target = hostileTargets.find(({ name }) => name === 'redirects to another host')!;
    const measured: HostileRun = {
      name: target.name,
      exitCode: target.exit[0]!,
      seconds: 1000,
      memory: 230,
      verdict: '',
      requests: 2,
      text: 'a text',
      flaws: [],
    };
    const prints = /^a text/;
    expect(complaintsAbout(measured, { ...target, prints })).toEqual([]);
    const flawed = { ...measured, memory: 500, flaws: ['the key is in its output'] };
    expect(complaintsAbout(flawed, { ...target, exit: [0], prints: /^nonsense/ })).toEqual([
      'exit 3, expected 0',
      'used more than 480 MB',
      'printed "a text", expected ^nonsense',
      'the key is in its output',
    ]);
  });
});
