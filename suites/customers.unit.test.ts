import consumers from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { evidenceOf } from '../lib/engine/evidence/evidence.ts';
import { firstContact } from '../lib/engine/readiness/first-contact.ts';
import { judge } from '../lib/engine/judging/judge.ts';
import { open } from '../lib/engine/run.testing.ts';
import type { Run } from '../lib/engine/scenario.ts';
import { phase } from '../lib/engine/scenario.ts';
import type { EvidenceLine } from '../lib/schemas/evidence.ts';
import { http } from '../lib/target/target.testing.ts';
import { bodyIsObject, customerRequirements, emailEchoed, nameEchoed } from './customers.ts';
import { allCustomers } from './plan.ts';
import { plainCustomers, simultaneousCustomers } from './scenarios/customers.ts';

const FILLER = 'x'.repeat(400_000);

type Customer = Readonly<Record<'name' | 'email', string>>;

/** A run against a service whose responses are changed, except the first. */
async function runAgainst(change: (customer: Customer) => object): Promise<Run> {
  let count = 0;
  const baseUrl = await http(async (request, response) => {
    const text = await consumers.text(request);
    const id = `cus_${++count}`;
    if (text === '') return void response.writeHead(405).end();
    const sent = JSON.parse(text) as Customer;
    const isUsual = count <= 2 || request.url!.endsWith('tokens');
    const reply = isUsual ? { id, token: 'q8Zr5xT1mVb7Kp2WnD4s', ...sent } : { id, ...change(sent) };
    response.writeHead(201, { 'Content-Type': 'application/json' }).end(JSON.stringify(reply));
  });
  const run = open({ baseUrl }, { plan: [firstContact, phase('plain', { sends: [plainCustomers] })] });
  await run.explore(plainCustomers);
  return run;
}

const over = [...allCustomers].filter((one) => one === plainCustomers);

describe('a response that is too long to be read whole', () => {
  it.each([
    ['another text', ({ email }: Customer) => ({ name: `Eve${FILLER}`, email })],
    ['a cut text', ({ name, email }: Customer) => ({ name: name.slice(0, 2), email, filler: FILLER })],
    ['another type', ({ email }: Customer) => ({ name: 1, email, filler: FILLER })],
  ] as const)('fails the name that is plainly wrong in what was read: %s', async (_, change) => {
    const run = await runAgainst(change);
    const finding = await judge(run, { ...nameEchoed, over });
    expect(finding).toMatchObject({ verdict: 'fail', broken: 1 });
    expect(JSON.stringify(finding).length).toBeLessThan(100_000);
    for (const other of [bodyIsObject, emailEchoed])
      expect((await judge(run, { ...other, over })).verdict).not.toMatch(/pass|fail/);
  });

  it('is kept in the evidence so that it can be judged again, within limits', async () => {
    const run = await runAgainst(({ email }) => ({ name: `Eve${FILLER}`, email }));
    const lines: EvidenceLine[] = [];
    for await (const line of evidenceOf(run, [])) lines.push(line);
    const line = lines.find((one) => one.type === 'exchange' && one.reply.part !== undefined);
    expect(line).toMatchObject({ reply: { part: { open: 'name' } } });
    expect(JSON.stringify(lines).length).toBeLessThan(500_000);
  });

  it('has no verdict where it is right as far as it was read', async () => {
    const run = await runAgainst((sent) => ({ ...sent, filler: FILLER }));
    for (const one of [nameEchoed, bodyIsObject])
      expect(await judge(run, { ...one, over })).toMatchObject({ verdict: 'inconclusive' });
  });
});

/** The requests in flight of a run without settings. */
const CONCURRENCY = 16;

it('names the instant as the cause where only simultaneous customers are rejected', async () => {
  let customers = 0;
  const baseUrl = await http(async (request, response) => {
    const text = await consumers.text(request);
    const isRejected = request.url === '/v1/customers' && ++customers > 1 && customers <= 1 + CONCURRENCY;
    response
      .writeHead(isRejected ? 400 : 201, { 'Content-Type': 'application/json' })
      .end(isRejected ? '{}' : JSON.stringify({ id: 'cus_1', token: 'q8Zr5xT1mVb7', ...JSON.parse(text) }));
  });
  const plan = [firstContact, phase('together', { sends: [simultaneousCustomers] })];
  const requirement = customerRequirements.find(({ id }) => id === 'customer.plain.accepted')!;
  const { verdict, cause } = await judge(open({ baseUrl }, { plan }), {
    ...requirement,
    over: [...firstContact.sends.slice(0, 1), simultaneousCustomers],
  });
  expect(verdict).toBe('fail');
  expect(cause!.text).toMatch(/^customers that are sent at the same instant, .* are rejected with 400$/);
});
