import { describe, expect, it } from 'vitest';
import { plainAddress } from '../../inputs/addresses.ts';
import { usualStyle } from '../../inputs/json-styles.ts';
import { tokenInput } from '../../inputs/tokens.ts';
import type { Exchange, Request } from '../../target/exchange.ts';
import { createRedactor } from '../../target/output/redactor.ts';
import type { Observation } from '../observation.ts';
import { paths } from '../operations/request.ts';
import type { Run } from '../scenario.ts';
import { readSettings } from '../../settings/sources.ts';
import { firstCustomer } from '../readiness/first-contact.ts';
import { open, startTestService } from '../run.testing.ts';
import { watchForLimits } from './watch.ts';

const credential = { field: 'Authorization', value: 'Bearer key', label: '', shell: '' };

const exchangeOf = (
  number: number,
  status: number,
  startedAt: number,
  duration = 5,
  path: string = paths.customers,
  error = 'no',
): Exchange =>
  ({
    number,
    startedAt,
    duration,
    request: { method: 'POST', path, credential },
    reply: { status, fields: {}, text: JSON.stringify({ error }), json: { error } },
  }) as unknown as Exchange;

/** The parts of a run that are always the same. */
const base = {
  credential,
  settings: readSettings({}),
  runId: () => 'q1',
  unique: () => 'u1',
  generate: () => ({ name: 'Ada Berg', address: plainAddress, style: usualStyle }),
  remark: () => {},
};

const observationOf = (exchange: Exchange, accepted: boolean): Observation =>
  ({ case: { category: 'plain', input: tokenInput(['a:read'], 60) }, exchange, accepted }) as Observation;

describe('a rejection of a plain customer after one was accepted', () => {
  let created = 0;
  /** What the rejection says. */
  let error = 'no';
  /** The status of the response to a malformed body, which says the same. */
  let malformed = 400;
  let status = 422;

  const reasonAfter = async (...earlier: readonly Exchange[]): Promise<string | undefined> => {
    const accepted = exchangeOf(16, 201, 100);
    const rejected = exchangeOf(40, status, 300, 5, paths.customers, error);
    const run = {
      ...base,
      exchanges: [...earlier, accepted],
      created: Array.from({ length: created }, () => 'cus_1'),
      target: {
        send: async (request: Request) => {
          if (/^\{}?$/.test(request.body?.toString() ?? ''))
            return { ...rejected, reply: { ...rejected.reply, status: malformed } };
          return request.credential ? rejected : exchangeOf(41, 401, 310);
        },
        stop: () => {},
        redactor: createRedactor(),
      },
    } as unknown as Run;
    const { checkForLimit } = watchForLimits(run);
    await checkForLimit(observationOf(accepted, true));
    const limit = await checkForLimit(observationOf(rejected, false));
    return limit instanceof Error ? limit.message : limit;
  };

  it('shows a limit, if no request was rejected alike before that one was sent', async () => {
    expect(await reasonAfter()).toContain('accepts no more customers');
    expect(await reasonAfter(exchangeOf(1, 400, 0))).toContain('accepts no more customers');
    expect(await reasonAfter(exchangeOf(15, 422, 98))).toContain('accepts no more customers');
    // That of the other operation may have a quota of its own.
    expect(await reasonAfter(exchangeOf(1, 422, 0, 5, paths.tokens))).toContain('accepts no more customers');
  });

  it('names the key if its status is 401, but not that of a wrong key', async () => {
    [status, error] = [401, 'expired'];
    expect(await reasonAfter()).toContain('accepted until exchange 16: the key may have expired');
    [status, error] = [422, 'no'];
  });

  it('recommends a quick run only if that creates no more', async () => {
    created = 90;
    expect(await reasonAfter()).not.toContain('--depth quick');
    created = 150;
    expect(await reasonAfter()).toContain('--depth quick');
  });

  it.each([
    ['Unprocessable Entity', 422, false],
    ['Unprocessable Entity', 400, true],
    ['at most 60 customers', 422, true],
    ['', 422, true],
  ])('that says %s, and of a malformed body with %i, shows a limit: %s', async (text, status, isLimit) => {
    [error, malformed] = [text, status];
    expect((await reasonAfter()) !== undefined).toBe(isLimit);
    [error, malformed] = ['no', 400];
  });

  it('shows none if one was, however soon', async () => {
    expect(await reasonAfter(exchangeOf(1, 422, 0))).toBeUndefined();
    expect(await reasonAfter(exchangeOf(15, 422, 95))).toBeUndefined();
  });
});

describe('a lockout that ends while it is investigated', () => {
  let isPage = false;
  const blocked = (number: number, startedAt: number): Exchange => {
    const exchange = exchangeOf(number, 403, startedAt);
    const page = { text: '<html>Sorry</html>', json: undefined, notJson: 'it is not JSON' };
    return isPage ? { ...exchange, reply: { ...exchange.reply, ...page } } : exchange;
  };
  let repeated = 0;
  let isLocked = true;
  let stopped: string | undefined;

  const watchLockout = async () => {
    const accepted = exchangeOf(16, 201, 100);
    const withoutKey = exchangeOf(2, 401, 10);
    [isLocked, repeated] = [true, 0];
    const run = {
      ...base,
      exchanges: [{ ...withoutKey, request: { ...withoutKey.request, credential: undefined } }, accepted],
      target: {
        now: 400,
        wait: async () => void (isLocked = false),
        send: async () => (isLocked ? blocked(41, 310) : accepted),
        stop: (reason: string) => void (stopped = reason),
        noteRepeated: () => void repeated++,
        redactor: createRedactor(),
      },
    } as unknown as Run;
    const watch = watchForLimits(run);
    await watch.checkForLimit(observationOf(accepted, true));
    return watch;
  };

  it('is waited for by requests with wrong keys, too', async () => {
    const { checkForLimit, waitUntilServedAgain } = await watchLockout();
    const withRightKey = checkForLimit(observationOf(blocked(40, 300), false));
    expect(await waitUntilServedAgain(blocked(41, 300))).toBe(true);
    expect(await withRightKey).toBe('again');
    expect(repeated).toBe(2);
    expect(await waitUntilServedAgain(blocked(50, 500))).toBe(false);
  });

  it('lets further ones be recognised three times when they are over before they are investigated', async () => {
    const { checkForLimit } = await watchLockout();
    expect(await checkForLimit(observationOf(blocked(40, 300), false))).toBe('again');
    const later = [];
    for (let number = 50; number < 54; number++)
      later.push(await checkForLimit(observationOf(blocked(number, 500), false)));
    expect(later).toEqual(['again', 'again', 'again', undefined]);
    expect(repeated).toBe(4);
    expect(await checkForLimit(observationOf(exchangeOf(60, 422, 500), false))).toBeUndefined();
  });

  it.each([
    [false, 'the target has locked this client out 4 times: it answers 403'],
    // As during several deployments.
    [true, 'the target answers 403: "Sorry" to every request, and has done so 4 times: it may be down'],
  ])('ends the run at the fourth one, with their number (a page: %s)', async (withPage, message) => {
    isPage = withPage;
    const { checkForLimit } = await watchLockout();
    for (const number of [40, 50, 60]) {
      isLocked = true;
      expect(await checkForLimit(observationOf(blocked(number, number * 10), false))).toBe('again');
    }
    isLocked = true;
    await checkForLimit(observationOf(blocked(70, 700), false));
    expect(stopped).toContain(message);
    isPage = false;
  });
});

it.each([
  ['a page', { text: '<html>Forbidden</html>', json: undefined }, 1, true],
  // The service itself fails under load.
  ['JSON', { text: '{}', json: {} }, 1, false],
  ['a page', { text: '<html>Forbidden</html>', json: undefined }, 0, false],
])(
  'a 403 with %s that simultaneous requests get again (%i) limits the rate: %s',
  async (_, body, again, isLimit) => {
    const accepted = exchangeOf(16, 201, 100);
    const rejectedAs = (number: number): Exchange => {
      const exchange = exchangeOf(number, 403, 300);
      return { ...exchange, reply: { ...exchange.reply, ...body } };
    };
    let stopped: string | undefined;
    const run = {
      ...base,
      exchanges: [accepted],
      target: {
        send: async ({ credential }: Request) => (credential ? accepted : exchangeOf(41, 401, 310)),
        together: async (requests: readonly Request[]) =>
          requests.map((__, index) => (index < again ? rejectedAs(50) : accepted)),
        stop: (reason: string) => void (stopped = reason),
        redactor: createRedactor(),
      },
    } as unknown as Run;
    const { checkForLimit, isDueToLimit } = watchForLimits(run);
    await checkForLimit(observationOf(accepted, true));
    const rejected = observationOf(rejectedAs(40), false);
    await checkForLimit(rejected);
    expect(isDueToLimit(rejected)).toBe(isLimit);
    expect(stopped?.includes('send fewer requests a second, such as --rate 10') ?? false).toBe(isLimit);
  },
);

it('the limit of one path explains the same response of the other one, although it is over before it is investigated', async () => {
  const accepted = [exchangeOf(16, 201, 100), exchangeOf(17, 201, 110, 5, paths.tokens)];
  const withoutKey = exchangeOf(2, 401, 10);
  const run = {
    ...base,
    exchanges: [{ ...withoutKey, request: { ...withoutKey.request, credential: undefined } }, ...accepted],
    target: {
      send: async ({ path }: Request) => (path === paths.customers ? exchangeOf(41, 403, 310) : accepted[1]),
      stop: () => {},
      noteRepeated: () => {},
      redactor: createRedactor(),
    },
  } as unknown as Run;
  const { checkForLimit, isDueToLimit } = watchForLimits(run);
  for (const one of accepted) await checkForLimit(observationOf(one, true));
  const ofToken = observationOf(exchangeOf(50, 403, 500, 5, paths.tokens), false);
  expect(isDueToLimit(ofToken)).toBe(false);
  await checkForLimit(observationOf(exchangeOf(40, 403, 300), false));
  expect(await checkForLimit(ofToken)).toBe('again');
  expect(isDueToLimit(ofToken)).toBe(true);
  expect(isDueToLimit(observationOf(exchangeOf(51, 401, 510, 5, paths.tokens), false))).toBe(false);
});

it('a request that is worth repeating after an outage of its path counts as a retry', async () => {
  let status = 201;
  const run = open(await startTestService(() => status));
  const [first] = (await run.explore(firstCustomer)).observations;
  status = 404;
  const exchange = await run.target.send(first!.exchange.request, { queue: 'test' });
  status = 201;
  expect(run.target.traffic.retries).toBe(0);
  expect(await run.waitUntilServedAgain(exchange)).toBe(true);
  expect(run.target.traffic.retries).toBe(1);
  expect(run.target.repeatedAfter).toEqual([404]);
});
