import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readEvidence } from '../experiment/recorded.ts';
import type { Report } from '../report/model.ts';
import { writePage } from '../report/write.ts';
import { printable } from '../requirements/printable.ts';
import { UsageError } from '../settings/settings.ts';
import { readFlags } from './flags.ts';

const help = `cts render: makes index.html again, from the files of a run alone; nothing is sent

Usage: cts render FOLDER

FOLDER holds the conformance.json of a run and, where there is one, its evidence.ndjson. Its index.html is
written anew.

Example:
  cts render reports

Exit codes:
  0  it was written
  2  wrong usage, or a file that is not of a run
`;

const id = z.string().regex(/^[\w.-]{1,80}$/);

/** As much of a report as must be right for a page to be made of it. */
const shape = z.looseObject({
  schemaVersion: z.literal(1),
  suite: z.object({ name: z.string(), version: z.string() }),
  target: z.looseObject({ baseUrl: z.url() }),
  run: z.looseObject({ startedAt: z.iso.datetime(), durationMs: z.number(), strict: z.boolean() }),
  verdict: z.enum(['conforms', 'does-not-conform', 'inconclusive']),
  requirements: z.array(
    z.looseObject({
      id,
      section: z.string(),
      level: z.enum(['must', 'should', 'declared']),
      statement: z.string(),
      verdict: z.enum(['pass', 'fail', 'warn', 'untested', 'inconclusive', 'waived']),
      cases: z.int(),
      granted: z.int(),
      broken: z.int(),
      counterexample: z
        .looseObject({
          expected: z.string(),
          actual: z.string(),
          reproduced: z.string(),
          curl: z.string(),
          experiments: z.array(z.string()),
          exchanges: z.array(z.looseObject({ number: z.int() })),
        })
        .optional(),
    }),
  ),
  questions: z.array(
    z.looseObject({
      id,
      section: z.string(),
      question: z.string(),
      exchanges: z.array(z.looseObject({ number: z.int() })),
    }),
  ),
});

/** The command `cts render`. */
export async function render(args: readonly string[]): Promise<void> {
  const flags = readFlags(args, [], { mostPositionals: 1 });
  if (flags.help) {
    process.stdout.write(help);
    return;
  }
  const [folder] = flags.positionals;
  if (folder === undefined) throw new UsageError('render needs the folder of a run, such as reports');
  const path = join(folder, 'evidence.ndjson');
  const evidence = existsSync(path) ? readEvidence(path) : [];
  // Both files were redacted when they were written; which secrets there were is not known any more.
  await writePage(readReport(join(folder, 'conformance.json')), evidence, folder, (_, text) => text);
  process.stdout.write(`${printable(join(folder, 'index.html'))}\n`);
}

/** @throws {UsageError} when the file is not a report */
function readReport(path: string): Report {
  try {
    return shape.parse(JSON.parse(readFileSync(path, 'utf8'))) as unknown as Report;
  } catch {
    throw new UsageError(`${path}: it is not the conformance.json of a run, or cannot be read`);
  }
}
