import { Command, InvalidArgumentError } from 'commander';
import { setup } from './scratch.ts';

/**
 * A command for one of this project's npm scripts. Wrong usage ends the process with exit code 2. Its temporary files are
 * removed when it ends, or is interrupted.
 */
export const script = (name: string, description: string): Command =>
  new Command(`npm run ${name} --`)
    .description(description)
    .helpOption('-h, --help', 'show this help')
    .allowExcessArguments(false)
    .hook('preAction', () => {
      setup();
      for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
    })
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));

/** Parses the value of an option as a whole number from 1. @throws {InvalidArgumentError} */
export function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Expected a whole number from 1.');
  return Number(text);
}

/** Parses whole numbers, separated by commas. @throws {InvalidArgumentError} */
export const wholeNumbers = (text: string): number[] => text.split(',').map(wholeNumber);

/** Parses the value of an option as a regular expression. @throws {InvalidArgumentError} */
export function pattern(text: string): RegExp {
  try {
    return new RegExp(text);
  } catch {
    throw new InvalidArgumentError('Expected a regular expression.');
  }
}
