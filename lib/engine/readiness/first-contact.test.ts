import consumers from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { readSettings } from '../../settings/sources.ts';
import type { Run } from '../scenario.ts';
import { casesWithin } from './budget.ts';
import type { FirstResponses } from './first-responses.ts';
import { http } from '../../target/target.testing.ts';
import { open } from '../run.testing.ts';
import { firstCustomer, throughputOf } from './first-contact.ts';
import { isSameResponse } from './first-responses.ts';
import type { Exchange } from '../../target/exchange.ts';
import { readReply } from '../../target/reply.ts';

/** The throughput by the milliseconds of the first customer and token, and of three more tokens at once. */
function throughputWith(customer: number, token: number, more: readonly number[]) {
  const durations = more.values();
  const settings = readSettings({});
  const run = {
    settings,
    repeat: async () => ({ exchange: { duration: durations.next().value } }),
  } as unknown as Run;
  const first = {
    customer: { exchange: { duration: customer } },
    token: { exchange: { duration: token }, case: {} },
  } as unknown as FirstResponses;
  return throughputOf(run, first).then((throughput) => ({
    ...throughput,
    cases: casesWithin(settings, throughput),
  }));
}

describe('the throughput of a target', () => {
  it('is that of one request at a time where responses wait for each other', async () => {
    expect(await throughputWith(500, 1000, [500, 1000, 1500])).toMatchObject({
      duration: 500,
      served: 1,
      cases: 60,
    });
    // The mean, as the fastest of a few says too little about all.
    expect(await throughputWith(150, 400, [150, 410, 630])).toMatchObject({ duration: 210, served: 1 });
  });

  it.each([
    ['only the first were slow, as they woke the target', 1800, 1900, [10, 11, 12]],
    ['one more was slow for the same reason', 3000, 3000, [10, 11, 3000]],
    ['one waited for the other by chance', 400, 800, [400, 410, 420]],
  ])('is not reduced if %s', async (_, customer, token, more) => {
    expect(await throughputWith(customer, token, more)).toMatchObject({ served: 16, cases: 170 });
  });

  it('is that of the first two where the limits allow all cases anyway', async () => {
    expect(await throughputWith(20, 22, [])).toEqual({
      duration: 20,
      served: 16,
      cases: 170,
    });
  });
});

describe('the first customer of a second run with the same seed', () => {
  it('has another name where the target accepts each name only once', async () => {
    const names = new Set<unknown>();
    const baseUrl = await http(async (request, response) => {
      const text = await consumers.text(request);
      const sent = JSON.parse(text) as Readonly<Record<string, unknown>>;
      const isTaken = request.url!.endsWith('customers') && names.has(sent['name']);
      names.add(sent['name']);
      response
        .writeHead(isTaken ? 409 : 201, { 'Content-Type': 'application/json' })
        .end(JSON.stringify(isTaken ? { error: 'taken' } : { ...sent, id: `cus_${names.size}` }));
    });
    for (let time = 0; time < 2; time++) {
      const { observations } = await open({ baseUrl }).explore(firstCustomer);
      expect(observations.map(({ accepted }) => accepted)).toEqual([true]);
    }
    expect(names.size).toBe(2);
  });
});

describe('two responses', () => {
  const response = (text: string): Exchange =>
    ({
      request: { path: '/v1/customers' },
      reply: readReply(401, {}, Buffer.from(text), 1000),
    }) as unknown as Exchange;

  it.each([
    ['{"error":"auth","id":"req_xQmRzTvw"}', '{"error":"auth","id":"req_KbTnWqLd"}', true],
    ['{"error":"auth","id":"req_17"}', '{"error":"auth","id":"req_18"}', true],
    ['{"error":"bad_key"}', '{"error":"too_many_keys"}', false],
  ])('%s and %s are the same: %s', (one, other, same) => {
    expect(isSameResponse(response(one), response(other))).toBe(same);
  });
});

describe('the first customer, if the same request is accepted later,', () => {
  const observed = async (isRejected: (count: number, known: boolean) => boolean) => {
    const bodies: string[] = [];
    const baseUrl = await http((request, response) => {
      const chunks: Buffer[] = [];
      request
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => {
          const body = Buffer.concat(chunks).toString();
          const isKnown = bodies.includes(body);
          bodies.push(body);
          const rejected = isRejected(bodies.length, isKnown);
          response.writeHead(rejected ? 500 : 201, { 'Content-Type': 'application/json' });
          response.end(rejected ? '{}' : JSON.stringify({ id: `cus_${bodies.length}`, ...JSON.parse(body) }));
        });
    });
    const [one] = (await open({ baseUrl }).explore(firstCustomer)).observations;
    return one!;
  };

  it('shows a failure of the service', async () => {
    const first = await observed((count) => count === 1);
    expect(first).toMatchObject({
      accepted: true,
      intermittent: 'control',
      control: { reply: { status: 500 } },
    });
  });

  it('was a duplicate if it is rejected again', async () => {
    const first = await observed((count, isKnown) => count === 1 || isKnown);
    expect(first.accepted).toBe(true);
    expect(first.intermittent).toBeUndefined();
  });
});
