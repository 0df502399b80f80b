import consumers from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { firstContact } from '../../lib/engine/readiness/first-contact.ts';
import { open } from '../../lib/engine/run.testing.ts';
import { phase } from '../../lib/engine/scenario.ts';
import type { Run } from '../../lib/engine/scenario.ts';
import { plainAddress } from '../../lib/inputs/addresses.ts';
import { usualStyle } from '../../lib/inputs/json-styles.ts';
import { http } from '../../lib/target/target.testing.ts';
import { repeatedCustomers, simultaneousCustomers } from './customers.ts';
import { simplifiedCustomers } from './simplified-customers.ts';
import { wideCustomers } from './wide-customers.ts';

/** What a service does: creates a customer, fails, or closes the connection. */
type Outcome = 'creates' | 'fails' | 'closes';

/** A run against a service that decides by the text of a customer. */
async function runAgainst(outcomeOf: (text: string) => Outcome): Promise<Run> {
  let customers = 0;
  const baseUrl = await http(async (request, response) => {
    const text = await consumers.text(request);
    const isToken = request.url!.endsWith('tokens');
    const outcome = isToken ? 'creates' : outcomeOf(text);
    if (outcome === 'closes') return void request.socket.destroy();
    const created = isToken
      ? { token: 'q8Zr5xT1mVb7Kp2WnD4s' }
      : { ...(JSON.parse(text || '{}') as object), id: `cus_${++customers}` };
    response.writeHead(outcome === 'fails' ? 500 : 201, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(outcome === 'fails' ? {} : created));
  });
  const sends = [repeatedCustomers, simultaneousCustomers, wideCustomers, simplifiedCustomers];
  return open({ baseUrl }, { plan: [firstContact, phase('all', { sends })], settings: { cases: 5 } });
}

describe('identical customers', () => {
  it('are observed as they are if the repetition of the one that the service fails on gets no response', async () => {
    let identical = 0;
    let repeatedName: string | undefined;
    const run = await runAgainst((text) => {
      const { id, name } = JSON.parse(text || '{}') as { readonly id?: string; readonly name?: string };
      if (id !== undefined) repeatedName ??= name;
      if (!id?.startsWith('cus_') || name !== repeatedName || ++identical === 1) return 'creates';
      return identical === 2 ? 'fails' : 'closes';
    });
    const { observations } = await run.explore(repeatedCustomers);
    // Which of those at the same instant is the second depends on the network.
    const statuses = observations.map(({ exchange }) => exchange.reply.status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 201, 201, 500]);
  });
});

describe('a customer that the service fails on at first', () => {
  it.each([repeatedCustomers, simplifiedCustomers])(
    'is marked when it is replayed ($name)',
    async (scenario) => {
      let failures = 0;
      const run = await runAgainst((text) =>
        text.includes('Ida') && failures++ === 0 ? 'fails' : 'creates',
      );
      const input = { name: 'Ida Berg', address: plainAddress, style: usualStyle };
      expect(await run.repeat(scenario, input, 'plain')).toMatchObject({ intermittent: 'exchange' });
    },
  );
});
