import type { AnswerLine, EndLine, RunLine } from '../schemas/evidence.ts';
import type { Lines } from '../engine/lines.ts';
import type { Outcome } from './model.ts';
import type { Report } from '../schemas/report.ts';

/**
 * The lines of `evidence.ndjson`: what was run, what the suites saw, what came of it.
 * @param seen lines that the suites have written
 */
export function evidenceOf(
  seen: Lines,
  { suite, target, run, questions }: Report,
  { settings, interrupted, traffic }: Outcome,
): Lines {
  const { tokenScopes, tokenExpiresIn, profile, shard, cases, corpus, only } = settings;
  const first: RunLine = {
    type: 'run',
    schemaVersion: 1,
    suite,
    baseUrl: target.baseUrl,
    startedAt: run.startedAt,
    ...(traffic && { clockStartedAt: new Date(traffic.openedAt).toISOString() }),
    seed: run.seed,
    ...(shard && { shard }),
    cases,
    ...(only !== undefined && { only }),
    strict: run.strict,
    tokenScopes,
    tokenExpiresIn,
    ...(profile && { profile }),
    ...(corpus.length > 0 && { replayed: corpus.length }),
  };
  const answers = questions.map(({ id, answer, reason, unanswerable, cases, exchanges }): AnswerLine => ({
    type: 'answer',
    answer: { id, answer, reason, unanswerable, cases, exchanges: exchanges.map(({ number }) => number) },
  }));
  const last: EndLine = {
    type: 'end',
    durationMs: run.durationMs,
    requests: run.requests,
    interrupted,
    ...(traffic?.stopCause && { stopCause: traffic.stopCause }),
  };
  return {
    *[Symbol.iterator]() {
      yield JSON.stringify(first);
      yield* seen;
      for (const line of [...answers, last]) yield JSON.stringify(line);
    },
  };
}
