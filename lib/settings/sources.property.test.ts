import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Profile } from '../schemas/profile.ts';
import { readProfile } from './files.ts';
import { describeSetting, describedSettings, settingNames, settingsSchema } from './settings.ts';
import { UsageError } from './usage-error.ts';
import { readSettings } from './sources.ts';
import { readDotenv } from './dotenv.ts';
import { fileWith, newFolder } from '../selftest/files.ts';

const SECRET = '4eC39HqLyjWDarjtT1zdp7dc';
const variables = settingNames.flatMap((name) => {
  const { variable } = describeSetting(name);
  return variable === undefined ? [] : [{ name, variable }];
});

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

/** Settings, or the message of a `UsageError`. Any other exception is thrown. */
async function outcomeOf(run: () => object | Promise<object>): Promise<object | string> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
}

/** The name of a setting and its source. */
const REJECTION = /^(?:--[a-z-]+|(?:TARGET|CTS)_[A-Z_]+)(?: \(in \.env\))?(?::| is | does )/;

describe('settings', () => {
  it('from any values are usable, or rejected with the name of one of them, but not its value', async () => {
    const names = fc.constantFrom(
      ...describedSettings.flatMap(({ variable, flag }) => [variable ?? flag!, flag ?? variable!]),
      '__proto__',
      'constructor',
    );
    const source = fc.dictionary(names, value, { noNullPrototype: true });
    await fc.assert(
      fc.asyncProperty(source, source, source, async (flags, environment, dotenv) => {
        const outcome = await outcomeOf(() => readSettings({ flags, environment, dotenv }));
        const isRejected = typeof outcome === 'string';
        expect(isRejected ? outcome : '--name: rejected').toMatch(REJECTION);
        expect(isRejected || Object.isFrozen(outcome)).toBe(true);
        expect(isRejected ? outcome : '').not.toContain(SECRET);
      }),
      { numRuns: 500 },
    );
  });

  it('are each rejected by their own name', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...variables), value, async ({ name, variable }, text) => {
        const one = { [name]: text.trim() };
        fc.pre(text.trim() === '' || !settingsSchema.safeParse({ ...one, route: one }).success);
        expect(await outcomeOf(() => readSettings({ environment: { [variable]: text } }))).toContain(
          variable,
        );
      }),
      { numRuns: 300 },
    );
  });
});

describe('.env', () => {
  const line = fc.oneof(
    fc
      .tuple(
        fc.constantFrom(...variables.map(({ variable }) => variable), '__proto__', 'constructor', 'export A'),
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

  it('of any content is read as text, or rejected without showing the content', async () => {
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
        const isRejected = typeof outcome === 'string';
        expect(isRejected ? outcome : 'CTS_X in it').toMatch(
          /^(?:(?:TARGET|CTS)_\w+ in |.+: (?:the file is not UTF-8|(?:a line with )?(?:TARGET|CTS)_\w+ (?:gives|is set more than once)))/,
        );
        expect(isRejected ? outcome : '').not.toContain(SECRET);
        expect(isRejected || Object.values(outcome).every((text) => typeof text === 'string')).toBe(true);
        expect(Object.getPrototypeOf({})).toBe(Object.prototype);
      }),
      { numRuns: 200 },
    );
  });

  it('that is a folder is rejected', async () => {
    expect(await outcomeOf(() => readDotenv(newFolder()))).toMatch(/can't be read \(it is a folder\)/);
  });
});

function readOrProblem(path: string): Partial<Profile> | { readonly problem: string } {
  try {
    return readProfile(path);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { problem: error.message };
  }
}

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

  it('of any content is read, or rejected with a reason', () => {
    fc.assert(
      fc.property(content, (bytes) => {
        const read = readOrProblem(fileWith(bytes));
        const { problem, ...profile } = { problem: 'the file ', answers: {}, ...read };
        expect(problem).toMatch(/^(?:\/|the file |unknown member|expected an object)/);
        expect(['$schema', 'name', 'about', 'answers', 'waivers']).toEqual(
          expect.arrayContaining(Object.keys(profile)),
        );
        expect(Object.getPrototypeOf(profile.answers)).toBe(Object.prototype);
      }),
      { numRuns: 300 },
    );
  });

  it('that is nested too deeply is rejected as such', () => {
    const deep = `{"answers":{"a":${'['.repeat(1e5)}${']'.repeat(1e5)}}}`;
    expect(() => readProfile(fileWith(deep))).toThrow('nested too deeply');
  });

  it('that contains a key, escaped or not, is rejected without showing it', async () => {
    const key = `sk_test_${SECRET}`;
    const escaped = [...key].map((character) => `\\u00${character.charCodeAt(0).toString(16)}`).join('');
    const source = fc.constantFrom(
      (text: string) => `{"name":"${text}"}`,
      (text: string) => `{"${text}":1}`,
      (text: string) => `{"answers":{"${text}":1}}`,
      (text: string) => `{"answers":{"__proto__":["${text}"]}}`,
      (text: string) => `{"waivers":[{"requirement":"${text}"}]}`,
      (text: string) => `{"about": "${text}`,
    );
    await fc.assert(
      fc.asyncProperty(source, fc.boolean(), async (at, isEscaped) => {
        const path = fileWith(at(isEscaped ? escaped : key));
        const message = await outcomeOf(() => readSettings({ flags: { profile: path } }));
        expect(message).toMatch(/^--profile: the file (?:holds a key|has a member __proto__|is not JSON)/);
        expect(message).not.toContain(SECRET);
      }),
    );
  });
});
