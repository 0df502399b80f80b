import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NoReply } from '../target/exchange.ts';
import type { Request } from '../target/exchange.ts';
import { firstContact, firstToken } from './readiness/first-contact.ts';
import { tokenInput } from '../inputs/tokens.ts';
import { Inconclusive } from './observation.ts';
import type { Observation } from './observation.ts';
import { withUsed, phase } from './scenario.ts';
import { exploreAll, open, scenarioTo, startTestService, times } from './run.testing.ts';
import type { Scenario } from './scenario.ts';
import { sendRequest } from './operations/request.ts';

describe('a scenario', () => {
  it('is sent once a run, however often it is started and explored', async () => {
    const service = await startTestService();
    const [one, other] = [scenarioTo('one'), scenarioTo('other', { cases: () => times(1) })];
    const run = open(service, { plan: [firstContact, phase('all', { sends: [one, other] })] });
    run.start([one]);
    run.start([one, one]);
    const [first, second] = await Promise.all([run.explore(one), run.explore(one)]);
    expect(first).toBe(second);
    expect(first).toMatchObject({ summaries: [], lost: [] });
    expect(first.stopped).toBeUndefined();
    expect(service.inputsOf('/one')).toHaveLength(3);
    expect(service.inputsOf('/other')).toEqual([]);
    const explored = (await run.explored()).map(([{ name }]) => name);
    expect(new Set(explored)).toEqual(new Set(['one', 'first customer', 'first token']));
  });

  it('gets the observations that it uses, and no others', async () => {
    const service = await startTestService();
    const one = scenarioTo('one');
    const other = scenarioTo('other');
    const using = scenarioTo('using', {
      uses: [one],
      cases: (_, observed) =>
        observed(one).map(({ case: { input } }) => ({ category: 'again', arbitrary: fc.constant(input) })),
    });
    const prying = scenarioTo('prying', { uses: [one], cases: (_, observed) => observed(other) as never });
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

  it('gets no observations of a scenario whose control was rejected, and is sent nevertheless', async () => {
    const service = await startTestService();
    const failing = scenarioTo('failing', {
      cases: () => {
        throw new Inconclusive('no control');
      },
    });
    const using = scenarioTo('using', {
      uses: [failing],
      cases: (_, observed) => times(1 + observed(failing).length),
    });
    const run = open(service, { plan: [firstContact, phase('all', { sends: [failing, using] })] });
    expect((await run.explore(using)).observations).toHaveLength(1);
    await expect(run.explore(failing)).rejects.toThrow('no control');
  });

  it('can make its sender from the observations that it uses', async () => {
    const service = await startTestService();
    const one = scenarioTo('one', { cases: () => times(1) });
    let senders = 0;
    const using = scenarioTo('using', {
      uses: [one],
      send: (run, observed) => {
        senders++;
        const [{ exchange }] = observed(one) as [Observation];
        const json = { input: String(exchange.number) };
        return sendRequest<string>(() => ({ method: 'POST', path: '/using', json }))(run, observed);
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
    const service = await startTestService((path) => (path === '/rejecting' ? 422 : 201));
    const rounds: (readonly number[])[] = [];
    const growing = (name: string): Scenario<string> =>
      scenarioTo(name, {
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
    const [one, two] = [scenarioTo('one'), scenarioTo('two')];
    const plan = [firstContact, phase('all', { sends: [one, two] })];
    const sent = await Promise.all(
      [7, 7, 8].map(async (seed, at) => {
        const service = await startTestService();
        const run = open(service, { plan, settings: { seed } });
        await exploreAll(run, [one, two]);
        // As a run does whose first responses take long.
        if (at === 0) await run.repeat(firstToken, tokenInput([], 60), 'any');
        await run.repeat(one, 'again', 'any');
        await run.repeat(one, 'again', 'any');
        await run.repeat(one, 'alike', 'any', 'i0');
        await run.repeat(one, 'alike', 'any', 'i0');
        const nonces = [...service.noncesOf('/one'), ...service.noncesOf('/two')];
        for (const nonce of nonces) {
          expect(nonce).toMatch(/^[a-z0-9]{1,16}$/);
          expect(nonce.startsWith(run.runId())).toBe(true);
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
    const one = scenarioTo('one', {
      send: (run, observed) => {
        const send = scenarioTo('one').send(run, observed);
        return async (testCase, nonce) => {
          if (testCase.index === 0) throw new NoReply({ method: 'POST', path: '/one' } as Request, []);
          if (testCase.index === 1) throw new Inconclusive('the control was rejected');
          return send(testCase, nonce);
        };
      },
    });
    const run = open(await startTestService(), { plan: [firstContact, phase('all', { sends: [one] })] });
    const { observations, lost, stopped } = await run.explore(one);
    expect(observations.map(({ case: { index } }) => index)).toEqual([2]);
    expect(lost.map(({ error }) => error.name).toSorted()).toEqual(['Inconclusive', 'NoReply']);
    expect(stopped).toBeUndefined();
  });

  it('rejects with the error of a defect', async () => {
    const service = await startTestService();
    const defect = scenarioTo('defect', {
      send: () => () => Promise.reject(new TypeError('not a function')),
    });
    const run = open(service, { plan: [firstContact, phase('all', { sends: [defect] })] });
    await expect(run.explore(defect)).rejects.toThrow(TypeError);
  });

  it('can send its cases at the same instant', async () => {
    const service = await startTestService();
    const groups: number[] = [];
    const together = scenarioTo('together', {
      sendTogether: () => async (cases) => {
        groups.push(cases.length);
        return cases.map(({ testCase, nonce }) => {
          if (testCase.index === 1) return new NoReply({ method: 'POST', path: '/together' } as Request, []);
          const exchange = { request: {}, reply: { text: nonce(0) } };
          return { case: testCase, exchange, accepted: true } as never;
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
    const [shared, own] = [
      scenarioTo('shared', { isShared: true, cases: () => times(5) }),
      scenarioTo('own'),
    ];
    const plan = [firstContact, phase('all', { sends: [shared, own] })];
    const parts = await Promise.all(
      [1, 2].map(async (index) => {
        const service = await startTestService();
        const run = open(service, { plan, settings: { shard: { index, count: 2 } } });
        const { observations } = await run.explore(shared);
        await run.explore(own);
        expect(service.inputsOf('/own')).toHaveLength(3);
        return { indexes: observations.map((one) => one.case.index), service, runId: run.runId() };
      }),
    );
    expect(parts.map(({ indexes }) => indexes)).toEqual([
      [0, 2, 4],
      [1, 3],
    ]);
    const whole = await startTestService();
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
    const service = await startTestService();
    const { arbitrary, count } = counting();
    const long = scenarioTo('long', { cases: () => times(1000, arbitrary) });
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
    const service = await startTestService();
    let lists = 0;
    const endless = scenarioTo('endless', {
      *cases() {
        for (; lists < 1000; lists++) yield times(1);
      },
    });
    const next = scenarioTo('next');
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
    const service = await startTestService();
    const long = scenarioTo('slow-long', { cases: () => times(100) });
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
