import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
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
});

describe('rejectKeys', () => {
  it('accepts what only resembles a key', () => {
    expect(() => rejectKeys(['--only', 'sk_test_', '--allow-live-key'])).not.toThrow();
  });
});
