import { describe, expect, it } from 'vitest';
import type { Profile } from '../../schemas/profile.ts';
import { lifeIn } from './life.ts';

const profile = (answers: Profile['answers']): Profile => ({ answers, waivers: [] });
const [POST] = ['POST /v1/customers'];
const allow = { 'customers:write': [POST], 'customers:read': [] };

describe('what a profile declares about tokens', () => {
  it.each<[allow: Profile['answers'][string], allowed: readonly string[] | undefined, denied: unknown]>([
    // None of the scopes allows it, so no scopes at all do not either.
    [allow, ['customers:write'], [['customers:read'], []]],
    [{ ...allow, none: [POST] }, ['customers:write'], [['customers:read']]],
    [{ ...allow, none: [] }, ['customers:write'], [['customers:read'], []]],
    // Where nothing is denied, scopes may have no meaning at all.
    [{ 'customers:write': [POST] }, ['customers:write'], []],
    [{ 'a:b c:d': [POST], none: [POST] }, ['a:b', 'c:d'], []],
    [{ 'customers:write': [[POST], []] }, undefined, []],
    [{ schema: { type: 'object' } }, undefined, []],
  ])('scopes: %j', (scopes, allowed, denied) => {
    expect(lifeIn(profile({ 'token.scopes.allow': scopes }))).toMatchObject({ denied });
    expect(lifeIn(profile({ 'token.scopes.allow': scopes })).allowed).toEqual(allowed);
  });

  it('ends with the next token only if that is declared', () => {
    const ends = ['accepted', 'rejected', ['accepted', 'rejected']].map(
      (earlier) => lifeIn(profile({ 'token.earlier': earlier })).endsWithNext,
    );
    expect([...ends, lifeIn(undefined).endsWithNext]).toEqual([false, true, true, false]);
  });
});
