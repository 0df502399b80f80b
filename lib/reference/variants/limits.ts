import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Behaviour, Middleware } from '../behaviour.ts';
import { acceptingOnly, around, everyNth } from '../changes.ts';
import { variantsOf } from '../fault-or-variant.ts';

const reject = (
  response: ServerResponse,
  status: number,
  fields: Readonly<Record<string, string>>,
  error = 'slow down',
): void => {
  response.writeHead(status, { 'Content-Type': 'application/json', ...fields });
  response.end(JSON.stringify({ error }));
};

/** Limits the number of requests in each period; rejects the others. */
const rate = (
  most: number,
  milliseconds: number,
  {
    status = 429,
    fields = () => ({}),
    error,
  }: { status?: number; fields?: () => Readonly<Record<string, string>>; error?: string } = {},
) =>
  around(() => {
    let windowEnds = 0;
    let count = 0;
    return (inner) => (request, response) => {
      if (Date.now() >= windowEnds) {
        windowEnds = Date.now() + milliseconds;
        count = 0;
      }
      return ++count > most ? reject(response, status, fields(), error) : inner(request, response);
    };
  });

const rejectWithPage = (response: ServerResponse): void => {
  response.writeHead(503, { 'Content-Type': 'text/html' });
  response.end('<html><h1>503 Service Temporarily Unavailable</h1></html>');
};

/** Limits the rate as nginx does: rejects what exceeds it by more than a burst, unless stated otherwise with a page of HTML. */
const leakyBucket = (perSecond: number, burst: number, rejectExcess = rejectWithPage) =>
  around(() => {
    let excess = 0;
    let last = performance.now();
    return (inner) => (request, response) => {
      const now = performance.now();
      const next = Math.max(0, excess - ((now - last) / 1000) * perSecond) + 1;
      if (next > burst + 1) return rejectExcess(response);
      excess = next;
      last = now;
      return inner(request, response);
    };
  });

/** Answers everything with a status for a while, after most plain requests. */
const away = (milliseconds: number, status: number) =>
  around(() => {
    let count = 0;
    let until = 0;
    return (inner) => (request, response) => {
      if (++count === 150) until = performance.now() + milliseconds;
      return performance.now() < until ? reject(response, status, {}) : inner(request, response);
    };
  });

/** Crashes at some customers, and restarts behind a gateway. */
const crashing =
  (crashesAt: (customer: { readonly name: string }) => boolean, milliseconds: number) => (): Behaviour => {
    let until = 0;
    return {
      acceptsCustomer: (customer) => !crashesAt(customer),
      reject: (reply, reason) => {
        if (reason !== 'values') return reply;
        until = performance.now() + milliseconds;
        return { ...reply, status: 502 };
      },
      around: (inner) => (request, response) =>
        performance.now() < until ? reject(response, 502, {}) : inner(request, response),
    };
  };

/** Limits the number of requests in flight; rejects the others. */
const inFlight = (most: number, status: number, fields: Readonly<Record<string, string>>, error?: string) =>
  around(() => {
    let count = 0;
    return (inner) => (request, response) => {
      if (count >= most) return reject(response, status, fields, error);
      count++;
      response.on('close', () => count--);
      return inner(request, response);
    };
  });

/** Answers wrong keys with 403 for a while after some of them, without checking them. */
const pausedAfterWrongKeys = (most: number, milliseconds: number) => (): Behaviour => {
  let count = 0;
  let until = 0;
  return {
    authenticate({ hasKey }) {
      const isPaused = performance.now() < until;
      if (!hasKey && !isPaused && ++count % most === 0) until = performance.now() + milliseconds;
      return hasKey;
    },
    reject: (reply, reason) =>
      reason === 'credential' && performance.now() < until
        ? { ...reply, status: 403, body: '{"error":"too many failed attempts"}' }
        : reply,
  };
};

/** Delays each request. @param milliseconds the delay of the nth request, from 1 */
const slow = (milliseconds: (number: number) => number) =>
  around(() => {
    let number = 0;
    return (inner) => async (request, response) => {
      await sleep(milliseconds(++number));
      return inner(request, response);
    };
  });

/** Answers one request after the other. */
const oneByOne: Middleware = (inner) => {
  let last = Promise.resolve();
  return (request, response) => {
    const turn = last;
    last = new Promise((done) => void response.on('close', done));
    return turn.then(() => inner(request, response));
  };
};

const isSuspicious = (name: string): boolean => /[<>]|--|\$\{|\.\.\//.test(name);

const retryAfter = (value: string) => ({ fields: () => ({ 'Retry-After': value }) });

/** How many requests are accepted at a time, and how fast they are answered. */
export const limits = [
  ...variantsOf('8: limits on the number of requests are not shown')({
    'limit-60-a-second': rate(60, 1000, retryAfter('1')),
    // If wrong keys meet such a long wait, the limit may be for them alone.
    'limit-150-in-6-seconds': rate(150, 6000, retryAfter('6')),
    'limit-20-in-300-ms-without-a-word': rate(20, 300),
    'limit-100-then-a-date': rate(100, 1500, {
      fields: () => ({ 'Retry-After': new Date(Date.now() + 2000).toUTCString() }),
    }),
    'limit-50-in-200-ms-retry-after-0': rate(50, 200, retryAfter('0')),
    'limit-80-a-second-503': rate(80, 1000, { status: 503, ...retryAfter('1') }),
    'limit-nonsense-retry-after': rate(50, 300, retryAfter('soon')),
    'limit-20-in-300-ms-420': rate(20, 300, { status: 420 }),
    'limit-20-in-300-ms-500-of-a-quota': rate(20, 300, {
      status: 500,
      error: 'Rate limit quota violation. Quota limit  exceeded. Identifier : key',
    }),
    'limit-20-in-300-ms-200-frequency': rate(20, 300, {
      status: 200,
      error: 'request trigger frequency limit',
    }),
    'limit-one-at-once-409-retry-after': inFlight(1, 409, { 'Retry-After': '0' }, 'locked'),
    'limit-one-at-once-409-of-a-lock': inFlight(1, 409, {}, 'the account is locked by another request'),
    'limit-50-in-200-ms-509': rate(50, 200, { status: 509 }),
    'limit-20-in-300-ms-508': rate(20, 300, { status: 508 }),
    'limit-20-in-300-ms-200-with-an-error': rate(20, 300, { status: 200, error: 'too many requests' }),
    'limit-20-in-300-ms-403': rate(20, 300, { status: 403, error: 'API rate limit exceeded' }),
    // The response of a firewall in front of the service.
    'limit-429-for-suspicious-names': acceptingOnly(({ name }) => !isSuspicious(name), 429),
    'limit-429-for-suspicious-names-retry-after-an-hour': () => ({
      acceptsCustomer: ({ name }) => !isSuspicious(name),
      reject: (reply, reason) =>
        reason === 'values'
          ? { ...reply, status: 429, headers: { ...reply.headers, 'Retry-After': '3600' } }
          : reply,
    }),
    'limit-four-at-once': inFlight(4, 429, {}),
    'limit-one-at-once': inFlight(1, 429, {}),
    'limit-one-at-once-423': inFlight(1, 423, {}, 'another request of this key is in progress'),
    'limit-20-a-second-503-without-a-word': leakyBucket(20, 10),
    // As nginx does with its status 444, and HAProxy with `reject`.
    'limit-20-a-second-by-closing': leakyBucket(20, 10, (response) => void response.socket?.destroy()),
    'limit-40-in-a-second-503-without-a-word': rate(40, 1000, { status: 503 }),
    'limit-15-wrong-keys-then-none-for-a-second': pausedAfterWrongKeys(15, 1000),
    'limit-eight-at-once-503': inFlight(8, 503, { 'Retry-After': '0' }),
  }),
  ...variantsOf('8: how long a response takes is not shown')({
    'slow-and-uneven': slow((number) => (number * 7919) % 60),
    'slow-now-and-then': slow((number) => (number % 40 === 0 ? 900 : 0)),
    'slow-at-first': slow((number) => (number <= 4 ? 1500 : 0)),
    'slow-one-by-one': around(() => oneByOne),
    'slow-for-rejected': () => ({ authenticate: async ({ hasKey }) => hasKey || (await sleep(80), false) }),
  }),
  ...variantsOf('8: failures of a gateway in front of the service are not shown')({
    'gateway-502-once-in-a-while': around(() => {
      const isMeant = everyNth(45);
      return (inner) => (request, response) =>
        isMeant() ? reject(response, 502, {}) : inner(request, response);
    }),
    'gateway-502-during-a-deployment': away(4000, 502),
    'gateway-502-while-restarting-after-a-crash': crashing(({ name }) => name.startsWith('\0'), 500),
    'gateway-404-during-a-deployment': away(2000, 404),
    'gateway-521-during-a-deployment': away(2000, 521),
    'gateway-drops-get-requests': around(
      () => (inner) => (request, response) =>
        request.method === 'GET' ? void request.socket.destroy() : inner(request, response),
    ),
    'gateway-resets-once-in-a-while': around(() => {
      const isMeant = everyNth(45);
      return (inner) => (request, response) =>
        isMeant() ? void request.socket.destroy() : inner(request, response);
    }),
  }),
];
