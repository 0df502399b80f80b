// Your own tests, with the parts of the suite; run them with Vitest.
import {
  customerResponse,
  customers,
  defineTarget,
  invalidCredentials,
  catalogue,
  tokenRequests,
} from 'cts-conformance';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';

const apiKey = process.env['TARGET_API_KEY']!;
const target = defineTarget({ baseUrl: process.env['TARGET_BASE_URL']!, apiKey, maxRequests: 200 });
afterAll(() => target.close());

describe('our service', () => {
  it('creates the requested customer, or none', async () => {
    await fc.assert(
      fc.asyncProperty(customers.wide, async (request) => {
        const { accepted, body, exchange } = await target.createCustomer(request);
        if (!accepted) return;
        // The message shows the exchange, without the key.
        expect(customerResponse.parse(body), JSON.stringify(exchange)).toMatchObject(request);
      }),
      { numRuns: 30 },
    );
  });

  it('issues no token for an invalid credential', async () => {
    const tokenRequest = fc.sample(tokenRequests.plain, 1)[0]!;
    await fc.assert(
      fc.asyncProperty(invalidCredentials(apiKey), async ({ authorization, description }) => {
        const { accepted } = await target.issueToken(tokenRequest, { authorization: authorization ?? null });
        expect(accepted, description).toBe(false);
      }),
      { numRuns: 30 },
    );
  });

  it('is checked against all that the interface states', () => {
    const stated = catalogue.requirements.filter(({ level }) => level === 'must');
    expect(stated.map(({ id }) => id)).toContain('customer.name.echoed');
  });
});
