import { test } from 'vitest';
import type { Run } from './run.ts';
import { Inconclusive } from './observation.ts';
import type { Json } from '../schemas/json.ts';
import { curlOf } from '../target/curl.ts';
import { NoReply, Stopped } from '../target/exchange.ts';
import type { Exchange } from '../target/exchange.ts';
import { record, redactAll } from '../target/record.ts';
import type { RecordedExchange } from '../schemas/exchange.ts';
import { isAsDeclared, isWaived } from './declared.ts';
import { questionOf } from './questions.ts';
import type { QuestionId } from './questions.ts';

/** What one question came to. Plain JSON: it travels as the meta of a Vitest task. Redacted. */
export interface Answer {
  readonly id: QuestionId;
  /** Absent where there is none. */
  readonly answer?: Json;
  /** Why there is no answer. */
  readonly reason?: string;
  /** Whether that is in the nature of the target: what is declared can't be held against it. */
  readonly unanswerable?: boolean;
  /** What the operator has declared. */
  readonly declared?: Json;
  /** Whether the answer is another one than was declared. */
  readonly drift?: boolean;
  /** Exchanges that tell: few, of those that there are. */
  readonly exchanges: readonly RecordedExchange[];
  /** How many there are. */
  readonly cases: number;
  /** The last of the exchanges as a command; only with drift. */
  readonly curl?: string;
}

/** An answer with the exchanges that it was read from. */
export interface Asked {
  /** Undefined: the exchanges do not tell, and can't be made to. */
  readonly answer: Json | undefined;
  readonly exchanges: readonly Exchange[];
}

/** Exchanges kept with an answer, and with one that has drifted. */
const KEPT = 1;
const KEPT_WITH_DRIFT = 3;

/** Whether questions are asked that take requests of their own: somebody wants the answers. */
export const isProbing = ({ settings: { profile, writeProfile } }: Run): boolean =>
  writeProfile !== undefined || profile !== undefined;

/** The binding of open questions to Vitest: one is a test that fails only where an operator's answer has drifted. */
export const asking =
  (run: Run) =>
  (id: QuestionId, ask: () => Promise<Asked>): void => {
    const { question, asked } = questionOf(id);
    test(`${id}: ${question}`, { tags: ['question'] }, async ({ task, skip, signal }) => {
      signal.addEventListener('abort', () => run.target.stop('the run was interrupted', 'interrupt'), {
        once: true,
      });
      const isAsked = asked === 'seen' || isProbing(run);
      const answer = run.recorded
        ? recordedAnswer(run, id)
        : isAsked
          ? await run
              .ready()
              .then(ask)
              .then(
                (found) => answerOf(run, id, found),
                (error: unknown) => without(run, id, reasonOf(error)),
              )
          : without(run, id, 'not asked; add --write-profile FILE');
      task.meta.answer = answer;
      if (answer.drift && !isWaived(run.settings.profile, id, new Date()))
        throw new Drift(`declared ${JSON.stringify(answer.declared)}, seen ${JSON.stringify(answer.answer)}`);
      if (answer.answer === undefined) skip(answer.reason);
    });
  };

/** An answer as it was recorded, held against the profile anew. */
function recordedAnswer(run: Run, id: QuestionId): Answer {
  const { answer, reason, unanswerable, cases = 0 } = (run.recorded!.answerTo(id) ?? {}) as Partial<Answer>;
  if (answer === undefined)
    return { ...without(run, id, reason ?? 'it was not asked'), ...(unanswerable && { unanswerable }) };
  return { ...answerOf(run, id, { answer, exchanges: [] }), cases };
}

/** The target has another answer than its operator has declared. */
class Drift extends Error {
  override readonly name = 'Drift';
  override readonly stack = '';
}

function answerOf(run: Run, id: QuestionId, { answer, exchanges }: Asked): Answer {
  const { redactor } = run.target;
  if (answer === undefined) return { ...without(run, id, 'the responses do not tell'), unanswerable: true };
  const declared = declaredIn(run, id);
  const drift = declared !== undefined && !isAsDeclared(declared, answer);
  const kept = exchanges.slice(0, drift ? KEPT_WITH_DRIFT : KEPT);
  const last = kept.at(-1);
  return redactAll(
    {
      id,
      answer,
      ...(declared === undefined ? {} : { declared, drift }),
      exchanges: kept.map((exchange) => record(exchange, redactor)),
      cases: exchanges.length,
      ...(drift && last ? { curl: curlOf(last.request, last.url) } : {}),
    },
    redactor,
  );
}

function without(run: Run, id: QuestionId, reason: string): Answer {
  const declared = declaredIn(run, id);
  return redactAll(
    { id, reason, ...(declared === undefined ? {} : { declared }), exchanges: [], cases: 0 },
    run.target.redactor,
  );
}

const declaredIn = (run: Run, id: QuestionId): Json | undefined => run.settings.profile?.answers[id];

function reasonOf(error: unknown): string {
  if (error instanceof Inconclusive || error instanceof NoReply || error instanceof Stopped)
    return error.message;
  throw error;
}
