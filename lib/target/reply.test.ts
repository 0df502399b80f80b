import { describe, expect, it } from 'vitest';
import { member, readReply, stringsIn } from './reply.ts';
import { retryAfter } from './retry-after.ts';

const replyWith = (fields: Record<string, string>) => readReply(429, fields, Buffer.alloc(0), 1000);

describe('members', () => {
  it('are own ones: what a prototype has does not count', () => {
    expect(member({}, 'constructor')).toBeUndefined();
    expect(member(JSON.parse('{"__proto__":{"id":"cus_1"}}'), 'id')).toBeUndefined();
    expect(member([1], 'length')).toBeUndefined();
    expect(member({ id: 'cus_1' }, 'id')).toBe('cus_1');
  });

  it('are found with their JSON pointers, in bounds', () => {
    expect(stringsIn({ 'a/b': ['x', { '~': 'y' }] })).toEqual([
      { pointer: '/a~1b/0', name: 'a/b', text: 'x' },
      { pointer: '/a~1b/1/~0', name: '~', text: 'y' },
    ]);
    const deep = JSON.parse(`${'['.repeat(5000)}"x"${']'.repeat(5000)}`) as unknown;
    expect(stringsIn(deep)).toEqual([]);
  });
});

describe('retryAfter', () => {
  const now = Date.parse('2026-11-21T12:00:00Z');

  it.each([
    ['3', 3000],
    ['0', 0],
    ['Sat, 21 Nov 2026 12:00:05 GMT', 5000],
    ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
    ['soon', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['99999999999999999999', undefined],
  ])('reads %j as %s', (value, expected) => {
    expect(retryAfter(replyWith({ 'retry-after': value }), now)).toBe(expected);
  });
});
