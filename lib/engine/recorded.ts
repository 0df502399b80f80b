import { readFileSync } from 'node:fs';
import { UsageError } from '../settings/settings.ts';
import { NoReply, Stopped } from '../target/exchange.ts';
import type { Exchange, Request } from '../target/exchange.ts';
import { parseEvidence } from './evidence.ts';
import type { EvidenceLine, ExchangeLine, ExplorationLine } from '../schemas/evidence.ts';
import { Inconclusive } from './observation.ts';
import type { Exploration, Observation } from './observation.ts';
import { openCounter } from './counted.ts';
import type { Counted } from './counted.ts';

/** What a run saw, read back from its evidence. */
export interface Recorded {
  /**
   * What an experiment saw; undefined: it did not run.
   * @throws {Inconclusive | Stopped} where it could not be done
   */
  readonly explorationOf: (experiment: string) => Exploration<Observation> | undefined;
  /** The answer to an open question, as it was written. */
  readonly answerTo: (question: string) => object | undefined;
}

/** @throws {UsageError} for a file that can't be read, or is no evidence */
export function readRecorded(path: string): Recorded {
  const lines = readEvidence(path);
  const exchanges = new Map(
    lines.filter((line) => line.type === 'exchange').map((line) => [line.number, exchangeOf(line)]),
  );
  const observations = lines
    .filter((line) => line.type === 'observation')
    .map((line): Observation => {
      const exchange = exchanges.get(line.exchange);
      const control = line.control === undefined ? undefined : exchanges.get(line.control);
      if (!exchange || (line.control !== undefined && !control))
        throw new UsageError(`${path}: an exchange is missing that was observed; the file is not whole`);
      return {
        ...line.observation,
        exchange,
        ...(control && { control }),
        ...(line.breaks && { thin: { breaks: line.breaks } }),
      };
    });
  const counter = openCounter();
  for (const line of lines)
    if (line.type === 'counted') for (const given of line.ids) counter.add(line, given, line.inFlight);
  const byExperiment = Map.groupBy(observations, (observation) => observation.case.experiment);
  const explorations = new Map(
    lines.filter((line) => line.type === 'exploration').map((line) => [line.experiment, line]),
  );
  const answers = new Map(
    lines.filter((line) => line.type === 'answer').map(({ answer }) => [answer.id, answer]),
  );
  return {
    explorationOf: (experiment) => {
      const line = explorations.get(experiment);
      return line && explorationOf(line, byExperiment.get(experiment) ?? [], counter.of(experiment));
    },
    answerTo: (question) => answers.get(question),
  };
}

/** @throws {UsageError} for a file that can't be read, or is no evidence */
export function readEvidence(path: string): EvidenceLine[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(
      `${path}: it cannot be read (${(error as NodeJS.ErrnoException).code}); expected the evidence.ndjson of a run`,
    );
  }
  return parseEvidence(text.split('\n'), path);
}

function explorationOf(
  { lost, stopped, failure }: ExplorationLine,
  observations: readonly Observation[],
  counted: readonly Counted[],
): Exploration<Observation> {
  if (failure?.kind === 'stopped') throw new Stopped(failure.message, 'budget');
  if (failure) throw new Inconclusive(failure.message);
  return {
    observations,
    counted,
    lost: lost.map(({ reason, optional, request, troubles }) =>
      request
        ? new NoReply(requestOf(request.method, request.path, [], request.body), troubles)
        : new Inconclusive(reason, optional),
    ),
    stopped,
  };
}

function exchangeOf(line: ExchangeLine): Exchange {
  const { credential, request, response, reply, ...times } = line;
  // The credential stands first among the fields of what was recorded.
  const fields = request.headers.slice(credential ? 1 : 0);
  const { utf8, notJson } = reply;
  return {
    ...times,
    url: request.url,
    request: {
      ...requestOf(request.method, new URL(request.url).pathname, fields, request.body),
      credential: credential && { ...credential, value: credential.label },
    },
    reply: {
      status: response.status,
      fields: response.headers,
      text: response.body,
      json: notJson === undefined ? ('json' in reply ? reply.json : jsonOf(response.body)) : undefined,
      notJson,
      utf8,
    },
  };
}

const requestOf = (method: string, path: string, fields: Request['fields'], body: string): Request => ({
  method,
  path,
  fields,
  credential: undefined,
  body: body === '' ? undefined : Buffer.from(body),
});

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
