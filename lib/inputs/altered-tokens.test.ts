import { createHash, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { altered, alterationsOf, lastCharacterOf } from './altered-tokens.ts';

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const jwt = (key: string, claims: object): string => {
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`;
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
};

/** The texts made of a token, by alteration. */
const textsOf = (token: string, other: string): Map<string, string> =>
  new Map(
    alterationsOf(token).flatMap((name) => {
      const text = altered(name, token, other);
      return text === undefined ? [] : [[name, text] as const];
    }),
  );

const decoded = (text: string, encoding: 'base64url' | 'hex'): string =>
  text
    .split('.')
    .map((one) => Buffer.from(one, encoding).toString('hex'))
    .join('.');

/** Bytes of a token; those at the edges that fast-check prefers, such as 16 zeros, are not tokens. */
const bytes = fc.nat().map((number) =>
  createHash('sha256')
    .update(String(number))
    .digest()
    .subarray(number % 17),
);

describe('altered tokens', () => {
  it.each([
    ['an opaque token', 'tok_Jk3vQ9xZ7LmN2pRsT5uWyA8bCdEfGhKq', 'tok_Zz8yXw6Vu4Ts2Rq0Po9Nm7Lk5Ji3Hg1F', 22],
    ['a UUID', '0f8fad5b-d9cb-469f-a165-70867728950e', '7c9e6679-7425-40de-944b-e07fc1f90ae7', 21],
    ['a JWT', jwt('k', { scope: 'a:b', exp: 2e9 }), jwt('k', { scope: 'a:b', exp: 2e9 + 1 }), 28],
    ['numbered tokens', 'tok_1001', 'tok_1002', 8],
  ])('of %s are other texts, each once', (_, token, other, least) => {
    const texts = [...textsOf(token, other).values()];
    expect(texts.length).toBeGreaterThanOrEqual(least);
    expect(new Set(texts).size).toBe(texts.length);
    for (const text of texts) {
      expect([token, other]).not.toContain(text);
      expect(text).toMatch(/^[!-~]+$/);
    }
  });

  it('never stand for the same bytes: a service that decodes them is not to blame', () => {
    fc.assert(
      fc.property(bytes, bytes, (one, other) => {
        fc.pre(!one.equals(other));
        for (const encoding of ['base64url', 'base64', 'hex'] as const) {
          const token = one.toString(encoding);
          for (const [name, text] of textsOf(token, other.toString(encoding)))
            expect(decoded(text, encoding === 'hex' ? 'hex' : 'base64url'), name).not.toBe(
              one.toString('hex'),
            );
        }
      }),
    );
  });

  it('change what counts of the last character of a signature', () => {
    fc.assert(
      fc.property(fc.string(), (key) => {
        const token = jwt(key, { exp: 2e9 });
        const text = altered(lastCharacterOf(token), token, jwt(key, { exp: 1 }))!;
        expect(text.slice(0, -1)).toBe(token.slice(0, -1));
        expect(decoded(text, 'base64url')).not.toBe(decoded(token, 'base64url'));
      }),
    );
  });

  it('have another digit in place of one, as some services compare letters only', () => {
    expect(altered('a digit changed', 'tok_a9b2', 'tok_c3d4')).toBe('tok_a0b2');
    expect(altered('a digit changed', 'tok_abc2==', 'tok_c3d4')).toBeUndefined();
  });

  it('of a JWT change each part alone', () => {
    const token = jwt('k', { scope: 'a:b', exp: 2e9 });
    const parts = token.split('.');
    const changed = [...textsOf(token, jwt('k', { scope: 'a:b', exp: 2e9 + 1 })).values()].map((text) =>
      parts.flatMap((own, at) => (text.split('.')[at] === own ? [] : [at])).join(),
    );
    expect(changed).toEqual(expect.arrayContaining(['0', '1', '2', '0,2']));
    const text = altered('the algorithm NONE, without a signature', token, token)!;
    const [header, payload, signature] = text.split('.');
    expect(JSON.parse(Buffer.from(header!, 'base64url').toString())).toMatchObject({ alg: 'NONE' });
    expect([payload, signature]).toEqual([parts[1], '']);
    const later = altered('a later end in its payload', token, token)!.split('.')[1]!;
    expect(JSON.parse(Buffer.from(later, 'base64url').toString())).toEqual({
      scope: 'a:b',
      exp: 2e9 + 86_400,
    });
  });

  it('are left out where they make a token that may be issued, too, or one with the same meaning', () => {
    expect([...textsOf('tok_1001', 'tok_1002').values()].filter((text) => /^tok_\d+$/.test(text))).toEqual(
      [],
    );
    const hex = textsOf('5c1d2ae0b94f4d7c8e1a0b3c5d7e9f02', '6d2e3bf1ca505e8d9f2b1c4d6e8fa013');
    expect(hex.has('its letters in the other case')).toBe(false);
    expect(altered('no such alteration', 'abc', 'def')).toBeUndefined();
  });
});
