import { afterEach, expect, it, vi } from 'vitest';
import { pathOf } from '../exchange.ts';
import type { Request } from '../exchange.ts';
import { createRedactor } from '../output/redactor.ts';
import type { Sender, SentAttempt, SentReply } from '../sender.ts';
import { http, post, queue, targetAt } from '../target.testing.ts';
import { Retries } from './retries.ts';
import { pendingRequest } from './retry-policy.ts';

afterEach(() => void vi.useRealTimers());

const answered = (status: number): SentReply => ({
  reply: { status, text: '', fields: {}, json: undefined, notJson: undefined, utf8: true },
  sentAt: performance.now(),
  firstByte: 1,
  duration: 1,
  inFlight: 2,
});

const refused = (): SentAttempt => ({
  trouble: { kind: 'refused', detail: 'connection refused', code: 'ECONNREFUSED' },
  sentAt: performance.now(),
  inFlight: 1,
});

const closed = (): SentAttempt => ({
  trouble: { kind: 'reset', detail: '', code: 'ECONNRESET' },
  sentAt: performance.now(),
  inFlight: 2,
});

it('a request awaits the end of an outage where sending others alone has not helped, too', async () => {
  let looks = Infinity;
  const baseUrl = await http((_, response) => response.writeHead(++looks < 3 ? 503 : 404).end());
  const retries = new Retries(targetAt(baseUrl), 1000, createRedactor());
  const [one, two, three, four, five, other] = Array.from({ length: 6 }, () => pendingRequest(post(), queue));
  await retries.after(one!, answered(201));
  // Being sent alone has not helped any of these.
  for (const failing of [two!, three!, four!])
    while ((await retries.after(failing, answered(503))) !== 'final');
  for (let time = 0; time < 4; time++) await retries.after(five!, answered(503));
  await retries.after(one!, answered(201));
  await retries.after(other!, answered(503));
  await retries.after(five!, answered(503));
  await retries.after(other!, answered(503));
  expect(other!.next).toEqual({ quiet: 100 });
  looks = 0;
  expect(await retries.after(other!, answered(503))).toBe('again');
  expect(looks).toBeGreaterThan(2);
});

it.each([
  ['a target', 'answers 503', () => answered(503), /^the target answers POST \S+ with status 503/, false],
  [
    'a target',
    'closes the connection',
    closed,
    /^the target stopped answering for more than 10 s: connection refused;/,
    false,
  ],
  ['a path', 'answers 503', () => answered(503), /status 503.*, but answers other requests;/, true],
  [
    'a path',
    'closes the connection',
    closed,
    /^the target stopped answering POST \/v1\/customers for more than 10 s, but answers other requests: connection refused;/,
    true,
  ],
])('an outage is noticed at once of %s that %s to wrong keys', async (_, __, reject, message, isOfPath) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  let isAway = false;
  const stop = vi.fn<Sender['stop']>();
  const noteOutage = vi.fn<Sender['noteOutage']>();
  const lastAccepted = new Map<string, Request>();
  const sender: unknown = {
    lastAccepted,
    accepted: (request: Request) => void lastAccepted.set(pathOf(request), request),
    limiter: { acquireAlone: async () => {}, release: () => {} },
    congestion: {
      grow: () => {},
      halve: () => {},
      overload: () => {},
      recover: () => {},
      clearSpacing: () => {},
    },
    connections: { renew: () => {}, retireDedicated: () => {} },
    attemptAlone: async ({ path }: Request) =>
      isAway && !(isOfPath && path === tokens.path) ? refused() : answered(404),
    wait: async (milliseconds: number) => void vi.advanceTimersByTime(milliseconds),
    recover: () => {},
    noteOutage,
    stop,
  };
  const retries = new Retries(sender as Sender, 1000, createRedactor());
  const wrong = () => pendingRequest(post(), { ...queue, mayBeRejected: true });
  const tokens = post({ path: '/v2/tokens' });
  for (const request of [tokens, post()]) await retries.after(pendingRequest(request, queue), answered(201));
  for (const rejected = wrong(); ;) if ((await retries.after(rejected, reject())) !== 'again') break;
  vi.advanceTimersByTime(1);
  isAway = true;
  const begun = performance.now();
  for (const lost = wrong(); stop.mock.calls.length === 0;) await retries.after(lost, reject());
  expect(performance.now() - begun).toBeLessThan(11_000);
  const path = isOfPath ? post().path : undefined;
  expect(stop).toHaveBeenCalledWith(expect.stringMatching(message), 'away', path);
  // It is not over.
  expect(noteOutage.mock.calls).toEqual([[expect.closeTo(10_000, -3)]]);
});
