import { InvalidArgumentError } from 'commander';
import { script } from '../script.ts';
import { complaintsAbout, soak } from './load.ts';
import type { SoakResult } from './load.ts';

const command = script(
  'soak',
  'Sends a long load to a service that resets connections, truncates and delays bodies, and answers with gzip bombs,' +
    ' 429 and 5xx. Checks what is left afterwards: memory, open file descriptors, unhandled rejections.',
)
  .option('--exchanges <n>', 'the length of the load; 50000 take a few minutes', exchanges, 50_000)
  .addHelpText(
    'after',
    `
Example:
  npm run soak -- --exchanges 5000

Exit codes:
  0  memory is flat and nothing is left open
  1  it is not
  2  wrong usage`,
  )
  .action(async ({ exchanges }: { exchanges: number }) => {
    const { gc } = globalThis;
    if (!gc) return command.error('error: run it as npm run soak, or with node --expose-gc');
    const result = await soak(exchanges, () => gc());
    const complaints = complaintsAbout(result);
    process.stdout.write(`${table(result)}${complaints.map((text) => `WRONG: ${text}\n`).join('')}`);
    process.exitCode = complaints.length > 0 ? 1 : 0;
  });

/** Memory and trouble show only in a load of some length. */
function exchanges(text: string): number {
  if (!/^[1-9]\d{2,7}$/.test(text)) throw new InvalidArgumentError('Expected a whole number from 100.');
  return Number(text);
}

function table(result: SoakResult): string {
  const { exchanges, unanswered, retries, seconds, residentSet, heap, descriptors } = result;
  const megabytes = (value: number): string => `${value.toFixed(1)} MB`;
  const rows: (readonly [string, string])[] = [
    ['exchanges', String(exchanges)],
    ['retries', String(retries)],
    ['without a response', String(unanswered)],
    ['seconds', seconds.toFixed(1)],
    ...Object.entries(residentSet).map(([at, value]) => [`resident set at ${at}`, megabytes(value)] as const),
    ...Object.entries(heap).map(([at, value]) => [`heap in use at ${at}`, megabytes(value)] as const),
    ...Object.entries(descriptors).map(
      ([at, value]) => [`open descriptors ${at}`, value === undefined ? 'unknown' : String(value)] as const,
    ),
    ['unhandled rejections', String(result.unhandledRejections)],
  ];
  return rows.map(([name, value]) => `${name.padEnd(26)}${value.padStart(10)}\n`).join('');
}

await command.parseAsync();
