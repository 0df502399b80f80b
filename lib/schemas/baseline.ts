import { z } from 'zod';
import { list } from './exchange.ts';
import { schemaVersion } from './json.ts';

const text = z.string();

/** The failures of an earlier run, which are known. */
export const baseline = z
  .object({
    startedAt: text.describe('when that run began, ISO 8601'),
    version: text.describe('of the suite that made it'),
    baseUrl: text.describe('of the target of that run'),
    until: text.exactOptional().describe('last day on which its failures are only known, UTC'),
    broken: list(text).describe('ids of the requirements that failed, or warned'),
    cases: z.int().exactOptional().describe('cases of the widest input in that run'),
    causes: z
      .record(text, text)
      .exactOptional()
      .describe('the id of the likely cause of each, where it is known'),
  })
  .readonly();
export type Baseline = z.infer<typeof baseline>;

const NO_VERDICT = 'it is of a run without a verdict; name the report of a run that has one';
const REPORT = 'expected the conformance.json of an earlier run';

/** The members of `conformance.json` that a baseline needs: a report of an older version may lack others. */
export const baselineSchema = z
  .object(
    {
      schemaVersion,
      suite: z.object({ version: text }, { error: REPORT }),
      target: z.object({ baseUrl: text }, { error: REPORT }),
      run: z.object(
        { startedAt: z.iso.datetime({ error: REPORT }), cases: z.int().optional() },
        { error: REPORT },
      ),
      verdict: z
        .string({ error: REPORT })
        .refine((verdict) => verdict !== 'inconclusive', { error: NO_VERDICT }),
      requirements: z.array(z.object({ id: text, verdict: text, cause: z.object({ id: text }).optional() }), {
        error: REPORT,
      }),
    },
    { error: REPORT },
  )
  .transform(({ suite, target, run, requirements }): Baseline => {
    const broken = requirements.filter(({ verdict }) => BROKEN.includes(verdict));
    return {
      startedAt: run.startedAt,
      version: suite.version,
      baseUrl: target.baseUrl,
      ...(run.cases !== undefined && { cases: run.cases }),
      broken: broken.map(({ id }) => id),
      causes: Object.fromEntries(broken.flatMap(({ id, cause }) => (cause ? [[id, cause.id]] : []))),
    };
  });

/** A waived failure is not among them: its waiver alone says until when it may last. */
const BROKEN: readonly string[] = ['fail', 'warn', 'known'];
