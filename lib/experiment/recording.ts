import { Stopped } from '../target/exchange.ts';
import type { Exchange } from '../target/exchange.ts';
import { member } from '../target/reply.ts';
import { record, redactAll } from '../target/record.ts';
import type { Redactor } from '../target/redactor.ts';
import type { EvidenceLine } from './evidence.ts';
import { Inconclusive } from './observation.ts';
import type { Exploration, Observation } from './observation.ts';

/** Exchanges that belong to no observation are kept up to this many: probes, and cases sent again. */
const MOST_OTHERS = 2000;

/** What a run keeps of its exchanges and explorations, until it is over. */
export interface Recording {
  readonly exchanged: (exchange: Exchange) => void;
  readonly explored: (experiment: string, exploration: Promise<Exploration<Observation>>) => void;
  /** The lines of `evidence.ndjson` that the suites can write. */
  readonly lines: (redactor: Redactor) => Promise<EvidenceLine[]>;
}

export function openRecording(): Recording {
  const others: Exchange[] = [];
  const explorations = new Map<string, Promise<Exploration<Observation>>>();
  return {
    exchanged: (exchange) => {
      if (others.length < MOST_OTHERS) others.push(exchange);
    },
    explored: (experiment, exploration) => explorations.set(experiment, exploration),
    lines: async (redactor) => {
      const exchanges = new Set(others);
      const explored: EvidenceLine[] = [];
      for (const [experiment, settling] of explorations) {
        const exploration = await settling.catch((error: Error) => error);
        if (exploration instanceof Error) {
          explored.push(failureLine(experiment, exploration, redactor));
          continue;
        }
        const whole = exploration.observations.filter(({ thin }) => !thin);
        for (const { exchange, control } of whole) {
          exchanges.add(exchange);
          if (control) exchanges.add(control);
        }
        explored.push(...whole.map((one) => observationLine(one, redactor)));
        explored.push(...countedLines(exploration.observations, redactor));
        explored.push(explorationLine(experiment, exploration, redactor));
      }
      const inOrder = [...exchanges].toSorted((one, other) => one.number - other.number);
      return [...inOrder.map((exchange) => exchangeLine(exchange, redactor)), ...explored];
    },
  };
}

/** An exchange as evidence: enough to show it, and to judge it again. */
function exchangeLine(exchange: Exchange, redactor: Redactor): EvidenceLine {
  const { reply, request } = exchange;
  const recorded = record(exchange, redactor);
  const isWhole = reply.notJson !== undefined || isJson(recorded.response.body);
  const { field, label, shell } = request.credential ?? {};
  return {
    type: 'exchange',
    ...recorded,
    ...(field !== undefined && { credential: redactAll({ field, label: label!, shell: shell! }, redactor) }),
    reply: redactAll(
      {
        utf8: reply.utf8,
        ...(reply.notJson !== undefined && { notJson: reply.notJson }),
        ...(!isWhole && { json: reply.json }),
      },
      redactor,
    ),
  };
}

const observationLine = (
  { exchange, control, ...observation }: Observation,
  redactor: Redactor,
): EvidenceLine => ({
  type: 'observation',
  exchange: exchange.number,
  ...(control && { control: control.number }),
  observation: redactAll(observation, redactor),
});

/** Thin observations, those that are alike on a line. */
function countedLines(observations: readonly Observation[], redactor: Redactor): EvidenceLine[] {
  const thin = observations.filter((observation) => observation.thin);
  const alike = Map.groupBy(thin, ({ case: { family }, granted, exchange, thin: { breaks } = NONE }) =>
    JSON.stringify([family, granted, exchange.reply.status, breaks]),
  );
  return [...alike.values()].map((group): EvidenceLine => {
    const { case: of, granted, exchange, thin: { breaks } = NONE } = group[0]!;
    return {
      type: 'counted',
      experiment: of.experiment,
      family: of.family,
      granted,
      status: exchange.reply.status,
      inFlight: group.reduce((most, one) => Math.max(most, one.exchange.inFlight), 0),
      breaks,
      ids: group.map((one) => {
        const id = member(one.exchange.reply.json, 'id');
        return [one.exchange.number, typeof id === 'string' ? redactor.redact(id) : null];
      }),
    };
  });
}

const NONE = { breaks: [] };

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
