import { describe, expect, it } from 'vitest';
import { resolveSettings } from './resolve.ts';
import type { Sources } from './resolve.ts';
import { UsageError } from './settings.ts';

const KEY = 'sk_test_4eC39HqLyjWDarjtT1zdp7dc';
const target = { TARGET_BASE_URL: 'https://staging.example.com', TARGET_API_KEY: KEY };

const messageFor = (sources: Sources): string => {
  try {
    resolveSettings(sources);
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return (error as UsageError).message;
  }
  return 'no error';
};

describe('precedence', () => {
  it('takes a flag before the environment, that before .env, that before the default', () => {
    const dotenv = { CTS_SEED: '1', CTS_CASES: '1', CTS_RATE: '1' };
    const environment = { CTS_SEED: '2', CTS_CASES: '2' };
    const settings = resolveSettings({ flags: { seed: '3' }, environment, dotenv });
    expect(settings).toMatchObject({ seed: 3, cases: 2, rate: 1, timeout: 10 });
  });

  it('draws a new seed where none is given', () => {
    const seeds = Array.from({ length: 5 }, () => resolveSettings({}).seed);
    expect(new Set(seeds).size).toBeGreaterThan(1);
  });

  it('freezes what it returns', () => {
    expect(Object.isFrozen(resolveSettings({}))).toBe(true);
  });
});

describe('base URL', () => {
  it.each([
    ['https://a.example', 'https://a.example'],
    ['https://a.example/', 'https://a.example'],
    ['http://a.example:8080/api/v9//', 'http://a.example:8080/api/v9'],
    [' https://a.example/x ', 'https://a.example/x'],
  ])('takes %j as %j', (text, baseUrl) => {
    const environment = { TARGET_BASE_URL: text, TARGET_API_KEY: KEY };
    expect(resolveSettings({ environment }).baseUrl).toBe(baseUrl);
  });

  it.each([
    ['staging.example.com', 'absolute http or https URL'],
    ['ftp://a.example', 'absolute http or https URL'],
    ['https://', 'absolute http or https URL'],
    ['https://user:secret@a.example', 'without user name and password'],
    ['https://a.example/?x=1', 'without query and fragment'],
    ['https://a.example/#x', 'without query and fragment'],
    [`https://a.example/${KEY}`, 'holds a key'],
  ])('refuses %j and never shows it', (text, expected) => {
    const message = messageFor({ environment: { TARGET_BASE_URL: text, TARGET_API_KEY: KEY } });
    expect(message).toContain('TARGET_BASE_URL');
    expect(message).toContain(expected);
    expect(message).not.toMatch(/secret|4eC39/);
  });
});

describe('what belongs together', () => {
  it('refuses a base URL without a key, and a key without a base URL', () => {
    expect(messageFor({ environment: { TARGET_BASE_URL: target.TARGET_BASE_URL } })).toMatch(
      /^TARGET_API_KEY is missing/,
    );
    expect(messageFor({ environment: { TARGET_API_KEY: KEY } })).toMatch(/^TARGET_BASE_URL is missing/);
  });

  it('refuses a key that is no test-mode key, unless it is allowed', () => {
    const environment = { ...target, TARGET_API_KEY: 'sk_live_4eC39HqLyjWDarjtT1' };
    const message = messageFor({ environment });
    expect(message).toContain('--allow-live-key');
    expect(message).not.toContain('4eC39');
    expect(resolveSettings({ environment, flags: { 'allow-live-key': 'true' } }).apiKey).toBe(
      environment.TARGET_API_KEY,
    );
  });

  it('takes a key with a # in it', () => {
    expect(resolveSettings({ environment: { ...target, TARGET_API_KEY: 'sk_test_a#b' } }).apiKey).toBe(
      'sk_test_a#b',
    );
  });
});

describe('other values', () => {
  it.each([
    ['TARGET_BASE_URL', ''],
    ['TARGET_API_KEY', ''],
    ['CTS_SEED', '   '],
  ])('refuses %s when it is empty', (name, value) => {
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
  ])('refuses %s=%s and says what is expected', (name, value) => {
    expect(messageFor({ environment: { [name]: value } })).toMatch(
      /^\w+: expected a (whole|decimal) number from/,
    );
  });

  it('names the flag, the variable or the file that a bad value came from', () => {
    expect(messageFor({ flags: { seed: 'x' } })).toMatch(/^--seed: /);
    expect(messageFor({ environment: { CTS_SEED: 'x' } })).toMatch(/^CTS_SEED: /);
    expect(messageFor({ dotenv: { CTS_SEED: 'x' } })).toMatch(/^CTS_SEED \(in \.env\): /);
  });

  it('reads reports from a list, each once, and names those that there are', () => {
    expect(resolveSettings({}).reports).toEqual([]);
    expect(resolveSettings({ flags: { report: 'ctrf, har,har' } }).reports).toEqual(['ctrf', 'har']);
    for (const list of ['junit', ',', 'har;ctrf', 'HAR'])
      expect(messageFor({ environment: { CTS_REPORT: list } })).toBe(
        'CTS_REPORT: expected har or ctrf, or several separated by commas',
      );
  });

  it('reads scopes from a list', () => {
    expect(resolveSettings({ flags: { 'token-scopes': 'a:b, c:d' } }).tokenScopes).toEqual(['a:b', 'c:d']);
  });
});
