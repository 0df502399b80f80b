import { z } from 'zod';
import { exchangeMembers } from '../engine/exchange-schema.ts';
import { questionIds } from '../engine/questions.ts';

const text = z.string();
const count = z.int().min(0);
const exchange = z
  .object(exchangeMembers)
  .meta({ id: 'exchange', description: 'One request and its complete response, without secrets.' });

const counterexample = z
  .object({
    expected: text.describe('every outcome that would have been right'),
    actual: text.describe('what came instead'),
    pointer: text.optional().describe('JSON pointer (RFC 6901) into the body of the last response'),
    from: text
      .optional()
      .describe('the file that it was recorded in before; absent where this run has found it'),
    experiments: z
      .array(text)
      .describe(
        'the experiment that the input belongs to, one for each of two; none where an answer drifted',
      ),
    category: text.describe('class of inputs that it stands for'),
    input: z.unknown().describe('as small as it was made; a list of two for a comparison'),
    foundWith: z.unknown().describe('the input as it was found'),
    seed: z.int(),
    path: text.describe("place in the experiment, then fast-check's path of the shrinking"),
    shrinks: count.describe('how often it was made smaller'),
    reproduced: text.describe('how often it broke again when it was sent again, such as 3/3'),
    exchanges: z
      .array(exchange)
      .describe('the exchange that breaks the statement comes last, after what it is compared with'),
    curl: text.describe('the last request as a command for bash; the key stands in it as "$TARGET_API_KEY"'),
  })
  .meta({ id: 'counterexample', description: 'What breaks the statement, with its evidence.' });

/** What came of anything that was judged. */
const judged = {
  verdict: z
    .enum(['pass', 'fail', 'warn', 'untested', 'inconclusive', 'waived'])
    .describe('warn: a broken should; waived: broken, and the operator answers for it'),
  reason: text.optional().describe('why there is no verdict, or what a reader should know about it'),
  optional: z
    .boolean()
    .optional()
    .describe('whether it may go untested: it would take a profile, or a lifetime, that there is not'),
  cases: count.describe('exchanges that were judged'),
  accepted: count.describe('how many of them were accepted'),
  broken: count.describe('how many of them broke the statement'),
  foundAfter: count
    .optional()
    .describe('responses that the run had seen when one that breaks it was among them'),
  inFlight: count.describe('most requests that were in flight together among those judged'),
};

const requirement = z
  .object({
    id: text.describe('stable; profiles and waivers refer to it'),
    section: text.describe('of the interface document'),
    source: text.optional().describe('the RFC that advises it; only where the level is should'),
    level: z
      .enum(['must', 'should', 'declared'])
      .describe('stated by the interface, advised by an RFC, or declared in the profile of the target'),
    needs: z
      .array(z.enum(questionIds))
      .optional()
      .describe('questions that a profile must answer for it to be tested'),
    statement: text,
    ...judged,
    counterexample: counterexample.optional(),
  })
  .meta({ id: 'requirement', description: 'One statement, and what came of it.' });

const own = z
  .object({
    id: text,
    statement: text,
    source: text.describe('the file that it stands in'),
    ...judged,
    counterexample: counterexample.optional(),
  })
  .meta({ id: 'own', description: "A statement of somebody's own suite, and what came of it." });

const question = z
  .object({
    id: z.enum(questionIds),
    section: text.describe('of the interface document'),
    question: text,
    answer: z.unknown().optional().describe('absent where there is none'),
    reason: text.optional().describe('why there is no answer'),
    untold: z.boolean().optional().describe('whether that is in the nature of the target'),
    declared: z.unknown().optional().describe("the profile's answer"),
    drift: z.boolean().optional().describe('whether the answer is another one than was declared'),
    exchanges: z.array(exchange).describe('a few of those that tell'),
    cases: count.describe('how many there are'),
    curl: text.optional().describe('the last of the exchanges as a command; only with drift'),
  })
  .meta({ id: 'question', description: 'One point that the interface leaves open. Never failed by itself.' });

const run = z.object({
  startedAt: text.describe('ISO 8601, UTC'),
  durationMs: count,
  seed: z.int().describe('every generated input follows from it'),
  requests: count.describe('all that were sent, those without a response included'),
  retries: count,
  throttled: count.describe('requests that the target asked to be sent later'),
  waitedMs: count.describe('how long the run stood still because the target asked for it'),
  inFlight: count.describe('most requests that were in flight together'),
  latency: z
    .record(text, z.object({ count, p50: z.number(), p90: z.number(), p99: z.number() }))
    .describe('how long accepted requests took, by operation: their number, and percentiles in milliseconds'),
  strict: z.boolean().describe('whether an advisory finding fails the run'),
  stopped: text.optional().describe('why it ended early, if it did'),
  defects: z
    .array(text)
    .optional()
    .describe('what went wrong with the suite itself: then there is no verdict'),
});

/** The format of `conformance.json`: the type `Report`. */
export const reportSchema = z.object({
  schemaVersion: z
    .literal(1)
    .describe('rises when a member goes or changes its meaning; members may be added at any time'),
  suite: z.object({ name: text, version: text }).describe('what made the report'),
  target: z.object({
    baseUrl: text,
    name: text.optional().describe('as its profile calls it'),
    embedded: z.literal(true).optional().describe('the reference service, as no target was named'),
  }),
  run,
  verdict: z
    .enum(['conforms', 'does-not-conform', 'inconclusive'])
    .describe('exit code 0, 1 or 3; inconclusive: something required went untested'),
  requirements: z.array(requirement).min(1),
  own: z
    .array(own)
    .optional()
    .describe('what suites of the operator have found, with --suite: no part of the verdict'),
  ownCounts: z
    .literal(true)
    .optional()
    .describe('with --suite-counts: what they have found counts for the exit code all the same'),
  questions: z.array(question).describe('what the interface leaves open, and how the target answers'),
  created: z
    .object({
      tag: text.describe('what every address of the run carries'),
      customers: z.array(text).describe('ids of the customers that were created, as far as responses told'),
    })
    .optional()
    .describe('what the run has left at the target; absent where nothing ran to its end'),
});
