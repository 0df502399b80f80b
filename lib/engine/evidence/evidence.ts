import { MAX_BODY_CHARACTERS } from '../sampling.ts';
import type { EvidenceLine, ExchangeLine, ObservationLine, SummaryLine } from '../../schemas/evidence.ts';
import { member, parseJson, stringsIn } from '../../schemas/json.ts';
import { Stopped, bodyText } from '../../target/exchange.ts';
import type { Exchange } from '../../target/exchange.ts';
import { record, redactAll } from '../../target/output/record.ts';
import type { Redactor } from '../../target/output/redactor.ts';
import type { Reply } from '../../target/reply.ts';
import { Inconclusive } from '../observation.ts';
import type { Exploration, Observation, Summary } from '../observation.ts';
import { judgedBy } from '../requirement.ts';
import type { Requirement } from '../requirement.ts';
import type { Run } from '../scenario.ts';

/** Characters of a truncated body. */
const TRUNCATED_LENGTH = 1000;

/** Maximum number of ids on a line. */
const ON_A_LINE = 1000;

/**
 * Generates the lines of `evidence.ndjson` that a run can write, redacted.
 * @param requirements judge the observations whose bodies are truncated
 */
export async function* evidenceOf(
  run: Run,
  requirements: readonly Requirement[],
): AsyncGenerator<EvidenceLine> {
  const { redactor } = run.target;
  const ended = await run.explored();
  const exchanges = new Set(run.exchanges);
  for (const [, exploration] of ended) {
    if (exploration instanceof Error) continue;
    for (const { exchange, control } of exploration.observations) {
      exchanges.add(exchange);
      if (control) exchanges.add(control);
    }
  }
  // Once these are spent, long bodies are truncated, so that a target cannot fill the disk.
  let left = MAX_BODY_CHARACTERS;
  const truncated = new Set<Exchange>();
  for (const exchange of [...exchanges].toSorted((one, other) => one.number - other.number)) {
    const line = exchangeLine(exchange, redactor, left > 0);
    left -= line.request.body.length + line.response.body.length + lengthOf(line.reply.json);
    if (line.reply.truncated) truncated.add(exchange);
    yield line;
  }
  for (const [{ name }, exploration] of ended) {
    if (exploration instanceof Error) {
      yield failureLine(name, exploration, redactor);
      continue;
    }
    for (const one of exploration.observations) {
      if (run.isDueToLimit(one)) continue;
      const line = observationLine(one, redactor);
      yield run.isClientRejection(one) || truncated.has(one.exchange)
        ? { ...line, ...judgedBy(run, requirements, one) }
        : line;
    }
    for (const summary of exploration.summaries) yield* summaryLines(summary, redactor);
    yield explorationLine(name, exploration, redactor);
  }
}

/** An exchange, so that it can be shown and judged again. @param isWhole whether there is room for its whole body */
function exchangeLine(exchange: Exchange, redactor: Redactor, isWhole: boolean): ExchangeLine {
  const { reply, request } = exchange;
  const recorded = record(exchange, redactor);
  const isParsed =
    reply.notJson !== undefined || (!reply.part && parseJson(recorded.response.body) !== undefined);
  const { field, label, shell } = request.credential ?? {};
  const isTooLong = !isWhole && recorded.response.body.length > TRUNCATED_LENGTH;
  const isTruncated = isTooLong || redactor.cuts(reply.text);
  return {
    type: 'exchange',
    ...recorded,
    ...(isTooLong && {
      response: { ...recorded.response, body: `${recorded.response.body.slice(0, TRUNCATED_LENGTH)}…` },
    }),
    ...(field !== undefined && { credential: redactAll({ field, label: label!, shell: shell! }, redactor) }),
    reply: redactAll(
      {
        utf8: reply.utf8,
        ...(reply.notJson !== undefined && { notJson: reply.notJson }),
        ...(reply.part && { part: reply.part }),
        ...(reply.isIncomplete && { incomplete: true }),
        ...(isTruncated ? { truncated: true, ...compared(reply) } : !isParsed && { json: reply.json }),
      },
      redactor,
    ),
  };
}

/** Characters of a parsed body that is kept, at least. */
const lengthOf = (json: unknown): number => stringsIn(json).reduce((sum, { text }) => sum + text.length, 0);

/** The members of a truncated body that are kept, as they are compared with those of others. */
function compared({ notJson, json }: Reply): { readonly json?: object } {
  if (notJson !== undefined) return {};
  const kept = ['id', 'name', 'email']
    .map((name) => [name, member(json, name)] as const)
    .filter(([, value]) => typeof value === 'string' && value.length <= TRUNCATED_LENGTH);
  return { json: Object.fromEntries(kept) };
}

const observationLine = (
  { exchange, control, ...observation }: Observation,
  redactor: Redactor,
): ObservationLine => ({
  type: 'observation',
  exchange: exchange.number,
  ...(control && { control: control.number }),
  observation: redactAll(observation, redactor),
});

/** A summary, on several lines if it has many ids. */
function* summaryLines({ ids, ...summary }: Summary, redactor: Redactor): Generator<SummaryLine> {
  for (let at = 0; at < ids.length; at += ON_A_LINE)
    yield {
      type: 'summary',
      ...summary,
      ids: ids
        .slice(at, at + ON_A_LINE)
        .map(([exchange, id]) => [exchange, id === null ? null : redactor.redact(id)] as const),
    };
}

const explorationLine = (
  scenario: string,
  { lost, stopped }: Exploration<Observation>,
  redactor: Redactor,
): EvidenceLine => ({
  type: 'exploration',
  ...redactAll(
    {
      scenario,
      lost: lost.map(({ category, error }) => {
        const reason = error.message;
        if (error instanceof Inconclusive)
          return { category, reason, ...(error.kind && { kind: error.kind }), troubles: [] };
        const { request, troubles, after } = error;
        const { method, path } = request;
        return {
          category,
          reason,
          request: { method, path, body: bodyText(request) },
          after,
          troubles,
        };
      }),
      ...(stopped !== undefined && { stopped }),
    },
    redactor,
  ),
});

/** A scenario that could not be sent: its control was rejected, or the run was over. */
const failureLine = (scenario: string, error: Error, redactor: Redactor): EvidenceLine => ({
  type: 'exploration',
  scenario,
  lost: [],
  failure: {
    kind: error instanceof Stopped ? 'stopped' : 'inconclusive',
    message: redactor.redact(error.message),
  },
});
