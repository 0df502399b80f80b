import { describe, expect, it } from 'vitest';
import { inRequests, usualPresentationsExcept, presenting, declaredTokenLife } from './presentation.ts';
import type { Profile } from '../../schemas/profile.ts';

describe('the presentation of a token', () => {
  it('has the token in each place, and a description in its place in reports', () => {
    const { credential, fields } = presenting(['bearer', { header: 'X-Token' }], 'tok_1', 'cut');
    expect(credential).toEqual({
      field: 'Authorization',
      value: 'Bearer tok_1',
      label: 'Bearer [issued token: cut]',
      shell: '"Bearer ${ALTERED_TOKEN:?issue a token first, and alter it}"',
    });
    expect(fields).toEqual([['X-Token', 'tok_1']]);
    expect(presenting([{ header: 'X-Token' }], 'tok_1').credential).toMatchObject({
      value: 'tok_1',
      shell: '"${ISSUED_TOKEN:?issue a token first}"',
    });
  });

  it('leaves out the given presentations, whatever the case of a header', () => {
    const others = usualPresentationsExcept(['bearer', { header: 'x-access-TOKEN' }], []);
    expect(others).not.toContain('bearer');
    expect(others).not.toContainEqual({ header: 'X-Access-Token' });
    expect(others).toContainEqual({ header: 'X-Auth-Token' });
    expect(usualPresentationsExcept([], [{ name: 'x-auth-token' }])).not.toContainEqual({
      header: 'X-Auth-Token',
    });
  });

  it('takes one request, or two where the token is long', () => {
    const presentations = usualPresentationsExcept([], []);
    expect(inRequests(presentations, 'x'.repeat(36))).toEqual([presentations]);
    const long = inRequests(presentations, 'x'.repeat(1500));
    expect(long.map(({ length }) => length)).toEqual([3, 3]);
  });
});

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
    expect(declaredTokenLife(profile({ 'token.scopes.allow': scopes }))).toMatchObject({ denied });
    expect(declaredTokenLife(profile({ 'token.scopes.allow': scopes })).allowed).toEqual(allowed);
  });

  it('ends with the next token only if that is declared', () => {
    const ends = ['accepted', 'rejected', ['accepted', 'rejected']].map(
      (earlier) => declaredTokenLife(profile({ 'token.earlier': earlier })).endsWithNext,
    );
    expect([...ends, declaredTokenLife(undefined).endsWithNext]).toEqual([false, true, true, false]);
  });
});
