import { describe, expect, it } from 'vitest';
import { byKind, distinct, merged, shapeOf, sharedPrefix } from './classes.ts';

describe('the shape of JSON values', () => {
  it('is their members by type, whatever the values are', () => {
    const one = { id: 'cus_1', tags: [], meta: { on: true }, note: null };
    const other = { note: 'n', meta: { on: false }, tags: ['a'], id: 'cus_2' };
    expect(shapeOf([one, other])).toEqual({
      '/id': 'string',
      '/meta': 'object',
      '/meta/on': 'boolean',
      '/note': 'null or string',
      '/tags': 'array',
      '/tags/*': 'string',
    });
  });

  it('tells members that are not always there, and names that are values', () => {
    expect(shapeOf([{ a: 1 }, {}])).toEqual({ '/a': 'number or absent' });
    expect(shapeOf([{ byId: { cus_4711: 1 } }])).toEqual(shapeOf([{ byId: { cus_4712: 2 } }]));
  });

  it('is of any value', () => {
    expect(shapeOf(['x'])).toEqual({ '': 'string' });
    expect(shapeOf([undefined])).toEqual({});
  });
});

describe('classes of answers', () => {
  it('one stands alone, several as a list, in the same order always', () => {
    expect(distinct([201, 201])).toBe(201);
    expect(distinct([201, 200, 201])).toEqual(distinct([200, 201]));
  });

  it('what all kinds share is given once', () => {
    expect(
      byKind([
        ['a', 401],
        ['b', 401],
      ]),
    ).toBe(401);
    expect(
      byKind([
        ['a', 401],
        ['b', 403],
      ]),
    ).toEqual({ a: 401, b: 403 });
  });

  it('pointers to the same place are one', () => {
    expect(merged(['/tokens/tk_aBc/value', '/tokens/tk_dEf/value', '/tokens/tk_gHi/value'])).toEqual([
      '/tokens/*/value',
    ]);
    expect(merged(['/token', '/token'])).toEqual(['/token']);
  });

  it('a map is known by names that hardly come twice', () => {
    const maps = ['aX', 'bY', 'cZ', 'dW'].map((id) => ({ all: { [`tk_${id}`]: 1 } }));
    expect(shapeOf(maps)).toEqual({ '/all': 'object', '/all/*': 'number' });
  });

  it('nothing of a secret is taken for a prefix', () => {
    expect(sharedPrefix(['tok_9aBcDeF1', 'tok_9aBcDeF2'])).toBe('tok_');
    expect(sharedPrefix(['ct1.a.1795271291.x', 'ct1.a.1795271291.y'])).toBe('ct1.a.');
    expect(sharedPrefix(['tok_same_x', 'tok_same_x'])).toBe('');
  });

  it('a prefix ends with a separator, and is none of a single text', () => {
    expect(sharedPrefix(['tok_ab1', 'tok_ab2'])).toBe('tok_');
    expect(sharedPrefix(['ab1', 'ab2'])).toBe('');
    expect(sharedPrefix(['tok_a'])).toBe('');
  });
});
