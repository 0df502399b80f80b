import type { Catalogue } from '../engine/requirement.ts';
import { secretsOf } from '../settings/route.ts';
import type { TargetSettings } from '../settings/run-settings.ts';
import { guardAgainst } from './guard.ts';
import { makeReport } from './model.ts';
import { removeReports, writeReports } from './write.ts';

/** What is known of a run that has begun. */
interface Begun {
  readonly settings: TargetSettings;
  readonly startedAt: Date;
  /** The selected ids, as `--only` takes them; undefined: all. */
  readonly only: string | undefined;
}

/**
 * Writes the reports of a run that has not ended, which stay if it never does: if it is killed, for example. Leaves
 * none if they can't be written, because the end of the run reports why.
 */
export async function writeUnfinished(
  { settings, startedAt, only }: Begun,
  catalogue: Catalogue,
): Promise<void> {
  const { out, reports, profile } = settings;
  const report = makeReport(
    {
      // Waivers and baselines are about results.
      settings: { ...settings, profile: profile && { ...profile, waivers: [] }, baseline: undefined },
      startedAt,
      durationMs: 0,
      findings: [],
      answers: [],
      custom: [],
      created: undefined,
      interrupted: false,
      isUnfinished: true,
      absent: 'the run has not ended',
      only,
      traffic: undefined,
      defects: [],
    },
    catalogue,
  );
  try {
    const guard = guardAgainst(secretsOf(settings).map(({ text }) => text));
    await writeReports(report, undefined, out, guard, reports);
  } catch {
    removeReports(out);
  }
}
