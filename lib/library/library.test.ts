import { inspect } from 'node:util';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { startReference } from '../reference/start.ts';
import { startPlainService } from '../selftest/plain-service.ts';
import * as library from './index.ts';

const KEY = 'sk_test_4eC39HqLyjWDarjtT1zdp7dc';
const { customerRequest, customers, defineTarget, invalidCredentials, tokenRequest, tokenRequests } = library;

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
});

async function targetOf(
  limits: { maxRequests?: number } = {},
): Promise<library.DefinedTarget & { apiKey: string }> {
  const { baseUrl, apiKey, stop } = await startReference();
  const target = defineTarget({ baseUrl, apiKey, ...limits });
  stops.push(stop, target.close);
  return { ...target, apiKey };
}

describe('the library', () => {
  it('exports these names only', () => {
    expect(Object.keys(library).toSorted()).toMatchInlineSnapshot(`
      [
        "catalogue",
        "customerRequest",
        "customerResponse",
        "customers",
        "defineTarget",
        "invalidCredentials",
        "requirement",
        "scenario",
        "sendRequest",
        "tokenRequest",
        "tokenRequests",
        "tokenResponse",
      ]
    `);
  });
});

describe('arbitraries', () => {
  it('generate values that satisfy the schemas', () => {
    const valid = <T>(
      arbitrary: fc.Arbitrary<T>,
      schema: { safeParse: (value: T) => { success: boolean } },
    ) => fc.assert(fc.property(arbitrary, (value) => schema.safeParse(value).success));
    valid(customers.plain, customerRequest);
    valid(customers.wide, customerRequest);
    valid(tokenRequests.plain, tokenRequest);
    valid(tokenRequests.wide, tokenRequest);
  });

  it('generate no address twice', () => {
    const emails = fc.sample(customers.plain, { numRuns: 500, seed: 1 }).map(({ email }) => email);
    expect(new Set(emails).size).toBe(500);
  });

  it('never generate the key as an invalid credential, nor describe one with it', () => {
    fc.assert(
      fc.property(invalidCredentials(KEY), ({ authorization, description }) => {
        expect(authorization).not.toBe(`Bearer ${KEY}`);
        expect(description).not.toMatch(/4eC39|zdp7dc/i);
      }),
      { numRuns: 500 },
    );
  });
});

describe('defineTarget', () => {
  it.each([
    [{ baseUrl: 'ftp://nowhere' }, 'baseUrl: expected an absolute'],
    [{ apiKey: 'sk_live_4eC39HqLyjWD' }, 'apiKey does not start with sk_test_'],
    [{ concurrency: 0 }, 'concurrency: expected a whole number'],
    [{ conurrency: 3 }, 'unknown option; expected baseUrl'],
    [{ apiKey: undefined }, 'apiKey is missing'],
  ])('rejects %j', (wrong, message) => {
    const define = (): unknown =>
      defineTarget({ baseUrl: 'http://127.0.0.1:9', apiKey: KEY, ...wrong } as never);
    expect(define).toThrow(message);
    expect(define).not.toThrow('4eC39');
  });

  it('does not print its key, and sends nothing after it was closed', async () => {
    const target = defineTarget({ baseUrl: 'http://127.0.0.1:9', apiKey: KEY });
    for (const text of [inspect(target, { depth: 9 }), JSON.stringify(target)])
      expect(text).not.toContain(KEY);
    await target.close();
    await expect(target.createCustomer({ name: 'Ada', email: 'a@example.com' })).rejects.toThrow(
      'the target is closed',
    );
  });

  it('distinguishes accepted from rejected requests, and returns no secrets', async () => {
    const target = await targetOf();
    const { apiKey } = target;
    const request = { name: 'Ada Berg', email: 'ada1@example.com' };
    const created = await target.createCustomer(request);
    expect(created).toMatchObject({ accepted: true, status: 201, body: request });
    expect(created.exchange.request.body).toBe(JSON.stringify(request));

    const issued = await target.issueToken({ scopes: ['customers:read'], expires_in: 60 });
    expect(issued.token).toMatch(/^tok_/);
    const shown = JSON.stringify([created.exchange, issued.exchange]);
    expect(shown).toContain('[token 2]');
    expect(shown).not.toContain(issued.token);
    expect(shown).not.toContain(apiKey);
    expect(target.redact(`${apiKey} ${issued.token}`)).toBe('[key] [token 2]');

    const none = await target.createCustomer(request, { authorization: null });
    const nearly = await target.createCustomer(request, { authorization: `Bearer ${apiKey}x` });
    expect([none.accepted, none.status, nearly.accepted, nearly.status]).toEqual([false, 401, false, 401]);
    expect(JSON.stringify(nearly.exchange)).not.toContain(apiKey.slice(8));
  });

  it('counts a result as accepted whatever the status, as the rules do', async () => {
    const { baseUrl, apiKey, stop } = await startPlainService({
      instead(request, response) {
        const result = request.url!.endsWith('tokens')
          ? { access_token: 'q8Zr5xT1mVb7Kp2WnD4s' }
          : { id: 'cus_1', name: 'Ada', email: 'ada@example.com' };
        response.writeHead(401, { 'Content-Type': 'application/json' }).end(JSON.stringify(result));
        return true;
      },
    });
    const target = defineTarget({ baseUrl, apiKey });
    stops.push(stop, target.close);
    const issued = await target.issueToken({ scopes: ['customers:read'], expires_in: 60 });
    const created = await target.createCustomer({ name: 'Ada', email: 'ada@example.com' });
    expect([issued.accepted, created.accepted]).toEqual([true, true]);
  });

  it('sends no more than maxRequests', async () => {
    const target = await targetOf({ maxRequests: 1 });
    const [first] = fc.sample(customers.plain, 1);
    await target.createCustomer(first!);
    await expect(target.createCustomer(first!)).rejects.toThrow('the budget of 1 requests was spent');
  });
});
