import { Option } from 'commander';
import type { Command } from 'commander';
import { prepareFolder, prepareNewFile } from '../report/folder.ts';
import { wrapped } from '../report/text.ts';
import { describeSetting, describedSettings, settingNames } from '../settings/settings.ts';
import { containsKey } from '../settings/api-key.ts';
import { UsageError } from '../settings/usage-error.ts';
import type { Settings } from '../settings/run-settings.ts';
import type { SettingName } from '../settings/settings.ts';
import { readSettings } from '../settings/sources.ts';
import { readDotenv } from '../settings/dotenv.ts';
import { NO_KEY_FLAG } from './errors.ts';
import type { Profile } from '../schemas/profile.ts';

export const exitCodesHelp = `Exit codes:
  0  conforms: every required and declared requirement was tested and passes;
     selection passes: with --only, what was selected was tested and passes;
     no new failures: with --baseline, all that fails failed there too
  1  does not conform: at least one required or declared requirement fails
  2  wrong usage or settings; nothing was sent
  3  inconclusive: unreachable, key rejected, or too little was tested
  4  a defect of the suite itself; please report it`;

/** Adds options for settings to a command; its help explains the settings that only a variable gives. */
export function withSettings(command: Command, names: readonly SettingName[] = settingNames): Command {
  const variables: string[] = [];
  for (const name of names) {
    const described = describeSetting(name);
    const { flag, variable, placeholder, help, default: standard, isList } = described;
    const off = described.switch === 'off' ? `; --no-${flag} turns it off` : '';
    const text = `${help}${off}; default: ${standard}`;
    if (flag === undefined) {
      variables.push(...wrapped(text, `  ${variable}  `));
      continue;
    }
    const shown = variable === undefined ? text : `${text} [${variable}]`;
    if (isList) command.addOption(new Option(`--${flag} <${placeholder}>`, shown).argParser(addLine(flag)));
    else if (described.switch === undefined) command.option(`--${flag} <${placeholder}>`, shown);
    else
      command
        .addOption(new Option(`--${flag}`, shown).hideHelp(described.switch === 'on'))
        .addOption(new Option(`--no-${flag}`, shown).hideHelp(described.switch === 'off'));
  }
  const precedence =
    'Flags override environment variables [in brackets], which override .env in the current folder.';
  return command.addHelpText(
    'after',
    ['', ...(variables.length > 0 ? ['Environment:', ...variables, ''] : []), ...wrapped(precedence)].join(
      '\n',
    ),
  );
}

/** Collects the values of a flag that may be given several times, one a line. */
const addLine =
  (flag: string) =>
  (value: string, lines: string | undefined): string => {
    if (/[\r\n]/.test(value)) throw new UsageError(`--${flag}: holds a line break; repeat the flag instead`);
    return lines === undefined ? value : `${lines}\n${value}`;
  };

/** Whether an option may be given several times. */
const isRepeatable = ({ long }: Option): boolean =>
  describedSettings.some(({ flag, isList }) => isList && long === `--${flag}`);

/** The options that a user gave to a command, as text, by flag. */
export const givenFlags = (command: Command): Readonly<Record<string, string>> =>
  Object.fromEntries(
    command.options
      .filter((option) => command.getOptionValueSource(option.attributeName()) === 'cli' && !option.negate)
      .map((option) => [option.long!.slice(2), String(command.getOptionValue(option.attributeName()))]),
  );

/**
 * The settings of a command: its options, if any, then the environment, then `.env` in the working folder.
 * @throws {UsageError}
 */
export async function settingsOf(command?: Command): Promise<Settings> {
  const settings = readSettings({
    flags: command && givenFlags(command),
    environment: process.env,
    dotenv: readDotenv('.env'),
  });
  await checkAgainstCatalogue(settings.profile);
  return settings;
}

/** The output folder of a command that takes no other setting from the environment. @throws {UsageError} */
export function outOf(command: Command): string {
  const { out: flag } = givenFlags(command);
  const { CTS_OUT } = { ...readDotenv('.env'), ...process.env };
  return readSettings({ flags: { out: flag }, environment: { CTS_OUT } }).out;
}

/** Prepares the files and folders that a command writes, before anything is sent. @throws {UsageError} */
export function prepareReports({ out, writeProfile, writeWaivers }: Settings): void {
  prepareFolder(out);
  if (writeProfile !== undefined) prepareNewFile(writeProfile, '--write-profile');
  if (writeWaivers !== undefined) prepareNewFile(writeWaivers, '--write-waivers');
}

/** Rejects options that are given twice, and options that would take the next option as their value. */
export function withChecks(command: Command): Command {
  for (const option of command.options.filter(({ required }) => required)) {
    const { parseArg } = option;
    option.argParser((value, previous) => {
      if (command.getOptionValueSource(option.attributeName()) === 'cli' && !isRepeatable(option))
        throw new UsageError(`${option.long} is given twice`);
      if (value.startsWith('--')) throw new UsageError(`${option.long} needs a value`);
      return parseArg ? parseArg(value, previous) : value;
    });
  }
  return command;
}

/**
 * Rejects arguments that hold a key, before anything can print or write them.
 * @throws {UsageError} that does not show the key
 */
export function rejectKeys(args: readonly string[]): void {
  for (const [at, arg] of args.entries()) {
    if (!holdsKey(arg)) continue;
    const [flag] = /^--[a-z-]+(?==)/.exec(arg) ?? /^--[a-z-]+$/.exec(args[at - 1] ?? '') ?? [];
    throw new UsageError(
      /key/.test(flag ?? '')
        ? NO_KEY_FLAG
        : `${flag ?? 'an argument'} holds a key. A key is never an argument: set TARGET_API_KEY`,
    );
  }
}

/** Whether an argument looks like a key, or contains the key of the target. */
function holdsKey(text: string): boolean {
  const key = process.env['TARGET_API_KEY'] ?? '';
  return containsKey(text) || (key.length >= 12 && /[\d_]/.test(key) && text.includes(key));
}

/**
 * Checks a profile against all requirements and questions, which are loaded only where there is one.
 * @throws {UsageError} before anything is sent
 */
export async function checkAgainstCatalogue(profile: Profile | undefined): Promise<void> {
  if (profile === undefined) return;
  const [declared, { catalogue }] = await Promise.all([
    import('../engine/answers/declared.ts'),
    import('./from-suites.ts'),
  ]);
  declared.checkProfile(profile, catalogue);
}
