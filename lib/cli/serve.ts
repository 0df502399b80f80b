import { allFaults } from '../reference/faults/faults.ts';
import { startReference } from '../reference/start.ts';
import { allVariants } from '../reference/variants/variants.ts';
import type { Behaviour } from '../reference/behaviour.ts';
import { UsageError } from '../settings/settings.ts';
import { readFlags } from './flags.ts';
import { nearest } from './nearest.ts';

const help = `cts serve: runs the reference service alone, on loopback, until interrupted

Usage: cts serve [--port N] [--fault NAME | --variant NAME]
       cts serve --list-faults | --list-variants

  --port N         port to listen on; default: a free one
  --fault NAME     break one statement on purpose; default: break none
  --variant NAME   keep the interface, and choose otherwise at an open point
  --list-faults    print each fault, its category and what it breaks
  --list-variants  print each variant, its category, and the point it varies

Examples:
  cts serve --port 8080
  cts serve --fault name-html-escape
  cts serve --variant https-private-authority

Exit codes:
  0  it was interrupted, or what was asked for is printed
  2  wrong usage, or a port that can't be listened on
`;

/** The command `cts serve`: prints the variables that point a run at it. */
export async function serve(args: readonly string[]): Promise<void> {
  const { values, help: wantsHelp } = readFlags(args, ['port', 'fault', 'variant'], {
    switches: ['list-faults', 'list-variants'],
  });
  const listed =
    values['list-faults'] !== undefined
      ? table(allFaults.map(({ name, category, breaks }) => [name, category, breaks]))
      : values['list-variants'] !== undefined
        ? table(allVariants.map(({ name, category, open }) => [name, category, open]))
        : undefined;
  if (wantsHelp || listed !== undefined) {
    process.stdout.write(wantsHelp ? help : listed!);
    return;
  }
  const text = values['port'] ?? '0';
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new UsageError('--port: expected a whole number from 0 to 65535');
  const { fault, variant } = values;
  if (fault !== undefined && variant !== undefined)
    throw new UsageError('--fault and --variant: a service is one or the other; leave one out');
  const behaviour = variantOf('fault', fault, allFaults) ?? variantOf('variant', variant, allVariants);
  const reference = await startReference(port, behaviour).catch((error: NodeJS.ErrnoException) => {
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
    .map(([name, category, text]) => `${name.padEnd(first!)}  ${category.padEnd(second!)}  ${text}\n`)
    .join('');
}

interface Named {
  readonly name: string;
  readonly behaviour: () => Behaviour;
}

/** @throws {UsageError} when there is none of that name; tells those that are near */
function variantOf(
  kind: 'fault' | 'variant',
  name: string | undefined,
  all: readonly Named[],
): Behaviour | undefined {
  if (name === undefined) return undefined;
  const found = all.find((one) => one.name === name);
  if (found) return found.behaviour();
  const near = nearest(
    name,
    all.map((one) => one.name),
  );
  throw new UsageError(
    `--${kind}: there is no such ${kind}; near ones are ${near.join(', ')} (--list-${kind}s prints all)`,
  );
}
