import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { tokenInput } from '../inputs/tokens.ts';
import { listening } from '../selftest/services.ts';
import { bearer } from '../target/credential.ts';
import { tokenRequestOf } from './operations/token.ts';
import { firstContact, firstCustomer } from './readiness/first-contact.ts';
import { Inconclusive } from './observation.ts';
import { KEY, exploreAll, open, scenarioTo, startTestService, times } from './run.testing.ts';
import type { RunDefinition } from './run.ts';
import { phase } from './scenario.ts';

describe('the output of a run', () => {
  it('keeps words of the reports that are tokens, but not the key', async () => {
    const run = open(await startTestService(), { settings: { apiKey: 'customer' } });
    const { redactor } = run.target;
    redactor.hide('verdict', 'token 1');
    expect(redactor.redact('the verdict, Bearer customer')).toBe('the verdict, Bearer [key]');
  });

  // Such as one that finds out whether a limit was reached.
  it.each([
    ['the right key', KEY],
    ['a wrong key', 'sk_test_wrong'],
  ])('has no token of a request with %s that is not a case of a scenario', async (_, key) => {
    const run = open(await startTestService(), { plan: [firstContact] });
    const request = tokenRequestOf(tokenInput(['customers:read'], 60), bearer(key));
    const { reply, number } = await run.target.send(request, { queue: 'limit' });
    expect(reply.text).toContain('q8Zr5xT1mVb7Kp2WnD4s');
    expect(run.target.redactor.redact(reply.text)).toBe(`{"token":"[token ${number}]"}`);
  });
});

it('the progress of a run does not count retries as requests, and says what they follow', async () => {
  let tries = 0;
  const service = await startTestService(() => (++tries === 1 ? 429 : 201));
  const progress: (readonly [requests: number, retries: number, trouble?: string | undefined])[] = [];
  const report: RunDefinition['report'] = (message) => {
    if ('requests' in message) progress.push([message.requests, message.retries, message.trouble]);
  };
  const run = open(service, { report });
  const request = tokenRequestOf(tokenInput(['customers:read'], 60), run.credential);
  for (let time = 0; time < 2; time++) await run.target.send(request, { queue: 'test' });
  expect(progress).toEqual([
    [1, 0, undefined],
    [1, 1, 'status 429'],
    [2, 1, 'status 429'],
  ]);
});

describe('the phases of a run', () => {
  it('wait for the phases in after, and for no others', async () => {
    const besideArrived = Promise.withResolvers<void>();
    const service = await startTestService(undefined, async (path) => {
      if (path === '/beside') besideArrived.resolve();
      if (path === '/slow-one') await besideArrived.promise;
    });
    const [one, two, beside] = [scenarioTo('slow-one'), scenarioTo('two'), scenarioTo('beside')];
    const plan = [
      firstContact,
      // In whatever order the plan names them.
      phase('second', { sends: [two], after: ['first'] }),
      phase('first', { sends: [one], after: ['first contact'] }),
      phase('other', { sends: [beside], after: ['first contact'] }),
    ];
    await exploreAll(open(service, { plan }), [one, two, beside]);
    const { order } = service;
    expect(order.indexOf('>/two')).toBeGreaterThan(order.lastIndexOf('</slow-one'));
    expect(order.indexOf('>/beside')).toBeLessThan(order.indexOf('</slow-one'));
    const contact = ['</v1/customers', '</v2/tokens'].map((text) => order.indexOf(text));
    expect(order.indexOf('>/slow-one')).toBeGreaterThan(Math.max(...contact));
  });

  it('wait for earlier phases, if those between are not part of the run', async () => {
    const service = await startTestService();
    const [one, two, three] = [scenarioTo('slow-one'), scenarioTo('two'), scenarioTo('three')];
    const plan = [
      firstContact,
      phase('first', { sends: [one] }),
      phase('second', { sends: [two], after: ['first'] }),
      phase('third', { sends: [three], after: ['second'] }),
    ];
    await exploreAll(open(service, { plan }), [one, three]);
    const { order } = service;
    expect(order).not.toContain('>/two');
    expect(order.indexOf('>/three')).toBeGreaterThan(order.lastIndexOf('</slow-one'));
  });

  it('continue after a phase that could not be sent', async () => {
    const service = await startTestService();
    const rejected = scenarioTo('rejected', {
      cases: () => {
        throw new Inconclusive('no token was issued');
      },
    });
    const next = scenarioTo('next');
    const plan = [
      firstContact,
      phase('first', { sends: [rejected] }),
      phase('second', { sends: [next], after: ['first'] }),
    ];
    const run = open(service, { plan });
    run.start([rejected, next]);
    await expect(run.explore(rejected)).rejects.toThrow('no token was issued');
    expect((await run.explore(next)).observations).toHaveLength(3);
  });

  it('wait for an operation that is not there yet, while the other one works', async () => {
    let looks = 0;
    const service = await startTestService((path) => (path === '/v1/customers' && ++looks < 3 ? 404 : 201));
    const run = open(service, { plan: [firstContact] });
    await run.ready();
    expect(looks).toBe(3);
  });

  it('wait for none if both are missing', async () => {
    const service = await startTestService(() => 404);
    const run = open(service, { plan: [firstContact] });
    await expect(run.ready()).rejects.toThrow(/neither operation is at/);
    expect(service.arrivals.length).toBeLessThan(6);
  });

  it('name responses that all end too early, where nothing shows that they are those of the interface', async () => {
    const server = createServer((request, response) => {
      response.writeHead(201, { 'Content-Length': 30 }).write('{}', () => request.socket.destroySoon());
    });
    const service = { ...(await startTestService()), ...(await listening(server)) };
    await expect(open(service, { plan: [firstContact] }).ready()).rejects.toThrow(
      /gave no usable response: both answered 201, no complete body \(the connection was closed after 2 of 30 bytes of it\)/,
    );
  });

  it('send nothing if the target rejects the key', async () => {
    const service = await startTestService(() => 401);
    const [one, two] = [scenarioTo('one'), scenarioTo('two')];
    const run = open(service, { plan: [firstContact, phase('first', { sends: [one, two] })] });
    run.start([one, two]);
    for (const scenario of [one, two])
      await expect(run.explore(scenario)).rejects.toThrow(/^(?=.*\bkey\b).*TARGET_API_KEY/);
    expect(new Set(service.arrivals.map(({ path }) => path))).toEqual(
      new Set(['/v1/customers', '/v2/tokens']),
    );
    // The verdict says why.
    expect(run.reported).toEqual([]);
  });
});

describe('the number of cases', () => {
  it('is reduced for a slow target', async () => {
    const service = await startTestService(undefined, () => delay(300));
    const run = open(service, { settings: { concurrency: 1, timeBudget: 130 } });
    await run.ready();
    expect(run.cases).toBeLessThan(170);
    expect(run.reported[0]).toBe(`--time-budget 130 allows ${run.cases} cases instead of 170`);
  });
});

describe('a run that follows another', () => {
  it('begins when that one is over, with its id, the rest of its budget, and its own nonces', async () => {
    const service = await startTestService();
    const [one, custom] = [scenarioTo('slow-one'), scenarioTo('custom', { cases: () => times(10) })];
    const settings = { maxRequests: 8 };
    const run = open(service, { plan: [firstContact, phase('all', { sends: [one] })], settings });
    run.start([one]);
    const next = open(service, {
      plan: [phase('custom', { sends: [custom] })],
      settings,
      previous: run,
    });
    const { observations, stopped } = await next.explore(custom);
    expect(observations).toHaveLength(3);
    expect(stopped).toMatch(/budget/);
    const { order } = service;
    expect(order.indexOf('>/custom')).toBeGreaterThan(order.lastIndexOf('</slow-one'));
    expect(order.filter((text) => text === '>/v1/customers')).toHaveLength(1);
    expect(next.runId()).toBe(run.runId());
    expect(next.target.redactor).toBe(run.target.redactor);
    for (const nonce of service.noncesOf('/custom')) expect(nonce.startsWith(`${run.runId()}z`)).toBe(true);
  });
});

describe('a run that judges evidence', () => {
  it('sends nothing, and has the recorded observations', async () => {
    const service = await startTestService();
    const [one, other] = [scenarioTo('one'), scenarioTo('other')];
    const exploration = { observations: [], summaries: [], lost: [], stopped: 'spent' };
    const run = open(service, {
      plan: [firstContact, phase('all', { sends: [one, other] })],
      recorded: {
        explorationOf: (name) => (name === 'one' ? exploration : undefined),
        answerTo: () => undefined,
        stopCause: undefined,
        cases: undefined,
      },
    });
    run.start([one, other]);
    expect(await run.explored()).toEqual([]);
    expect(await run.explore(one)).toBe(exploration);
    expect(await run.explore(other)).toMatchObject({ observations: [], stopped: 'it was not sent' });
    await expect(run.repeat(one, 'x', 'any')).rejects.toThrow('the run is judged from evidence');
    expect(service.arrivals).toEqual([]);
  });
});

describe('a run', () => {
  it('has its exchanges, the ids of the customers that it created, and no key', async () => {
    const service = await startTestService();
    const run = open(service);
    await run.ready();
    expect(run.created).toHaveLength(1);
    expect(run.created[0]).toMatch(/^cus_\d$/);
    expect(run.exchanges.map(({ request }) => request.path).toSorted()).toEqual([
      '/v1/customers',
      '/v2/tokens',
    ]);
    expect(run.target.redactor.redact(KEY)).not.toContain(KEY);
    expect(run.unique()).not.toBe(run.unique());
    expect(run.shuffle([1, 2, 3, 4, 5]).toSorted((one, other) => one - other)).toEqual([1, 2, 3, 4, 5]);
    expect(run.shuffle([1, 2, 3, 4, 5])).toEqual(run.shuffle([1, 2, 3, 4, 5]));
  });

  it('shows remarks without the key', async () => {
    const { baseUrl } = await startTestService();
    const run = open({ baseUrl });
    run.remark(`the target answers POST /v1/customers?access_token=${KEY} with 502`);
    expect(run.reported).toEqual(['the target answers POST /v1/customers?access_token=[key] with 502']);
  });

  it('changes its id if the target remembers the addresses of an earlier run', async () => {
    let customers = 0;
    const service = await startTestService((path) =>
      path === '/v1/customers' && ++customers === 1 ? 409 : 201,
    );
    const run = open(service);
    const before = run.runId();
    await run.ready();
    expect(run.runId()).not.toBe(before);
    expect((await run.explore(firstCustomer)).observations).toMatchObject([{ accepted: true }]);
  });
});
