import { describe, expect, it } from 'vitest';
import { whyUntestable } from '../lib/engine/requirement.ts';
import type { Profile } from '../lib/schemas/profile.ts';
import type { TargetSettings } from '../lib/settings/run-settings.ts';
import { tokenLifeRequirements } from './token-life.ts';

const scopes = { 'customers:write': ['POST /v1/customers'], 'customers:read': [] };
const complete = {
  'token.presentation': 'bearer',
  'token.scopes.allow': scopes,
  'token.expires_in.unit': 'seconds',
};

/** What the profile lacks for each requirement. */
const lackingWith = (answers: Profile['answers']) =>
  Object.fromEntries(
    tokenLifeRequirements.map((requirement) => [
      requirement.id.replace('token.life.', ''),
      whyUntestable(requirement, { profile: { answers, waivers: [] } } as unknown as TargetSettings),
    ]),
  );

describe('the life of a token', () => {
  it.each([
    complete,
    { ...complete, 'token.presentation': { header: 'X-Access-Token' } },
    { ...complete, 'token.presentation': ['bearer', { header: 'X-Access-Token' }] },
  ])('can be tested with %j', (answers) => {
    expect(Object.values(lackingWith(answers)).filter(Boolean)).toEqual([]);
  });

  it('cannot be tested where no token is accepted, nor without the answers that it needs', () => {
    expect(
      new Set(Object.values(lackingWith({ ...complete, 'token.presentation': 'not accepted' }))),
    ).toEqual(new Set(['the profile declares no way to present an issued token']));
    const { 'token.expires_in.unit': _, ...withoutUnit } = complete;
    expect(lackingWith(withoutUnit)).toMatchObject({
      accepted: undefined,
      ended: 'not declared; a profile tests it with "answers": { "token.expires_in.unit": "seconds" }',
    });
  });

  it('needs a scope that allows it, or one that does not', () => {
    const none = 'the profile declares no scope that allows POST /v1/customers';
    expect(lackingWith({ ...complete, 'token.scopes.allow': { 'customers:read': [] } })).toEqual({
      accepted: none,
      ended: none,
      unaltered: none,
      scoped: undefined,
    });
    expect(
      lackingWith({ ...complete, 'token.scopes.allow': { 'customers:write': ['POST /v1/customers'] } }),
    ).toMatchObject({ scoped: 'the profile declares no scope that does not allow POST /v1/customers' });
    expect(lackingWith({ ...complete, 'token.expires_in.unit': 'none that fits' })).toMatchObject({
      ended: 'the profile declares no unit of expires_in',
    });
  });
});
