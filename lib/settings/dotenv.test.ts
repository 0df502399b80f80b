import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readDotenv } from './dotenv.ts';

const fileWith = (text: string): string => {
  const path = join(mkdtempSync(join(tmpdir(), 'cts-')), '.env');
  writeFileSync(path, text);
  return path;
};

describe('readDotenv', () => {
  it('reads values, leaves process.env alone and takes a missing file for an empty one', () => {
    expect(readDotenv(fileWith('CTS_SEED=7\nexport CTS_OUT=x # note\n'))).toEqual({
      CTS_SEED: '7',
      CTS_OUT: 'x',
    });
    expect(process.env['CTS_SEED']).toBeUndefined();
    expect(readDotenv('/nowhere/.env')).toEqual({});
  });

  it('refuses a # in an unquoted value, which would cut a key short, without showing it', () => {
    for (const line of [
      'TARGET_API_KEY=sk_test_a#b',
      'export TARGET_API_KEY = a#b',
      'TARGET_API_KEY=x#',
      'TARGET_API_KEY: a#b',
    ]) {
      expect(() => readDotenv(fileWith(line))).toThrow(/TARGET_API_KEY .* single quotes/);
      expect(() => readDotenv(fileWith(line))).not.toThrow(/sk_test_a/);
    }
  });

  it('takes a # in a quoted value', () => {
    expect(readDotenv(fileWith("TARGET_API_KEY='sk_test_a#b'"))).toEqual({ TARGET_API_KEY: 'sk_test_a#b' });
  });
});
