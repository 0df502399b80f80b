import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { UsageError } from '../settings/settings.ts';
import type { Report } from '../schemas/report.ts';
import { report as reportSchema } from '../schemas/report.ts';

const text = z.string().max(100_000);
const count = z.number().nonnegative();

const requirement = z.object({
  id: text.min(1).max(200),
  section: text,
  level: z.enum(['must', 'should', 'declared']),
  statement: text,
  verdict: z.enum(['pass', 'fail', 'warn', 'untested', 'inconclusive', 'waived']),
  reason: text.optional(),
  cases: count,
  broken: count.default(0),
  optional: z.boolean().optional(),
  counterexample: z.object({ expected: text, actual: text, reproduced: text }).optional(),
});

const question = z.object({
  id: text.min(1).max(200),
  section: text,
  question: text,
  answer: z.json().optional(),
  declared: z.json().optional(),
  drift: z.boolean().optional(),
});

const latency = z.object({ count, p50: count, p90: count, p99: count });

/** A list by id. A file may hold anything: an id that comes twice would hide one of the two. */
const byId = <T extends { id: string }>(item: z.ZodType<T>) =>
  z
    .array(item)
    .max(10_000)
    .refine((list) => new Set(list.map(({ id }) => id)).size === list.length, {
      error: 'expected each id once',
    })
    .transform((list): ReadonlyMap<string, T> => new Map(list.map((one) => [one.id, one])));

const report = z.object({
  schemaVersion: z.literal(1),
  suite: z.object({ name: text, version: text }),
  target: z.object({ baseUrl: text, name: text.optional(), embedded: z.boolean().default(false) }),
  run: z.object({
    startedAt: z.iso.datetime(),
    durationMs: count,
    seed: z.number(),
    requests: count,
    strict: z.boolean().default(false),
    stopped: text.optional(),
    // Reports of version 0.1 have none.
    latency: z
      .record(text.max(200), latency)
      .default({})
      .transform((all): ReadonlyMap<string, z.infer<typeof latency>> => new Map(Object.entries(all))),
  }),
  verdict: z.enum(['conforms', 'does-not-conform', 'inconclusive']),
  requirements: byId(requirement),
  questions: byId(question),
});

/** A report as it was read from a file, as far as reports are compared. Any text in it may be hostile. */
export type ReadReport = z.infer<typeof report>;
export type ReadRequirement = z.infer<typeof requirement>;
export type ReadQuestion = z.infer<typeof question>;
export type ReadLatency = z.infer<typeof latency>;

const FILE = 'conformance.json';

/**
 * Reads the whole of `conformance.json`, to make other reports of it.
 * @param folder that holds it
 * @throws {UsageError} which names the file
 */
export function readWholeReport(folder: string): Report {
  const path = join(folder, FILE);
  try {
    return reportSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    throw new UsageError(
      `${path}: it is not the report of a run, or can't be read; name the folder of a run`,
    );
  }
}

/** Bytes; a report with every statement broken has far less than one megabyte. */
const MOST = 64 * 1024 * 1024;

/**
 * Reads `conformance.json`.
 * @param named the file, or a folder that holds one
 * @throws {UsageError} which names the file and says what is wrong with it
 */
export function readReport(named: string): ReadReport {
  let path = named;
  let source: string;
  try {
    if (statSync(named).isDirectory()) path = join(named, FILE);
    const { size } = statSync(path);
    if (size > MOST) throw new UsageError(`${path}: it is too long to be a report (${size} bytes)`);
    source = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(`${path}: it can't be read (${code}); name a ${FILE}, or a folder that holds one`);
  }
  let result: z.ZodSafeParseResult<ReadReport>;
  try {
    result = report.safeParse(JSON.parse(source.replace(/^\uFEFF/, '')));
  } catch (error) {
    const what = error instanceof RangeError ? 'it is nested too deep to be a report' : 'it is not JSON';
    throw new UsageError(`${path}: ${what}; a run writes its report to ${FILE}`);
  }
  if (result.success) return result.data;
  const { path: place, message } = result.error.issues[0]!;
  throw new UsageError(
    place[0] === 'schemaVersion'
      ? `${path}: it is not a report of this suite's schema version, 1`
      : `${path}: it is not a report that cts-conformance has written: at /${place.map(String).join('/')}: ${message}`,
  );
}
