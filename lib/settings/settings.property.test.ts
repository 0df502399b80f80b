import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDotenv } from './dotenv.ts';
import { readProfile } from './profile.ts';
import { Misfit } from './readers.ts';
import { readSettings } from './resolve.ts';
import { UsageError } from './settings.ts';
import { variables } from './variables.ts';

const SECRET = '4eC39HqLyjWDarjtT1zdp7dc';
const all = Object.values(variables);
const folder = mkdtempSync(join(tmpdir(), 'cts-settings-'));
let files = 0;

const fileWith = (content: string | Uint8Array): string => {
  const path = join(folder, String(files++));
  writeFileSync(path, content);
  return path;
};

const value = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.integer().map(String),
  fc.double().map(String),
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.constantFrom(
    '',
    ' ',
    '0',
    '-0',
    '1e3',
    '0x10',
    'NaN',
    '__proto__',
    'constructor',
    'http://',
    'https://[::1',
    `http://u:${SECRET}@h/`,
    `sk_live_${SECRET}`,
    `sk_test_${SECRET}`,
    `http://h/sk_test_${SECRET}`,
    '/dev/null/x',
    '.',
  ),
);

/** What it comes to: settings, or the message of a `UsageError`. Any other exception passes. */
async function outcomeOf(run: () => object | Promise<object>): Promise<object | string> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
}

/** The name of a setting, and where it stands. */
const REFUSAL = /^(?:--[a-z-]+|(?:TARGET|CTS)_[A-Z_]+)(?: \(in \.env\))?(?::| is | does )/;

const isMisfit = (read: (text: string) => unknown, text: string): boolean => {
  try {
    read(text);
    return false;
  } catch (error) {
    return error instanceof Misfit;
  }
};

describe('settings', () => {
  it('from any values are usable, or refused by the name of one of them, which is not shown', async () => {
    const names = fc.constantFrom(
      ...all.flatMap(({ env, flag }) => [env, flag ?? env]),
      '__proto__',
      'constructor',
    );
    const source = fc.dictionary(names, value, { noNullPrototype: true });
    await fc.assert(
      fc.asyncProperty(source, source, source, async (flags, environment, dotenv) => {
        const outcome = await outcomeOf(() => readSettings({ flags, environment, dotenv }));
        const isRefused = typeof outcome === 'string';
        expect(isRefused ? outcome : '--name: refused').toMatch(REFUSAL);
        expect(isRefused || Object.isFrozen(outcome)).toBe(true);
        expect(isRefused ? outcome : '').not.toContain(SECRET);
      }),
      { numRuns: 500 },
    );
  });

  it('are each refused by their own name, whatever stands in the others', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...all), value, async ({ env, read }, text) => {
        fc.pre(text.trim() === '' || isMisfit(read, text.trim()));
        expect(await outcomeOf(() => readSettings({ environment: { [env]: text } }))).toContain(env);
      }),
      { numRuns: 300 },
    );
  });
});

describe('.env', () => {
  const line = fc.oneof(
    fc
      .tuple(
        fc.constantFrom(...all.map(({ env }) => env), '__proto__', 'constructor', 'export A'),
        fc.constantFrom('=', ' = ', ': '),
        value,
      )
      .map((parts) => parts.join('')),
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.constantFrom(
      "A='",
      'B="x',
      '`',
      `TARGET_API_KEY=sk_test_${SECRET}#`,
      `TARGET_API_KEY='sk_test_${SECRET}`,
    ),
  );

  it('of any content is read as texts, or refused without what stands in it', async () => {
    const content = fc.oneof(
      fc
        .tuple(fc.array(line, { maxLength: 6 }), fc.constantFrom('\n', '\r\n'))
        .map(([lines, end]) => lines.join(end)),
      fc.uint8Array({ maxLength: 60 }),
    );
    await fc.assert(
      fc.asyncProperty(content, async (bytes) => {
        const path = fileWith(bytes);
        const outcome = await outcomeOf(() => readDotenv(path));
        const isRefused = typeof outcome === 'string';
        expect(isRefused ? outcome : 'CTS_X in it').toMatch(
          /^(?:(?:TARGET|CTS)_\w+ in |\S+: it is not UTF-8)/,
        );
        expect(isRefused ? outcome : '').not.toContain(SECRET);
        expect(isRefused || Object.values(outcome).every((text) => typeof text === 'string')).toBe(true);
        expect(Object.getPrototypeOf({})).toBe(Object.prototype);
      }),
      { numRuns: 200 },
    );
  });

  it('that is a folder is refused', async () => {
    expect(await outcomeOf(() => readDotenv(folder))).toMatch(/cannot be read \(EISDIR\)/);
  });
});

describe('a profile', () => {
  const content = fc.oneof(
    fc.json({ maxDepth: 4 }),
    fc.uint8Array({ maxLength: 60 }),
    fc.constantFrom(
      '',
      '\uFEFF{}',
      '{"__proto__":{"answers":{"a":1}}}',
      '{"constructor":{}}',
      '{"answers":{"__proto__":{"a":1}}}',
      '['.repeat(1e5),
      `${'{"a":'.repeat(2e4)}1${'}'.repeat(2e4)}`,
      `{"answers":${'['.repeat(5000)}${']'.repeat(5000)}}`,
    ),
    fc.json({ maxDepth: 3 }).map((text) => `{"answers":{"a":${text}},"waivers":[]}`),
  );

  it('of any content is read, or refused in words', () => {
    fc.assert(
      fc.property(content, (bytes) => {
        const read = readProfile(fileWith(bytes));
        const { problem, ...profile } = { problem: 'the file ', answers: {}, ...read };
        expect(problem).toMatch(/^(?:at \/|the file )/);
        expect(['$schema', 'name', 'about', 'answers', 'waivers']).toEqual(
          expect.arrayContaining(Object.keys(profile)),
        );
        expect(Object.getPrototypeOf(profile.answers)).toBe(Object.prototype);
      }),
      { numRuns: 300 },
    );
  });

  it('of any depth is refused as such', () => {
    const deep = `{"answers":{"a":${'['.repeat(1e5)}${']'.repeat(1e5)}}}`;
    expect(readProfile(fileWith(deep))).toEqual({
      problem: expect.stringContaining('nested too deep') as string,
    });
  });

  it('with a key in it is refused without it, wherever it stands and however it is escaped', async () => {
    const key = `sk_test_${SECRET}`;
    const escaped = [...key].map((character) => `\\u00${character.charCodeAt(0).toString(16)}`).join('');
    const place = fc.constantFrom(
      (text: string) => `{"name":"${text}"}`,
      (text: string) => `{"${text}":1}`,
      (text: string) => `{"answers":{"${text}":1}}`,
      (text: string) => `{"answers":{"__proto__":["${text}"]}}`,
      (text: string) => `{"waivers":[{"requirement":"${text}"}]}`,
      (text: string) => `{"about": "${text}`,
    );
    await fc.assert(
      fc.asyncProperty(place, fc.boolean(), async (at, isEscaped) => {
        const path = fileWith(at(isEscaped ? escaped : key));
        const message = await outcomeOf(() => readSettings({ flags: { profile: path } }));
        expect(message).toMatch(/^--profile: the file (?:holds a key|has a member __proto__|is not JSON)/);
        expect(message).not.toContain(SECRET);
      }),
    );
  });
});
