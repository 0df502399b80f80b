import { z } from 'zod';
import { baseline as knownFailures } from './baseline.ts';
import { counterexample, verdict } from './case.ts';
import { httpVersion, list, recordedExchange } from './exchange.ts';
import { json, schemaVersion } from './json.ts';

const text = z.string();
const count = z.int().min(0);

const cause = z
  .object({
    id: text.describe('equal for causes of the same kind'),
    text: text.describe('such as: white space trimmed at both ends'),
    next: text.describe('what to do about it'),
  })
  .describe(
    'the likely cause, where one known transformation or rule of comparison explains every failed case',
  );

const failedCase = z.object({
  exchange: count.describe('number of the exchange'),
  scenario: text,
  category: text.describe('category of the input'),
  actual: text.describe('the actual outcome'),
});

/** The result of judging a requirement of the interface, or one of a custom suite. */
const finding = z.object({
  id: text.describe('of the requirement; stable: waivers refer to it, except to that of a custom suite'),
  verdict,
  reason: text.exactOptional().describe('why there is no verdict, or a remark on it'),
  blockedBy: list(text)
    .exactOptional()
    .describe('the requirements whose failure leaves this one nothing to judge'),
  optional: z
    .boolean()
    .exactOptional()
    .describe(
      'whether it may go untested: it was not selected, or needs a profile or a token lifetime that is not available',
    ),
  cases: count.describe('exchanges that were judged'),
  accepted: count.describe('how many of them were accepted'),
  broken: count.describe('how many of them broke the requirement'),
  failedCases: list(failedCase)
    .exactOptional()
    .describe('the first of those that broke it, in the order of their exchanges'),
  sample: count.exactOptional().describe('number of an exchange that was judged and passes'),
  foundAfter: count.exactOptional().describe('number of the first exchange that broke it'),
  inFlight: count.describe('most requests that were in flight together among those judged'),
  unjudged: count
    .exactOptional()
    .describe(
      'requests with invalid credentials that were not judged, as the target rejected them because there were too many, or did not answer them; only of a pass',
    ),
  cause: cause.exactOptional(),
  counterexample: counterexample.exactOptional(),
});

const requirement = z
  .object({
    section: text.describe('of the interface document'),
    source: text.exactOptional().describe('the RFC that recommends it; only where the level is should'),
    level: z
      .enum(['must', 'should', 'declared'])
      .describe('stated by the interface, recommended by an RFC, or declared in the profile of the target'),
    needs: list(text).exactOptional().describe('questions that a profile must answer for it to be tested'),
    statement: text,
    problem: text.exactOptional().describe('what is wrong, as a sentence; only of a failure'),
    sentence: text
      .exactOptional()
      .describe('the sentence of the interface, or of the RFC, that it was read from, as Markdown'),
    why: text.exactOptional().describe('what the interface or the RFC says about it, and why it matters'),
    tested: text.exactOptional().describe('which requests are judged, and how'),
    ...finding.shape,
  })
  .meta({ id: 'requirement', description: 'A requirement, and its result.' });

const customFinding = z
  .object({
    statement: text,
    file: text.describe('the file that defines it, by its path in the folder of the suites'),
    ...finding.shape,
  })
  .meta({ id: 'custom', description: 'A requirement of a custom suite, and its result.' });

const question = z
  .object({
    id: text,
    section: text.describe('of the interface document'),
    question: text,
    asked: z
      .enum(['observed', 'probed', 'operator'])
      .describe('answered from exchanges of every run, by its own requests, or by the operator alone'),
    answer: json.exactOptional().describe('absent where there is none'),
    reason: text.exactOptional().describe('why there is no answer'),
    unanswerable: z.boolean().exactOptional().describe('whether this target can have no answer'),
    declared: json.exactOptional().describe("the profile's answer"),
    drift: z.boolean().exactOptional().describe('whether the answer differs from the declared one'),
    exchanges: list(recordedExchange).describe('some of those that answer it'),
    cases: count.describe('how many there are'),
    curl: text.exactOptional().describe('the last of the exchanges as a command; only with drift'),
  })
  .meta({
    id: 'question',
    description: 'A point that the interface leaves open. Never a failure on its own.',
  });

const sentence = z
  .object({
    section: text.describe('of the interface document; 0: before the first'),
    text: text.describe('verbatim; a row of a table with its bars'),
    tested: list(text).describe('requirements that test it'),
    asked: list(text).describe('questions about the points that it leaves open'),
    reason: text.exactOptional().describe('why it has neither; only where both lists are empty'),
  })
  .meta({
    id: 'sentence',
    description: 'A sentence of the interface, or a row of a table, with its requirements and questions.',
  });

const latency = z.object({ count, p50: z.number(), p90: z.number(), p99: z.number() });

const run = z.object({
  startedAt: text.describe('ISO 8601, UTC'),
  durationMs: count,
  http: httpVersion.exactOptional().describe('the version of HTTP that was spoken'),
  seed: z.int().describe('every generated input follows from it'),
  cases: count.exactOptional().describe('cases of the widest scenario, all shards together'),
  wantedCases: count
    .exactOptional()
    .describe('cases by --depth or --cases, if the limits of the run allowed fewer'),
  shard: z
    .object({ index: count, count })
    .exactOptional()
    .describe('which part of the cases the run had, of how many; absent: all'),
  requests: count.describe('all requests that were sent, including those without a response'),
  customers: z
    .object({ requested: count, accepted: count })
    .exactOptional()
    .describe('customers that were requested with the right key, and how many of them were accepted'),
  retries: count,
  trouble: text.exactOptional().describe('what most retries followed; absent where there were none'),
  throttled: count.describe('requests that the target asked to send later'),
  waitedMs: count.describe('how long the run, or some of its requests, waited because of that'),
  outages: count.exactOptional().describe('how often the target was unavailable for a while; absent: never'),
  unavailableMs: count.exactOptional().describe('how long it was unavailable, in all'),
  inFlight: count.describe('most requests that were in flight together'),
  latency: z
    .record(text, latency)
    .describe('how long accepted requests took, by operation: their number, and percentiles in milliseconds'),
  strict: z.boolean().describe('whether a failed recommended requirement fails the run'),
  only: text.exactOptional().describe('the selected ids, * for any text; absent: all'),
  unfinished: z
    .literal(true)
    .exactOptional()
    .describe('the run has begun and has not ended: it is under way, or was killed; nothing is known of it'),
  stopped: text.exactOptional().describe('why it ended early, if it did'),
  defects: list(text).exactOptional().describe('errors of the suite itself; with any there is no verdict'),
});

const baseline = z.object({
  ...knownFailures.unwrap().omit({ broken: true, causes: true }).shape,
  expired: z.literal(true).exactOptional().describe('that day is over: its failures fail the run'),
  known: list(text).describe('requirements that fail in both runs'),
  otherCause: list(text)
    .exactOptional()
    .describe('those of them whose failures the likely cause in the baseline no longer explains'),
  new: list(text).describe('requirements that fail in this run only'),
  fixed: list(text).describe('requirements that fail in the baseline and pass in this run'),
  untested: list(text)
    .exactOptional()
    .describe(
      'requirements that fail in the baseline and were not tested as much in this run: without a verdict, or passed with fewer cases',
    ),
});

const created = z.object({
  runId: text.describe('what every address of the run contains'),
  customers: list(text).describe('ids of the created customers, as far as responses showed them'),
});

/** `conformance.json`: the results of a run; every other report is rendered from it. */
export const report = z.object({
  schemaVersion,
  suite: z.object({ name: text, version: text }).describe('what made the report'),
  target: z.object({
    baseUrl: text,
    name: text.exactOptional().describe('from its profile, or as --name says'),
    embedded: z.literal(true).exactOptional().describe('the reference service, as no target was named'),
    route: text
      .exactOptional()
      .describe('how it was reached, in words, such as through a proxy; absent: directly'),
  }),
  run,
  verdict: z
    .enum(['conforms', 'selection-passes', 'no-new-failures', 'does-not-conform', 'inconclusive'])
    .describe(
      'exit code 0, 0, 0, 1 or 3; selection-passes: only some requirements were selected, and they pass; no-new-failures: it does not conform, but all that fails is known from the baseline; inconclusive: something required went untested, or something that counts was tested too little',
    ),
  requirements: list(requirement),
  causes: list(cause.extend({ requirements: list(text) }))
    .exactOptional()
    .describe(
      'the likely causes of failures, with the requirements that each explains, the most severe first',
    ),
  baseline: baseline.exactOptional().describe('how the run compares with that of --baseline'),
  custom: list(customFinding)
    .exactOptional()
    .describe('results of custom suites, with --suite; not part of the verdict'),
  customCounts: z
    .literal(true)
    .exactOptional()
    .describe('with --suite-counts: results of custom suites affect the exit code'),
  questions: list(question).describe('the open questions, and the answers of the target'),
  sentences: list(sentence).describe(
    'every sentence of the interface, in its order, with its requirements and questions',
  ),
  created: created.exactOptional().describe('test data left on the target; absent where the run did not end'),
});

export type ReportedCause = Readonly<NonNullable<Report['causes']>[number]>;
export type FailedCase = Readonly<z.infer<typeof failedCase>>;
/** The result of judging a requirement. Plain JSON: it is the meta of a Vitest task. */
export type Finding = Readonly<z.infer<typeof finding>>;
export type Report = Readonly<z.infer<typeof report>>;
export type ReportedRequirement = Readonly<z.infer<typeof requirement>>;
export type ReportedQuestion = Readonly<z.infer<typeof question>>;
export type ReportedSentence = Readonly<z.infer<typeof sentence>>;
export type CustomFinding = Readonly<z.infer<typeof customFinding>>;
export type BaselineComparison = Readonly<z.infer<typeof baseline>>;
export type Created = Readonly<z.infer<typeof created>>;
/** Milliseconds from sending a request to its complete response, over the successful requests of one operation. */
export type Latency = Readonly<z.infer<typeof latency>>;
export type Verdict = Report['verdict'];
export type Level = ReportedRequirement['level'];
