import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { member, stringsIn } from '../schemas/json.ts';
import { readReply, membersIn, readPart } from './reply.ts';

describe('members', () => {
  it('are own members, not those of a prototype', () => {
    expect(member({}, 'constructor')).toBeUndefined();
    expect(member(JSON.parse('{"__proto__":{"id":"cus_1"}}'), 'id')).toBeUndefined();
    expect(member([1], 'length')).toBeUndefined();
    expect(member({ id: 'cus_1' }, 'id')).toBe('cus_1');
  });

  it('are found with their JSON pointers, within limits', () => {
    expect(stringsIn({ 'a/b': ['x', { '~': 'y' }] })).toEqual([
      { pointer: '/a~1b/0', name: 'a/b', text: 'x' },
      { pointer: '/a~1b/1/~0', name: '~', text: 'y' },
    ]);
    const deep = JSON.parse(`${'['.repeat(5000)}"x"${']'.repeat(5000)}`) as unknown;
    expect(stringsIn(deep)).toEqual([]);
  });
});

describe('a body', () => {
  it.each([
    ['[{"a":'.repeat(501) + '1' + '}]'.repeat(501), 'it is nested more than 1000 levels deep'],
    [`{"name":"${'['.repeat(5000)}\\"${'{'.repeat(5000)}"}`, undefined],
    ['['.repeat(1000) + ']'.repeat(1000), undefined],
    ['{"a":1', "Expected ',' or '}'"],
  ])('is parsed as JSON, within limits: %#', (text, problem) => {
    const { notJson, json } = readReply(201, {}, Buffer.from(text), 100_000);
    expect(notJson?.slice(0, problem?.length)).toBe(problem);
    expect(json === undefined).toBe(problem !== undefined);
  });

  it.each([
    ['tok_Ab3dEf9hK2Lm', "Unexpected token 'o'"],
    ['{"token":tok_Ab3dEf9hK2Lm}', "Unexpected token 'o'"],
    ['q8Zr5xT1', "Unexpected token 'q'"],
    ['undefined', 'it is not valid JSON'],
  ])('that is none is not quoted in the reason: %s', (text, reason) => {
    expect(readReply(201, {}, Buffer.from(text), 1000).notJson).toBe(reason);
  });

  it('is cut where it is long, but not its JSON', () => {
    const { text, json } = readReply(
      201,
      {},
      Buffer.from(JSON.stringify({ name: 'x'.repeat(100_000) })),
      200_000,
    );
    expect(text.length).toBeLessThan(40_000);
    expect((member(json, 'name') as string).length).toBe(100_000);
  });
});

describe('a body in another charset', () => {
  const bytes = Buffer.from('{"name":"Zo\u00eb \u0085\u0093"}', 'latin1');

  it.each([
    ['ISO-8859-1', 'Zo\u00eb \u0085\u0093'],
    ['windows-1252', 'Zo\u00eb \u2026\u201c'],
  ])('is decoded as it is labelled: %s', (charset, name) => {
    const fields = { 'content-type': `application/json; charset=${charset}` };
    expect(readReply(201, fields, bytes, 1000)).toMatchObject({ json: { name }, utf8: false });
  });
});

describe('a body in a content coding', () => {
  it.each(['utf-8', 'none', 'UTF-8, identity'])(
    'is read as clients read it with the unregistered %s',
    (coding) => {
      expect(readReply(201, { 'content-encoding': coding }, Buffer.from('{"a":1}'), 1000)).toMatchObject({
        json: { a: 1 },
        utf8: true,
      });
    },
  );

  const json = '{"id":"cus_1","name":"Zoë"}';

  it.each([
    ['gzip', gzipSync(json)],
    ['br', brotliCompressSync(json)],
    ['deflate', deflateSync(json)],
    ['gzip, br', brotliCompressSync(gzipSync(json))],
  ])('is decoded as Content-Encoding says: %s', (coding, raw) => {
    expect(readReply(201, { 'content-encoding': coding }, raw, 1000)).toMatchObject({
      json: { id: 'cus_1', name: 'Zoë' },
      text: json,
    });
  });

  it.each([
    ['is gzip, but there is no Content-Encoding', {}, gzipSync(json)],
    ['is br, but Content-Encoding names another', { 'content-encoding': 'gzip' }, brotliCompressSync(json)],
    [
      'in no content coding, but Content-Encoding names another',
      { 'content-encoding': 'br' },
      Buffer.from(json),
    ],
  ])('can be read, but is not JSON, if it %s', (problem, fields, raw) => {
    const reply = readReply(201, fields, raw, 1000);
    expect(reply).toMatchObject({ json: undefined, text: json });
    expect(reply.notJson).toContain(problem);
  });

  it('is not read beyond the limit, whatever it is labelled', () => {
    const bomb = gzipSync(`{"a":"${'x'.repeat(100_000)}"}`);
    for (const fields of [{}, { 'content-encoding': 'gzip' }] as Record<string, string>[]) {
      const { json: parsed, text } = readReply(201, fields, bomb, 1000);
      expect(parsed).toBeUndefined();
      expect(text.length).toBeLessThan(1000);
    }
  });
});

describe('the beginning of a JSON object', () => {
  it.each([
    ['{"id":"cus_1","name":"Ada', { id: 'cus_1', name: 'Ada' }, 'name'],
    ['{"id":"cus_1","name":"Ada"', { id: 'cus_1', name: 'Ada' }, null],
    [' { "a" : [1,{"b":"]"}] , "name" : "x\\"y" , "n" : 12, "o":1', { name: 'x"y', n: 12 }, null],
    [String.raw`{"name":"A\u00e`, { name: 'A' }, 'name'],
    [String.raw`{"name":"A\\u00`, { name: String.raw`A\u00` }, 'name'],
    ['{"name":"A","na', { name: 'A' }, null],
    ['{"a":tru', {}, null],
    ['{', {}, null],
    ['{"name":"a","1":"b', { 1: 'b', name: 'a' }, '1'],
    ['{"name":"x","id":"1","name":"y', { name: 'y', id: '1' }, 'name'],
    ['{"id":"cus_1","name":"Ada"\n ', { id: 'cus_1', name: 'Ada' }, null],
    ['{"id":"cus_1","name":"Ada"}\n ', { id: 'cus_1', name: 'Ada' }, null],
  ])('has the members that were read: %s', (text, json, open) => {
    const found = membersIn(text);
    expect(found?.json).toEqual(json);
    expect(found?.open).toBe(open);
  });

  it.each(['', '[1', '"a', 'x'])('is undefined for any other text: %j', (text) => {
    expect(membersIn(text)).toBeUndefined();
  });

  it('is not read in a content coding, and may end within a character', () => {
    const raw = Buffer.from('{"name":"語').subarray(0, -1);
    expect(readPart(201, { 'content-encoding': 'gzip' }, raw)).toBeUndefined();
    expect(readPart(201, {}, raw)).toMatchObject({ json: { name: '' }, part: { open: 'name' }, utf8: true });
  });
});
