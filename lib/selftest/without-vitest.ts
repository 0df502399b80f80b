import type { Finding } from '../schemas/report.ts';
import { catalogue, plan } from '../cli/from-suites.ts';
import type { RunSuites } from '../cli/run-suites.ts';
import { startTarget } from '../cli/start-target.ts';
import { findingOf } from '../engine/judging/judge.ts';
import type { EndedRun, ReporterChannel } from '../engine/reporter-channel.ts';
import { selectedOf } from '../engine/selection.ts';
import { shareRun } from '../engine/shared-run.ts';
import { makeReportAndFinish, writeAndPrintRun } from '../report/finish.ts';
import { createProgress } from '../report/progress-line.ts';

const names = [...catalogue.chapters.map(({ name }) => name), 'questions'];

/**
 * Runs the suites without Vitest, which takes most of the time of a short run: it loads all code again for each run.
 * Custom suites need Vitest.
 */
export const runWithoutVitest: RunSuites = async (given, finish = writeAndPrintRun) => {
  if (given.customSuites) throw new Error('custom suites run in Vitest only');
  const { stdout } = process;
  const startedAt = new Date();
  const startTime = performance.now();
  const { settings, stop } = await startTarget(given);
  const { only } = settings;
  const secrets = new Set<string>();
  const findings: Finding[] = [];
  const defects: string[] = [];
  let ended: EndedRun | undefined;
  const progress = createProgress(stdout, true);
  const reporter: ReporterChannel = {
    post(message) {
      if ('text' in message) progress.remark(message.text);
      if ('secret' in message) secrets.add(message.secret);
      if ('ended' in message) ({ ended } = message);
    },
    onStop() {},
    close() {},
  };
  await shareRun(
    { catalogue, plan },
    settings,
    { chapters: names, pattern: undefined },
    reporter,
    async ({ run, ask }) => {
      const tests = [
        ...selectedOf(settings, catalogue.requirements).map(async (one) =>
          findings.push(await findingOf(run, one)),
        ),
        ...selectedOf(settings, catalogue.questions).map(ask),
      ];
      for (const test of await Promise.allSettled(tests))
        if (test.status === 'rejected') defects.push(String(test.reason));
    },
  );
  process.exitCode = await makeReportAndFinish(
    {
      settings,
      startedAt,
      durationMs: performance.now() - startTime,
      findings,
      only,
      ended,
      stopCause: ended?.traffic.stopCause,
      defects,
    },
    secrets,
    catalogue,
    finish,
    stdout,
  );
  await stop();
};
