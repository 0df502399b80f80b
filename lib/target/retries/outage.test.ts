import { afterEach, expect, it, vi } from 'vitest';
import { Stopped } from '../exchange.ts';
import type { Request } from '../exchange.ts';
import type { Sender } from '../sender.ts';
import { post } from '../target.testing.ts';
import { Outages } from './outage.ts';
import type { Outage } from './outage.ts';

afterEach(() => void vi.useRealTimers());

const reset = { trouble: { kind: 'reset', detail: '' }, sentAt: 0 };
const answer = { reply: { status: 200, fields: {} }, sentAt: 0 };

const byPath = (requests: readonly Request[]): Map<string, Request> =>
  new Map(requests.map((request) => [request.path, request]));

/** Outages of a target. @param attempt how it meets a request of a check */
const outagesOf = (
  attempt: (request: Request) => object = () => answer,
  {
    accepted = [post()],
    ...sender
  }: Partial<Omit<Sender, 'accepted'>> & { readonly accepted?: readonly Request[] } = {},
): Outages =>
  new Outages({
    lastAccepted: byPath(accepted),
    attemptAlone: async (request: Request) => attempt(request),
    connections: { retireDedicated: () => {} },
    wait: async (milliseconds: number) => {
      if (vi.isFakeTimers()) vi.advanceTimersByTime(milliseconds);
    },
    noteOutage: () => {},
    recover: () => {},
    ...sender,
  } as unknown as Sender);

const useFakeTimers = (): void =>
  void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });

/** A target that is back after so many checks. */
const backAfter = (failed: number): (() => object) => {
  let left = failed;
  return () => (left-- <= 0 ? answer : reset);
};

/** The outage that a lost request shows. @param failed how many checks fail before the target answers again */
const outageAfter = (failed: number, sender: Pick<Partial<Sender>, 'noteOutage'> = {}): Promise<Outage> =>
  outagesOf(backAfter(failed), {
    ...(Number.isFinite(failed) ? {} : { stopped: new Stopped('the time is over', 'budget') }),
    ...sender,
  }).outage(post());

it('an outage may have begun on a path that has answered only what was sent before a request that failed', () => {
  const outages = outagesOf();
  outages.answered(post(), 100);
  // The response comes after another request has begun to fail.
  outages.answered(post(), 90);
  expect([95, 105].map((sentAt) => outages.isSilent(post(), sentAt))).toEqual([false, true]);
  expect([95, 105].map((sentAt) => outages.mayHaveBegun(post(), sentAt))).toEqual([false, true]);
  // Another path may be served by another service.
  expect(outages.isSilent(post({ path: '/v2/tokens' }), 95)).toBe(true);
  // Before anything was accepted, it may be no service that could be unavailable.
  expect(outagesOf(undefined, { accepted: [] }).isSilent(post(), 105)).toBe(false);
});

it('a target that answers again soon is not unavailable for good', async () => {
  expect(await outageAfter(0)).toBe('none');
  expect(await outageAfter(3)).toBe('over');
  await expect(outageAfter(Infinity)).rejects.toThrow('the time is over');
});

it('a target whose response to a check is too long is available', async () => {
  const outages = outagesOf(() => ({ trouble: { kind: 'oversized', detail: '' }, sentAt: 0 }));
  expect(await outages.outage(post())).toBe('none');
});

it.each([
  ['a request that it accepted', '/v1/customers', [post()], ['POST /v1/customers']],
  ['one to another path, if there is no other', '/v2/tokens', [post()], ['POST /v1/customers']],
  ['a GET and an empty object, if there is none', '/v2/tokens?a', [], ['GET /v2/tokens', 'POST /v2/tokens']],
])('a check whether the target is available sends %s', async (_, path, accepted, expected) => {
  const sent: string[] = [];
  const attempt = backAfter(3 * expected.length - 1);
  const outages = outagesOf(
    (request) => {
      sent.push(`${request.method} ${request.path}`);
      return attempt();
    },
    { accepted },
  );
  expect(await outages.outage(post({ path }))).toBe('over');
  expect(sent).toEqual([...expected, ...expected, ...expected]);
});

it('an outage is noted once, also one in which the run ends', async () => {
  const noteOutage = vi.fn<() => void>();
  await outageAfter(0, { noteOutage });
  expect(noteOutage).not.toHaveBeenCalled();
  await outageAfter(3, { noteOutage });
  expect(noteOutage).toHaveBeenCalledTimes(1);
  await outageAfter(Infinity, { noteOutage }).catch(() => {});
  expect(noteOutage).toHaveBeenCalledTimes(2);
});

it('an outage is not awaited at each failure where a limit of the gateway hides whether there is one', async () => {
  useFakeTimers();
  const outages = outagesOf(() => ({ reply: { status: 429, fields: {} }, sentAt: 0 }));
  for (let time = 0; time < 3; time++) expect(await outages.outage(post())).toBe('none');
  expect(outages.isSilent(post(), performance.now())).toBe(true);
  expect(outages.mayHaveBegun(post(), performance.now())).toBe(false);
});

it('an outage is looked for at the first failure again, once there was one', async () => {
  let attempt = backAfter(0);
  const outages = outagesOf(() => attempt());
  const now = performance.now();
  expect(outages.mayHaveBegun(post(), now)).toBe(true);
  outages.wasPace();
  expect(outages.mayHaveBegun(post(), now)).toBe(false);
  attempt = backAfter(1);
  expect(await outages.outage(post())).toBe('over');
  expect(outages.mayHaveBegun(post(), now)).toBe(true);
});

it('a failure of a gateway shows an outage, also with words about a limit', async () => {
  const failures = [502, 502].map((status) => ({
    reply: { status, fields: {}, text: 'slow down' },
    sentAt: 0,
  }));
  const noteOutage = vi.fn<Sender['noteOutage']>();
  const outages = outagesOf(() => failures.shift() ?? answer, { noteOutage });
  expect(await outages.outage(post())).toBe('over');
  expect(noteOutage).toHaveBeenCalledTimes(1);
});

it('an outage that outlasts the wait is over, if the accepted path is back that was checked in place of its own', async () => {
  useFakeTimers();
  let isServed = false;
  const tokens = post({ path: '/v2/tokens' });
  const outages = outagesOf(
    ({ path }) => {
      isServed ||= path === tokens.path;
      return isServed ? answer : reset;
    },
    { accepted: [tokens, post()] },
  );
  expect(await outages.outage(post({ path: '/never-accepted' }))).toBe('over');
});

it('an outage of the accepted path that was checked is not that of a path that was never accepted', async () => {
  useFakeTimers();
  const outages = outagesOf(({ path }) => (path === post().path ? answer : reset), {
    accepted: [post(), post({ path: '/v2/tokens' })],
  });
  expect(await outages.outage(post({ path: '/never-accepted' }))).toBe('over');
});

it.each([
  ['of its path alone, if another one is answered', '/v2/tokens', false, 'of path'],
  ['of the target, if no other one is', undefined, false, 'lasting'],
  ['over, if all are answered at last', '/v2/tokens', true, 'over'],
])('an outage that outlasts the wait is %s', async (_, served, isBack, expected) => {
  useFakeTimers();
  let isServed = false;
  const tokens = post({ path: '/v2/tokens' });
  const outages = outagesOf(
    ({ path }) => {
      isServed ||= isBack && path === served;
      return isServed || path === served ? answer : reset;
    },
    { accepted: [post(), tokens] },
  );
  // Requests to other paths wait for the same outage.
  const others = [tokens, post({ path: '/never-accepted' })];
  const found = await Promise.all([post(), ...others].map((request) => outages.outage(request)));
  const ofOthers = expected === 'of path' ? 'over' : expected;
  expect(found).toEqual([expected, ofOthers, ofOthers]);
});
