import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor } from './redactor.ts';
import { redactAll } from './record.ts';

const KEY = 'sk_test_4eC39HqLyjWDarjtT1zdp7dc';

describe('redactor', () => {
  it('replaces a secret wherever it stands, and in the forms that HTTP gives it', () => {
    const redactor = createRedactor();
    redactor.hide(KEY, 'key');
    redactor.hide('a+b/c d=12345', 'token 1');
    expect(redactor.redact(`x${KEY}y ${Buffer.from(`${KEY}:`).toString('base64')}`)).not.toContain('4eC39');
    expect(redactor.redact(`<${KEY}>`)).toBe('<[key]>');
    expect(redactor.redact('t=a%2Bb%2Fc%20d%3D12345')).toBe('t=[token 1]');
  });

  it('takes the longer of two secrets that begin alike', () => {
    const redactor = createRedactor();
    redactor.hide(KEY, 'key');
    redactor.hide(`${KEY}x`, 'near miss');
    expect(redactor.redact(`${KEY}x ${KEY}`)).toBe('[near miss] [key]');
  });

  it('leaves texts alone that are too short to be secrets', () => {
    const redactor = createRedactor();
    redactor.hide('sk', 'key');
    expect(redactor.redact('ask')).toBe('ask');
  });

  it('reaches every string of plain data, names of members included', () => {
    const redactor = createRedactor();
    redactor.hide(KEY, 'key');
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const data = { value, [KEY]: [KEY, { deep: `a${KEY}` }] };
        expect(JSON.stringify(redactAll(data, redactor))).not.toContain(KEY);
      }),
    );
  });
});
