import { describe, expect, it } from 'vitest';
import { readSettings } from './sources.ts';
import { dotenvExample, readDotenv } from './dotenv.ts';
import { fileWith } from '../selftest/files.ts';

describe('readDotenv', () => {
  it('reads values, does not change process.env, and reads a missing file as an empty one', () => {
    const before = { ...process.env };
    expect(readDotenv(fileWith('CTS_SEED=7\nexport CTS_OUT=x # note\n'))).toEqual({
      CTS_SEED: '7',
      CTS_OUT: 'x',
    });
    expect(process.env).toEqual(before);
    expect(readDotenv('/nowhere/.env')).toEqual({});
  });

  it('rejects a # in an unquoted value, which would truncate a key, without showing it', () => {
    for (const line of [
      'TARGET_API_KEY=sk_test_a#b',
      'export TARGET_API_KEY = a#b',
      'TARGET_API_KEY=x#',
      'TARGET_API_KEY: a#b',
      '\uFEFFTARGET_API_KEY=a#b',
    ]) {
      expect(() => readDotenv(fileWith(line))).toThrow(/TARGET_API_KEY .* single quotes/);
      expect(() => readDotenv(fileWith(line))).not.toThrow(/sk_test_a/);
    }
  });

  it('rejects a line that names a setting without a value, as dotenv would ignore it', () => {
    for (const line of [
      'TARGET_BASE_URL http://a.example',
      '- TARGET_BASE_URL=http://a.example',
      'export TARGET_BASE_URL http://a.example',
      'TARGET_BASE_URL:http://a.example',
      'TARGET_BASE_URL',
    ])
      expect(() => readDotenv(fileWith(`CTS_SEED=7\n  ${line}\n`))).toThrow(
        /line with TARGET_BASE_URL .* write TARGET_BASE_URL=VALUE/,
      );
    const valid =
      '# TARGET_CA a.pem\nexport TARGET_BASE_URL = x\nCTS_SEED: 7\nTARGET_FOO-BAR=1\nTARGET_CA.old=1\nNOTE: "a\nTARGET_CA b"\n';
    expect(readDotenv(fileWith(valid))).toMatchObject({ TARGET_BASE_URL: 'x', CTS_SEED: '7' });
  });

  it('rejects a setting with two lines, of which the last would count', () => {
    expect(() =>
      readDotenv(fileWith('TARGET_API_KEY=sk_test_a\nexport TARGET_API_KEY = sk_test_b\n')),
    ).toThrow(/: TARGET_API_KEY is set more than once; keep one line$/);
    const valid = '#CTS_SEED=1\nCTS_SEED=2\nNOTE="\nCTS_SEED=3"\nMY_CTS_SEED=4\n';
    expect(readDotenv(fileWith(valid))).toMatchObject({ CTS_SEED: '2' });
  });

  it('reads the first line after a byte order mark too', () => {
    expect(readDotenv(fileWith('\uFEFFCTS_SEED=7\n'))).toEqual({ CTS_SEED: '7' });
  });

  it('accepts a # in a quoted value', () => {
    expect(readDotenv(fileWith("TARGET_API_KEY='sk_test_a#b'"))).toEqual({ TARGET_API_KEY: 'sk_test_a#b' });
  });
});

describe('.env.example', () => {
  it('is generated from the settings; `npx --no-install vitest run --project unit lib/settings -u` writes it', async () => {
    await expect(dotenvExample()).toMatchFileSnapshot('../../.env.example');
  });

  it('holds values that are accepted', () => {
    const dotenv = Object.fromEntries(
      [...dotenvExample().matchAll(/^#([A-Z_]+)='?(.*?)'?$/gm)]
        // A placeholder is rejected.
        .map(([, name, value]) => [name!, value!.replace('...', '1')])
        // Those would have to exist.
        .filter(([, value]) => !/\.(?:json|pem)$/.test(value!))
        // These need others, or exclude one.
        .filter(
          ([name]) => !/^(?:TARGET_(?:CLIENT_KEY_PASSPHRASE|UNIX_SOCKET)|CTS_BASELINE_UNTIL)$/.test(name!),
        ),
    );
    expect(readSettings({ dotenv })).toMatchObject({
      seed: 42,
      cases: 170,
      reports: ['har', 'ctrf'],
    });
  });
});
