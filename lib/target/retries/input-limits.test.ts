import { describe, expect, it } from 'vitest';
import type { Request } from '../exchange.ts';
import { detectInputLimits } from './input-limits.ts';

const known = { path: '/known' } as Request;
const own = { path: '/own' } as Request;

describe('a request that is throttled', () => {
  const short = (times: number) => ({ lasts: 1_000, times });
  const long = { lasts: 30_000, times: 0 };

  it('is for its input, if another one is accepted in turn with it', async () => {
    const sent: string[] = [];
    const isForInput = detectInputLimits(async ({ path }) => {
      sent.push(path);
      return path === '/own' ? 'throttled' : 'accepted';
    });
    expect(await isForInput(own, short(1), known)).toBe(false);
    expect(sent).toEqual([]);
    expect(await isForInput(own, short(2), known)).toBe(true);
    expect(sent).toEqual(['/known', '/own', '/known', '/own', '/known', '/known', '/own']);
    // Once that is known, one pair is enough, at once.
    expect(await isForInput(own, short(0), known)).toBe(true);
    expect(sent).toHaveLength(9);
  });

  it.each([
    ['the other one is, too', () => 'throttled' as const],
    ['it is accepted the next time', () => 'accepted' as const],
  ])('is for the rate, if %s; that is checked three times', async (_, outcome) => {
    let count = 0;
    const isForInput = detectInputLimits(async () => {
      count++;
      return outcome();
    });
    for (let time = 0; time < 3; time++) expect(await isForInput(own, short(2), known)).toBe(false);
    const before = count;
    expect(await isForInput(own, short(2), known)).toBe(false);
    expect(count).toBe(before);
  });

  it('is for the rate, if every second request is accepted, whichever it is', async () => {
    let count = 0;
    const isForInput = detectInputLimits(async () => (count++ % 2 === 0 ? 'accepted' : 'throttled'));
    expect(await isForInput(own, short(2), known)).toBe(false);
  });

  it('is checked immediately, if it is to wait for long, whatever else was in flight', async () => {
    let isFull = true;
    let count = 0;
    const isForInput = detectInputLimits(async ({ path }) => {
      count++;
      return isFull || path === '/own' ? 'throttled' : 'accepted';
    });
    const first = await Promise.all(Array.from({ length: 8 }, () => isForInput(own, long, known)));
    expect(first).toEqual(Array(8).fill(false));
    expect(count).toBe(1);
    isFull = false;
    expect(await isForInput(own, long, known)).toBe(true);
  });

  it('is not for its input at first, if the other one is a duplicate: that may come before the rate', async () => {
    const isForInput = detectInputLimits(async ({ path }) => (path === '/own' ? 'throttled' : 'rejected'));
    expect(await isForInput(own, long, known)).toBe(false);
    expect(await isForInput(own, short(2), known)).toBe(true);
  });
});
