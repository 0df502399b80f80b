import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor } from './redactor.ts';
import { RESPONSE_LIMIT } from '../reply.ts';

/** Keys and tokens as services issue them, and any other that may stand in a header. */
const secrets = fc.oneof(
  fc.stringMatching(/^sk_test_[\w-]{16,40}$/),
  fc.stringMatching(/^[A-Za-z0-9+/]{18,60}={0,2}$/),
  // Without backslashes, as a secret that contains an escape changes when it is unescaped.
  fc.stringMatching(/^[A-Za-z\d][!-$'-[\]-~]{12,38}[A-Za-z\d]$/).filter((text) => new Set(text).size > 8),
);

const hexOf = (character: string): string => character.codePointAt(0)!.toString(16).padStart(2, '0');
const each =
  (change: (character: string) => string) =>
  (text: string): string =>
    [...text].map(change).join('');

/** How a target may transform a text before it returns it. */
const transformations: Readonly<Record<string, (text: string) => string>> = {
  'as it is': (text) => text,
  'in JSON': (text) => JSON.stringify(text),
  'in JSON, solidus escaped': (text) => JSON.stringify(text).replaceAll('/', String.raw`\/`),
  'in JSON within JSON': (text) => JSON.stringify(JSON.stringify(JSON.stringify(text))),
  'in JSON escapes': each((character) => `\\u00${hexOf(character)}`),
  'in JSON escapes, in upper case': each((character) => `\\u00${hexOf(character).toUpperCase()}`),
  'in JavaScript escapes': each((character) => `\\x${hexOf(character)}`),
  'in escapes with braces': each((character) => `\\u{0${hexOf(character)}}`),
  'in a URL': (text) => encodeURIComponent(text),
  'in a URL, every character': each((character) => `%${hexOf(character)}`),
  'in a URL, twice': (text) => encodeURIComponent(encodeURIComponent(text)),
  'in HTML': (text) =>
    text.replace(/[&<>"']/g, (c) => `&${{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' }[c]};`),
  'in HTML, by names in upper case': (text) =>
    text.replace(/[&<>"]/g, (c) => `&${{ '&': 'AMP', '<': 'LT', '>': 'GT', '"': 'QUOT' }[c]};`),
  'in HTML, by number': each((character) => `&#${character.codePointAt(0)};`),
  'in HTML, by hexadecimal number': each((character) => `&#x${hexOf(character)};`),
  'in Base64': (text) => Buffer.from(text).toString('base64'),
  'in Base64 for URLs': (text) => Buffer.from(text).toString('base64url'),
  'in Base64 of something longer': (text) => Buffer.from(`a${text}b`).toString('base64'),
  'in Base64 of JSON': (text) => Buffer.from(`ab${text}`).toString('base64'),
  'in hexadecimal': (text) => Buffer.from(text).toString('hex'),
  reversed: (text) => [...text].toReversed().join(''),
  'in upper case': (text) => text.toUpperCase(),
  'in lower case': (text) => text.toLowerCase(),
  'in short lines': (text) => text.replace(/.{5}/g, '$&\r\n'),
};

/** Fewer characters may remain where the Base64 of a secret shares one with its neighbours. */
const MAX_LEFT = 10;

/** The length of the longest part of a transformed secret that is left in a text. */
function longestLeft(text: string, transformed: string): number {
  let longest = 0;
  for (let at = 0; at + longest < transformed.length; at++)
    while (at + longest < transformed.length && text.includes(transformed.slice(at, at + longest + 1)))
      longest++;
  return longest;
}

/** Text without secrets that does not continue the encoding of one. */
const around = fc.string({ unit: 'binary', maxLength: 40 }).map((text) => `${text} `);

describe('the redactor', () => {
  it.each(Object.entries(transformations))('removes a secret that is returned %s', (_, transform) => {
    fc.assert(
      fc.property(secrets, around, around, (secret, before, after) => {
        const redactor = createRedactor();
        redactor.hide(secret, 'key');
        const sent = transform(secret);
        const text = redactor.redact(`${before}${sent} ${after}`);
        expect(text).toContain('[key]');
        const own = text.replace(before, '').replace(` ${after}`, '');
        expect(longestLeft(own, sent)).toBeLessThan(MAX_LEFT);
        expect(redactor.redact(text)).toBe(text);
      }),
      { numRuns: 40 },
    );
  });

  it('changes no text without a secret', () => {
    const part = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\\', '\\n', '%25', '&#0', '\\u0041', '=\r\n', 'sk_test_', '&amp;', '\\/'),
    );
    fc.assert(
      fc.property(secrets, fc.array(part), (secret, parts) => {
        const redactor = createRedactor();
        redactor.hide(secret, 'key');
        const text = parts.join('');
        expect(redactor.redact(text)).toBe(text);
      }),
    );
  });

  it('accepts any text as a secret, such as an id with half a surrogate pair', () => {
    const units = fc.array(fc.nat(0xffff), { minLength: 6, maxLength: 20 });
    fc.assert(
      fc.property(
        units.map((codes) => String.fromCharCode(...codes)),
        around,
        (secret, before) => {
          const redactor = createRedactor();
          redactor.hide(secret, 'token 1');
          expect(redactor.redact(`${before}${secret}`)).toContain('[token 1]');
        },
      ),
    );
  });

  // Quadratic time would exceed the timeout.
  it.each([
    '\\',
    '%',
    '%25',
    '25',
    '&#0',
    '&#x0',
    '\\u{0',
    '=\r\n',
    '\n',
    '\\n',
    '\\\\r',
    '0',
    's\\n',
    's%0a',
    'sk_test_4eC39HqLyjWDarjtT1zdp7d',
    '\\u0073',
    '\\u0073\\n\\n\\n\\n',
    '&amp;',
    '\\/',
  ])('reads a response full of %j in linear time', (piece) => {
    const redactor = createRedactor();
    redactor.hide('sk_test_4eC39HqLyjWDarjtT1zdp7dc', 'key');
    const long = piece.repeat(RESPONSE_LIMIT / piece.length);
    expect(redactor.redact(`${long}sk_test_4eC39HqLyjWDarjtT1zdp7dc`)).toBe(`${long}[key]`);
    // An escaped secret is found by another pattern.
    const escaped = String.raw`sk\u005ftest\u005f4eC39HqLyjWDarjtT1zdp7dc`;
    expect(redactor.redact(`${long} ${escaped}`)).toBe(`${long} [key]`);
  });
});
