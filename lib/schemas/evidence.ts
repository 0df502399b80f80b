import { z } from 'zod';
import { baseline } from './baseline.ts';
import { exchangeMembers, httpVersion, list, troubles } from './exchange.ts';
import { json, schemaVersion } from './json.ts';

const text = z.string();

const piece = z
  .object({ text, variable: text.exactOptional().describe('the variable that the text came from') })
  .describe('a piece of a value; a label stands for a secret');
const waiver = z.object({ requirement: text, reason: text, owner: text, until: text });

const runLine = z
  .object({
    type: z.literal('run'),
    schemaVersion,
    suite: z.object({ name: text, version: text }).describe('what made the file'),
    baseUrl: z.url().describe('of the target'),
    startedAt: z.iso.datetime().describe('ISO 8601'),
    clockStartedAt: z.iso.datetime().describe('when startedAt of the exchanges is 0, ISO 8601'),
    seed: z.int().describe('every generated input follows from it'),
    shard: z
      .object({ index: z.int(), count: z.int() })
      .exactOptional()
      .describe('which part of the cases the run had, of how many; absent: all'),
    cases: z.int().describe('cases of the widest input, all shards together'),
    only: text.exactOptional().describe('the selected ids, * for any text; absent: all'),
    strict: z.boolean().describe('whether a failed recommended requirement fails the run'),
    tokenScopes: list(text).describe('scopes of a plain token request'),
    tokenExpiresIn: z.number().describe('lifetime of a plain token request'),
    emailDomain: text.exactOptional().describe('the domain of plain addresses; absent: example.com'),
    replayed: z
      .int()
      .exactOptional()
      .describe('saved cases that were replayed first; only the report holds their results'),
    route: z
      .object({
        headers: list(z.object({ name: text, pieces: list(piece) })).describe(
          'given for the target, the last ones of every request',
        ),
        curl: list(z.object({ option: text, pieces: list(piece) })).describe('options to go the same way'),
        http: httpVersion.describe('the version of HTTP that was spoken'),
        serverName: text.exactOptional().describe('expected in the certificate, in place of the host'),
      })
      .describe('how requests reached the target'),
    profile: z
      .object({ name: text.optional(), answers: z.record(text, json), waivers: list(waiver) })
      .exactOptional()
      .describe('the profile of the target'),
    baseline: baseline.exactOptional().describe('the known failures, of --baseline'),
  })
  .describe('The first line: the settings of the run.');

const exchangeLine = z
  .object({
    type: z.literal('exchange'),
    ...exchangeMembers,
    credential: z
      .object({ field: text, label: text, shell: text })
      .exactOptional()
      .describe('the credential for a curl line, with a label or a variable in place of the secret'),
    reply: z
      .object({
        utf8: z.boolean().describe('whether the body was UTF-8 without a byte order mark'),
        notJson: text.exactOptional().describe('why the body is not JSON; absent where it is'),
        truncated: z
          .boolean()
          .exactOptional()
          .describe(
            'whether the body was truncated, as the evidence would be too large or it may hold too many tokens; json then has id, name and email only',
          ),
        json: z.unknown().exactOptional().describe('the parsed body; only where `body` is truncated'),
        incomplete: z
          .boolean()
          .exactOptional()
          .describe('whether the connection was closed before its end, at each try; no part of it is kept'),
        part: z
          .object({ open: z.union([text, z.null()]).describe('the member whose text goes on') })
          .exactOptional()
          .describe('present where only the beginning was read; json then has the members in it'),
      })
      .describe('how the body of the response was read'),
  })
  .describe('One request and its complete response, without secrets.');

const observationLine = z
  .object({
    type: z.literal('observation'),
    exchange: z.int().describe('number of the exchange that is judged'),
    control: z
      .int()
      .exactOptional()
      .describe('number of the accepted exchange that it differs from in one thing'),
    observation: z
      .object({
        case: z.object({
          scenario: text,
          index: z.int().describe('place in the scenario'),
          category: text.describe('category of the input'),
          input: z.unknown().describe('as generated; each scenario has its own form of input'),
        }),
        accepted: z.boolean(),
      })
      .describe('how the scenario interprets the exchange; it may add members'),
    judged: list(text)
      .exactOptional()
      .describe(
        'ids of the requirements that judged it; only where the body of its exchange is truncated, or a limit of the client explains it',
      ),
    breaks: list(text).exactOptional().describe('ids of those that it breaks; only there too'),
  })
  .describe('How a scenario interprets an exchange.');

const givenId: z.ZodType<readonly [exchange: number, id: string | null]> = z.tuple([
  z.int(),
  z.union([text, z.null()]),
]);

const summaryLine = z
  .object({
    type: z.literal('summary'),
    scenario: text,
    category: text.describe('kind of input'),
    accepted: z.boolean(),
    status: z.int(),
    inFlight: z.int().describe('most requests that were in flight together'),
    judged: list(text).describe('ids of the requirements that judged each of them'),
    breaks: list(text).describe('ids of those that each of them breaks'),
    ids: list(givenId).describe('number of each exchange, with the id in its response, or null'),
  })
  .describe('A summary of equal observations in a long run, which are not kept one by one.');

const lostCase = z.object({
  category: text.describe('category of the input'),
  reason: text,
  kind: z
    .enum(['optional', 'unanswered'])
    .exactOptional()
    .describe(
      'optional: judging it needs more time than the run had; unanswered: not sent, as the target does not answer such requests',
    ),
  request: z
    .object({ method: text, path: text, body: text })
    .exactOptional()
    .describe('the request that got no response; absent where none was sent'),
  after: z.int().exactOptional().describe('number of the last exchange when that request was given up'),
  troubles,
});

const explorationLine = z
  .object({
    type: z.literal('exploration'),
    scenario: text,
    lost: list(lostCase).describe('cases without an observation, and why'),
    stopped: text.exactOptional().describe('why it ended early'),
    failure: z
      .object({ kind: z.enum(['inconclusive', 'stopped']), message: text })
      .exactOptional()
      .describe('why it could not be run at all'),
  })
  .describe('The end of a scenario.');

const answerLine = z
  .object({
    type: z.literal('answer'),
    answer: z.object({
      id: text.describe('of the open question'),
      answer: json.optional().describe('absent where there is none'),
      reason: text.optional().describe('why there is no answer'),
      unanswerable: z.boolean().optional().describe('whether this target can have no answer'),
      cases: z.int().describe('exchanges that answer it'),
      exchanges: list(z.int()).describe('numbers of some of them'),
    }),
  })
  .describe('The answer to an open question.');

const endLine = z
  .object({
    type: z.literal('end'),
    lines: z.int().describe('lines of the file before this one'),
    durationMs: z.number(),
    requests: z.int().describe('all requests that were sent, including those without a response'),
    cases: z
      .int()
      .exactOptional()
      .describe('cases of the widest scenario, all shards together, as the limits allowed them'),
    stopCause: z
      .enum(['budget', 'throttled', 'away', 'limit', 'interrupt'])
      .exactOptional()
      .describe(
        'why the run ended early: a budget was spent, the target throttled one operation for longer than the run could wait, it stopped answering or reached a limit of its own, or the user interrupted it',
      ),
  })
  .describe('The last line; without it the file is incomplete.');

/**
 * A line of `evidence.ndjson`, which contains everything that a run observed: its settings, the exchanges in the order
 * of their completion, how each scenario interprets them, the answers to the open questions, the end. Redacted.
 */
export const evidenceLine = z.discriminatedUnion('type', [
  runLine,
  exchangeLine,
  observationLine,
  summaryLine,
  explorationLine,
  answerLine,
  endLine,
]);

export type EvidenceLine = Readonly<z.infer<typeof evidenceLine>>;
export type RunLine = Readonly<z.infer<typeof runLine>>;
export type ExchangeLine = Readonly<z.infer<typeof exchangeLine>>;
export type ObservationLine = Readonly<z.infer<typeof observationLine>>;
export type SummaryLine = Readonly<z.infer<typeof summaryLine>>;
export type ExplorationLine = Readonly<z.infer<typeof explorationLine>>;
export type AnswerLine = Readonly<z.infer<typeof answerLine>>;
export type EndLine = Readonly<z.infer<typeof endLine>>;
export type StopCause = NonNullable<EndLine['stopCause']>;

/** Whether the results of a run that ended so may be enough for a verdict: only what was cut short has none. */
export const mayBeEnough = (cause: StopCause): boolean => cause === 'budget' || cause === 'throttled';
