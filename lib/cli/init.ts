import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../settings/settings.ts';
import { readFlags } from './flags.ts';

const help = `cts init: writes a .env to fill in, with every setting and what it means

Usage: cts init

It is written in the current folder, and never over a file that exists. It will
hold a key: keep it out of version control.

Example:
  cts init && $EDITOR .env && cts doctor

Exit codes:
  0  written
  2  there is one, or it can't be written
`;

/** The command `cts init`. */
export async function init(args: readonly string[]): Promise<void> {
  if (readFlags(args, []).help) {
    process.stdout.write(help);
    return;
  }
  const example = join(import.meta.dirname, '../../.env.example');
  // For its owner alone, as it will hold a key.
  await writeFile('.env', await readFile(example), { flag: 'wx', mode: 0o600 }).catch(notWritten);
  process.stdout.write(
    '.env is written; keep it out of version control.\n' +
      'Fill in TARGET_BASE_URL and TARGET_API_KEY, then see whether all is well:\n\n  npx cts-conformance doctor\n',
  );
}

function notWritten(error: NodeJS.ErrnoException): never {
  throw new UsageError(
    error.code === 'EEXIST'
      ? '.env exists, and is left as it is; delete it first to begin anew'
      : `.env can't be written here (${error.code})`,
  );
}
