import { afterEach, expect, it, vi } from 'vitest';
import type { Request } from '../exchange.ts';
import type { Sender } from '../sender.ts';
import { post } from '../target.testing.ts';
import { Outages } from './outage.ts';
import type { Outage } from './outage.ts';

afterEach(() => void vi.useRealTimers());

const reset = { trouble: { kind: 'reset', detail: '' }, sentAt: 0 };
const answer = { reply: { status: 200, fields: {} } };

const byPath = (requests: readonly Request[]): Map<string, Request> =>
  new Map(requests.map((request) => [request.path, request]));

/** Outages of a target to which nothing is sent. */
const observed = (accepted = [post()]): Outages =>
  new Outages({ lastAccepted: byPath(accepted) } as unknown as Sender);

/** The outage that a lost request shows. @param failed how many checks fail before the target answers again */
async function outageAfter(failed: number, noteOutage = (): void => {}): Promise<Outage> {
  let left = failed * 2;
  const sender: unknown = {
    lastAccepted: byPath([post()]),
    attemptAlone: async () => (left-- <= 0 ? answer : reset),
    connections: { retireDedicated: () => {} },
    wait: async () => {},
    noteOutage,
    recover: () => {},
    stopped: Number.isFinite(failed) ? undefined : new Error('the time is over'),
  };
  const outages = new Outages(sender as Sender);
  return outages.outageSince(performance.now(), post());
}

it('a target that has answered only what was sent before may be unavailable', () => {
  const outages = observed();
  outages.answered(post(), 100);
  // The response comes after another request has begun to fail.
  outages.answered(post(), 90);
  expect(outages.hasAnswered()).toBe(true);
  expect([95, 105].map((since) => outages.hasAnswered(since))).toEqual([true, false]);
  expect([95, 105].map((since) => outages.mayHaveBegun(since))).toEqual([false, true]);
  // Before anything was accepted, it may be no service that could be unavailable.
  expect(observed([]).mayHaveBegun(105)).toBe(false);
});

it('a path that has answered others since a request was sent is available, but not one beside it', async () => {
  const outages = observed();
  const check = vi.spyOn(outages, 'outage').mockResolvedValue('of path');
  outages.answered(post(), 100);
  expect(await outages.outageSince(90, post())).toBe('none');
  expect(check).not.toHaveBeenCalled();
  expect(await outages.outageSince(90, post({ path: '/v2/tokens' }))).toBe('of path');
  // Before anything was accepted, it may be no service that could be unavailable.
  expect(await observed([]).outageSince(90, post())).toBe('none');
});

it('a target that answers again soon is not unavailable for good', async () => {
  expect(await outageAfter(0)).toBe('none');
  expect(await outageAfter(3)).toBe('over');
  await expect(outageAfter(Infinity)).rejects.toThrow('the time is over');
});

it('a target whose response to a check is too long is available', async () => {
  const attemptAlone = async () => ({ trouble: { kind: 'oversized', detail: '' }, sentAt: 0 });
  const sender: unknown = { attemptAlone, lastAccepted: new Map([[post().path, post()]]) };
  const outages = new Outages(sender as Sender);
  expect(await outages.outageSince(performance.now(), post())).toBe('none');
});

it('an outage is noted once, also one in which the run ends', async () => {
  const noteOutage = vi.fn<() => void>();
  await outageAfter(0, noteOutage);
  expect(noteOutage).not.toHaveBeenCalled();
  await outageAfter(3, noteOutage);
  expect(noteOutage).toHaveBeenCalledTimes(1);
  await outageAfter(Infinity, noteOutage).catch(() => {});
  expect(noteOutage).toHaveBeenCalledTimes(2);
});

it('an outage is not awaited at each failure where a limit of the gateway hides whether there is one', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const sender: unknown = {
    lastAccepted: new Map(),
    attemptAlone: async () => ({ reply: { status: 429, fields: {} } }),
    connections: { retireDedicated: () => {} },
    wait: async (milliseconds: number) => void vi.advanceTimersByTime(milliseconds),
  };
  const outages = new Outages(sender as Sender);
  for (let time = 0; time < 3; time++) expect(await outages.outage(post())).toBe('none');
  expect(outages.mayHaveBegun(performance.now())).toBe(false);
});

it('an outage is awaited once where a GET alone is answered: by a gateway, or by a target that drops the other check', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const methods: string[] = [];
  const noteOutage = vi.fn<Sender['noteOutage']>();
  const sender: unknown = {
    lastAccepted: byPath([post()]),
    attemptAlone: async ({ method }: Request) => {
      methods.push(method);
      return method === 'GET' ? answer : reset;
    },
    connections: { retireDedicated: () => {} },
    wait: async (milliseconds: number) => void vi.advanceTimersByTime(milliseconds),
    noteOutage,
  };
  const outages = new Outages(sender as Sender);
  expect(await outages.outage(post())).toBe('none');
  expect(methods.slice(-2)).toEqual(['POST', 'GET']);
  methods.length = 0;
  expect(await outages.outage(post())).toBe('none');
  expect(methods).toEqual(['GET']);
  expect(noteOutage).not.toHaveBeenCalled();
});

it.each([
  ['there is none if the other path is served', true, 'none'],
  ['it is lasting if no path is', false, 'lasting'],
])('where a GET alone is answered for as long as an outage may last, %s', async (_, isServed, expected) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const noteOutage = vi.fn<Sender['noteOutage']>();
  const tokens = post({ path: '/v2/tokens' });
  const sender: unknown = {
    lastAccepted: byPath([post(), tokens]),
    attemptAlone: async ({ method, path }: Request) =>
      method === 'GET' || (isServed && path === tokens.path) ? answer : reset,
    connections: { retireDedicated: () => {} },
    wait: async (milliseconds: number) => void vi.advanceTimersByTime(milliseconds),
    noteOutage,
  };
  const outages = new Outages(sender as Sender);
  expect(await outages.outage(post())).toBe(expected);
  expect(noteOutage).toHaveBeenCalledTimes(isServed ? 0 : 1);
});

it('a GET alone does not show the end of an outage, however often there was none', async () => {
  let failed = 0;
  const sender: unknown = {
    lastAccepted: byPath([post()]),
    attemptAlone: async ({ method }: Request) => (method === 'GET' || failed-- <= 0 ? answer : reset),
    connections: { retireDedicated: () => {} },
    wait: async () => {},
    noteOutage: () => {},
    recover: () => {},
  };
  const outages = new Outages(sender as Sender);
  for (let time = 0; time < 5; time++) expect(await outages.outage(post())).toBe('none');
  failed = 3;
  expect(await outages.outage(post())).toBe('over');
});

it.each([
  ['of its path alone, if another one is answered', '/v2/tokens', false, 'of path'],
  ['of the target, if no other one is', undefined, false, 'lasting'],
  ['over, if all are answered at last', '/v2/tokens', true, 'over'],
])('an outage that outlasts the wait is %s', async (_, served, isBack, expected) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  let isServed = false;
  const tokens = post({ path: '/v2/tokens' });
  const sender: unknown = {
    lastAccepted: byPath([post(), tokens]),
    attemptAlone: async ({ path }: Request) => {
      isServed ||= isBack && path === served;
      return isServed || path === served ? answer : reset;
    },
    connections: { retireDedicated: () => {} },
    wait: async (milliseconds: number) => void vi.advanceTimersByTime(milliseconds),
    noteOutage: () => {},
    recover: () => {},
  };
  const outages = new Outages(sender as Sender);
  // A request to the other path waits for the same outage.
  const found = await Promise.all([outages.outage(post()), outages.outage(tokens)]);
  expect(found).toEqual([expected, expected === 'of path' ? 'over' : expected]);
});
