import { forEachLimited } from '../../engine/for-each-limited.ts';
import { pattern, script, wholeNumber } from '../script.ts';
import { complaintsAbout, runAgainst } from './measure.ts';
import type { HostileRun } from './measure.ts';
import { hostileTargets, sample } from './targets.ts';
import type { HostileTarget } from './targets.ts';

interface HostileOptions {
  readonly jobs: number;
  readonly only?: RegExp;
  readonly sample?: boolean;
}

const hostile = script(
  'hostile',
  'Runs the command against targets that are broken, half deployed or malicious. Shows how each run ended: exit code,' +
    ' time, peak memory, requests, the verdict.',
)
  .option('--jobs <n>', 'targets at a time', wholeNumber, 2)
  .option('--only <regex>', 'only targets with a matching name', pattern)
  .option('--sample', 'only a quick one of each kind')
  .addHelpText(
    'after',
    `
Exit codes:
  0  every run ended as expected, in time or late
  1  a run did not
  2  wrong usage`,
  )
  .action(async ({ jobs, only, sample: isSample = false }: HostileOptions) => {
    const targets = hostileTargets.filter(
      ({ name }) => (only?.test(name) ?? true) && (!isSample || sample.includes(name)),
    );
    if (targets.length === 0) hostile.error('error: no target matches');
    let expected = 0;
    let late = 0;
    process.stdout.write(
      `${row('target', ['exit', 'time', 'memory', 'requests'], 'verdict, or what is wrong')}\n`,
    );
    await forEachLimited(targets, jobs, async (target) => {
      const run = await runAgainst(target);
      const complaints = complaintsAbout(run, target);
      if (complaints.length === 0) expected++;
      if (run.seconds > target.within) late++;
      process.stdout.write(`${line(run, target, complaints)}\n`);
    });
    process.stdout.write(
      `${expected} of ${targets.length} ended as expected; ${late} took longer than they may on an idle machine\n`,
    );
    process.exitCode = expected === targets.length ? 0 : 1;
  });

const NAME_WIDTH = 47;
const WIDTHS = [4, 7, 7, 8] as const;

const row = (name: string, cells: readonly string[], message: string): string =>
  [name.padEnd(NAME_WIDTH), ...cells.map((cell, at) => cell.padStart(WIDTHS[at]!)), message].join('  ');

const line = (
  { name, exitCode, seconds, memory, requests, verdict }: HostileRun,
  { within }: HostileTarget,
  complaints: readonly string[],
): string =>
  row(
    name,
    [String(exitCode), `${seconds.toFixed(1)} s`, `${memory.toFixed(0)} MB`, String(requests)],
    (seconds > within ? `LATE: more than ${within} s; ` : '') +
      (complaints.length > 0 ? `WRONG: ${complaints.join('; ')}` : verdict.slice(0, 200)),
  );

await hostile.parseAsync();
