import type { Fault } from '../reference/faults/fault.ts';
import { allFaults } from '../reference/faults/faults.ts';
import { startReference } from '../reference/start.ts';
import { UsageError } from '../settings/settings.ts';
import { readFlags } from './flags.ts';

const help = `cts serve: runs the reference service alone, on loopback, until it is interrupted

Usage: cts serve [--port N] [--fault NAME] | --list-faults

  --port N       port to listen on; default: a free one
  --fault NAME   break one statement of the interface on purpose; default: break none
  --list-faults  print each fault, its family and what it breaks

Examples:
  cts serve --port 8080
  cts serve --fault name-html-escape
`;

/** The command `cts serve`: prints the two variables that point a run at it. */
export async function serve(args: readonly string[]): Promise<void> {
  const { values, help: wantsHelp } = readFlags(args, ['port', 'fault'], { switches: ['list-faults'] });
  if (wantsHelp) {
    process.stdout.write(help);
    return;
  }
  if (values['list-faults'] !== undefined) {
    process.stdout.write(table(allFaults));
    return;
  }
  const text = values['port'] ?? '0';
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new UsageError('--port: expected a whole number from 0 to 65535');
  const fault = values['fault'] === undefined ? undefined : faultNamed(values['fault']);
  const reference = await startReference(port, fault?.seams()).catch((error: NodeJS.ErrnoException) => {
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

function table(faults: readonly Fault[]): string {
  const widthOf = (column: 'name' | 'family'): number =>
    Math.max(...faults.map((fault) => fault[column].length));
  const [name, family] = [widthOf('name'), widthOf('family')];
  return faults
    .map((fault) => `${fault.name.padEnd(name)}  ${fault.family.padEnd(family)}  ${fault.breaks}\n`)
    .join('');
}

/** @throws {UsageError} when there is none; names those that share most words with what was asked for */
function faultNamed(name: string): Fault {
  const fault = allFaults.find((fault) => fault.name === name);
  if (fault) return fault;
  const words = name.toLowerCase().split(/\W+/);
  const near = allFaults
    .map((fault) => ({ ...fault, shared: words.filter((word) => word && fault.name.includes(word)).length }))
    .filter(({ shared }) => shared > 0)
    .toSorted((one, other) => other.shared - one.shared)
    .slice(0, 3)
    .map((fault) => fault.name);
  const hint = near.length > 0 ? `near ones are ${near.join(', ')}` : 'none is near';
  throw new UsageError(`--fault: there is no such fault; ${hint} (--list-faults prints all)`);
}
