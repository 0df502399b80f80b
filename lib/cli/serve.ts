import { allFaults } from '../reference/faults/faults.ts';
import { startReference } from '../reference/start.ts';
import { allTwins } from '../reference/twins/twins.ts';
import type { Variant } from '../reference/variant.ts';
import { UsageError } from '../settings/settings.ts';
import { readFlags } from './flags.ts';
import { nearest } from './nearest.ts';

const help = `cts serve: runs the reference service alone, on loopback, until interrupted

Usage: cts serve [--port N] [--fault NAME | --twin NAME]
       cts serve --list-faults | --list-twins

  --port N       port to listen on; default: a free one
  --fault NAME   break one statement on purpose; default: break none
  --twin NAME    keep the interface, and choose otherwise at an open point
  --list-faults  print each fault, its family and what it breaks
  --list-twins   print each twin, its family and the point that it chooses about

Examples:
  cts serve --port 8080
  cts serve --fault name-html-escape
  cts serve --twin https-private-authority

Exit codes:
  0  it was interrupted, or what was asked for is printed
  2  wrong usage, or a port that can't be listened on
`;

/** The command `cts serve`: prints the variables that point a run at it. */
export async function serve(args: readonly string[]): Promise<void> {
  const { values, help: wantsHelp } = readFlags(args, ['port', 'fault', 'twin'], {
    switches: ['list-faults', 'list-twins'],
  });
  const listed =
    values['list-faults'] !== undefined
      ? table(allFaults.map(({ name, family, breaks }) => [name, family, breaks]))
      : values['list-twins'] !== undefined
        ? table(allTwins.map(({ name, family, open }) => [name, family, open]))
        : undefined;
  if (wantsHelp || listed !== undefined) {
    process.stdout.write(wantsHelp ? help : listed!);
    return;
  }
  const text = values['port'] ?? '0';
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new UsageError('--port: expected a whole number from 0 to 65535');
  const { fault, twin } = values;
  if (fault !== undefined && twin !== undefined)
    throw new UsageError('--fault and --twin: a service is one or the other; leave one out');
  const variant = variantOf('fault', fault, allFaults) ?? variantOf('twin', twin, allTwins);
  const reference = await startReference(port, variant).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(
      `--port: it can't be listened on (${error.code}); choose another, or 0 for a free one`,
    );
  });
  // Before anything is printed: who reads it may stop the service at once.
  const stop = (): void => void reference.stop();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  const exported = {
    TARGET_BASE_URL: reference.baseUrl,
    TARGET_API_KEY: reference.apiKey,
    ...(reference.authority === undefined ? {} : { NODE_EXTRA_CA_CERTS: reference.authority }),
  };
  for (const [name, value] of Object.entries(exported)) process.stdout.write(`export ${name}=${value}\n`);
}

function table(rows: readonly (readonly [string, string, string])[]): string {
  const [first, second] = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map(([name, family, text]) => `${name.padEnd(first!)}  ${family.padEnd(second!)}  ${text}\n`)
    .join('');
}

interface Named {
  readonly name: string;
  readonly variant: () => Variant;
}

/** @throws {UsageError} when there is none of that name; tells those that are near */
function variantOf(
  kind: 'fault' | 'twin',
  name: string | undefined,
  all: readonly Named[],
): Variant | undefined {
  if (name === undefined) return undefined;
  const found = all.find((one) => one.name === name);
  if (found) return found.variant();
  const near = nearest(
    name,
    all.map((one) => one.name),
  );
  throw new UsageError(
    `--${kind}: there is no such ${kind}; near ones are ${near.join(', ')} (--list-${kind}s prints all)`,
  );
}
