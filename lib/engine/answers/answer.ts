import { asksAll } from '../../settings/run-settings.ts';
import type { ReportedQuestion } from '../../schemas/report.ts';
import type { Json } from '../../schemas/json.ts';
import { curlOf } from '../../target/output/curl.ts';
import { record, redactAll } from '../../target/output/record.ts';
import { isWithoutReply } from '../observation.ts';
import type { Answered, Question } from '../question.ts';
import type { Run } from '../scenario.ts';

/** The result of one question. Plain JSON, redacted: it is sent to another thread. */
export type Answer = Omit<ReportedQuestion, 'section' | 'question' | 'asked'>;

/** Exchanges that the report keeps for an answer, and for drift. */
const KEPT_EXCHANGES = 1;
const KEPT_WITH_DRIFT = 3;

/** Why no run answers a question. */
export const ONLY_IN_PROFILE = 'only the operator can answer it, in a profile';

export const isAsked = (run: Run, { asked }: Question): boolean =>
  asked === 'observed' || (asked === 'probed' && asksAll(run.settings));

/** Asks a question; gives the reason if there is no answer. */
export async function answer(run: Run, question: Question): Promise<Answer> {
  const { over = [], ask } = question;
  if (!ask) return unanswered(run, question, ONLY_IN_PROFILE);
  if (run.recorded) return recordedAnswer(run, question);
  if (!isAsked(run, question))
    return unanswered(run, question, 'not asked; add --write-profile FILE or --profile FILE');
  try {
    await run.ready();
    return await answerOf(run, question, await ask(run, await run.observed(over)));
  } catch (error) {
    if (!isWithoutReply(error)) throw error;
    return unanswered(run, question, error.message);
  }
}

/** A recorded answer, compared with the profile again. */
async function recordedAnswer(run: Run, question: Question): Promise<Answer> {
  const {
    answer: recorded,
    reason,
    unanswerable,
    cases = 0,
  } = (run.recorded!.answerTo(question.id) ?? {}) as Partial<Answer>;
  if (recorded === undefined)
    return { ...unanswered(run, question, reason ?? 'not asked'), ...(unanswerable && { unanswerable }) };
  return { ...(await answerOf(run, question, { answer: recorded, exchanges: [] })), cases };
}

async function answerOf(
  run: Run,
  question: Question,
  { answer: found, exchanges }: Answered,
): Promise<Answer> {
  const { redactor } = run.target;
  if (found === undefined)
    return { ...unanswered(run, question, 'the responses do not show it'), unanswerable: true };
  const declared = declaredAnswer(run, question);
  // Loaded only where there is a profile: it takes a library for JSON Schemas.
  const drift = declared !== undefined && !(await import('./declared.ts')).isAsDeclared(declared, found);
  const kept = exchanges.slice(0, drift ? KEPT_WITH_DRIFT : KEPT_EXCHANGES);
  const last = kept.at(-1);
  return redactAll(
    {
      id: question.id,
      answer: found,
      ...(declared === undefined ? {} : { declared, drift }),
      exchanges: kept.map((exchange) => record(exchange, redactor)),
      cases: exchanges.length,
      ...(drift && last ? { curl: curlOf(last) } : {}),
    },
    redactor,
  );
}

function unanswered(run: Run, question: Question, reason: string): Answer {
  const declared = declaredAnswer(run, question);
  return redactAll(
    { id: question.id, reason, ...(declared === undefined ? {} : { declared }), exchanges: [], cases: 0 },
    run.target.redactor,
  );
}

const declaredAnswer = (run: Run, { id }: Question): Json | undefined => run.settings.profile?.answers[id];
