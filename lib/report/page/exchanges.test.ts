import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeOf, valueAt } from './exchanges.ts';

describe('the place of a member in JSON', () => {
  const marked = (json: string, pointer: string): string | undefined => {
    const place = placeOf(json, pointer);
    return place && json.slice(...place);
  };

  it('is that of the member of the outermost object, with its name', () => {
    expect(marked('{"id":"x", "a":{"name":1}, "name" : "A\\"da" }', '/name')).toBe('"name" : "A\\"da"');
    expect(marked('{"name":["name",{"b":[]}],"b":1}', '/name')).toBe('"name":["name",{"b":[]}]');
    expect(marked(String.raw`{"name":"name","n":1}`, '/n')).toBe('"n":1');
  });

  it('is nowhere if there is no such member, or the text is not JSON', () => {
    for (const [json, pointer] of [
      ['{"a":1}', '/b'],
      ['[{"a":1}]', '/a'],
      ['{"a"', '/a'],
      ['{"a":1}', ''],
      ['{"a":{"b":1}}', '/a/b'],
    ] as const)
      expect(placeOf(json, pointer)).toBeUndefined();
  });

  it('has the value of the member', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue()), (object) => {
        for (const space of ['', '  '])
          for (const name of Object.keys(object).filter((one) => one !== '__proto__')) {
            const json = JSON.stringify(object, null, space);
            const pointer = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
            const member = JSON.parse(`{${marked(json, pointer)}}`) as Record<string, unknown>;
            expect(member[name]).toEqual(valueAt(json, pointer));
          }
      }),
    );
  });
});
