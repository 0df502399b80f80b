import { describe, expect, it } from 'vitest';
import { membersIn, readPart } from './reply-part.ts';

describe('the beginning of a JSON object', () => {
  it.each([
    ['{"id":"cus_1","name":"Ada', { id: 'cus_1', name: 'Ada' }, 'name'],
    ['{"id":"cus_1","name":"Ada"', { id: 'cus_1', name: 'Ada' }, null],
    [' { "a" : [1,{"b":"]"}] , "name" : "x\\"y" , "n" : 12, "o":1', { name: 'x"y', n: 12 }, 'o'],
    [String.raw`{"name":"A\u00e`, { name: 'A' }, 'name'],
    [String.raw`{"name":"A\\u00`, { name: String.raw`A\u00` }, 'name'],
    ['{"name":"A","na', { name: 'A' }, null],
    ['{"a":tru', {}, 'a'],
    ['{', {}, null],
  ])('has the members that were read: %s', (text, json, open) => {
    const found = membersIn(text);
    expect(found?.json).toEqual(json);
    expect(found?.open === open || (open === 'o' && found?.open === 'o')).toBe(true);
  });

  it.each(['', '[1', '"a', 'x'])('is no other text: %j', (text) => {
    expect(membersIn(text)).toBeUndefined();
  });

  it('is not read in a content coding, and may end within a character', () => {
    const raw = Buffer.from('{"name":"語').subarray(0, -1);
    expect(readPart(201, { 'content-encoding': 'gzip' }, raw)).toBeUndefined();
    expect(readPart(201, {}, raw)).toMatchObject({ json: { name: '' }, part: { open: 'name' }, utf8: true });
  });
});
