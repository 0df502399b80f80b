import { parseArgs } from 'node:util';
import { prepareFolder, prepareNewFile } from '../report/write.ts';
import { checkProfile } from '../engine/declared.ts';
import { readDotenv, readSettings } from '../settings/sources.ts';
import { UsageError, describeSetting, settingNames } from '../settings/settings.ts';
import type { SettingName, Settings } from '../settings/settings.ts';

/** Flags of a command as text, with what stands beside them. */
export interface Flags {
  readonly values: Readonly<Record<string, string | undefined>>;
  readonly positionals: readonly string[];
  readonly help: boolean;
}

const settingsFlags = settingNames.map(describeSetting).filter(({ flag }) => flag !== undefined);
const withoutValue = new Set(
  settingsFlags.filter(({ placeholder }) => placeholder === undefined).map(({ flag }) => flag),
);

/** Names of the flags that stand for settings; a secret has none. */
export const flagsOf = (names: readonly SettingName[]): string[] =>
  names.flatMap((name) => describeSetting(name).flag ?? []);

/** Names of all flags that stand for settings. */
export const settingFlags: readonly string[] = flagsOf(settingNames);

/**
 * Reads a command's arguments.
 * @param known flags that the command takes; with a value, unless they stand for a setting without
 * @param more.switches flags of its own that the command takes without a value
 * @throws {UsageError} for any other flag, and for a flag without its value; never shows a value
 */
export function readFlags(
  args: readonly string[],
  known: readonly string[],
  {
    mostPositionals = 0,
    switches = [],
  }: { readonly mostPositionals?: number; readonly switches?: readonly string[] } = {},
): Flags {
  const isSwitch = (name: string): boolean => withoutValue.has(name) || switches.includes(name);
  const options = Object.fromEntries([
    ...[...known, ...switches].map((name) => [
      name,
      { type: isSwitch(name) ? 'boolean' : 'string' } as const,
    ]),
    ['help', { type: 'boolean', short: 'h' } as const],
  ]);
  const { tokens } = parseArgs({
    args: [...args],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const values: Record<string, string> = {};
  const positionals: string[] = [];
  let help = false;
  for (const token of tokens) {
    if (token.kind === 'positional') {
      if (holdsKey(token.value)) throw new UsageError(`an argument holds a key. ${NEVER_AN_ARGUMENT}`);
      positionals.push(token.value);
    }
    if (token.kind !== 'option') continue;
    if (token.name === 'help') help = true;
    else if (!known.includes(token.name) && !switches.includes(token.name)) {
      throw new UsageError(unknownFlag(token.name, [...known, ...switches]));
    } else if (Object.hasOwn(values, token.name)) throw new UsageError(`--${token.name} is given twice`);
    else if (isSwitch(token.name)) values[token.name] = token.value ?? 'true';
    else if (token.value === undefined || (!token.inlineValue && token.value.startsWith('--'))) {
      throw new UsageError(`--${token.name} needs a value`);
    } else if (holdsKey(token.value))
      throw new UsageError(`--${token.name} holds a key. ${NEVER_AN_ARGUMENT}`);
    else values[token.name] = token.value;
  }
  if (positionals.length > mostPositionals) {
    throw new UsageError(
      mostPositionals === 0
        ? 'this command takes flags only; see --help'
        : `this command takes ${mostPositionals} ${mostPositionals === 1 ? 'argument' : 'arguments'} at most; see --help`,
    );
  }
  return { values, positionals, help };
}

/** The value of a flag that takes one of a few words, the first of which is the default. @throws {UsageError} */
export function oneOf<W extends string>({ values }: Flags, flag: string, words: readonly [W, ...W[]]): W {
  const value = values[flag] ?? words[0];
  const word = words.find((one) => one === value);
  if (word === undefined) throw new UsageError(`--${flag}: expected one of ${words.join(', ')}`);
  return word;
}

/** The settings of a command that writes nothing: its flags, then the environment, then `.env` in the working folder. */
export async function settingsOf({ values }: Flags): Promise<Settings> {
  const settings = readSettings({
    flags: values,
    environment: process.env,
    dotenv: readDotenv('.env'),
  });
  checkProfile(settings.profile);
  return settings;
}

/** The settings of a command that writes reports, with a folder to write them to. */
export async function settingsFrom(flags: Flags): Promise<Settings> {
  const settings = await settingsOf(flags);
  prepareFolder(settings.out);
  if (settings.writeProfile !== undefined) prepareNewFile(settings.writeProfile);
  return settings;
}

const NEVER_AN_ARGUMENT = 'A key is never an argument: set TARGET_API_KEY';

/** Whether an argument looks like a key, or holds the very one; it would be shown in messages and reports. */
function holdsKey(text: string): boolean {
  const key = process.env['TARGET_API_KEY'] ?? '';
  return /sk_(?:test|live)_\w/.test(text) || (key.length >= 12 && /[\d_]/.test(key) && text.includes(key));
}

function unknownFlag(name: string, known: readonly string[]): string {
  if (/key/i.test(name) || /sk_/.test(name)) {
    return 'there is no flag for the key: a secret is never an argument. Set TARGET_API_KEY in the environment or in .env';
  }
  const shown = /^[\w-]{1,30}$/.test(name) ? `--${name}` : 'one of the flags';
  const near = known.find((flag) => flag.startsWith(name.slice(0, 3)));
  return `${shown} is not known${near ? `; did you mean --${near}?` : ''} (see --help)`;
}
