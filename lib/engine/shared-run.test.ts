import { expect, it } from 'vitest';
import { readSettings } from '../settings/sources.ts';
import { firstContact } from './readiness/first-contact.ts';
import type { ReporterChannel } from './reporter-channel.ts';
import { KEY, startTestService } from './run.testing.ts';
import { shareRun } from './shared-run.ts';
import { newFolder } from '../selftest/files.ts';

it.each(['before', 'after'])('an interrupt stops custom suites that begin %s it', async (when) => {
  const { baseUrl } = await startTestService();
  const target = { baseUrl, apiKey: KEY, embedded: false, out: newFolder() };
  let interrupt: (reason: string) => void;
  const ignore = (): void => {};
  const reporter: ReporterChannel = {
    post: ignore,
    onStop: (stop) => (interrupt = stop),
    close: ignore,
  };
  const suites = {
    catalogue: { requirements: [], questions: [], chapters: [], sentences: [] },
    plan: [firstContact],
  };
  let stopped: string | undefined;
  await shareRun(suites, { ...readSettings({}), ...target }, undefined, reporter, async ({ customRun }) => {
    if (when === 'before') customRun([]);
    interrupt!('interrupted by Ctrl-C');
    stopped = customRun([]).target.traffic.stopped;
  });
  expect(stopped).toBe('interrupted by Ctrl-C');
});
