/**
 * The conformance suites, a chapter a file. They are loaded together, so that their experiments
 * share one connection pool and one budget, and overlap in time.
 */
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { writeLines } from '../lib/engine/write-lines.ts';
import { loadOwn } from './own.ts';
import { run, told } from './run.ts';
import './customers.ts';
import './tokens.ts';
import './authentication.ts';
import './token-life.ts';
import './good-practice.ts';
import './questions/customers.ts';
import './questions/tokens.ts';
import './questions/service.ts';

const { customSuites, evidence: judged } = run.settings;
const own = customSuites === undefined || judged !== undefined ? undefined : loadOwn(run, customSuites);

// Vitest reads the pattern to see which fixtures a hook wants: none.
afterAll(async ({}, suite) => {
  await run.target.close();
  await own?.target.close();
  const { traffic } = run.target;
  suite.file.meta.traffic = { ...traffic, requests: traffic.requests + (own?.target.traffic.requests ?? 0) };
  suite.file.meta.secrets = told.secrets();
  suite.file.meta.created = {
    runId: run.tag,
    customers: [...run.created, ...(own?.created ?? [])].map((id) => run.target.redactor.redact(id)),
  };
  const { out, replay, evidence } = run.settings;
  if (replay || evidence !== undefined) return;
  // The reporter makes the rest of it, and puts it in its place.
  const part = join(out, `evidence.ndjson.${process.pid}.part`);
  suite.file.meta.evidence = await writeLines(part, run.recording.lines(run.target.redactor));
});
