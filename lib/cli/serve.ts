import { Command, Option } from 'commander';
import type { Behaviour } from '../reference/behaviour.ts';
import { allFaults } from '../reference/faults/faults.ts';
import { startReference } from '../reference/start.ts';
import { allVariants } from '../reference/variants/variants.ts';
import { aligned } from '../report/text.ts';
import { shellQuoted } from '../target/output/curl.ts';
import { similarTo } from '../settings/similar.ts';
import { UsageError } from '../settings/usage-error.ts';

const description = `Runs the reference service alone, on loopback, until it is interrupted.

Prints the variables that point a run at it.`;

const examples = `
Examples:
  cts-conformance serve --port 8080
  cts-conformance serve --fault name-html-escape
  cts-conformance serve --variant https-private-authority

Exit codes:
  0  interrupted, or the list was printed
  2  wrong usage, or the port is not available`;

interface ServeOptions {
  readonly port: string;
  readonly fault?: string;
  readonly variant?: string;
  readonly listFaults?: true;
  readonly listVariants?: true;
}

export const commandWith = (): Command =>
  new Command('serve')
    .description(description)
    .option('--port <N>', 'port to listen on; 0: a free one', '0')
    .addOption(new Option('--fault <NAME>', 'violate one statement of the interface').conflicts('variant'))
    .option('--variant <NAME>', 'conform, but choose differently where the interface leaves it open')
    .option('--list-faults', 'print every fault, its group and what it violates')
    .option('--list-variants', 'print every variant, its group and what it chooses')
    .addHelpText('after', examples)
    .action(async ({ port, fault, variant, listFaults, listVariants }: ServeOptions) => {
      if (listFaults)
        return printTable(allFaults.map(({ name, group, violates }) => [name, group, violates]));
      if (listVariants) return printTable(allVariants.map(({ name, group, open }) => [name, group, open]));
      if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
        throw new UsageError('--port: expected a whole number from 0 to 65535');
      const behaviour =
        behaviourOf('fault', fault, allFaults) ?? behaviourOf('variant', variant, allVariants);
      const reference = await startReference(behaviour, { port: Number(port) }).catch(
        (error: NodeJS.ErrnoException) => {
          throw new UsageError(
            `--port: the port is not available (${error.code}); choose another, or 0 for a free one`,
          );
        },
      );
      // Before anything is printed, as a reader of the output may interrupt at once.
      const stop = (): void => void reference.stop();
      process.once('SIGINT', stop);
      process.once('SIGTERM', stop);
      for (const [name, value] of Object.entries(reference.variables))
        process.stdout.write(`export ${name}=${shellQuoted(value)}\n`);
    });

const printTable = (rows: readonly (readonly string[])[]): void =>
  aligned(rows).forEach((line) => process.stdout.write(`${line.trimStart()}\n`));

/** @throws {UsageError} for an unknown name; suggests similar ones */
function behaviourOf(
  kind: 'fault' | 'variant',
  name: string | undefined,
  all: readonly { readonly name: string; readonly behaviour: () => Behaviour }[],
): Behaviour | undefined {
  if (name === undefined) return undefined;
  const found = all.find((one) => one.name === name);
  if (found) return found.behaviour();
  const similar = similarTo(
    name,
    all.map((one) => one.name),
  );
  throw new UsageError(`--${kind}: unknown ${kind}; similar names: ${similar} (--list-${kind}s prints all)`);
}
