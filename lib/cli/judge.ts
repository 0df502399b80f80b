import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RunLine } from '../schemas/evidence.ts';
import { readEvidence } from '../engine/recorded.ts';
import { finishJudge } from '../report/finish-judge.ts';
import { readReport } from '../report/read.ts';
import { UsageError } from '../settings/settings.ts';
import { readFlags } from './flags.ts';
import { recordedSettings } from './recorded-settings.ts';
import { runSuites } from './run.ts';

const help = `cts judge: comes to the verdicts again, from recorded evidence alone

Usage: cts judge EVIDENCE [flags]

EVIDENCE is the evidence.ndjson of a run, or the folder that holds it. Nothing
is sent. The report beside it is compared, requirement by requirement; where it
says something else, the rules have changed since, or somebody has edited one of
the two, and the screen says which.

  --report FILE  the conformance.json to compare; default: the one beside it

Example:
  cts judge reports/evidence.ndjson

Exit codes:
  0  conforms, and the report says the same
  1  does not conform, or the report says something else
  2  wrong usage, or a file that is no evidence
  3  inconclusive
`;

/** The command `cts judge`. Sets the exit code. */
export async function judge(args: readonly string[]): Promise<void> {
  const flags = readFlags(args, ['report'], { mostPositionals: 1 });
  if (flags.help) {
    process.stdout.write(help);
    return;
  }
  const [named] = flags.positionals;
  if (named === undefined) throw new UsageError('judge needs the evidence.ndjson of a run, or its folder');
  const path = named.endsWith('.ndjson') ? named : join(named, 'evidence.ndjson');
  const evidence = readEvidence(path);
  const run = evidence.find((line): line is RunLine => line.type === 'run');
  if (!run)
    throw new UsageError(`${path}: it does not say what was run; expected the evidence.ndjson of a run`);
  const beside = join(dirname(path), 'conformance.json');
  const reported = flags.values['report'] ?? (existsSync(beside) ? beside : undefined);
  const compared = reported === undefined ? undefined : { path: reported, ...readReport(reported) };
  await runSuites(recordedSettings(run, path, dirname(path)), finishJudge(evidence, compared));
}
