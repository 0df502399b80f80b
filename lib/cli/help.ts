import { wrapped } from '../report/wrapped.ts';
import { describeSetting, settingNames } from '../settings/settings.ts';
import type { SettingName } from '../settings/settings.ts';
import { commands } from './commands.ts';

const table = (rows: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows
    .flatMap(([left, right]) => wrapped(right, `  ${left.padEnd(width)}  `))
    .map((line) => `${line}\n`)
    .join('');
};

/**
 * The settings as a table for a help text.
 * @param more flags of the command's own
 * @param taken which settings the command takes; all by default
 */
export const settingsHelp = (
  more: readonly (readonly [string, string])[] = [],
  taken: readonly SettingName[] = settingNames,
): string =>
  table([
    ...taken.map((name) => {
      const { variable, flag, placeholder, help, default: standard } = describeSetting(name);
      return [
        flag === undefined ? variable! : `--${flag}${placeholder === undefined ? '' : ` ${placeholder}`}`,
        `${help}; default: ${standard}${flag === undefined || variable === undefined ? '' : ` [${variable}]`}`,
      ] as const;
    }),
    ...more,
  ]);

export const exitCodesHelp = `Exit codes:
  0  conforms: every required and declared statement was tested and holds
  1  does not conform: at least one required or declared statement is broken
  2  wrong usage or settings; nothing was sent
  3  inconclusive: unreachable, key refused, or something required went untested
  4  the suite's own defect; please report it
`;

export function generalHelp(): string {
  return `cts: checks whether a service keeps the Customer and Token Service Interface

Usage: cts [command] [flags]

Commands:
${table(Object.entries(commands).map(([name, { summary }]) => [name, summary] as const))}
Each has --help. Without a target, the embedded reference service is checked.

Example:
  TARGET_BASE_URL=https://staging.example.com TARGET_API_KEY=sk_test_... cts run

${exitCodesHelp}`;
}
