import type { Counterexample } from '../schemas/case.ts';
import type { RecordedExchange } from '../schemas/exchange.ts';
import type { Report, ReportedQuestion, ReportedRequirement } from '../schemas/report.ts';

/** A report for tests of renderers; unlike that of a run, it contains only what a test needs. */
export const sampleReport = (
  requirements: readonly ReportedRequirement[],
  { run, ...others }: Partial<Omit<Report, 'run'>> & { readonly run?: Partial<Report['run']> } = {},
): Report => ({
  schemaVersion: 1,
  suite: { name: 'cts-conformance', version: '1.2.3' },
  target: { baseUrl: 'https://staging.example.com/api' },
  verdict: 'does-not-conform',
  questions: [],
  sentences: [],
  requirements,
  run: {
    startedAt: '2026-03-01T12:00:00.250Z',
    durationMs: 5250,
    seed: 42,
    latency: {},
    requests: 400,
    retries: 0,
    throttled: 0,
    waitedMs: 0,
    inFlight: 16,
    strict: false,
    ...run,
  },
  ...others,
});

/** A requirement that passes by default. */
export const sampleRequirement = (change: Partial<ReportedRequirement> = {}): ReportedRequirement => ({
  id: 'customer.name.echoed',
  section: '4.1',
  level: 'must',
  statement: 'name equals the submitted name.',
  verdict: 'pass',
  cases: 10,
  accepted: 10,
  broken: 0,
  inFlight: 4,
  ...change,
});

/** A failed requirement, with the given text wherever text of the target can occur. */
export const brokenRequirement = (
  text: string,
  change: Partial<ReportedRequirement> = {},
): ReportedRequirement =>
  sampleRequirement({ verdict: 'fail', broken: 1, counterexample: sampleCounterexample(text), ...change });

export const sampleCounterexample = (text: string): Counterexample => ({
  expected: `"Ada", as submitted, not ${text}`,
  actual: text,
  pointer: '/name',
  scenarios: ['plain customers'],
  category: 'plain',
  input: { name: 'Ada' },
  originalInput: { name: 'Ada Berg' },
  seed: 42,
  path: '3:0',
  shrinks: 1,
  reproduced: '3/3',
  exchanges: [sampleExchange(text)],
  curl: `curl -sS -i -X POST 'https://staging.example.com/api/v1/customers' # ${text}`,
});

/** An exchange with the given text in the headers and the body of its response. */
export const sampleExchange = (text: string): RecordedExchange => ({
  number: 7,
  queue: 'plain customers',
  request: {
    method: 'POST',
    url: 'https://staging.example.com/api/v1/customers',
    headers: [
      ['Authorization', 'Bearer [key]'],
      ['Content-Type', 'application/json'],
      ['Accept', 'application/json'],
      ['User-Agent', 'cts-conformance/0.1.0'],
    ],
    body: '{"name":"Ada"}',
  },
  response: { status: 201, headers: { 'content-type': 'application/json', 'x-note': text }, body: text },
  troubles: [],
  startedAt: 100,
  firstByte: 20,
  duration: 25,
  inFlight: 3,
});

/** A question with the given answer. */
export const sampleQuestion = (text: string, change: Partial<ReportedQuestion> = {}): ReportedQuestion => ({
  id: 'error.body',
  section: '7',
  question: 'What does the body of a rejection look like?',
  asked: 'observed',
  answer: text,
  exchanges: [],
  cases: 3,
  ...change,
});
