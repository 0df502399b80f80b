import consumers from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { http } from '../../target/target.testing.ts';
import { open } from '../run.testing.ts';
import { plainBody, probeCustomer } from './probe.ts';

it('a retry of a probe has another body, as the target may have created a customer whose response was lost', async () => {
  const known = new Set<string>();
  const baseUrl = await http(async (request, response) => {
    const text = await consumers.text(request);
    if (known.size === 0) {
      known.add(text);
      return void request.socket.destroy();
    }
    const isNew = known.size < known.add(text).size;
    response.writeHead(isNew ? 201 : 409, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(isNew ? { ...(JSON.parse(text) as object), id: 'cus_1' } : {}));
  });
  const run = open({ baseUrl });
  expect(await probeCustomer(run, () => plainBody(run))).toMatchObject({ accepted: true });
  expect(known.size).toBe(2);
});
