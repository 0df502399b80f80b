import { printable } from '../target/printable.ts';
import { createRedactor } from '../target/redactor.ts';
import { exitCodes } from '../verdict/verdict.ts';

const redactor = createRedactor();

/** From now on this text is in no message of a defect. */
export const keepOutOfDefects = (secret: string): void => redactor.hide(secret, 'key');

/** Sees to it that the process ends with the code of a defect, whatever else is set meanwhile. */
export const endAsDefect = (): void =>
  void process.once('exit', () => {
    process.exitCode = exitCodes.defect;
  });

/** Says that the suite itself failed, as which the process will end. */
export function reportDefect(error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const lines = redactor.redact(explained(text)).split('\n').map(printable);
  process.stderr.write(`cts: the suite itself failed, please report it: ${lines.join('\n')}\n`);
  endAsDefect();
}

/** Node ends with 1 on an error that nobody catches, which would say that the target does not conform. */
export function catchAllDefects(): void {
  process.on('uncaughtException', (error) => {
    reportDefect(error);
    process.exit();
  });
  // Nobody is left to be told.
  process.stderr.on('error', () => {});
}

const explained = (text: string): string =>
  /\bWorker exited unexpectedly\b/.test(text)
    ? `the thread of the suites ended before they did; it may have run out of memory\n${text}`
    : text;
