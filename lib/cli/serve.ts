import { startReference } from '../reference/start.ts';
import { UsageError } from '../settings/settings.ts';
import { readFlags } from './flags.ts';

const help = `cts serve: runs the reference service alone, on loopback, until it is interrupted

Usage: cts serve [--port N]

  --port N  port to listen on; default: a free one

Example:
  cts serve --port 8080
`;

/** The command `cts serve`: prints the two variables that point a run at it. */
export async function serve(args: readonly string[]): Promise<void> {
  const { values, help: wantsHelp } = readFlags(args, ['port']);
  if (wantsHelp) {
    process.stdout.write(help);
    return;
  }
  const text = values['port'] ?? '0';
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new UsageError('--port: expected a whole number from 0 to 65535');
  const reference = await startReference(port).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(
      `--port: it can't be listened on (${error.code}); choose another, or 0 for a free one`,
    );
  });
  process.stdout.write(
    `export TARGET_BASE_URL=${reference.baseUrl}\nexport TARGET_API_KEY=${reference.apiKey}\n`,
  );
  const stop = (): void => void reference.stop();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}
