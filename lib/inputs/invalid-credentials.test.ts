import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { credentialFrom, invalidKey } from './invalid-credentials.ts';
import type { InvalidCredential } from './invalid-credentials.ts';
import { manyNearMisses, missing, nearMisses, otherSchemes } from './near-misses.ts';

const KEY = 'sk_test_4eC39HqLyjWDarjtT1zdp7dc';
const generate = (arbitrary: fc.Arbitrary<InvalidCredential>, seed: number): InvalidCredential =>
  fc.sample(arbitrary, { seed, numRuns: 1 })[0]!;
const all = (key: string, seed: number): InvalidCredential[] => {
  const { common, rarer } = nearMisses(key);
  return [...common, ...rarer.flat()].map((arbitrary) => generate(arbitrary, seed));
};

const many = (key: string, seed: number): InvalidCredential[] =>
  manyNearMisses(key).map((arbitrary) => generate(arbitrary, seed));

describe('near misses', () => {
  it('never equal the key, whatever it is', () => {
    const keys = fc.oneof(
      fc.string({ minLength: 1, unit: fc.constantFrom(...'aA1_xX') }),
      fc.constantFrom(KEY, 'x', '1', 'sk_test_'),
    );
    fc.assert(
      fc.property(keys, fc.nat(), (key, seed) => {
        for (const invalid of [...all(key, seed), ...many(key, seed)]) {
          if (invalid.kind === 'none' || invalid.kind === 'value') throw new Error('not a near miss');
          expect(invalidKey(invalid, key)).not.toBe(key);
        }
      }),
      { numRuns: 10 },
    );
  });

  it('change one character in each eighth of the key but the first', () => {
    const places = all(KEY, 1).flatMap((invalid) => (invalid.kind === 'change' ? [invalid.at] : []));
    for (let eighth = 1; eighth < 8; eighth++) {
      const [from, to] = [Math.floor((eighth * KEY.length) / 8), Math.floor(((eighth + 1) * KEY.length) / 8)];
      expect(places.some((at) => at >= from && at < to)).toBe(true);
    }
  });
});

describe('many near misses', () => {
  const changes = many(KEY, 1).filter((invalid) => invalid.kind === 'change');

  it('have each letter in the other case, and characters in a compatibility form', () => {
    const made = changes.map((invalid) => Buffer.from(invalidKey(invalid, KEY), 'latin1').toString());
    for (const [at, letter] of [...KEY].entries()) {
      if (!/[a-z]/i.test(letter)) continue;
      const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
      expect(made).toContain(KEY.slice(0, at) + other + KEY.slice(at + 1));
    }
    const compatible = made.filter((text) => /[^ -~]/.test(text));
    expect(compatible.length).toBeGreaterThan(4);
    for (const text of compatible) expect(text.normalize('NFKC')).toBe(KEY);
  });

  it('are sent as the bytes that a shell makes of their shell word', () => {
    const credentials = changes.map((invalid) => credentialFrom(invalid, KEY)!);
    const script = credentials.map(({ shell }) => `printf '%s\\n' ${shell}`).join('\n');
    const lines = execFileSync('bash', ['-c', script], { env: { ...process.env, TARGET_API_KEY: KEY } });
    expect(lines.toString('latin1').split('\n').slice(0, -1)).toEqual(credentials.map(({ value }) => value));
  });
});

describe('an invalid credential of another key', () => {
  it('is not the key either', () => {
    const saved: InvalidCredential = { kind: 'change', at: KEY.length - 1, to: 'c' };
    expect(credentialFrom(saved, KEY)).toMatchObject({ value: `Bearer ${KEY}y`, label: 'Bearer [key]y' });
  });
});

describe('invalid credentials', () => {
  const invalidCredentials = [...missing, ...otherSchemes, ...all(KEY, 1)];

  it('do not show the key', () => {
    for (const invalid of [...invalidCredentials, ...many(KEY, 1)]) {
      const credential = credentialFrom(invalid, KEY);
      expect(`${credential?.label} ${credential?.shell}`).not.toMatch(/4eC39|zdp7dc/i);
    }
  });

  it('equal what a shell makes of their shell word', () => {
    const credentials = invalidCredentials
      .map((invalid) => credentialFrom(invalid, KEY))
      .filter((credential) => credential !== undefined);
    const script = credentials.map(({ shell }) => `printf '%s\\n' ${shell}`).join('\n');
    const lines = execFileSync('bash', ['-c', script], { env: { ...process.env, TARGET_API_KEY: KEY } });
    expect(lines.toString('latin1').split('\n').slice(0, -1)).toEqual(credentials.map(({ value }) => value));
  });
});
