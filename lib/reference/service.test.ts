import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Call } from './call.ts';
import { createReference } from './service.ts';

const KEY = 'sk_test_4eC39HqLyjWDarjtT1zdp7dc';

const post = (path: string, body: unknown, authorization = `Bearer ${KEY}`): [string, RequestInit] => [
  path,
  {
    method: 'POST',
    headers: { Authorization: authorization, 'Content-Type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  },
];

describe('reference service', () => {
  it('creates customers and echoes them', async () => {
    const app = createReference(KEY);
    const submitted = { name: 'Zoë', email: 'zoe@example.com' };
    const [first, second] = await Promise.all(
      [1, 2].map(async () => {
        const response = await app.request(...post('/v1/customers', submitted));
        expect(response.status).toBe(201);
        return (await response.json()) as { id: string };
      }),
    );
    expect(first).toEqual({ id: expect.stringMatching(/^cus_[\w-]{16}$/) as string, ...submitted });
    expect(second!.id).not.toBe(first!.id);
  });

  it('issues tokens that carry their scopes and expire', async () => {
    vi.useFakeTimers({ now: 1_000_000, toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const found: Call['token'][] = [];
    const app = createReference(KEY, {
      authenticate: ({ hasKey, token }) => hasKey || found.push(token) === 0,
    });
    const response = await app.request(...post('/v2/tokens', { scopes: ['customers:read'], expires_in: 60 }));
    const { token } = (await response.json()) as { token: string };
    await app.request(...post('/v1/customers', {}, `Bearer ${token}`));
    vi.advanceTimersByTime(60_000);
    await app.request(...post('/v1/customers', {}, `Bearer ${token}`));
    expect(found).toEqual([{ scopes: ['customers:read'], expiresAt: 1_060_000 }, undefined]);
  });

  it.each([
    ['', 401],
    ['Bearer', 401],
    [`Basic ${KEY}`, 401],
    [`Bearer ${KEY}x`, 401],
    [KEY, 401],
    [`bearer ${KEY}`, 201],
  ])('answers Authorization %j with %i', async (authorization, status) => {
    const app = createReference(KEY);
    const response = await app.request(
      ...post('/v1/customers', { name: 'Ada', email: 'a@example.com' }, authorization),
    );
    expect(response.status).toBe(status);
  });

  it.each([
    ['/v1/customers', '{'],
    ['/v1/customers', {}],
    ['/v1/customers', { name: 1, email: 'a@example.com' }],
    ['/v2/tokens', { scopes: [], expires_in: 60 }],
    ['/v2/tokens', { scopes: ['everything'], expires_in: 60 }],
    ['/v2/tokens', { scopes: ['customers:read'], expires_in: 0 }],
    ['/v2/tokens', { scopes: ['customers:read'], expires_in: 1.5 }],
  ])('rejects %s %j', async (path, body) => {
    const response = await createReference(KEY).request(...post(path, body));
    expect(response.status).toBe(400);
  });
});
