import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cts } from '../command.ts';
import { newFolder } from '../files.ts';
import { measuringPeakMemory, peakMemoryIn } from '../peak-memory.ts';
import type { HostileTarget } from './targets.ts';

/** How a run against a hostile target ended. */
export interface HostileRun {
  readonly name: string;
  readonly exitCode: number | null;
  readonly seconds: number;
  /** The peak of the resident set in megabytes. */
  readonly memory: number;
  /** The line of the verdict, with its reason; empty: there is none. */
  readonly verdict: string;
  readonly requests: number;
  /** Where the target's expected message must be. */
  readonly text: string;
  /** Problems of any run, regardless of the expected outcome. */
  readonly flaws: readonly string[];
}

/** Megabytes. A run takes 230, and 390 with responses that nest deep; the hostile ones would take far more. */
const MAX_MEMORY = 480;
const KEY = 'sk_test_4eC39HqLyjWDarjtT1zdp7dc';

/** Runs the command against a target. */
export async function runAgainst({ name, start }: HostileTarget): Promise<HostileRun> {
  const target = await start();
  const key = target.apiKey ?? KEY;
  const scratch = newFolder();
  const peak = join(scratch, 'peak');
  const startedAt = performance.now();
  const { code, stdout, stderr, report, bytes, out } = await cts(['run'], {
    TARGET_BASE_URL: target.baseUrl,
    TARGET_API_KEY: key,
    ...measuringPeakMemory(peak),
  });
  const seconds = (performance.now() - startedAt) / 1000;
  await target.stop();
  const memory = peakMemoryIn(peak);
  for (const folder of [scratch, dirname(out)]) rmSync(folder, { recursive: true, force: true });
  const verdict = stdout.split('\n').find((line) => /^[A-Z]+(?: [A-Z]+)* {2}/.test(line)) ?? '';
  return {
    name,
    exitCode: code,
    seconds,
    memory,
    verdict,
    requests: report?.run.requests ?? 0,
    text: code === 3 ? verdict : stdout,
    flaws: [
      ...(report || code === 2 ? [] : ['wrote no report']),
      ...(bytes.includes(key) ? ['the key is in its output'] : []),
      ...(stderr === '' ? [] : [`wrote to stderr: ${stderr.slice(0, 200)}`]),
      ...[target.complaint?.() ?? []].flat(),
    ],
  };
}

/** Problems of a run against a target, except that it took long, as a busy machine makes it; empty: none. */
export const complaintsAbout = (
  { exitCode, memory, text, flaws }: HostileRun,
  { exit, prints }: HostileTarget,
): string[] => [
  ...(exit.includes(exitCode ?? -1) ? [] : [`exit ${exitCode}, expected ${exit.join(' or ')}`]),
  ...(memory <= MAX_MEMORY ? [] : [`used more than ${MAX_MEMORY} MB`]),
  ...(prints.test(text) ? [] : [`printed ${JSON.stringify(text.slice(0, 200))}, expected ${prints.source}`]),
  ...flaws,
];
