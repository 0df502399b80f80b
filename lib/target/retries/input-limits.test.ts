import { describe, expect, it } from 'vitest';
import type { Request } from '../exchange.ts';
import { detectInputLimits } from './input-limits.ts';

const known = { path: '/known' } as Request;
const own = { path: '/own' } as Request;

describe('a request that is throttled', () => {
  it('is for its input, if another one is accepted in turn with it', async () => {
    const sent: string[] = [];
    const isForInput = detectInputLimits(async ({ path }) => {
      sent.push(path);
      return path === '/own' ? 'throttled' : 'accepted';
    });
    expect(await isForInput(own, 1, known)).toBe(false);
    expect(sent).toEqual([]);
    expect(await isForInput(own, 2, known)).toBe(true);
    expect(sent).toEqual(['/known', '/own', '/known', '/own', '/known', '/own']);
    // Once that is known, one pair is enough, at once.
    expect(await isForInput(own, 0, known)).toBe(true);
    expect(sent).toHaveLength(8);
  });

  it.each([
    ['the other one is, too', () => 'throttled' as const],
    ['it is accepted the next time', () => 'accepted' as const],
  ])('is for the rate, if %s; that is looked at three times', async (_, outcome) => {
    let count = 0;
    const isForInput = detectInputLimits(async () => {
      count++;
      return outcome();
    });
    for (let time = 0; time < 3; time++) expect(await isForInput(own, 2, known)).toBe(false);
    const before = count;
    expect(await isForInput(own, 2, known)).toBe(false);
    expect(count).toBe(before);
  });
});
