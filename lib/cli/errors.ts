import { CommanderError } from 'commander';
import type { Secret } from '../settings/route.ts';
import { failureOnGithub } from '../report/formats/github-runner.ts';
import { UsageError } from '../settings/usage-error.ts';
import { printable, withoutCiCommands } from '../target/output/printable.ts';
import { createRedactor } from '../target/output/redactor.ts';
import { exitCodes } from '../verdict/verdict.ts';
import { describedSettings } from '../settings/settings.ts';

const redactor = createRedactor();

/** Redacts a secret in the messages of defects. */
export const redactInDefects = ({ text, label }: Secret): void => redactor.hide(text, label);

/** Makes the process end with the exit code of a defect, even if another one is set later. */
export const endAsDefect = (): void =>
  void process.once('exit', () => {
    process.exitCode = exitCodes.defect;
  });

/** Prints that the suite itself failed, and makes the process end with the exit code of a defect. */
export function reportDefect(error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  printError(
    'The conformance suite itself failed',
    `the suite itself failed, please report it: ${redactor.redact(explained(text))}`,
  );
  endAsDefect();
}

/**
 * Prints why a command failed, and sets the exit code.
 * @param flags those that the command has
 */
export function reportError(error: unknown, flags: readonly string[] = []): void {
  if (error instanceof CommanderError && error.exitCode === 0) return;
  if (!(error instanceof UsageError || error instanceof CommanderError)) return reportDefect(error);
  printError(
    'Wrong usage or settings: nothing was sent',
    error instanceof CommanderError ? usageMessage(error, flags) : error.message,
  );
  process.exitCode = exitCodes.usage;
}

/** Node ends with 1 on an uncaught exception, which would mean that the target does not conform. */
export function catchAllDefects(): void {
  process.on('uncaughtException', (error) => {
    reportDefect(error);
    process.exit();
  });
  // With stderr closed, nothing can be reported.
  process.stderr.on('error', () => {});
}

/** @param title of the annotation in a job of GitHub Actions */
function printError(title: string, text: string): void {
  process.stderr.write(withoutCiCommands(`cts-conformance: ${text.split('\n').map(printable).join('\n')}\n`));
  const annotation = failureOnGithub(title, text, process.env);
  if (annotation !== '') process.stdout.write(annotation);
}

const explained = (text: string): string =>
  /\bWorker exited unexpectedly\b/.test(text)
    ? `the thread of the suites ended before they did; it may have run out of memory\n${text}`
    : text;

/** Why an option such as `--api-key` does not exist. */
export const NO_KEY_FLAG =
  'there is no flag for the key: a secret is never an argument. Set TARGET_API_KEY in the environment or in .env';

const BEFORE_URL = 'put --base-url before the URL of the service (see --help)';

/** The only flag with the word of a mistyped one, such as `--base-url` for `--url`. */
function flagWithWord(mistyped: string, flags: readonly string[]): string | undefined {
  const word = mistyped.replace(/^-+/, '');
  const [meant, ...others] = flags.filter(
    (flag) => !flag.startsWith('--no-') && flag.split('-').includes(word),
  );
  return others.length === 0 ? meant : undefined;
}

/** A message of commander without the arguments that it repeats, any of which may be a secret. */
function usageMessage({ code, message }: CommanderError, flags: readonly string[]): string {
  const [, problem = '', hint = ''] =
    /^(?:error: )?([^]*?)(?:\n\((Did you mean [^\n]*)\))?$/.exec(message) ?? [];
  const advice = hint === '' ? ' (see --help)' : `; ${hint.replace('Did', 'did')} (see --help)`;
  if (code === 'commander.unknownOption') {
    const [, flag] = /'(--?[A-Za-z][\w-]{0,30})(?:=[^]*)?'$/.exec(problem) ?? [];
    if (/key/i.test(flag ?? '')) return NO_KEY_FLAG;
    if (
      problem.includes('=') &&
      describedSettings.some((one) => one.switch !== undefined && `--${one.flag}` === flag)
    )
      return `${flag}: expected no value; leave out the = and what follows it`;
    const meant = flag === undefined ? undefined : flagWithWord(flag, flags);
    const suggested = meant === undefined ? advice : `; did you mean ${meant}? (see --help)`;
    return `unknown option${flag === undefined ? '' : ` ${flag}`}${suggested}`;
  }
  if (code === 'commander.excessArguments' && /for '(?:run|doctor)'/.test(problem))
    return `expected no argument beside the options; ${BEFORE_URL}`;
  if (code === 'commander.unknownCommand') {
    const [, name] = /'([a-z-]{1,20})'$/.exec(problem) ?? [];
    // As in a URL, or a host and its port.
    if (/'[^']*[.:/]/.test(problem)) return `unknown command; ${BEFORE_URL}`;
    return `unknown command${name === undefined ? '' : ` ${name}`}${advice}`;
  }
  // option '--format <NAME>' argument 'xml' is invalid. Allowed choices are …
  const [, option, reason] =
    /^option '(--[a-z-]+)[^']*' argument [^]* is invalid\. (.*?)\.?$/.exec(problem) ?? [];
  if (code === 'commander.invalidArgument')
    return `${option}: ${reason!.replace('Allowed choices are', 'expected one of')}`;
  return `${problem.replace(/\.$/, '')} (see --help)`;
}
