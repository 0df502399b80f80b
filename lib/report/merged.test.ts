import { expect, it } from 'vitest';
import type { Report } from '../schemas/report.ts';
import type { Finished } from './finish.ts';
import { mergedReport } from './merged.ts';
import { sampleReport } from './sample.testing.ts';

it('runs at the same time have met the same outages: those of the run that waited longest for them are reported', () => {
  const merged = (...runs: readonly Partial<Report['run']>[]): Report['run'] => {
    const finished = { report: sampleReport([]), outcome: { settings: {} } } as unknown as Finished;
    return mergedReport(
      finished,
      runs.map((run) => sampleReport([], { run })),
    ).run;
  };
  expect(merged({}, { outages: 2, unavailableMs: 7000 }, { outages: 3, unavailableMs: 4000 })).toMatchObject({
    outages: 2,
    unavailableMs: 7000,
  });
  expect(merged({}, {})).not.toHaveProperty('outages');
});
