import { describe, expect, it } from 'vitest';
import { byKind, oneOrSorted, generalisedPointers, shapeOf, sharedPrefix } from './answer-shape.ts';

describe('the shape of JSON values', () => {
  it('lists the types of members, whatever their values', () => {
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

  it('marks members that some values lack, and generalises names that are values', () => {
    expect(shapeOf([{ a: 1 }, {}])).toEqual({ '/a': 'number or absent' });
    expect(shapeOf([{ byId: { cus_4711: 1 } }])).toEqual(shapeOf([{ byId: { cus_4712: 2 } }]));
  });

  it('describes any JSON value', () => {
    expect(shapeOf(['x'])).toEqual({ '': 'string' });
    expect(shapeOf([undefined])).toEqual({});
  });
});

describe('stable answers', () => {
  it('give a single value on its own, several as a sorted list', () => {
    expect(oneOrSorted([201, 201])).toBe(201);
    expect(oneOrSorted([201, 200, 201])).toEqual(oneOrSorted([200, 201]));
  });

  it('give a value once where it is the same for all kinds', () => {
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

  it('merge pointers to the same place', () => {
    expect(
      generalisedPointers(['/tokens/tk_aBc/value', '/tokens/tk_dEf/value', '/tokens/tk_gHi/value']),
    ).toEqual(['/tokens/*/value']);
    expect(generalisedPointers(['/token', '/token'])).toEqual(['/token']);
  });

  it('recognise a map by names that hardly repeat', () => {
    const maps = ['aX', 'bY', 'cZ', 'dW'].map((id) => ({ all: { [`tk_${id}`]: 1 } }));
    expect(shapeOf(maps)).toEqual({ '/all': 'object', '/all/*': 'number' });
  });

  it('omit from a prefix anything that may be secret', () => {
    expect(sharedPrefix(['tok_9aBcDeF1', 'tok_9aBcDeF2'])).toBe('tok_');
    expect(sharedPrefix(['ct1.a.1795271291.x', 'ct1.a.1795271291.y'])).toBe('ct1.a.');
    expect(sharedPrefix(['tok_same_x', 'tok_same_x'])).toBe('');
  });

  it('end a prefix with a separator, and have none for a single token', () => {
    expect(sharedPrefix(['tok_ab1', 'tok_ab2'])).toBe('tok_');
    expect(sharedPrefix(['ab1', 'ab2'])).toBe('');
    expect(sharedPrefix(['tok_a'])).toBe('');
  });
});
