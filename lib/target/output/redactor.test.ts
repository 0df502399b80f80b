import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor } from './redactor.ts';
import { direct } from '../../settings/route.ts';
import type { Exchange } from '../exchange.ts';
import { record, redactAll } from './record.ts';
import { readReply } from '../reply.ts';

const KEY = 'sk_test_4eC39HqLyjWDarjtT1zdp7dc';

describe('redactor', () => {
  it('replaces a secret anywhere in a text, verbatim or as in HTTP', () => {
    const redactor = createRedactor();
    redactor.hide(KEY, 'key');
    redactor.hide('a+b/c d=12345', 'token 1');
    expect(redactor.redact(`x${KEY}y ${Buffer.from(`${KEY}:`).toString('base64')}`)).not.toContain('4eC39');
    expect(redactor.redact(`<${KEY}>`)).toBe('<[key]>');
    expect(redactor.redact('t=a%2Bb%2Fc%20d%3D12345')).toBe('t=[token 1]');
  });

  it.each<[string, (text: string) => string]>([
    ['in Base64', (text) => Buffer.from(text).toString('base64')],
    ['in Base64 for URLs', (text) => Buffer.from(`??>>${text}`).toString('base64url')],
    ['in Base64, one byte later', (text) => Buffer.from(`x${text}yz`).toString('base64')],
    ['in Base64, two bytes later', (text) => Buffer.from(`{"k":"${text}"}`).toString('base64')],
    ['in hexadecimal', (text) => Buffer.from(text).toString('hex')],
    ['in upper-case hexadecimal', (text) => Buffer.from(text).toString('hex').toUpperCase()],
    ['reversed', (text) => [...text].toReversed().join('')],
    ['in upper case', (text) => text.toUpperCase()],
    ['percent-encoded', (text) => text.replace(/[^]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)],
    [
      'as JSON escapes',
      (text) => text.replace(/[^]/g, (c) => `\\u00${c.charCodeAt(0).toString(16).toUpperCase()}`),
    ],
    ['as JSON escapes in part', (text) => text.replaceAll('_', String.raw`\u005f`)],
    ['as HTML entities', (text) => text.replace(/[^]/g, (c) => `&#${c.charCodeAt(0)};`)],
    [
      'as hexadecimal HTML entities',
      (text) => text.replace(/[^]/g, (c) => `&#x${c.charCodeAt(0).toString(16)};`),
    ],
    ['in lines of eight', (text) => text.replace(/.{8}/g, '$&\r\n')],
    ['in quoted-printable lines', (text) => text.replace(/.{10}/g, '$&=\r\n')],
    ['in indented lines', (text) => text.replace(/.{8}/g, `$&\r\n${' '.repeat(300)}`)],
    [
      'in Base64, in lines',
      (text) => Buffer.from(`a long ${text}`).toString('base64').slice(8).replace(/.{20}/g, '$&\n'),
    ],
  ])('replaces a secret that is returned %s', (_, send) => {
    const redactor = createRedactor();
    redactor.hide(KEY, 'key');
    expect(redactor.redact(`before ${send(KEY)} after`)).toMatch(/^before \S{0,8}\[key\]\S{0,8}\s+after$/);
  });

  it('never hides a word of the suite itself', () => {
    const hidden: string[] = [];
    const redactor = createRedactor(
      (secret) => hidden.push(secret),
      (text) => text === 'verdict',
    );
    redactor.hide('verdict', 'token 1');
    redactor.suspect('verdict', 'possible token 2');
    redactor.hide('verdicts', 'token 3');
    expect(redactor.redact('the verdict, verdicts')).toBe('the verdict, [token 3]');
    expect(hidden).toEqual(['verdicts']);
  });

  it.each(['verdict\n', 'COUNTEREXAMPLE', 'elpmaxeretnuoc'])(
    'hides %j, but no word of the suite that it can be changed to',
    (secret) => {
      const redactor = createRedactor(undefined, (text) => ['verdict', 'counterexample'].includes(text));
      redactor.hide(secret, 'near miss');
      expect(redactor.redact(`${secret}, verdict, counterexample`)).toBe(
        '[near miss], verdict, counterexample',
      );
    },
  );

  it('leaves texts similar to a secret unchanged', () => {
    const redactor = createRedactor();
    redactor.hide(KEY, 'key');
    const near = KEY.replace('4', '5');
    for (const text of [near, Buffer.from(near).toString('base64').slice(12), `sk_test_ ${KEY.slice(8, 20)}`])
      expect(redactor.redact(text)).toBe(text);
  });

  it('replaces the longer of two secrets that begin alike', () => {
    const redactor = createRedactor();
    redactor.hide(KEY, 'key');
    redactor.hide(`${KEY}x`, 'near miss');
    expect(redactor.redact(`${KEY}x ${KEY}`)).toBe('[near miss] [key]');
  });

  it('replaces each of several secrets that are escaped or in lines, and nothing beside them', () => {
    const redactor = createRedactor();
    redactor.hide(KEY, 'key');
    redactor.hide('abcd=EFGH=', 'token');
    const lines = `${KEY.slice(0, 9)}\n${KEY.slice(9)}`;
    expect(redactor.redact(`\\u0041 ${lines} = abcd=\nEFGH=\n%41 abcd%3DEFGH%3d ${KEY} z`)).toBe(
      '\\u0041 [key] = [token]\n%41 [token] [key] z',
    );
  });

  it('replaces a secret of white space and escapes alone, and nothing else', () => {
    const redactor = createRedactor();
    redactor.hide(' \n \t \n ', 'one');
    redactor.hide('%41%42%43', 'other');
    expect(redactor.redact('a b ABC  \n \t \n  %41%42%43')).toBe('a b ABC [one] [other]');
  });

  it('replaces secrets that are too long for a regular expression, also in part', () => {
    const redactor = createRedactor();
    const secrets = Array.from({ length: 20 }, (_, at) => `${at}-${'abcdefgh1234567'.repeat(7000)}${at}`);
    for (const secret of secrets) redactor.hide(secret, 'token');
    const [secret] = secrets as [string];
    expect(redactor.redact(`a ${secret} b ${encodeURIComponent(secret)}`)).toBe('a [token] b [token]');
    expect(redactor.redact(Buffer.from(secret).toString('hex'))).toBe('[token]');
    expect(redactor.redact(`cut: ${secret.slice(0, 2500)}`)).toMatch(/^cut: \[token\].{500}$/);
    expect(redactor.redact(JSON.stringify(secret).replaceAll('h', String.raw`\u0068`))).toBe('[token]');
  });

  it('ignores texts that are too short to be secrets', () => {
    const redactor = createRedactor();
    redactor.hide('sk', 'key');
    expect(redactor.redact('ask')).toBe('ask');
  });

  it('redacts every string of JSON data, names of members included', () => {
    const redactor = createRedactor();
    redactor.hide(KEY, 'key');
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const data = { value, [KEY]: [KEY, { deep: `a${KEY}` }] };
        expect(JSON.stringify(redactAll(data, redactor))).not.toContain(KEY);
      }),
    );
  });

  it.each([
    ['a secret at the limit of a recorded body', 'x'.repeat(32_760) + KEY + 'x'.repeat(9000)],
    ['a secret at the limit of a read text', 'x'.repeat(36_860) + KEY],
    ['many secrets', `${KEY} `.repeat(3000)],
  ])('leaves no part of a secret in a truncated body: %s', (_, body) => {
    const redactor = createRedactor();
    redactor.hide(KEY, 'key');
    const reply = readReply(200, {}, Buffer.from(body), 1_000_000);
    const request = { method: 'GET', path: '/', credential: undefined, fields: [], body: undefined };
    const exchange = { request, reply, url: '', route: direct, troubles: [] } as unknown as Exchange;
    expect(record(exchange, redactor).response.body).toMatch(/^[^_]{1,32768}…$/);
  });

  it('replaces a suspected text until it turns out to be public, and reports it only if it does not', () => {
    const reported: string[] = [];
    const redactor = createRedactor((secret) => void reported.push(secret));
    redactor.hide(KEY, 'key');
    redactor.suspect('service-constant-17', 'possible token 2');
    redactor.suspect('q8Zr5xT1mVb7Kp2WnD4s', 'possible token 2');
    expect(redactor.redact('service-constant-17')).toBe('[possible token 2]');
    redactor.decideSuspects((text) => text.startsWith('service'));
    redactor.suspect('service-constant-17', 'possible token 3');
    expect(redactor.redact(`${KEY} service-constant-17 q8Zr5xT1mVb7Kp2WnD4s`)).toBe(
      '[key] service-constant-17 [possible token 2]',
    );
    expect(reported).toEqual([KEY, 'q8Zr5xT1mVb7Kp2WnD4s']);
  });
});

it('the key is replaced by its own label, even if a near miss of it is the key in another encoding', () => {
  const redactor = createRedactor();
  redactor.hide('sk_test_4eC39HqLyjWDarjtT1zdp7dc', 'key');
  redactor.hide('sk%5Ftest%5F4eC39HqLyjWDarjtT1zdp7dc', 'near miss of the key');
  expect(redactor.redact('{"token":"sk_test_4eC39HqLyjWDarjtT1zdp7dc"}')).toBe('{"token":"[key]"}');
});
