import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSettings } from './sources.ts';
import type { Sources } from './sources.ts';
import { UsageError } from './usage-error.ts';
import { newFolder } from '../selftest/files.ts';

const KEY = 'sk_test_4eC39HqLyjWDarjtT1zdp7dc';
const target = { TARGET_BASE_URL: 'https://staging.example.com', TARGET_API_KEY: KEY };

const messageFor = (sources: Sources): string => {
  try {
    readSettings(sources);
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return (error as UsageError).message;
  }
  return 'no error';
};

describe('precedence', () => {
  it('is flag, environment, .env, default', () => {
    const dotenv = { CTS_SEED: '1', CTS_CASES: '61', CTS_RATE: '1' };
    const environment = { CTS_SEED: '2', CTS_CASES: '62' };
    const settings = readSettings({ flags: { seed: '3' }, environment, dotenv });
    expect(settings).toMatchObject({ seed: 3, cases: 62, rate: 1, timeout: 10 });
  });

  it('generates a new seed when none is given', () => {
    const seeds = Array.from({ length: 5 }, () => readSettings({}).seed);
    expect(new Set(seeds).size).toBeGreaterThan(1);
  });

  it('returns frozen data that can be cloned into a worker', () => {
    const settings = readSettings({ flags: { seed: '1', shard: undefined } });
    expect(Object.isFrozen(settings)).toBe(true);
    expect(structuredClone(settings)).toEqual(settings);
  });
});

describe('base URL', () => {
  it.each([
    ['https://a.example', 'https://a.example'],
    ['https://a.example/', 'https://a.example'],
    ['http://a.example:8080/api/v9//', 'http://a.example:8080/api/v9'],
    [' https://a.example/x ', 'https://a.example/x'],
  ])('reads %j as %j', (text, baseUrl) => {
    const environment = { TARGET_BASE_URL: text, TARGET_API_KEY: KEY };
    expect(readSettings({ environment }).baseUrl).toBe(baseUrl);
  });

  it.each([
    ['staging.example.com', 'put http:// or https:// in front of it'],
    ['localhost:3000/api', 'put http:// or https:// in front of it'],
    ['http://localhost:99999', 'a port above 65535'],
    ['"http://localhost"', 'in quotes'],
    ['http://::1:9000', 'without brackets'],
    ['http://fe80::1%eth0:8080/', 'without brackets'],
    ['http://::ffff:1.2.3.4/', 'without brackets'],
    ['https://user:123456@a.example', 'without user name and password'],
    ['http://a.example?x=:99999', 'without query and fragment'],
    ['ftp://a.example', 'absolute http or https URL'],
    ['https://', 'absolute http or https URL'],
    ['https://user:secret@a.example', 'without user name and password'],
    ['https://a.example/?x=1', 'without query and fragment'],
    ['https://a.example/#x', 'without query and fragment'],
    [`https://a.example/${KEY}`, 'holds a key'],
    ['https://$HOST:8080', 'that nothing has replaced'],
    ['https://{{host}}/', 'that nothing has replaced'],
    ['https://a.example/${PATH}', 'that nothing has replaced'],
  ])('rejects %j without showing it', (text, expected) => {
    const message = messageFor({ environment: { TARGET_BASE_URL: text, TARGET_API_KEY: KEY } });
    expect(message).toContain('TARGET_BASE_URL');
    expect(message).toContain(expected);
    expect(message).not.toMatch(/secret|4eC39/);
  });
});

describe('settings that depend on each other', () => {
  it('rejects a base URL without a key, and a key without a base URL', () => {
    expect(messageFor({ environment: { TARGET_BASE_URL: target.TARGET_BASE_URL } })).toMatch(
      /^TARGET_API_KEY is missing/,
    );
    expect(messageFor({ environment: { TARGET_API_KEY: KEY } })).toMatch(/^TARGET_BASE_URL is missing/);
  });

  it('rejects a variable with one letter wrong, but none that may be of another tool', () => {
    expect(messageFor({ environment: { CTS_OUP: 'x' } })).toBe(
      'CTS_OUP: unknown setting; did you mean CTS_OUT?',
    );
    expect(() => readSettings({ environment: { ...target, TARGET_CC: 'gcc' } })).not.toThrow();
  });

  it('rejects a key that is not for test mode, unless it is allowed', () => {
    const environment = { ...target, TARGET_API_KEY: 'sk_live_4eC39HqLyjWDarjtT1' };
    const message = messageFor({ environment });
    expect(message).toContain('--allow-live-key');
    expect(message).not.toContain('4eC39');
    expect(readSettings({ environment, flags: { 'allow-live-key': 'true' } }).apiKey).toBe(
      environment.TARGET_API_KEY,
    );
  });

  it('names a character that no key has, and its place, and nothing else of the key', () => {
    const message = messageFor({ environment: { ...target, TARGET_API_KEY: 'sk_test_4eC39\u200bHqLy' } });
    expect(message).toMatch(/character 14 is U\+200B$/);
    expect(message).not.toMatch(/4eC39|HqLy/);
  });

  it.each([
    ['Bearer sk_test_4eC39', 'begins with the word Bearer: leave it out'],
    ['authorization: bearer sk_test_4eC39', 'begins with the word Bearer: leave it out'],
    ['sk_test_4eC39 HqLy', 'character 14 is a space'],
    ['sk_test_4eC39\tHqLy', 'character 14 is a tab'],
    ['sk_test_4eC39\nsk_test_4eC39', 'character 14 is a line break'],
  ])('says what is wrong with the key %j', (key, problem) => {
    const message = messageFor({ environment: { ...target, TARGET_API_KEY: key } });
    expect(message).toContain(problem);
    expect(message).not.toMatch(/4eC39|HqLy/);
  });

  it.each([
    ['"sk_test_4eC39"', 'is in quotes: leave them out; Docker'],
    ["'sk_test_4eC39'", 'is in quotes: leave them out; Docker'],
    ['sk_test_4eC39"', 'ends with a quote: remove it'],
    ["'sk_test_4eC39", 'begins with a quote: remove it'],
    ['key=sk_test_4eC39', 'has other text before sk_test_: give the key alone, or add --allow-live-key'],
    ['$STAGING_KEY', 'is a variable that nothing has replaced: give the key itself'],
    ['{{key}}', 'is a variable that nothing has replaced: give the key itself'],
    ['sk_test_4eC39,', 'ends with a comma: remove it'],
    ['sk_test_4eC39;', 'ends with a semicolon: remove it'],
    ['<API_KEY>', 'is a placeholder: give the key itself'],
    ['sk_test_...', 'is a placeholder: give the key itself'],
  ])('rejects the key %s, which %s', (key, problem) => {
    expect(messageFor({ environment: { ...target, TARGET_API_KEY: key } })).toContain(
      `TARGET_API_KEY ${problem}`,
    );
  });

  it('rejects the name of a target that is not given', () => {
    expect(messageFor({ environment: { TARGET_NAME: 'acme' } })).toMatch(/^TARGET_BASE_URL is missing/);
    expect(messageFor({ environment: { TARGET_HTTP: '2' } })).toMatch(
      /^TARGET_BASE_URL is missing: .* TARGET_HTTP is for$/,
    );
  });

  it('accepts a key that contains a #', () => {
    expect(readSettings({ environment: { ...target, TARGET_API_KEY: 'sk_test_a#b' } }).apiKey).toBe(
      'sk_test_a#b',
    );
  });
});

describe('other values', () => {
  it('are all named that cannot be used, once each and by where they come from', () => {
    const environment = {
      TARGET_BASE_URL: 'https://user@example.com?a',
      CTS_SEED: '',
      CTS_RATE: 'fast',
      TARGET_NAME: KEY,
    };
    expect(messageFor({ flags: { rate: 'faster' }, environment }).split(';\n  ')).toEqual([
      expect.stringMatching(/^TARGET_NAME: holds a key/),
      expect.stringMatching(/^CTS_SEED is empty/),
      expect.stringMatching(/^TARGET_BASE_URL: expected a URL without user name/),
      expect.stringMatching(/^--rate: expected a decimal number/),
    ]);
  });

  it.each([
    ['TARGET_BASE_URL', ''],
    ['TARGET_API_KEY', ''],
    ['CTS_SEED', '   '],
  ])('rejects an empty %s', (name, value) => {
    expect(messageFor({ environment: { ...target, [name]: value } })).toMatch(
      new RegExp(`^${name} is empty`),
    );
  });

  it.each([
    ['CTS_CASES', '0'],
    ['CTS_CASES', '1.5'],
    ['CTS_SEED', 'abc'],
    ['CTS_SEED', '9999999999'],
    ['CTS_CONCURRENCY', '1e3'],
    ['CTS_RATE', '-1'],
    ['CTS_TIMEOUT', '0'],
    ['CTS_TIME_BUDGET', 'Infinity'],
    ['TARGET_TOKEN_EXPIRES_IN', '0x10'],
  ])('rejects %s=%s and says what is expected', (name, value) => {
    expect(messageFor({ environment: { [name]: value } })).toMatch(
      /^\w+: expected a (whole|decimal) number from/,
    );
  });

  it('names the source of a bad value: flag, variable or file', () => {
    expect(messageFor({ flags: { seed: 'x' } })).toMatch(/^--seed: /);
    expect(messageFor({ environment: { CTS_SEED: 'x' } })).toMatch(/^CTS_SEED: /);
    expect(messageFor({ dotenv: { CTS_SEED: 'x' } })).toMatch(/^CTS_SEED \(in \.env\): /);
  });

  it('reads a list of reports, each once, and names the known ones', () => {
    expect(readSettings({}).reports).toEqual([]);
    expect(readSettings({ flags: { report: 'ctrf, har,har' } }).reports).toEqual(['ctrf', 'har']);
    for (const list of ['junit', ',', 'har;ctrf', 'HAR'])
      expect(messageFor({ environment: { CTS_REPORT: list } })).toBe(
        'CTS_REPORT: expected har, ctrf or both, separated by commas',
      );
  });

  it('reads a list of scopes', () => {
    expect(readSettings({ flags: { 'token-scopes': 'a:b, c:d' } }).tokenScopes).toEqual(['a:b', 'c:d']);
  });
});

describe('a baseline', () => {
  it('is not a file that the run replaces', () => {
    const reports = newFolder();
    const report = { schemaVersion: 1, suite: { version: '1' }, target: { baseUrl: 'x' }, requirements: [] };
    const run = { startedAt: '2026-03-01T12:00:00Z' };
    writeFileSync(
      join(reports, 'conformance.json'),
      JSON.stringify({ ...report, run, verdict: 'does-not-conform' }),
    );
    const given = (out: string): Sources => ({ environment: { CTS_BASELINE: reports }, flags: { out } });
    expect(messageFor(given(`${reports}/`))).toBe(
      'CTS_BASELINE: every run replaces this file; copy it to another place, and name the copy',
    );
    expect(messageFor(given(join(reports, 'other')))).toBe('no error');
  });
});
