import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Attempt } from '../connections/channel.ts';
import { bearer } from '../credential.ts';
import { post } from '../target.testing.ts';
import { watchForStarvation } from './starvation.ts';

const answeredIn = (duration: number): Attempt => ({ duration }) as Attempt;

/** A watch, and what it reports. @param idle open connections without a request */
function watching(idle = 0) {
  const reports: (number | undefined)[] = [];
  const watch = watchForStarvation(
    () => idle,
    (served) => reports.push(served),
  );
  return {
    reports,
    expectSlow: watch.expectSlow,
    becomeIdle: (count: number) => void (idle = count),
    /** Sends a request. @returns a function that answers it */
    send(path = '/v1/customers', isTimed = true, key = 'right') {
      const { promise, resolve } = Promise.withResolvers<Attempt>();
      const done = watch.during(post({ path, credential: bearer(key) }), isTimed, promise);
      return async (duration: number): Promise<void> => {
        resolve(answeredIn(duration));
        await done;
      };
    },
  };
}

/** Each is sent and answered in turn, as on the only connection that is served. */
async function sendInTurn(target: ReturnType<typeof watching>, count: number): Promise<void> {
  for (let at = 0; at < count; at++) await target.send()(5);
}

interface Situation {
  /** The path of those that wait. */
  readonly waiting?: string;
  /** Their key. */
  readonly key?: string;
  /** How many wait. */
  readonly count?: number;
  readonly idle?: number;
  /** How many others are answered, each in so many milliseconds. */
  readonly answered?: number;
  readonly duration?: number;
  readonly isTimed?: boolean;
  /** How many more are sent just before the look. */
  readonly others?: number;
}

const innocent: readonly (readonly [string, Situation])[] = [
  ['another operation that is slow', { waiting: '/v2/tokens' }],
  ['wrong keys, whose rejection is delayed', { key: 'wrong', idle: 1 }],
  ['a target that has stopped for a while, as no connection is idle', { answered: 3 }],
  ['a target that is always slow', { duration: 400, idle: 1 }],
  ['requests that wait for each other', { isTimed: false, idle: 1 }],
  ['a single one of several', { count: 1, others: 9 }],
];

describe('the watch for starvation', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
  afterEach(() => void vi.useRealTimers());

  it('finds how many connections are served, where many others are answered meanwhile', async () => {
    const target = watching();
    for (let at = 0; at < 12; at++) target.send();
    await sendInTurn(target, 20);
    vi.advanceTimersByTime(750);
    for (let at = 0; at < 4; at++) target.send();
    expect(target.reports).toEqual([]);
    vi.advanceTimersByTime(250);
    expect(target.reports).toEqual([4]);
    vi.advanceTimersByTime(5_000);
    expect(target.reports).toEqual([4]);
  });

  it('waits longer once the target is known to be slow on connections that it serves', async () => {
    const target = watching();
    target.expectSlow(4000);
    for (let at = 0; at < 2; at++) target.send();
    await sendInTurn(target, 20);
    vi.advanceTimersByTime(8_000);
    expect(target.reports).toEqual([]);
    vi.advanceTimersByTime(250);
    expect(target.reports).toHaveLength(1);
  });

  it('does not wait longer because of those that starved', async () => {
    const target = watching(1);
    const starving = Array.from({ length: 8 }, () => target.send());
    await sendInTurn(target, 3);
    vi.advanceTimersByTime(1_000);
    expect(target.reports).toEqual([1]);
    for (const answer of starving) await answer(1_000);
    for (let at = 0; at < 8; at++) target.send();
    await sendInTurn(target, 3);
    vi.advanceTimersByTime(1_000);
    expect(target.reports).toEqual([1, 1]);
  });

  it('does not count requests as served for whose credential there was no response', async () => {
    const target = watching(5);
    for (let at = 0; at < 10; at++) target.send();
    target.send('/v1/customers', true, 'wrong');
    await sendInTurn(target, 20);
    vi.advanceTimersByTime(1_000);
    expect(target.reports).toEqual([5]);
  });

  it('counts idle connections as served, if few were found to be served before', async () => {
    const target = watching();
    const waiting = Array.from({ length: 12 }, () => target.send());
    await sendInTurn(target, 20);
    vi.advanceTimersByTime(750);
    for (let at = 0; at < 6; at++) waiting.push(target.send());
    vi.advanceTimersByTime(250);
    for (const answer of waiting) await answer(5);
    expect(target.reports).toEqual([6]);
    target.becomeIdle(5);
    target.send();
    await sendInTurn(target, 1);
    vi.advanceTimersByTime(1_000);
    expect(target.reports).toEqual([6, 5]);
  });

  it('counts idle connections as served, if nothing is answered any more', async () => {
    const target = watching(1);
    for (let at = 0; at < 8; at++) target.send();
    await sendInTurn(target, 3);
    vi.advanceTimersByTime(1_000);
    expect(target.reports).toEqual([1]);
  });

  it('reports the one that waits after the first contact, without a number', async () => {
    const target = watching(1);
    target.send('/v2/tokens');
    await sendInTurn(target, 1);
    vi.advanceTimersByTime(1_000);
    expect(target.reports).toEqual([undefined]);
  });

  it('does not report an operation that is slow as before, whatever it rejects sooner', async () => {
    const target = watching(1);
    await target.send()(1_500);
    for (let at = 0; at < 4; at++) target.send();
    await sendInTurn(target, 20);
    vi.advanceTimersByTime(3_000);
    expect(target.reports).toEqual([]);
    vi.advanceTimersByTime(250);
    expect(target.reports).toEqual([1]);
  });

  it.each(innocent)('does not report %s', async (_, situation) => {
    const {
      waiting,
      key,
      count = 8,
      idle = 0,
      answered = 30,
      duration = 5,
      isTimed = true,
      others = 0,
    } = situation;
    const target = watching(idle);
    for (let at = 0; at < count; at++) target.send(waiting, true, key);
    for (let at = 0; at < answered; at++) await target.send(undefined, isTimed)(duration);
    vi.advanceTimersByTime(750);
    for (let at = 0; at < others; at++) target.send();
    vi.advanceTimersByTime(250);
    expect(target.reports).toEqual([]);
  });
});
