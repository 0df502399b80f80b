import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { TargetSettings } from '../settings/settings.ts';
import { readSettings } from '../settings/sources.ts';
import { NoReply } from '../target/exchange.ts';
import type { Request } from '../target/exchange.ts';
import { firstContact, firstCustomer } from './first-contact.ts';
import { Inconclusive } from './observation.ts';
import type { Observation } from './observation.ts';
import { openRun, withUsed } from './run.ts';
import type { Run, RunDefinition } from './run.ts';
import { phase, scenario } from './scenario.ts';
import type { CaseSource, Scenario } from './scenario.ts';
import { sendRequest } from './send-request.ts';

const KEY = 'sk_test_4eC39HqLyjWDarjtT1zdp7dc';

interface Arrival {
  readonly path: string;
  readonly body: { readonly input?: string; readonly nonce?: string };
}

/** A service of the two operations that accepts any other request too, after a moment. */
interface Service {
  readonly baseUrl: string;
  readonly arrivals: Arrival[];
  /** Paths, each with > when a request arrived and with < when the response was sent. */
  readonly order: string[];
  /** What is sent for inputs of a scenario, in the order of their arrival. */
  readonly inputsOf: (path: string) => string[];
  readonly noncesOf: (path: string) => string[];
}

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

async function startService(status: (path: string) => number = () => 201): Promise<Service> {
  const arrivals: Arrival[] = [];
  const order: string[] = [];
  const server = createServer(async (request, response) => {
    const path = request.url!;
    let text = '';
    for await (const chunk of request) text += chunk;
    const body = JSON.parse(text) as Arrival['body'];
    arrivals.push({ path, body });
    order.push(`>${path}`);
    const number = arrivals.length;
    await delay(path.startsWith('/slow') ? 30 : 1);
    order.push(`<${path}`);
    const code = status(path);
    const reply =
      path === '/v2/tokens' ? { token: `q8Zr5xT1mVb7Kp2WnD4s${number}` } : { ...body, id: `cus_${number}` };
    response.writeHead(code, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(code < 300 ? reply : { error: 'rejected' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const to = (path: string): Arrival[] => arrivals.filter((one) => one.path === path);
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrivals,
    order,
    inputsOf: (path) => to(path).map(({ body }) => body.input!),
    noncesOf: (path) => to(path).map(({ body }) => body.nonce!),
  };
}

function open(
  { baseUrl }: Pick<Service, 'baseUrl'>,
  definition: Partial<Omit<RunDefinition, 'settings'>> & { readonly settings?: Partial<TargetSettings> } = {},
): Run & { readonly said: string[] } {
  const said: string[] = [];
  const run = openRun({
    plan: [firstContact],
    requirements: [],
    listener: { progress: () => {}, say: (text) => said.push(text), secret: () => {} },
    ...definition,
    settings: {
      ...readSettings({ flags: { seed: '7' } }),
      baseUrl,
      apiKey: KEY,
      embedded: false,
      ...definition.settings,
    },
  });
  ends.push(() => run.target.close());
  return Object.assign(run, { said });
}

const times = (count: number, arbitrary: fc.Arbitrary<string> = fc.uuid()): CaseSource<string>[] =>
  Array.from({ length: count }, () => ({ category: 'any', arbitrary }));

/** A scenario that sends to the path of its own name. */
const made = (name: string, more: Partial<Scenario<string>> = {}): Scenario<string> =>
  scenario<string>({
    name,
    shrinking: fc.string(),
    cases: () => times(3),
    send: sendRequest((input, nonce) => ({ method: 'POST', path: `/${name}`, json: { input, nonce } })),
    ...more,
  });

/** Explores all, also those that fail. */
const exploreAll = async (run: Run, scenarios: readonly Scenario[]): Promise<void> => {
  run.start(scenarios);
  await Promise.allSettled(scenarios.map((one) => run.explore(one)));
};

describe('the phases of a run', () => {
  it('wait for the phases in after, and for no others', async () => {
    const service = await startService();
    const [one, two, beside] = [made('slow-one'), made('two'), made('beside')];
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
    const service = await startService();
    const [one, two, three] = [made('slow-one'), made('two'), made('three')];
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

  it.each([
    [1000, false],
    [100, true],
  ])('wait for more where requests are few: of %i requests: %s', async (maxRequests, isWaiting) => {
    const service = await startService();
    const [one, two] = [made('slow-one'), made('two')];
    const plan = [
      firstContact,
      phase('first', { sends: [one] }),
      phase('second', { sends: [two], after: ['first contact'], afterIfScarce: ['first'] }),
    ];
    await exploreAll(open(service, { plan, settings: { maxRequests } }), [one, two]);
    const { order } = service;
    expect(order.indexOf('>/two') > order.lastIndexOf('</slow-one')).toBe(isWaiting);
  });

  it('go on after a phase that could not be sent', async () => {
    const service = await startService();
    const rejected = made('rejected', {
      cases: () => {
        throw new Inconclusive('no token was issued');
      },
    });
    const next = made('next');
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

  it('send nothing if the target rejects the key, and report it once', async () => {
    const service = await startService(() => 401);
    const [one, two] = [made('one'), made('two')];
    const run = open(service, { plan: [firstContact, phase('first', { sends: [one, two] })] });
    run.start([one, two]);
    await expect(run.explore(one)).rejects.toThrow(Inconclusive);
    await expect(run.explore(two)).rejects.toThrow(Inconclusive);
    expect(new Set(service.arrivals.map(({ path }) => path))).toEqual(
      new Set(['/v1/customers', '/v2/tokens']),
    );
    expect(run.said).toHaveLength(1);
    expect(run.said[0]).toMatch(/key/);
  });
});

describe('a scenario', () => {
  it('is sent once a run, however often it is started and explored', async () => {
    const service = await startService();
    const [one, other] = [made('one'), made('other', { cases: () => times(1) })];
    const run = open(service, { plan: [firstContact, phase('all', { sends: [one, other] })] });
    run.start([one]);
    run.start([one, one]);
    const [first, second] = await Promise.all([run.explore(one), run.explore(one)]);
    expect(first).toBe(second);
    expect(first).toMatchObject({ summaries: [], lost: [] });
    expect(first.stopped).toBeUndefined();
    expect(service.inputsOf('/one')).toHaveLength(3);
    expect(service.inputsOf('/other')).toEqual([]);
    const explored = run.explored().map(([name]) => name);
    expect(new Set(explored)).toEqual(new Set(['one', 'first customer', 'first token']));
  });

  it('gets the observations that it uses, and no others', async () => {
    const service = await startService();
    const one = made('one');
    const other = made('other');
    const using = made('using', {
      uses: [one],
      cases: (_, found) =>
        found(one).map(({ case: { input } }) => ({ category: 'again', arbitrary: fc.constant(input) })),
    });
    const prying = made('prying', { uses: [one], cases: (_, found) => found(other) as never });
    const plan = [
      firstContact,
      phase('first', { sends: [one, other] }),
      phase('second', { sends: [using, prying], after: ['first'] }),
    ];
    const run = open(service, { plan });
    // A scenario that is used is sent although no requirement needs it.
    run.start([using]);
    await run.explore(using);
    expect(service.inputsOf('/using').toSorted()).toEqual(service.inputsOf('/one').toSorted());
    await expect(run.explore(prying)).rejects.toThrow('other is missing in uses');
    expect([...withUsed([using])]).toEqual([using, one]);
  });

  it('can make its sender from the observations that it uses', async () => {
    const service = await startService();
    const one = made('one', { cases: () => times(1) });
    let senders = 0;
    const using = made('using', {
      uses: [one],
      send: (run, found) => {
        senders++;
        const [{ exchange }] = found(one) as [Observation];
        const json = { input: String(exchange.number) };
        return sendRequest<string>(() => ({ method: 'POST', path: '/using', json }))(run, found);
      },
    });
    const run = open(service, { plan: [firstContact, phase('all', { sends: [one, using] })] });
    const [{ exchange }] = (await run.explore(one)).observations as [Observation];
    await run.explore(using);
    await run.repeat(using, 'x', 'any');
    expect(service.inputsOf('/using')).toEqual(Array.from({ length: 4 }, () => String(exchange.number)));
    expect(senders).toBe(1);
  });

  it('chooses further cases by the observations of the ones before', async () => {
    const service = await startService((path) => (path === '/rejecting' ? 422 : 201));
    const rounds: (readonly number[])[] = [];
    const growing = (name: string): Scenario<string> =>
      made(name, {
        *cases() {
          let count = 3;
          for (;;) {
            const observations: readonly Observation[] = yield times(count);
            rounds.push(observations.map(({ case: { index } }) => index));
            count = observations.filter(({ accepted }) => accepted).length - 1;
            if (count <= 0) return;
          }
        },
      });
    const [accepting, rejecting] = [growing('accepting'), growing('rejecting')];
    const run = open(service, { plan: [firstContact, phase('all', { sends: [accepting, rejecting] })] });
    const { observations } = await run.explore(accepting);
    expect(rounds).toEqual([[0, 1, 2], [3, 4], [5]]);
    expect(observations.map(({ case: { index } }) => index)).toEqual([0, 1, 2, 3, 4, 5]);
    rounds.length = 0;
    await run.explore(rejecting);
    expect(rounds).toEqual([[0, 1, 2]]);
  });

  it('generates the same inputs and the same nonces for the same seed, and a nonce for each request', async () => {
    const [one, two] = [made('one'), made('two')];
    const plan = [firstContact, phase('all', { sends: [one, two] })];
    const sent = await Promise.all(
      [7, 7, 8].map(async (seed) => {
        const service = await startService();
        const run = open(service, { plan, settings: { seed } });
        await exploreAll(run, [one, two]);
        await run.repeat(one, 'again', 'any');
        await run.repeat(one, 'again', 'any');
        await run.repeat(one, 'alike', 'any', 'i0');
        await run.repeat(one, 'alike', 'any', 'i0');
        const nonces = [...service.noncesOf('/one'), ...service.noncesOf('/two')];
        for (const nonce of nonces) {
          expect(nonce).toMatch(/^[a-z0-9]{1,16}$/);
          expect(nonce.startsWith(run.runId)).toBe(true);
        }
        expect(new Set(nonces).size).toBe(nonces.length - 1);
        return [...service.inputsOf('/one').toSorted(), ...nonces.toSorted()];
      }),
    );
    expect(sent[0]).toEqual(sent[1]);
    expect(sent[2]!.some((text) => sent[0]!.includes(text) && text !== 'again' && text !== 'alike')).toBe(
      false,
    );
  });

  it('loses a case without a reply, and one whose control was rejected', async () => {
    const one = made('one', {
      send: (run, found) => {
        const send = made('one').send(run, found);
        return async (testCase, nonce) => {
          if (testCase.index === 0) throw new NoReply({ method: 'POST', path: '/one' } as Request, []);
          if (testCase.index === 1) throw new Inconclusive('the control was rejected');
          return send(testCase, nonce);
        };
      },
    });
    const run = open(await startService(), { plan: [firstContact, phase('all', { sends: [one] })] });
    const { observations, lost, stopped } = await run.explore(one);
    expect(observations.map(({ case: { index } }) => index)).toEqual([2]);
    expect(lost.map(({ name }) => name).toSorted()).toEqual(['Inconclusive', 'NoReply']);
    expect(stopped).toBeUndefined();
  });

  it('rejects with the error of a defect', async () => {
    const service = await startService();
    const defect = made('defect', { send: () => () => Promise.reject(new TypeError('not a function')) });
    const run = open(service, { plan: [firstContact, phase('all', { sends: [defect] })] });
    await expect(run.explore(defect)).rejects.toThrow(TypeError);
  });

  it('can send its cases at the same instant', async () => {
    const service = await startService();
    const groups: number[] = [];
    const together = made('together', {
      sendTogether: () => async (cases) => {
        groups.push(cases.length);
        return cases.map(({ testCase, nonce }) => {
          if (testCase.index === 1) return new NoReply({ method: 'POST', path: '/together' } as Request, []);
          return { case: testCase, exchange: { reply: { text: nonce(0) } }, accepted: true } as never;
        });
      },
    });
    const run = open(service, { plan: [firstContact, phase('all', { sends: [together] })] });
    const { observations, lost } = await run.explore(together);
    expect(groups).toEqual([3]);
    expect(observations.map(({ case: { index } }) => index)).toEqual([0, 2]);
    expect(lost).toHaveLength(1);
    expect(service.inputsOf('/together')).toEqual([]);
  });
});

describe('the shards of a run', () => {
  it('divide the cases of scenarios with isShared, and send all others', async () => {
    const [shared, own] = [made('shared', { isShared: true, cases: () => times(5) }), made('own')];
    const plan = [firstContact, phase('all', { sends: [shared, own] })];
    const parts = await Promise.all(
      [1, 2].map(async (index) => {
        const service = await startService();
        const run = open(service, { plan, settings: { shard: { index, count: 2 } } });
        const { observations } = await run.explore(shared);
        await run.explore(own);
        expect(service.inputsOf('/own')).toHaveLength(3);
        return { indexes: observations.map((one) => one.case.index), service, runId: run.runId };
      }),
    );
    expect(parts.map(({ indexes }) => indexes)).toEqual([
      [0, 2, 4],
      [1, 3],
    ]);
    const whole = await startService();
    await open(whole, { plan }).explore(shared);
    const inputs = parts.flatMap(({ service }) => service.inputsOf('/shared'));
    expect(inputs.toSorted()).toEqual(whole.inputsOf('/shared').toSorted());
    expect(parts[0]!.runId).not.toBe(parts[1]!.runId);
  });
});

describe('a run that is stopped', () => {
  const counting = (): { readonly arbitrary: fc.Arbitrary<string>; readonly count: () => number } => {
    let generated = 0;
    return { arbitrary: fc.uuid().map((text) => (generated++, text)), count: () => generated };
  };

  it('generates no further cases of a list', async () => {
    const service = await startService();
    const { arbitrary, count } = counting();
    const long = made('long', { cases: () => times(1000, arbitrary) });
    const run = open(service, {
      plan: [firstContact, phase('all', { sends: [long] })],
      settings: { maxRequests: 10, concurrency: 4 },
    });
    const { observations, stopped } = await run.explore(long);
    expect(stopped).toBe('the budget of 10 requests was spent');
    expect(observations).toHaveLength(8);
    expect(count()).toBeLessThan(20);
  });

  it('requests no further list of cases', async () => {
    const service = await startService();
    let lists = 0;
    const endless = made('endless', {
      *cases() {
        for (; lists < 1000; lists++) yield times(1);
      },
    });
    const next = made('next');
    const plan = [
      firstContact,
      phase('first', { sends: [endless] }),
      phase('second', { sends: [next], after: ['first'] }),
    ];
    const run = open(service, { plan, settings: { maxRequests: 10, concurrency: 1 } });
    run.start([endless, next]);
    expect(await run.explore(endless)).toMatchObject({ stopped: 'the budget of 10 requests was spent' });
    // Eight came back; the ninth did not, and is the last one.
    expect(lists).toBe(8);
    expect(await run.explore(next)).toMatchObject({
      observations: [],
      stopped: expect.any(String) as string,
    });
    expect(service.arrivals).toHaveLength(10);
  });

  it('keeps the responses from before', async () => {
    const service = await startService();
    const long = made('slow-long', { cases: () => times(100) });
    const run = open(service, {
      plan: [firstContact, phase('all', { sends: [long] })],
      settings: { concurrency: 2 },
    });
    const exploration = run.explore(long);
    while (service.inputsOf('/slow-long').length < 5) await delay(5);
    run.target.stop('interrupted', 'interrupt');
    const { observations, stopped } = await exploration;
    expect(stopped).toBe('interrupted');
    expect(observations.length).toBeGreaterThanOrEqual(3);
    expect(service.inputsOf('/slow-long').length).toBeLessThan(10);
  });
});

describe('a run that follows another', () => {
  it('begins when that one is over, with its id, the rest of its budget, and its own nonces', async () => {
    const service = await startService();
    const [one, custom] = [made('slow-one'), made('custom', { cases: () => times(10) })];
    const settings = { maxRequests: 8 };
    const run = open(service, { plan: [firstContact, phase('all', { sends: [one] })], settings });
    run.start([one]);
    const following = open(service, {
      plan: [phase('custom', { sends: [custom] })],
      settings,
      following: run,
    });
    const { observations, stopped } = await following.explore(custom);
    expect(observations).toHaveLength(3);
    expect(stopped).toMatch(/budget/);
    const { order } = service;
    expect(order.indexOf('>/custom')).toBeGreaterThan(order.lastIndexOf('</slow-one'));
    expect(order.filter((text) => text === '>/v1/customers')).toHaveLength(1);
    expect(following.runId).toBe(run.runId);
    expect(following.target.redactor).toBe(run.target.redactor);
    for (const nonce of service.noncesOf('/custom')) expect(nonce.startsWith(`${run.runId}z`)).toBe(true);
  });
});

describe('a run that judges evidence', () => {
  it('sends nothing, and has the recorded observations', async () => {
    const service = await startService();
    const [one, other] = [made('one'), made('other')];
    const exploration = { observations: [], summaries: [], lost: [], stopped: 'spent' };
    const run = open(service, {
      plan: [firstContact, phase('all', { sends: [one, other] })],
      recorded: {
        explorationOf: (name) => (name === 'one' ? exploration : undefined),
        answerTo: () => undefined,
      },
    });
    run.start([one, other]);
    expect(run.explored()).toEqual([]);
    expect(await run.explore(one)).toBe(exploration);
    expect(await run.explore(other)).toMatchObject({ observations: [], stopped: 'it was not sent' });
    await expect(run.repeat(one, 'x', 'any')).rejects.toThrow('the run is judged from evidence');
    expect(service.arrivals).toEqual([]);
  });
});

describe('a run', () => {
  it('has its exchanges, the ids of the customers that it created, and no key', async () => {
    const service = await startService();
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

  it('changes its id if the target remembers the addresses of an earlier run', async () => {
    let customers = 0;
    const service = await startService((path) => (path === '/v1/customers' && ++customers === 1 ? 409 : 201));
    const run = open(service);
    const before = run.runId;
    await run.ready();
    expect(run.runId).not.toBe(before);
    expect((await run.explore(firstCustomer)).observations).toMatchObject([{ accepted: true }]);
  });
});
