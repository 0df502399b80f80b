import { Stopped } from '../target/exchange.ts';
import type { Exchange } from '../target/exchange.ts';
import { member } from '../target/reply.ts';
import type { Reply } from '../target/reply.ts';
import { record, redactAll } from '../target/record.ts';
import type { Redactor } from '../target/redactor.ts';
import type { Counted, Given } from './counted.ts';
import type { CountedLine, EvidenceLine, ExchangeLine, ObservationLine } from '../schemas/evidence.ts';
import { Inconclusive } from './observation.ts';
import type { Exploration, Observation } from './observation.ts';
import type { Thinning } from './thinning.ts';

/** Exchanges that belong to no observation are kept up to this many: probes, and cases sent again. */
const MOST_OTHERS = 2000;

/** Characters of bodies after which long ones are cut: a target that sends much must not fill a disk. */
const MOST_CHARACTERS = 8 * 1024 * 1024;
/** Characters that are left of those. */
const SHORT = 1000;

/** Ids on a line. */
const ON_A_LINE = 1000;

/** What a run keeps of its exchanges and explorations, until it is over. */
export interface Recording {
  readonly exchanged: (exchange: Exchange) => void;
  readonly explored: (experiment: string, exploration: Promise<Exploration<Observation>>) => void;
  /** The lines of `evidence.ndjson` that the suites can write, made one after the other: they may be long. */
  readonly lines: (redactor: Redactor) => AsyncGenerator<EvidenceLine>;
}

/** @param breaks tells the requirements that an observation breaks, for those that can't be judged again */
export function openRecording(breaks: Thinning['breaks']): Recording {
  const others: Exchange[] = [];
  const explorations = new Map<string, Promise<Exploration<Observation>>>();
  return {
    exchanged: (exchange) => {
      if (others.length < MOST_OTHERS) others.push(exchange);
    },
    explored: (experiment, exploration) => explorations.set(experiment, exploration),
    async *lines(redactor) {
      const ended = await Promise.all(
        [...explorations].map(
          async ([experiment, settling]) =>
            [experiment, await settling.catch((error: Error) => error)] as const,
        ),
      );
      const exchanges = new Set(others);
      for (const [, exploration] of ended) {
        if (exploration instanceof Error) continue;
        for (const { exchange, control } of exploration.observations) {
          exchanges.add(exchange);
          if (control) exchanges.add(control);
        }
      }
      let left = MOST_CHARACTERS;
      const cut = new Set<Exchange>();
      for (const exchange of [...exchanges].toSorted((one, other) => one.number - other.number)) {
        const line = exchangeLine(exchange, redactor, left > 0);
        left -= line.request.body.length + line.response.body.length;
        if (line.reply.cut) cut.add(exchange);
        yield line;
      }
      for (const [experiment, exploration] of ended) {
        if (exploration instanceof Error) yield failureLine(experiment, exploration, redactor);
        else {
          for (const one of exploration.observations) {
            const line = observationLine(one, redactor);
            yield cut.has(one.exchange) ? { ...line, breaks: breaks(one) } : line;
          }
          for (const counted of exploration.counted) yield* countedLines(counted, redactor);
          yield explorationLine(experiment, exploration, redactor);
        }
      }
    },
  };
}

/** An exchange as evidence: enough to show it, and to judge it again. @param isWhole whether there is room for that */
function exchangeLine(exchange: Exchange, redactor: Redactor, isWhole: boolean): ExchangeLine {
  const { reply, request } = exchange;
  const recorded = record(exchange, redactor);
  const isParsed = reply.notJson !== undefined || isJson(recorded.response.body);
  const { field, label, shell } = request.credential ?? {};
  const isCut = !isWhole && recorded.response.body.length > SHORT;
  return {
    type: 'exchange',
    ...recorded,
    ...(isCut && { response: { ...recorded.response, body: `${recorded.response.body.slice(0, SHORT)}…` } }),
    ...(field !== undefined && { credential: redactAll({ field, label: label!, shell: shell! }, redactor) }),
    reply: redactAll(
      {
        utf8: reply.utf8,
        ...(reply.notJson !== undefined && { notJson: reply.notJson }),
        ...(isCut ? { cut: true, ...idOnly(reply) } : !isParsed && { json: reply.json }),
      },
      redactor,
    ),
  };
}

/** What must be told of any response, however long it is: whether it is JSON, and an id that may come twice. */
function idOnly({ notJson, json }: Reply): { readonly json?: object } {
  if (notJson !== undefined) return {};
  const id = member(json, 'id');
  return { json: typeof id === 'string' ? { id } : {} };
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

/** Observations that are alike, so many on a line that none is long. */
function* countedLines(counted: Counted, redactor: Redactor): Generator<CountedLine> {
  const { experiment, category, accepted, status, inFlight, breaks, given } = counted;
  const lineOf = (ids: readonly Given[]): CountedLine => ({
    type: 'counted',
    experiment,
    category,
    accepted,
    status,
    inFlight,
    breaks,
    ids,
  });
  let ids: Given[] = [];
  for (const [exchange, id] of given) {
    ids.push([exchange, id === null ? null : redactor.redact(id)]);
    if (ids.length < ON_A_LINE) continue;
    yield lineOf(ids);
    ids = [];
  }
  if (ids.length > 0) yield lineOf(ids);
}

const explorationLine = (
  experiment: string,
  { lost, stopped }: Exploration<Observation>,
  redactor: Redactor,
): EvidenceLine => ({
  type: 'exploration',
  ...redactAll(
    {
      experiment,
      lost: lost.map((one) => {
        if (one instanceof Inconclusive)
          return { reason: one.message, ...(one.isOptional && { optional: true }), troubles: [] };
        const { request, troubles } = one;
        const { method, path } = request;
        return {
          reason: one.message,
          request: { method, path, body: request.body?.toString() ?? '' },
          troubles,
        };
      }),
      ...(stopped !== undefined && { stopped }),
    },
    redactor,
  ),
});

/** An experiment that could not be done: what it builds on was refused, or the run was over. */
const failureLine = (experiment: string, error: Error, redactor: Redactor): EvidenceLine => ({
  type: 'exploration',
  experiment,
  lost: [],
  failure: {
    kind: error instanceof Stopped ? 'stopped' : 'inconclusive',
    message: redactor.redact(error.message),
  },
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
