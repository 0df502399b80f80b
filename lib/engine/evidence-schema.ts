import { z } from 'zod';
import { exchangeMembers, troublesSchema } from './exchange-schema.ts';

const text = z.string();

const waiver = z.object({ requirement: text, reason: text, owner: text, until: text });

const runLine = z
  .object({
    type: z.literal('run'),
    schemaVersion: z
      .literal(1)
      .describe('rises when a member goes or changes its meaning; members may be added'),
    suite: z.object({ name: text, version: text }).describe('what made the file'),
    baseUrl: z.url().describe('of the target'),
    startedAt: text.describe('ISO 8601'),
    clockStartedAt: text.optional().describe('when startedAt of the exchanges is 0, ISO 8601'),
    seed: z.int().describe('every generated input follows from it'),
    shard: z
      .object({ index: z.int(), count: z.int() })
      .optional()
      .describe('which part of the cases the run had, of how many; absent: all'),
    cases: z.int().optional().describe('how many cases it was given, all shards together'),
    only: text.optional().describe('ids that the run was about, * for any text; absent: all'),
    strict: z.boolean().describe('whether an advisory finding fails the run'),
    tokenScopes: z.array(text).describe('what a plain token request asked for'),
    replayed: z
      .int()
      .optional()
      .describe('how many recorded cases were sent again first; what they broke is in the report alone'),
    tokenExpiresIn: z.number().describe('the lifetime that a plain token request asked for'),
    profile: z
      .object({ name: text.optional(), answers: z.record(text, z.unknown()), waivers: z.array(waiver) })
      .optional()
      .describe('what the operator of the target had declared'),
  })
  .describe('The first line: what was run.');

const exchangeLine = z
  .object({
    type: z.literal('exchange'),
    ...exchangeMembers,
    credential: z
      .object({ field: text, label: text, shell: text })
      .optional()
      .describe('the credential once more, as a curl line needs it: its secret is a label or a variable'),
    reply: z
      .object({
        utf8: z.boolean().describe('whether the body was UTF-8 without a byte order mark'),
        notJson: text.optional().describe('why the body is no JSON; absent where it is'),
        cut: z
          .boolean()
          .optional()
          .describe(
            'whether the body is cut, as the evidence would be too long: json has its id only, if there is one',
          ),
        json: z.unknown().optional().describe('the body, parsed; only where `body` is not all of it'),
      })
      .describe('how the body of the response was read'),
  })
  .describe('One request and its complete response, without secrets.');

const observationLine = z
  .object({
    type: z.literal('observation'),
    exchange: z.int().describe('number of the exchange that is judged'),
    control: z.int().optional().describe('number of the accepted exchange that it differs from in one thing'),
    observation: z
      .object({
        case: z.object({
          experiment: text,
          index: z.int().describe('place in the experiment'),
          category: text.describe('class of inputs that it stands for'),
          input: z.unknown().describe("as generated; its form is its experiment's own"),
        }),
        accepted: z.boolean(),
      })
      .describe("what an experiment saw in the exchange; further members are the experiment's own"),
    breaks: z
      .array(text)
      .optional()
      .describe('ids of the requirements that it breaks; only where the body of its exchange is cut'),
  })
  .describe('How an exchange is read by the experiment that it belongs to.');

const countedLine = z
  .object({
    type: z.literal('counted'),
    experiment: text,
    category: text.describe('class of inputs'),
    accepted: z.boolean(),
    status: z.int(),
    inFlight: z.int().describe('most requests that were in flight together'),
    breaks: z.array(text).describe('ids of the requirements that each of them breaks'),
    ids: z
      .array(z.tuple([z.int(), z.union([text, z.null()])]))
      .describe('number of each exchange, with the id in its response, or null'),
  })
  .describe('Observations of a long run of which no more is kept.');

const explorationLine = z
  .object({
    type: z.literal('exploration'),
    experiment: text,
    lost: z
      .array(
        z.object({
          reason: text,
          optional: z.boolean().optional().describe('whether judging it takes more than the run had'),
          request: z
            .object({ method: text, path: text, body: text })
            .optional()
            .describe('the request that no reply came to; absent where none was sent'),
          troubles: troublesSchema,
        }),
      )
      .describe('cases without an observation, and why'),
    stopped: text.optional().describe('why it ended early'),
    failure: z
      .object({ kind: z.enum(['inconclusive', 'stopped']), message: text })
      .optional()
      .describe('what kept it from being explored at all'),
  })
  .describe('The end of an experiment.');

const answerLine = z
  .object({
    type: z.literal('answer'),
    answer: z.object({
      id: text.describe('of the open question'),
      answer: z.unknown().optional().describe('absent where there is none'),
      reason: text.optional().describe('why there is no answer'),
      untold: z.boolean().optional().describe('whether that is in the nature of the target'),
      cases: z.int().describe('exchanges that tell'),
      exchanges: z.array(z.int()).describe('numbers of some of them'),
    }),
  })
  .describe('What an open question came to.');

const endLine = z
  .object({
    type: z.literal('end'),
    durationMs: z.number(),
    requests: z.int().describe('all that were sent, those without a response included'),
    interrupted: z.boolean(),
    stopCause: z.enum(['budget', 'away', 'interrupt']).optional().describe('why the run ended early'),
  })
  .describe('The last line; where it is missing, the file is not whole.');

/** The format of a line of `evidence.ndjson`: the type `EvidenceLine`. */
export const evidenceSchema = z.discriminatedUnion('type', [
  runLine,
  exchangeLine,
  observationLine,
  countedLine,
  explorationLine,
  answerLine,
  endLine,
]);
