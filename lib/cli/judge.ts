import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { styleText } from 'node:util';
import { Command } from 'commander';
import { linesOf } from '../engine/evidence/lines.ts';
import { readEvidence, runLineIn, stopCauseOf } from '../engine/evidence/recorded.ts';
import { caseFileIn, failureText, failedOf } from '../engine/judging/failure-text.ts';
import type { EvidenceLine, RunLine } from '../schemas/evidence.ts';
import { byId } from '../schemas/json.ts';
import type { Report, ReportedRequirement, Verdict } from '../schemas/report.ts';
import { oneLine, quantity } from '../target/output/printable.ts';
import { exitCodes } from '../verdict/verdict.ts';
import type { Finish } from '../report/finish.ts';
import { EVIDENCE, REPORT } from '../settings/files.ts';
import { suite } from '../settings/package-root.ts';
import { failuresIn } from '../report/order.ts';
import { runVerdicts } from '../report/vocabulary.ts';
import { shardName } from '../report/run-in-words.ts';
import { readReport } from '../report/read.ts';
import { print } from './output.ts';
import { recordedSettings } from './recorded-settings.ts';
import type { RunSuites } from './run-suites.ts';

const description = `Re-evaluates recorded evidence. Sends nothing.

Compares the verdicts with the report of the run, requirement by requirement. If
they differ, the rules have changed since, or somebody has edited one of the two
files; the output names them.`;

const examples = `
Example:
  cts-conformance judge reports/evidence.ndjson

Exit codes:
  0  conforms, and the report agrees
  1  does not conform, or the report differs
  2  wrong usage, or a file that can't be read as evidence
  3  inconclusive`;

export const commandWith = (runSuites: RunSuites): Command =>
  new Command('judge')
    .description(description)
    .argument('<evidence>', 'the evidence.ndjson of a run, or the folder that holds it')
    .option('--compare <FILE>', 'the conformance.json to compare with; default: the one in the same folder')
    .addHelpText('after', examples)
    .action(async (named: string, options: { readonly compare?: string }) => {
      const folder = /\.(?:json|html)$/.test(named) ? dirname(named) : named;
      const path = named.endsWith('.ndjson') ? named : join(folder, EVIDENCE);
      const evidence = readEvidence(path);
      const run = runLineIn(evidence, path);
      const beside = join(dirname(path), REPORT);
      const reported = options.compare ?? (existsSync(beside) ? beside : undefined);
      const compared = reported === undefined ? undefined : { path: reported, ...readReport(reported) };
      await runSuites(recordedSettings(run, path, dirname(path)), finishJudge(run, evidence, compared));
    });

/** A report that was read, and its file. */
type ReadReport = Report & { readonly path: string };

/** Prints the verdict that recorded evidence leads to, and whether it equals that of the report. */
const finishJudge =
  (run: RunLine, evidence: readonly EvidenceLine[], reported: ReadReport | undefined): Finish =>
  async ({ report, outcome }) => {
    const { requirements, verdict } = report;
    const isInterrupted = stopCauseOf(linesOf(evidence, 'end')[0]) === 'interrupt';
    const differences = reported
      ? [...otherRun(run, reported), ...differencesOf(verdict, requirements, reported, isInterrupted)]
      : [];
    const exchanges = linesOf(evidence, 'exchange').length;
    const comparison = (): string[] => {
      if (reported === undefined) return ['  no report to compare with; name one with --compare FILE'];
      if (differences.length === 0)
        return [`  ${styleText('green', 'equal')} to ${reported.path}: every verdict is the same`];
      // An interrupted run may have ended before it judged its last exchanges.
      const isCutShort = isInterrupted && differences.length === 1 && verdict !== reported.verdict;
      return [
        `  ${styleText('red', 'not equal')} to ${reported.path}: ${reasonFor(run, evidence, reported, isCutShort)}`,
        ...differences.map((difference) => `    ${oneLine(difference)}`),
      ];
    };
    const lines = [
      ...failuresIn(report).map(
        (failed) => `${failureText(failed, caseFileIn(outcome.settings.out, failed.id))}\n`,
      ),
      `${styleText('bold', runVerdicts[verdict].words.toUpperCase())}  re-evaluated ${quantity(exchanges, 'recorded exchange')} of ${oneLine(run.startedAt)}${run.shard ? `, ${shardName(run.shard)}` : ''}; nothing was sent`,
      ...comparison(),
    ];
    print(lines.map((line) => `${line}\n`).join(''));
    return differences.length > 0 ? exitCodes['does-not-conform'] : exitCodes[verdict];
  };

/** Why a report may differ from its evidence. @param isCutShort whether only the verdict of an interrupted run differs */
function reasonFor(
  { suite: { version }, replayed }: RunLine,
  evidence: readonly EvidenceLine[],
  { run: { defects } }: ReadReport,
  isCutShort: boolean,
): string {
  if (version !== suite.version)
    return `the rules may have changed: the evidence is of version ${oneLine(version, 40)}, this is ${suite.version}`;
  if (defects !== undefined) return 'the suite itself failed during the run, which left it without a verdict';
  if (linesOf(evidence, 'end').length === 0)
    return 'the evidence has no last line: the file is truncated, or the run was killed';
  if (isCutShort) return 'the run was interrupted before it had judged every exchange';
  if (replayed !== undefined)
    return 'it may contain failures of saved cases, which were replayed first and are not in the evidence';
  if (linesOf(evidence, 'exchange').some(({ reply }) => reply.truncated))
    return 'some bodies were too long for the evidence and cannot be re-evaluated';
  return 'the report or the evidence was edited: both are of this version of the suite';
}

/** In what a report describes another run than its evidence. */
function otherRun({ baseUrl, seed, startedAt, shard }: RunLine, { target, run }: ReadReport): string[] {
  const members = {
    target: baseUrl,
    seed,
    ...(shard === undefined && run.shard === undefined && { start: startedAt }),
  };
  const reported: Record<string, unknown> = { target: target.baseUrl, seed: run.seed, start: run.startedAt };
  return Object.entries(members).flatMap(([name, value]) =>
    value === reported[name] ? [] : [`${name}: reported ${String(reported[name])}, in the evidence ${value}`],
  );
}

function differencesOf(
  verdict: Verdict,
  judged: readonly ReportedRequirement[],
  reported: ReadReport,
  isInterrupted: boolean,
): string[] {
  const [before, now] = [byId(reported.requirements), byId(judged)];
  const ids = new Set([...now.keys(), ...before.keys()]);
  return [
    ...(verdict === reported.verdict
      ? []
      : [`verdict: reported ${reported.verdict}, re-evaluated ${verdict}`]),
    ...[...ids].flatMap((id) => {
      const [was, is] = [before.get(id), now.get(id)];
      // An interrupted run has recorded more than it has judged.
      if ((isInterrupted && was?.verdict === 'untested') || verdictAndCount(was) === verdictAndCount(is))
        return [];
      return [`${id}: reported ${verdictAndCount(was)}; re-evaluated ${verdictAndCount(is)}`];
    }),
  ];
}

const verdictAndCount = (one: ReportedRequirement | undefined): string =>
  one === undefined ? 'nothing' : `${one.verdict}, ${failedOf(one)}`;
