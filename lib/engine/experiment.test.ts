import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Stopped } from '../target/exchange.ts';
import { experiment } from './experiment.ts';
import type { Run } from './run.ts';
import { openThinning } from './thinning.ts';

it('an exploration plans nothing more when nothing is sent any more', async () => {
  const run = {
    settings: { concurrency: 1, maxRequests: 10, rate: 0 },
    target: { left: 1000 },
    thinning: openThinning(),
    tag: 'q1',
    explored: (_: string, explore: () => unknown) => explore(),
    ready: () => Promise.resolve({ customer: new Error('none'), token: new Error('none') }),
    draw: () => 'Ada',
  } as unknown as Run;
  let waves = 0;
  const { explore } = experiment(run, {
    name: 'long',
    letter: 'x',
    shrinking: fc.string(),
    plan: async ({ send, isOver }) => {
      for (; waves < 1000 && !isOver(); waves++) await send([{ category: 'plain', arbitrary: fc.string() }]);
    },
    perform: () => Promise.reject(new Stopped('the budget was spent', 'budget')),
  });
  expect(await explore()).toMatchObject({ observations: [], stopped: 'the budget was spent' });
  expect(waves).toBe(1);
});
