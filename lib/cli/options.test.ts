import { Command } from 'commander';
import { describe, expect, it, vi } from 'vitest';
import { givenFlags, rejectKeys, withChecks, withSettings } from './options.ts';

/** A command that has parsed its arguments. */
function parsed(...args: string[]): Command {
  const command = withSettings(new Command('x'), ['seed', 'out', 'strict', 'tokenScopes']).action(() => {});
  return withChecks(command).parse(args, { from: 'user' });
}

describe('the options of settings', () => {
  it('are given as text, by flag', () => {
    expect(givenFlags(parsed())).toEqual({});
    expect(givenFlags(parsed('--seed', '-5', '--strict', '--token-scopes=a,b'))).toEqual({
      seed: '-5',
      strict: 'true',
      'token-scopes': 'a,b',
    });
    expect(givenFlags(parsed('--no-strict'))).toEqual({ strict: 'false' });
  });

  it('have one value each, which is not the next option', () => {
    expect(() => parsed('--seed', '1', '--seed=2')).toThrow('--seed is given twice');
    expect(() => parsed('--out', '--strict')).toThrow('--out needs a value');
  });
});

describe('rejectKeys', () => {
  it.each([
    [['run', 'sk_test_4eC39HqL'], 'an argument holds a key'],
    [['--out', 'a/sk_live_4eC39HqL'], '--out holds a key'],
    [['--out=sk_test_4eC39HqL'], '--out holds a key'],
    [['--sk_test_4eC39HqL=x'], 'an argument holds a key'],
    [['--api-key', 'sk_test_4eC39HqL'], 'there is no flag for the key'],
    [['--base-url', 'http://a.example/very-secret-4eC39HqL'], '--base-url holds a key'],
  ])('rejects %j without showing the key', (args, message) => {
    vi.stubEnv('TARGET_API_KEY', 'very-secret-4eC39HqL');
    expect(() => rejectKeys(args)).toThrow(message);
    expect(() => rejectKeys(args)).not.toThrow(/4eC39HqL/);
    vi.unstubAllEnvs();
  });

  it('accepts what only resembles a key', () => {
    expect(() => rejectKeys(['--only', 'sk_test_', '--allow-live-key'])).not.toThrow();
  });
});
