import { readFlags } from '../../cli/flags.ts';
import { pattern, script, wholeNumber } from '../../cli/script.ts';
import { measure } from './measure.ts';
import type { Measured } from './measure.ts';
import { header, line } from './table.ts';
import { hostile } from './targets.ts';

const help = `npm run hostile: points the command at targets that are broken, half deployed or malicious, and shows how each
run ended: its exit code, its seconds, its memory, and what it told

Usage: npm run hostile -- [flags]

  --jobs N      targets at a time; default: 2
  --only REGEX  targets whose name matches only

Exit codes: 0: every run ended as it must; 1: one did not; 2: wrong usage
`;

await script('hostile', async (args) => {
  const { values, help: wantsHelp } = readFlags(args, ['jobs', 'only']);
  if (wantsHelp) {
    process.stdout.write(help);
    return;
  }
  const only = pattern('only', values['only'] ?? '');
  const jobs = wholeNumber('jobs', values['jobs'] ?? '2');
  const targets = hostile.filter(({ name }) => only.test(name)).values();
  const measured: Measured[] = [];
  process.stdout.write(`${header}\n`);
  const work = async (): Promise<void> => {
    for (const target of targets) {
      const one = await measure(target);
      measured.push(one);
      process.stdout.write(`${line(one)}\n`);
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  const bad = measured.filter(({ complaints }) => complaints.length > 0).length;
  process.stdout.write(`${measured.length - bad} of ${measured.length} ended as they must\n`);
  process.exitCode = bad > 0 || measured.length === 0 ? 1 : 0;
});
