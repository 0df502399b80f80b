import { z } from 'zod';
import { list, recordedExchange } from './exchange.ts';
import { schemaVersion } from './json.ts';

const text = z.string();

/** The verdict on a requirement. */
export const verdict = z
  .enum(['pass', 'fail', 'warn', 'known', 'untested', 'inconclusive', 'waived'])
  .describe(
    'warn: a broken should; known: broken, as in the baseline; waived: broken, and the profile waives it',
  );

/** The minimal input found that breaks a requirement, with its evidence. Redacted. */
export const counterexample = z
  .object({
    expected: text.describe('every outcome that would have been right'),
    actual: text.describe('the actual outcome'),
    pointer: text.exactOptional().describe('JSON pointer (RFC 6901) into the body of the last response'),
    from: text.exactOptional().describe('the saved case that was replayed; absent where this run found it'),
    scenarios: list(text).describe(
      'the scenario that the input belongs to; two for a comparison of two inputs; none where an answer drifted',
    ),
    category: text.describe('category of the input'),
    input: z.unknown().describe('the minimal input; a list of two for a comparison'),
    originalInput: z.unknown().describe('the input before it was minimised'),
    seed: z.int(),
    path: text.describe("place in the scenario, then fast-check's path of the shrinking"),
    shrinks: z.int().min(0).describe('steps by which the input was minimised'),
    reproduced: text.regex(/^\d+\/\d+$/).describe('how often it was reproduced, such as 3/3'),
    alone: z
      .enum(['fails', 'passes'])
      .exactOptional()
      .describe(
        'the outcome of the same request, to the byte, with nothing else in flight, where it differs from that of the attempts to reproduce it',
      ),
    exchanges: list(recordedExchange).describe(
      'the exchange that breaks the requirement comes last, after those that it is compared with',
    ),
    curl: text.describe('the last request as a bash command; "$TARGET_API_KEY" stands for the key'),
  })
  .meta({ id: 'counterexample', description: 'What breaks a requirement, with its evidence.' });

/** `cases/ID.json`: a counterexample, which `replay` sends again. */
export const caseFile = z.object({
  schemaVersion,
  requirement: text.describe('id'),
  verdict,
  statement: text,
  counterexample,
});

/** The members of a case file that a replay needs: a file of an older version may lack others. */
export const replayableCase = caseFile.pick({ schemaVersion: true, requirement: true }).extend({
  counterexample: counterexample
    .pick({
      scenarios: true,
      category: true,
      input: true,
      reproduced: true,
      alone: true,
    })
    .extend({
      exchanges: list(z.object({ request: z.object({ url: text }) })).exactOptional(),
    }),
});

export type FindingVerdict = z.infer<typeof verdict>;
export type Counterexample = Readonly<z.infer<typeof counterexample>>;
export type CaseFile = Readonly<z.infer<typeof caseFile>>;

/** The counts of a result without a judged exchange. */
export const NOTHING_JUDGED = { cases: 0, accepted: 0, broken: 0, inFlight: 0 } as const;
