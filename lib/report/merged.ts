import { overallResults } from './model.ts';
import { isFailure, isExcused } from '../verdict/verdict.ts';
import type { Finished } from './finish.ts';
import type { CustomFinding, Latency, Report, ReportedRequirement } from '../schemas/report.ts';
import { severest } from './vocabulary.ts';
import { shardName } from './run-in-words.ts';

/** One report of several runs, whose evidence was re-evaluated together. */
export function mergedReport({ report: judged, outcome }: Finished, reports: readonly Report[]): Report {
  const runs = reports.map(({ run }) => run);
  const sum = (valueOf: (run: Report['run']) => number): number =>
    runs.reduce((total, run) => total + valueOf(run), 0);
  const max = (valueOf: (run: Report['run']) => number): number => Math.max(...runs.map(valueOf));
  const { stopped: _, ...run } = judged.run;
  const { strict } = run;
  const { trouble } = runs.reduce((one, other) => (other.retries > one.retries ? other : one));
  const { outages, unavailableMs } = runs.reduce((one, other) =>
    (other.unavailableMs ?? 0) > (one.unavailableMs ?? 0) ? other : one,
  );
  const early = runs.find((one) => one.stopped !== undefined);
  const requirements = judged.requirements.map((requirement) => inAll(requirement, reports));
  const { baseline } = outcome.settings;
  const defects = runs.flatMap((one) => one.defects ?? []);
  const custom = customInAll(reports);
  return {
    ...judged,
    ...(custom.length > 0 && { custom }),
    ...(reports.some(({ customCounts }) => customCounts) && { customCounts: true }),
    target: reports[0]!.target,
    run: {
      ...run,
      startedAt: runs.map(({ startedAt }) => startedAt).toSorted()[0]!,
      durationMs: max(({ durationMs }) => durationMs),
      requests: sum(({ requests }) => requests),
      retries: sum(({ retries }) => retries),
      ...(trouble !== undefined && { trouble }),
      throttled: sum(({ throttled }) => throttled),
      waitedMs: max(({ waitedMs }) => waitedMs),
      ...(outages !== undefined && { outages }),
      ...(unavailableMs !== undefined && { unavailableMs }),
      inFlight: max(({ inFlight }) => inFlight),
      latency: slowest(runs.map(({ latency }) => latency)),
      ...(early && {
        stopped: early.shard ? `in ${shardName(early.shard)}, ${early.stopped}` : early.stopped,
      }),
      ...(defects.length > 0 && { defects }),
    },
    ...overallResults(
      requirements,
      {
        isVoid: defects.length > 0,
        strict,
        isSelection: run.only !== undefined,
        stopCause: outcome.stopCause,
      },
      baseline && { baseline, strict, cases: run.cases ?? outcome.settings.cases, now: outcome.startedAt },
    ),
    created: {
      runId: reports.flatMap(({ created }) => created?.runId ?? []).join(', '),
      customers: reports.flatMap(({ created }) => created?.customers ?? []),
    },
  };
}

/** Upper bounds: the percentiles of all runs together are at most those of the slowest run. */
function slowest(runs: readonly Report['run']['latency'][]): Report['run']['latency'] {
  const byOperation = Map.groupBy(runs.flatMap(Object.entries<Latency>), ([operation]) => operation);
  return Object.fromEntries(
    [...byOperation].map(([operation, entries]) => {
      const all = entries.map(([, latency]) => latency);
      const highest = (percentile: 'p50' | 'p90' | 'p99'): number =>
        Math.max(...all.map((latency) => latency[percentile]));
      const count = all.reduce((sum, latency) => sum + latency.count, 0);
      return [operation, { count, p50: highest('p50'), p90: highest('p90'), p99: highest('p99') }];
    }),
  );
}

/**
 * The result of a requirement over all runs. If one run found it broken, it is broken, whatever the merged evidence
 * says. The counterexample of that run is used, because re-evaluation sends nothing and cannot minimise an input.
 */
function inAll(judged: ReportedRequirement, reports: readonly Report[]): ReportedRequirement {
  const fails = (one: ReportedRequirement): boolean => isFailure(one) || isExcused(one);
  const broken = reports
    .flatMap(({ requirements }) => requirements)
    .filter((one) => one.id === judged.id && fails(one));
  const [first] = broken;
  if (!first) return judged;
  const counterexample = broken.find((one) => one.counterexample)?.counterexample;
  const whole = { ...judged, ...(counterexample && { counterexample }) };
  if (fails(judged)) return whole;
  const { verdict, reason, problem, cause, failedCases } = first;
  return {
    ...whole,
    verdict,
    broken: broken.reduce((sum, one) => sum + one.broken, 0),
    ...(reason && { reason }),
    ...(problem && { problem }),
    ...(cause && { cause }),
    ...(failedCases && { failedCases }),
  };
}

/** The most severe result of each custom requirement, as every run ran the custom suites. */
function customInAll(reports: readonly Report[]): CustomFinding[] {
  const results = Map.groupBy(
    reports.flatMap(({ custom = [] }) => custom),
    ({ id }) => id,
  );
  return [...results.values()].flatMap((all) => severest(all) ?? []);
}
