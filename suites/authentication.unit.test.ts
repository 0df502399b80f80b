import { describe, expect, it } from 'vitest';
import type { TargetSettings } from '../lib/settings/run-settings.ts';
import { authenticationRequirements } from './authentication.ts';

describe('a response to an issued token', () => {
  const { only } = authenticationRequirements.find(({ id }) => id === 'auth.tokens.key.static')!;
  const isJudged = (token: string): boolean =>
    only!({
      accepted: true,
      control: { request: { credential: { value: 'Bearer key' } } },
      exchange: { request: { credential: { value: `Bearer ${token}` } } },
      case: { category: 'static key' },
    });

  it('is not judged where the token is the key itself, which is right', () => {
    expect([isJudged('token'), isJudged('key')]).toEqual([true, false]);
  });
});

describe('a rejection that is judged for its status', () => {
  const { only } = authenticationRequirements.find(({ id }) => id === 'auth.rejection.unauthorized')!;
  const isJudged = (status: number, credential: object, conditions: readonly object[] = []): boolean =>
    only!({
      accepted: false,
      exchange: { request: {}, reply: { status, fields: {} } },
      case: { category: 'any', input: { credential, conditions } },
    });

  it('is that of a request without the right key that otherwise equals an accepted one', () => {
    for (const status of [401, 403, 404])
      expect([isJudged(status, { kind: 'none' }), isJudged(status, { kind: 'reverse' })]).toEqual([
        true,
        true,
      ]);
    expect(isJudged(403, { kind: 'none' }, [{ query: 'a=1' }])).toBe(false);
  });

  it('is not a 403 to an issued token, which is valid, but may not issue tokens', () => {
    expect(isJudged(403, { kind: 'issued token' })).toBe(false);
    expect(isJudged(401, { kind: 'issued token' })).toBe(true);
    expect(isJudged(404, { kind: 'issued token' })).toBe(true);
  });
});

describe('a response that contains the key', () => {
  const KEY = 'sk_test_4eC39HqLyjWDarjtT1zdp7dc';
  const { check } = authenticationRequirements.find(({ id }) => id === 'auth.key.unreflected')!;

  it.each([
    ['may repeat the path of its request', { path: `/v1/customers?key=${KEY}` }, false],
    ['may repeat the target of its request in absolute form', { absolute: `${KEY}@` }, false],
    ['must not repeat Authorization', {}, true],
  ])('%s', (_, sent, isViolation) => {
    const request = { path: '/v1/customers', body: undefined, ...sent };
    const reply = { fields: {}, text: `Not found: http://${KEY}@localhost/v1/customers` };
    expect(check!({ exchange: { request, reply } }, { apiKey: KEY } as TargetSettings) !== undefined).toBe(
      isViolation,
    );
  });
});
