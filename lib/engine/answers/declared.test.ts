import { describe, expect, it } from 'vitest';
import { catalogue } from '../../../suites/catalogue.ts';
import type { Json } from '../../schemas/json.ts';
import type { Profile } from '../../schemas/profile.ts';
import { checkProfile, isAsDeclared } from './declared.ts';

describe('an answer', () => {
  it.each<[declared: Json, observed: Json]>([
    [201, 201],
    [{ a: [] }, { a: [] }],
    ['null or string', 'string'],
    [{ '/a': 'string or absent', '/b/*': 'number' }, {}],
    [
      { type: 'json', members: { '/error': 'string', '/field': 'string or absent' } },
      {
        'key required': { type: 'json', members: { '/error': 'string' } },
        malformed: { type: 'json', members: { '/error': 'string', '/field': 'string' } },
      },
    ],
    [[200, 201], 201],
    [
      [200, 201],
      [201, 200],
    ],
    [{ min: 1, max: 255 }, 64],
    [{ min: 100 }, 100],
    [{ min: 100 }, '10000 or more'],
    [{ max: 50 }, 'less than 30'],
    [
      { a: 401, b: [401, 403] },
      { a: 401, b: 403 },
    ],
    [[401, 403], { a: 401, b: 403 }],
    [{ a: 401, b: 401 }, 401],
    [
      [
        { kind: 'opaque', prefix: 'a_' },
        { kind: 'opaque', prefix: 'b_' },
      ],
      { kind: 'opaque', prefix: 'b_' },
    ],
    [{ schema: { type: 'object', required: ['/id'] } }, { '/id': 'string', '/x': 'number' }],
    [[{ min: 0, max: 9 }, 'none'], 'none'],
  ])('is as declared: %j, observed %j', (declared, observed) =>
    expect(isAsDeclared(declared, observed)).toBe(true),
  );

  it.each<[declared: Json, observed: Json]>([
    [201, 200],
    [201, '201'],
    [201, [200, 201]],
    [[200, 201], 202],
    [{ min: 1, max: 255 }, 256],
    [{ min: 1, max: 255 }, '10000 or more'],
    [{ min: 100 }, 'less than 30'],
    [{ min: 1 }, 'none'],
    [{ a: 401 }, { a: 401, b: 401 }],
    [{ a: 401, b: 403 }, { a: 401 }],
    [{ a: 401, b: 403 }, 401],
    [401, { a: 401, b: 403 }],
    [[{ kind: 'opaque', prefix: 'a_' }], { kind: 'opaque', prefix: 'b_' }],
    [{ schema: { type: 'object', required: ['/id'] } }, { '/x': 'number' }],
    ['none', null],
    [{ a: ['x'] }, { a: [] }],
    [{ a: [] }, { a: ['x'] }],
    ['string', 'null or string'],
    [{ '/a': 'string' }, {}],
    [{}, 201],
  ])('is not as declared: %j, observed %j', (declared, observed) =>
    expect(isAsDeclared(declared, observed)).toBe(false),
  );
});

const profile = (changes: Partial<Profile>): Profile => ({ answers: {}, waivers: [], ...changes });
const waiver = { requirement: 'customer.name.echoed', reason: 'r', owner: 'o', until: '2026-03-31' };

describe('a profile', () => {
  it.each<[Partial<Profile>, string]>([
    [{ answers: { 'customer.create.stats': 201 } }, 'customer.create.status'],
    [{ answers: { 'customer.members': { schema: { type: 'nonsense' } } } }, 'not a JSON Schema'],
    [{ answers: { 'token.leeway': 'long' } }, 'a number of seconds'],
    [{ answers: { 'token.expires_in.unit': 'fortnights' } }, 'minutes'],
    [{ answers: { 'token.presentation': 'basic' } }, '{"header": "X-Access-Token"}'],
    [{ answers: { 'token.presentation': { header: 'Content-Type' } } }, 'carries nothing else'],
    [{ answers: { 'token.presentation': ['bearer', { header: 'X Token' }] } }, '"not accepted"'],
    [{ answers: { 'customer.create.status': [] } }, 'at least one'],
    [{ answers: { 'customer.create.status': '201' } }, 'as a number'],
    [{ answers: { 'auth.rejection.status': { missing: ['401'] } } }, 'as a number'],
    [
      { answers: { 'token.scopes.allow': { 'customers:write': ['POST /customers'] } } },
      'POST /v1/customers and POST /v2/tokens',
    ],
    [
      { answers: { 'token.scopes.allow': { 'customers:write': 'POST /v1/customers' } } },
      'a list of operations',
    ],
    [{ answers: { 'customer.name.longest': { mim: 1 } } }, '{"min": …'],
    [{ answers: { 'customer.name.longest': { min: 9, max: 1 } } }, 'in order'],
    [{ waivers: [{ ...waiver, requirement: 'customer.name.echo' }] }, 'customer.name.echoed'],
    [{ waivers: [waiver, waiver] }, 'twice'],
  ])('is rejected if it does not fit the catalogue: %j', (changes, message) => {
    expect(() => checkProfile(profile(changes), catalogue)).toThrow(message);
  });

  it('may answer any question, and waive any requirement or question', () => {
    const { requirements, questions } = catalogue;
    const ids = [...requirements, ...questions].map(({ id }) => id);
    const waivers = ids.map((id) => ({ ...waiver, requirement: id }));
    expect(() =>
      checkProfile(profile({ answers: { 'customer.state': 'kept' }, waivers }), catalogue),
    ).not.toThrow();
  });
});
