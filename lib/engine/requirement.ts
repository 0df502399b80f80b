import { test } from 'vitest';
import type { Observation } from './observation.ts';
import { Inconclusive } from './observation.ts';
import type { Run } from './run.ts';
import type { ReplayedCase } from '../settings/settings.ts';
import { NoReply, Stopped } from '../target/exchange.ts';
import { redactAll } from '../target/record.ts';
import { entryOf } from './catalogue.ts';
import type { RequirementId } from './catalogue.ts';
import { afterCorpus } from './corpus.ts';
import { failureText } from './failure-text.ts';
import { isWaived } from './declared.ts';
import type { Finding } from './finding.ts';
import { judgeTogether } from './compare.ts';
import type { Comparison } from './compare.ts';
import { judgeEach } from './judge.ts';
import type { Judgement } from './judge.ts';
import { lackingFor } from './life.ts';
import { replayEach, replayTogether } from './replay.ts';

/** The binding of the catalogue to Vitest, for one run. */
export interface Binding {
  /** A requirement that each exchange keeps, or not, by itself. */
  readonly requirement: <I, O extends Observation<I>>(id: RequirementId, judgement: Judgement<I, O>) => void;
  /** A requirement that exchanges keep, or not, beside each other. */
  readonly comparison: <I, O extends Observation<I>>(id: RequirementId, comparison: Comparison<I, O>) => void;
}

export function bind(run: Run): Binding {
  const judged = (
    id: RequirementId,
    replay: (recorded: ReplayedCase) => Promise<Finding>,
    explore: () => Promise<Finding>,
  ): void => {
    const { replay: replayed } = run.settings;
    define(run, id, () => (replayed ? replay(replayed) : afterCorpus(run, id, replay, explore)));
  };
  return {
    requirement: (id, judgement) => {
      const { over, only = () => true, check } = judgement;
      for (const { name } of over)
        run.thinning.watch(name, id, (seen) => {
          const observation = seen as Parameters<typeof check>[0];
          return only(observation) && check(observation) !== undefined;
        });
      judged(
        id,
        (recorded) => replayEach(run, id, judgement, recorded),
        () => judgeEach(run, id, judgement),
      );
    },
    comparison: (id, comparison) =>
      judged(
        id,
        (recorded) => replayTogether(run, id, comparison, recorded),
        () => judgeTogether(run, id, comparison),
      ),
  };
}

/** One requirement is one test: its level is the tag, its finding the meta. */
function define(run: Run, id: RequirementId, judge: () => Promise<Finding>): void {
  const entry = entryOf(id);
  test(`${id}: ${entry.statement}`, { tags: [entry.level] }, async ({ task, skip, signal }) => {
    signal.addEventListener('abort', () => run.target.stop('the run was interrupted', 'interrupt'), {
      once: true,
    });
    const lacking = lackingFor(id, run.settings.profile);
    const found =
      lacking === undefined
        ? await judge().catch((error: unknown) => withoutVerdict(id, error))
        : { ...nothing(id), verdict: 'untested' as const, reason: lacking, optional: true };
    // Whatever leaves the suites passes here, reasons and errors included.
    const { id: _, verdict, ...words } = found;
    const finding: Finding = { id, verdict, ...redactAll(words, run.target.redactor) };
    task.meta.finding = finding;
    const fails = finding.verdict === 'fail' || (finding.verdict === 'warn' && run.settings.strict);
    if (fails && !isWaived(run.settings.profile, id, new Date()))
      throw new RequirementFailure(failureText({ ...entry, ...finding }, run.settings.out));
    if (finding.verdict === 'untested' || finding.verdict === 'inconclusive') skip(finding.reason);
  });
}

/** The service breaks a requirement. The message is all that a reader needs; there is no stack. */
class RequirementFailure extends Error {
  override readonly name = 'RequirementFailure';
  override readonly stack = '';
}

/** What an error that is no defect comes to. @throws any other */
export function withoutVerdict(id: RequirementId, error: unknown): Finding {
  const isKnown = error instanceof Inconclusive || error instanceof NoReply || error instanceof Stopped;
  if (!isKnown) throw error;
  const verdict = error instanceof Stopped ? 'untested' : 'inconclusive';
  return { ...nothing(id), verdict, reason: error.message };
}

/** A finding before anything is found. */
export const nothing = (id: RequirementId): Omit<Finding, 'verdict'> => ({
  id,
  cases: 0,
  accepted: 0,
  broken: 0,
  inFlight: 0,
});
