import { writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { COMMAND } from '../settings/package-root.ts';
import { UsageError } from '../settings/usage-error.ts';
import { dotenvExample } from '../settings/dotenv.ts';

const description = `Writes a .env to fill in, with every setting and its meaning.

Writes into the current folder and never overwrites a file. The file will hold a
key: keep it out of version control.`;

const examples = `
Example:
  cts-conformance init && $EDITOR .env && cts-conformance doctor

Exit codes:
  0  written
  2  the file exists, or can't be written`;

export const commandWith = (): Command =>
  new Command('init')
    .description(description)
    .addHelpText('after', examples)
    .action(async () => {
      try {
        // Readable by its owner only, as it will hold a key.
        await writeFile('.env', dotenvExample(), { flag: 'wx', mode: 0o600 });
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        throw new UsageError(
          code === 'EEXIST'
            ? '.env already exists; delete it to start over'
            : `.env can't be written here (${code})`,
        );
      }
      process.stdout.write(
        'Wrote .env. Keep it out of version control.\n' +
          `Fill in TARGET_BASE_URL and TARGET_API_KEY, then check the connection:\n\n  ${COMMAND} doctor\n`,
      );
    });
