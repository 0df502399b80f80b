import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Report } from '../schemas/report.ts';
import { readReport } from './read.ts';
import { sampleCounterexample, sampleQuestion, sampleReport, sampleRequirement } from './sample.testing.ts';

/** A file in a folder of its own. @param content as it is, or as JSON */
export function written(content: unknown): string {
  const path = join(mkdtempSync(join(tmpdir(), 'cts-')), 'conformance.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

/** A requirement of a report: a `must` with three cases by default. */
export const requirement = (
  id: string,
  verdict: string,
  { counterexample, ...more }: { readonly counterexample?: object; readonly [member: string]: unknown } = {},
): object => ({
  ...sampleRequirement({ id, statement: `The statement of ${id}.`, cases: 3, accepted: 3 }),
  verdict,
  ...more,
  ...(counterexample && { counterexample: { ...sampleCounterexample('x'), ...counterexample } }),
});

/** A report that was written, then read. */
export const report = (
  requirements: readonly object[],
  {
    run = {},
    questions = [],
    ...more
  }: {
    readonly run?: object;
    readonly questions?: readonly object[];
    readonly [member: string]: unknown;
  } = {},
): Report =>
  readReport(
    written({
      ...sampleReport([], { verdict: 'conforms', target: { baseUrl: 'https://staging.example.com' } }),
      ...more,
      run: { ...sampleReport([]).run, seed: 1, ...run },
      requirements,
      questions: questions.map((question) => ({ ...sampleQuestion(''), answer: undefined, ...question })),
    }),
  );
