import { readFileSync } from 'node:fs';
import { evidenceLine } from '../../schemas/evidence.ts';
import type {
  EndLine,
  EvidenceLine,
  ExchangeLine,
  ExplorationLine,
  RunLine,
  StopCause,
} from '../../schemas/evidence.ts';
import { parseJson } from '../../schemas/json.ts';
import type { Route } from '../../settings/route.ts';
import { UsageError, unreadable } from '../../settings/usage-error.ts';
import { NoReply, Stopped } from '../../target/exchange.ts';
import type { Exchange, Request } from '../../target/exchange.ts';
import { clockOf, linesIn, linesOf } from './lines.ts';
import { Inconclusive } from '../observation.ts';
import type { Exploration, Observation, Summary } from '../observation.ts';

/** The observations of a run, read from its evidence. */
export interface Recorded {
  /**
   * The observations of a scenario; undefined: it was not sent.
   * @throws {Inconclusive | Stopped} if it could not be sent
   */
  readonly explorationOf: (scenario: string) => Exploration<Observation> | undefined;
  /** The recorded answer to an open question. */
  readonly answerTo: (question: string) => object | undefined;
  /** Why the run ended early; one without its end was interrupted. */
  readonly stopCause: StopCause | undefined;
  /** Cases of the widest scenario that the limits allowed; undefined: as many as the settings say. */
  readonly cases: number | undefined;
}

const LINE_FEED = 0x0a;

const notEvidence = (path: string, problem: string): UsageError =>
  new UsageError(`${path}: ${problem}; expected the evidence.ndjson of a run`);

/** @throws {UsageError} for a file that can't be read, or is not evidence; it names the first invalid line */
export function readEvidence(path: string): EvidenceLine[] {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw notEvidence(path, unreadable(error));
  }
  const lines = [...linesIn(bytes)];
  if (lines.length === 0) throw notEvidence(path, 'the file is empty');
  const evidence = lines.map((line, at) => {
    const value = parseJson(line);
    if (value === undefined) {
      const isCut = at === lines.length - 1 && bytes.at(-1) !== LINE_FEED;
      throw notEvidence(path, `line ${at + 1} is not JSON${isCut ? '; the file seems to be cut off' : ''}`);
    }
    const result = evidenceLine.safeParse(value);
    // Not the parsed result, which lacks the members that a scenario adds.
    if (result.success) return value as EvidenceLine;
    const member = result.error.issues[0]!.path.join('.') || 'type';
    throw notEvidence(path, `line ${at + 1} is not evidence (${member})`);
  });
  checkComplete(evidence, path);
  return evidence;
}

/** @throws {UsageError} if lines were removed or added since the run wrote the file */
function checkComplete(evidence: readonly EvidenceLine[], path: string): void {
  const changed = (problem: string): UsageError =>
    notEvidence(path, `${problem}, so lines were removed or added after the run`);
  const [end] = linesOf(evidence, 'end');
  const count = evidence.length - 1;
  if (end && end.lines !== count)
    throw changed(`it has ${count} lines before its end, and its run wrote ${end.lines}`);
  const exchanges = new Set(linesOf(evidence, 'exchange').map(({ number }) => number));
  const missing = linesOf(evidence, 'observation')
    .flatMap(({ exchange, control }) => [exchange, control ?? exchange])
    .find((number) => !exchanges.has(number));
  if (missing !== undefined) throw changed(`exchange ${missing} is missing`);
}

/** The settings line of a run. @param path of its evidence @throws {UsageError} */
export function runLineIn(evidence: readonly EvidenceLine[], path: string): RunLine {
  const [line] = linesOf(evidence, 'run');
  if (!line) throw notEvidence(path, 'no line describes the run');
  return line;
}

/**
 * @param route of the run that was recorded
 * @throws {UsageError} for a file that can't be read, or is not evidence
 */
export function readRecorded(path: string, route: Route): Recorded {
  const lines = readEvidence(path);
  const [run] = linesOf(lines, 'run');
  const clock = run ? clockOf(run) : NaN;
  const exchanges = new Map(
    linesOf(lines, 'exchange').map((line) => [line.number, exchangeOf(line, route, clock)]),
  );
  const observations = linesOf(lines, 'observation').map((line): Observation => {
    const exchange = exchanges.get(line.exchange)!;
    const control = line.control === undefined ? undefined : exchanges.get(line.control);
    const { judged, breaks } = line;
    return {
      ...line.observation,
      exchange,
      ...(control && { control }),
      ...(judged && breaks && { judgedBefore: { judged, breaks } }),
    };
  });
  const summaries = linesOf(lines, 'summary');
  const byScenario = Map.groupBy(observations, (observation) => observation.case.scenario);
  const explorations = new Map(linesOf(lines, 'exploration').map((line) => [line.scenario, line]));
  const [end] = linesOf(lines, 'end');
  const answers = new Map(linesOf(lines, 'answer').map(({ answer }) => [answer.id, answer]));
  return {
    explorationOf: (name) => {
      const line = explorations.get(name);
      const own = summaries.filter(({ scenario }) => scenario === name);
      return line && explorationOf(line, byScenario.get(name) ?? [], own);
    },
    answerTo: (question) => answers.get(question),
    stopCause: stopCauseOf(end),
    cases: end?.cases,
  };
}

/** Why a run ended early, by its last line: one without its end was interrupted. */
export const stopCauseOf = (end: EndLine | undefined): StopCause | undefined =>
  end ? end.stopCause : 'interrupt';

function explorationOf(
  { lost, stopped, failure }: ExplorationLine,
  observations: readonly Observation[],
  summaries: readonly Summary[],
): Exploration<Observation> {
  if (failure?.kind === 'stopped') throw new Stopped(failure.message);
  if (failure) throw new Inconclusive(failure.message);
  return {
    observations,
    summaries,
    lost: lost.map(({ category, reason, kind, request, troubles, after }) => ({
      category,
      error: request
        ? new NoReply(requestOf(request.method, request.path, [], request.body), troubles, undefined, after)
        : new Inconclusive(reason, kind),
    })),
    stopped,
  };
}

/** @param clock when its times start, in milliseconds since 1970 */
function exchangeOf(line: ExchangeLine, route: Route, clock: number): Exchange {
  const { credential, request, response, reply, ...times } = line;
  // The first recorded header is the credential; the last ones belong to the route.
  const fields = request.headers.slice(credential ? 1 : 0, request.headers.length - route.headers.length);
  const { utf8, notJson, part, incomplete } = reply;
  return {
    ...times,
    answeredAt: clock + times.startedAt + times.duration,
    url: request.url,
    route,
    request: {
      ...requestOf(request.method, new URL(request.url).pathname, fields, request.body),
      credential: credential && { ...credential, value: credential.label },
    },
    reply: {
      status: response.status,
      fields: response.headers,
      text: response.body,
      json: notJson === undefined ? ('json' in reply ? reply.json : parseJson(response.body)) : undefined,
      notJson,
      utf8,
      ...(part && { part }),
      ...(incomplete && { isIncomplete: true as const }),
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
