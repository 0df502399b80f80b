import { readFlags } from '../../cli/flags.ts';
import { UsageError } from '../../settings/settings.ts';
import { soak } from './soak-load.ts';
import { complaintsAbout, tableOf } from './soaked.ts';

const help = `npm run soak: sends a long load through resets, truncated and slow bodies, bombs, 429 and 5xx, and looks at
what is left behind: memory, open descriptors, rejections that nobody handled

Usage: npm run soak -- [flags]

  --exchanges N  how long; default: 50000, a few minutes

Example:
  npm run soak -- --exchanges 5000

Exit codes: 0: memory is flat and nothing is left; 1: it is not; 2: wrong usage
`;

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`soak: ${error.message}\n`);
  process.exitCode = 2;
}

async function main(args: readonly string[]): Promise<void> {
  const { values, help: wantsHelp } = readFlags(args, ['exchanges']);
  if (wantsHelp) {
    process.stdout.write(help);
    return;
  }
  const text = values['exchanges'] ?? '50000';
  if (!/^[1-9]\d{2,7}$/.test(text)) throw new UsageError('--exchanges: expected a whole number from 100');
  const soaked = await soak(Number(text));
  const complaints = complaintsAbout(soaked);
  process.stdout.write(`${tableOf(soaked)}${complaints.map((text) => `WRONG: ${text}\n`).join('')}`);
  process.exitCode = complaints.length > 0 ? 1 : 0;
}
