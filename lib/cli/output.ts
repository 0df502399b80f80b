import { extname } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { Option } from 'commander';
import { writeWhole } from '../report/folder.ts';
import { UsageError } from '../settings/usage-error.ts';
import { printable, withoutCiCommands } from '../target/output/printable.ts';

/** Prints text that may quote a target, so that no CI system runs a line of it as a command. */
export const print = (text: string): void => void process.stdout.write(withoutCiCommands(text));

const extensions: Readonly<Record<string, string>> = {
  '.html': 'html',
  '.htm': 'html',
  '.md': 'markdown',
  '.json': 'json',
};

/** Where the output of a comparison goes, as the options of its command say. */
export interface Output {
  readonly format?: string;
  readonly out?: string;
}

/** @param described what the formats are */
export const formatOption = (formats: readonly string[], described: string): Option =>
  new Option('--format <NAME>', `${described}; default: by the extension of --out, or text`).choices(formats);

/** Makes an option for each command, as commands add their own checks to it. */
export const outOption = (): Option => new Option('--out <FILE>', 'file to write; default: print');

/**
 * Prints a text, or writes it to a file.
 * @param render makes the text in each format
 * @param summary what is printed if the text goes to a file
 * @throws {UsageError} if the file can't be written
 */
export async function writeOutput(
  { format, out }: Output,
  render: Readonly<Record<string, () => string>>,
  summary = '',
): Promise<void> {
  const byName = extensions[extname(out ?? '')];
  if (byName !== undefined && format === undefined && !Object.hasOwn(render, byName))
    throw new UsageError(
      `--out: this command has no ${byName} format; expected one of ${Object.keys(render).join(', ')}`,
    );
  const text = render[format ?? byName ?? 'text']!();
  if (out === undefined) {
    print(text);
    return;
  }
  await writeWhole(out, stripVTControlCharacters(text)).catch((error: Error) => {
    throw new UsageError(`--out: ${error.message}`);
  });
  print(`${[summary, `Wrote ${printable(out)}`].filter(Boolean).join('\n  ')}\n`);
}
