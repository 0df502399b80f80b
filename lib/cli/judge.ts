import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Command } from 'commander';
import type { RunLine } from '../schemas/evidence.ts';
import { readEvidence } from '../engine/recorded.ts';
import { finishJudge } from '../report/finish-judge.ts';
import { readReport } from '../report/read.ts';
import { UsageError } from '../settings/usage-error.ts';
import type { Settings } from '../settings/run-settings.ts';
import { routeRecordedAs } from '../settings/route.ts';
import { readSettings } from '../settings/sources.ts';
import { runSuites } from './run.ts';

const description = `Re-evaluates recorded evidence. Sends nothing.

Compares the verdicts with the report of the run, requirement by requirement. If
they differ, the rules have changed since, or somebody has edited one of the two
files; the output says which.`;

const examples = `
Example:
  cts-conformance judge reports/evidence.ndjson

Exit codes:
  0  conforms, and the report agrees
  1  does not conform, or the report differs
  2  wrong usage, or a file that can't be read as evidence
  3  inconclusive`;

export const command = new Command('judge')
  .description(description)
  .argument('<evidence>', 'the evidence.ndjson of a run, or the folder that holds it')
  .option('--report <FILE>', 'the conformance.json to compare; default: the one in the same folder')
  .addHelpText('after', examples)
  .action(async (named: string, options: { readonly report?: string }) => {
    const path = named.endsWith('.ndjson') ? named : join(named, 'evidence.ndjson');
    const evidence = readEvidence(path);
    const run = evidence.find((line): line is RunLine => line.type === 'run');
    if (!run)
      throw new UsageError(`${path}: no line describes the run; expected the evidence.ndjson of a run`);
    const beside = join(dirname(path), 'conformance.json');
    const reported = options.report ?? (existsSync(beside) ? beside : undefined);
    const compared = reported === undefined ? undefined : { path: reported, ...readReport(reported) };
    await runSuites(recordedSettings(run, path, dirname(path)), finishJudge(evidence, compared));
  });

/** The settings under which recorded evidence is judged. @param path of the evidence */
export const recordedSettings = (
  { baseUrl, startedAt, seed, strict, tokenScopes, tokenExpiresIn, profile, baseline, only, route }: RunLine,
  path: string,
  out: string,
): Settings => ({
  ...readSettings({}),
  baseUrl,
  route: routeRecordedAs(route),
  // Evidence has this in place of the key.
  apiKey: '[key]',
  seed,
  strict,
  tokenScopes,
  tokenExpiresIn,
  profile,
  baseline,
  recordedAt: new Date(startedAt),
  out,
  evidence: path,
  only,
});
