import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readReport } from '../read.ts';
import type { ReadReport } from '../read.ts';

/** A file of a folder of its own. @param content as it is, or as JSON */
export function written(content: unknown): string {
  const path = join(mkdtempSync(join(tmpdir(), 'cts-')), 'conformance.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

/** A requirement of a report: a `must` in three cases, unless told otherwise. */
export const requirement = (id: string, verdict: string, more: object = {}): object => ({
  id,
  level: 'must',
  section: '4.1',
  statement: `The statement of ${id}.`,
  verdict,
  cases: 3,
  ...more,
});

/** A report as it is written, then read. */
export const report = (
  requirements: readonly object[],
  { run = {}, ...more }: { readonly run?: object; readonly [member: string]: unknown } = {},
): ReadReport =>
  readReport(
    written({
      schemaVersion: 1,
      suite: { name: 'cts-conformance', version: '0.1.0' },
      target: { baseUrl: 'https://staging.example.com' },
      verdict: 'conforms',
      questions: [],
      ...more,
      run: { startedAt: '2026-11-21T15:00:00.000Z', durationMs: 1, seed: 1, requests: 9, ...run },
      requirements,
    }),
  );
