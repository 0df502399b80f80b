import { UsageError } from '../settings/settings.ts';

/** Runs a script of this project; wrong usage ends it with the exit code 2. @param name as npm calls it */
export async function script(name: string, main: (args: readonly string[]) => Promise<void>): Promise<void> {
  try {
    await main(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${name}: ${error.message}\n`);
    process.exitCode = 2;
  }
}

/** The value of a flag, as a whole number from 1. @throws {UsageError} */
export function wholeNumber(flag: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`--${flag}: expected whole numbers from 1`);
  return Number(text);
}

/** The value of a flag, as a regular expression. @throws {UsageError} */
export function pattern(flag: string, text: string): RegExp {
  try {
    return new RegExp(text);
  } catch {
    throw new UsageError(`--${flag}: expected a regular expression`);
  }
}
