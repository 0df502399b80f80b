import { describe, expect, it } from 'vitest';
import { complaintsAbout, runAgainst } from './measure.ts';
import { hostileTargets, sample } from './targets.ts';

describe('hostile targets', () => {
  it('have unique names, and the sample is some of them', () => {
    const names = hostileTargets.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining([...sample]));
  });

  // `.ci/run` tries the sample, `npm run hostile` all of them.
  it('are checked for how the run ends', async () => {
    const target = hostileTargets.find(({ name }) => name === 'redirects to another host')!;
    const measured = await runAgainst(target);
    expect(complaintsAbout(measured, target)).toEqual([]);
    const wrong = { ...target, exit: [0], within: 0, prints: /^nonsense/ };
    expect(complaintsAbout(measured, wrong)).toEqual([
      'exit 3, expected 0',
      'took more than 0 s',
      expect.stringContaining('expected ^nonsense'),
    ]);
  });
});
