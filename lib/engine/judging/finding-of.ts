import { Stopped } from '../../target/exchange.ts';
import { redactAll } from '../../target/output/record.ts';
import { isWithoutReply } from '../observation.ts';
import { whyUntestable } from '../requirement.ts';
import type { Requirement } from '../requirement.ts';
import type { Run } from '../scenario.ts';
import { NOTHING_JUDGED } from './finding.ts';
import type { Finding } from './finding.ts';
import { judge } from './judge.ts';
import { replay, replayFirst } from './replay.ts';

/** The finding of a requirement, without secrets; its reason if there is no verdict. @throws any error that is a defect */
export function findingOf(run: Run, requirement: Requirement): Promise<Finding> {
  const { replay: recorded } = run.settings;
  return redacted(run, requirement, () =>
    recorded
      ? replay(run, requirement, recorded)
      : replayFirst(run, requirement, () => judge(run, requirement)),
  );
}

/** The finding of a requirement of a custom suite, whose errors are no defects of this one. */
export const customFindingOf = (run: Run, customRun: Run, requirement: Requirement): Promise<Finding> =>
  redacted(run, requirement, () =>
    judge(customRun, requirement).catch((error: unknown) => {
      if (isWithoutReply(error)) throw error;
      return without(requirement, 'inconclusive', `the custom suite threw: ${String(error)}`);
    }),
  );

async function redacted(
  { settings, target }: Run,
  requirement: Requirement,
  judged: () => Promise<Finding>,
): Promise<Finding> {
  const lacking = whyUntestable(requirement, settings);
  if (lacking !== undefined) return { ...without(requirement, 'untested', lacking), optional: true };
  try {
    return redactAll(await judged(), target.redactor);
  } catch (error) {
    if (!isWithoutReply(error)) throw error;
    const verdict = error instanceof Stopped ? 'untested' : 'inconclusive';
    return redactAll(without(requirement, verdict, error.message), target.redactor);
  }
}

/** A finding without a verdict. */
const without = ({ id }: Requirement, verdict: 'untested' | 'inconclusive', reason: string): Finding => ({
  id,
  ...NOTHING_JUDGED,
  verdict,
  reason,
});
