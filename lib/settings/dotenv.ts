import { readFileSync } from 'node:fs';
import { parse } from 'dotenv';
import { describedSettings, variableNames } from './settings.ts';
import { UsageError, unreadable } from './usage-error.ts';

/** Variables that this suite may read: its settings, the secrets that these name, and proxies. */
const OWN = /^(?:TARGET|CTS)_|(?:^|_)(?:KEY|TOKEN|SECRET|PASSWORD|PASSPHRASE|CREDENTIALS?|PROXY)$/i;

/**
 * Reads a `.env` file without changing `process.env`. A missing file is an empty one. An unquoted value with a `#` is
 * rejected: dotenv reads the rest as a comment, and a truncated key looks like a wrong key.
 * @throws {UsageError}
 */
export function readDotenv(path: string): Record<string, string> {
  let source: string;
  try {
    source = readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new UsageError(`${path}: ${unreadable(error)}`);
  }
  if (source.includes('\0') || source.includes('\uFFFD'))
    throw new UsageError(`${path}: the file is not UTF-8; save it as UTF-8, without a byte order mark`);
  const cut = [
    ...source.matchAll(/^[ \t]*(?:export[ \t]+)?(\w+)[ \t]*[=:][ \t]*(?=[^'"`\s#])[^\r\n#]*(?<!\s)#/gm),
  ].find(([, name]) => OWN.test(name!));
  if (cut)
    throw new UsageError(
      `${cut[1]} in ${path} has an unquoted value with a #, which starts a comment: put the value in single quotes`,
    );
  const variables = parse(source);
  // dotenv ignores a line that has no = in its place, and without a target a run checks the embedded reference service.
  const lines = source
    .replaceAll(/^\s*#.*$/gm, '')
    .replaceAll(/[=:][ \t]*(["'`])(?:\\.|(?!\1)[^])*\1/g, '=')
    .split(/\r\n?|\n/);
  for (const name of variableNames) {
    const named = new RegExp(String.raw`^(?:export|set|setenv|declare -x)?\W*${name}(?![\w.-])`);
    const given = new RegExp(String.raw`^\s*(?:export\s+)?${name}\s*[=:]`);
    if (lines.filter((line) => given.test(line)).length > 1)
      throw new UsageError(`${path}: ${name} is set more than once; keep one line`);
    if (!(name in variables) && lines.some((line) => named.test(line.trim())))
      throw new UsageError(`${path}: a line with ${name} gives it no value; write ${name}=VALUE`);
  }
  return variables;
}

/** The text of `.env.example`: every variable with its meaning and default. */
export function dotenvExample(): string {
  const settings = describedSettings.flatMap(({ variable, help, default: standard, example }) => {
    if (variable === undefined) return [];
    return `# ${help[0]!.toUpperCase()}${help.slice(1)}. Default: ${standard}.\n#${variable}=${example ?? standard}\n`;
  });
  return [
    '# Settings of cts-conformance. Copy to .env and fill in.\n# Flags override environment variables, which override .env.\n' +
      '# Put a value that contains a # into single quotes.\n',
    ...settings,
  ].join('\n');
}
