import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { hostileText } from '../report/inert.testing.ts';
import type { CommandResult } from './command.ts';
import { fileWith, newFolder } from './files.ts';
import { ctsInProcess } from './in-process.ts';
import { startPlainService } from './plain-service.ts';
import { variablesOf } from './services.ts';

/** Runs at the first call only: the test files of a worker share the result. */
const once = <T>(work: () => Promise<T>): (() => Promise<T>) => {
  let result: Promise<T> | undefined;
  return () => (result ??= work());
};

/** A whole run against the embedded service, which conforms. Tests must not change its folder. */
export const conformingRun = once(() => ctsInProcess(['run', '--seed', '7'], { CTS_REPORT: 'har,ctrf' }));

/** A run in a GitHub job, with the summary of that job. */
export interface JobRun extends CommandResult {
  readonly jobSummary: string;
}

/**
 * A whole run, with the same inputs, in a GitHub job, against a service that appends a hostile text to each name and
 * does not answer as its profile says. Tests must not change its folder.
 */
export const failingRun = once(async (): Promise<JobRun> => {
  const jobSummary = join(newFolder(), 'job.md');
  const profile = fileWith({ name: hostileText, answers: { 'customer.create.status': 418 } });
  const service = await startPlainService({ echo: (name) => `${name}${hostileText}` });
  const ended = await ctsInProcess(['run', '--seed', '7', '--profile', profile, '--report', 'har, ctrf'], {
    ...variablesOf(service),
    GITHUB_ACTIONS: 'true',
    GITHUB_STEP_SUMMARY: jobSummary,
  });
  await service.stop();
  return { ...ended, jobSummary };
});

/** A run in a GitHub job whose summary can't be written, against nothing: the target is not reachable. */
export const inconclusiveRun = once(async () => {
  const away = await startPlainService();
  await away.stop();
  return ctsInProcess(['run'], {
    ...variablesOf(away),
    GITHUB_ACTIONS: 'true',
    GITHUB_STEP_SUMMARY: newFolder(),
  });
});

/** A copy of the output folder of a run, for a test that changes it. */
export function copyOf({ out }: CommandResult): string {
  const folder = join(newFolder(), 'out');
  cpSync(out, folder, { recursive: true });
  return folder;
}
