import fc from 'fast-check';
import type { Counterexample } from '../schemas/case.ts';
import type {
  CustomFinding,
  Report,
  ReportedQuestion,
  ReportedRequirement,
  ReportedSentence,
} from '../schemas/report.ts';
import { catalogue } from '../../suites/catalogue.ts';
import { suite } from '../settings/package-root.ts';

const requirementIds = catalogue.requirements.map(({ id }) => id);
const questionIds = catalogue.questions.map(({ id }) => id);

/** Pieces with an effect on terminals, logs, markup or spreadsheets, unless they are escaped. */
const active = fc.constantFrom(
  '\u001B[2J',
  '\u009B31m',
  '\r',
  '\n',
  '\u202E',
  '\u2028',
  '\u0000',
  '\uFFFE',
  '\uD800',
  '\uDC00',
  ']]>',
  '<!--',
  '</testcase>',
  '<script>',
  '"',
  "'",
  '&',
  '&#x1b;',
  '##[error]',
  '##vso[',
  '\n::error::',
  '`',
  '](',
  '=1+1',
  '__proto__',
);

/** Any text that a target may send. */
export const anyText: fc.Arbitrary<string> = fc
  .array(fc.oneof(active, fc.string({ unit: 'binary', maxLength: 10 })), { maxLength: 6 })
  .map((parts) => parts.join(''));

/** Objects that may lack some of their members. */
const partly = <R extends object, O extends object>(
  required: { [K in keyof R]: fc.Arbitrary<R[K]> },
  optional: { [K in keyof O]: fc.Arbitrary<O[K]> },
): fc.Arbitrary<R & Partial<O>> =>
  fc
    .tuple(fc.record(required), fc.record(optional, { requiredKeys: [] }))
    .map(([one, other]) => ({ ...one, ...other }) as R & Partial<O>);

const exchange = fc.record({
  number: fc.nat().map((number) => number + 1),
  queue: anyText,
  request: fc.record({
    method: fc.constantFrom('POST', 'GET'),
    url: anyText,
    headers: fc.array(fc.tuple(anyText, anyText), { maxLength: 3 }),
    body: anyText,
  }),
  response: fc.record({ status: fc.nat(999), headers: fc.dictionary(anyText, anyText), body: anyText }),
  troubles: fc.array(fc.record({ kind: fc.constant('reset' as const), detail: anyText }), { maxLength: 1 }),
  startedAt: fc.nat(),
  firstByte: fc.nat(),
  duration: fc.nat(),
  inFlight: fc.nat(),
});

/** @param described the texts of the checks, which have made them printable */
const counterexample = (described: fc.Arbitrary<string>): fc.Arbitrary<Counterexample> =>
  partly(
    {
      expected: described,
      actual: described,
      scenarios: fc.constant(['plain customers']),
      category: anyText,
      input: fc.jsonValue(),
      originalInput: fc.jsonValue(),
      seed: fc.integer(),
      path: fc.constant('0:1'),
      shrinks: fc.nat(),
      reproduced: fc.constantFrom('3/3', '1/3'),
      exchanges: fc.array(exchange, { minLength: 1, maxLength: 2 }),
      curl: fc.constant('curl'),
    },
    { pointer: anyText },
  );

/** The members of every result. */
const judged = {
  cases: fc.nat(500),
  accepted: fc.nat(500),
  broken: fc.nat(500),
  inFlight: fc.nat(16),
};

/** Text of the suite or the settings, which is any text in a file that was edited. */
type Own = (...texts: readonly string[]) => fc.Arbitrary<string>;

const requirement = (described: fc.Arbitrary<string>, own: Own): fc.Arbitrary<ReportedRequirement> =>
  partly(
    {
      id: own(...requirementIds),
      section: own('4.1'),
      level: fc.constantFrom('must', 'should', 'declared'),
      statement: own('name equals the submitted name.'),
      verdict: fc.constantFrom('pass', 'fail', 'warn', 'known', 'untested', 'inconclusive', 'waived'),
      ...judged,
    },
    { counterexample: counterexample(described), reason: anyText, source: own('RFC 9110, section 6.6.1') },
  );

/** A finding of a custom suite: its texts are untrusted. */
const customFinding = (described: fc.Arbitrary<string>): fc.Arbitrary<CustomFinding> =>
  partly(
    {
      id: fc.constantFrom('acme.order.item', 'a b/\u202E.suite.mjs'),
      source: anyText,
      statement: anyText,
      verdict: fc.constantFrom('pass', 'fail', 'untested', 'inconclusive'),
      ...judged,
    },
    { counterexample: counterexample(described), reason: anyText },
  );

const question = (own: Own): fc.Arbitrary<ReportedQuestion> =>
  partly(
    {
      id: own(...questionIds),
      section: own('2'),
      question: own('Which?'),
      asked: fc.constantFrom('observed', 'probed', 'operator'),
      exchanges: fc.array(exchange, { maxLength: 1 }),
      cases: fc.nat(),
    },
    { answer: fc.oneof(anyText, fc.dictionary(anyText, anyText), fc.array(anyText)), reason: anyText },
  );

/** A sentence as a report that was edited may contain it. */
const sentence: fc.Arbitrary<ReportedSentence> = partly(
  {
    section: fc.oneof(fc.constantFrom('0', '4.1', '8'), anyText),
    text: anyText,
    tested: fc.array(fc.oneof(fc.constantFrom(...requirementIds), anyText), { maxLength: 3 }),
    asked: fc.array(fc.oneof(fc.constantFrom(...questionIds), anyText), { maxLength: 3 }),
  },
  { because: anyText },
);

/**
 * Any report.
 * @param described the texts of the checks, which have made them printable
 * @param isEdited whether the texts of the suite and the settings are any text, too
 */
export const anyReport = (described: fc.Arbitrary<string>, isEdited = false): fc.Arbitrary<Report> => {
  const own: Own = (...texts) => (isEdited ? anyText : fc.constantFrom(...texts));
  return fc.record({
    schemaVersion: fc.constant(1 as const),
    suite: fc.record({ name: own(suite.name), version: own(suite.version) }),
    target: fc.record({ baseUrl: own('http://localhost:1/api'), name: anyText }),
    run: fc.record({
      startedAt: own('2026-01-01T00:00:00.000Z'),
      durationMs: fc.nat(),
      seed: fc.integer(),
      requests: fc.nat(),
      retries: fc.nat(),
      throttled: fc.nat(2),
      waitedMs: fc.nat(),
      inFlight: fc.nat(),
      latency: fc.constant({}),
      strict: fc.boolean(),
      stopped: anyText,
    }),
    verdict: fc.constantFrom('conforms', 'does-not-conform', 'inconclusive'),
    requirements: fc.uniqueArray(requirement(described, own), {
      selector: ({ id }) => id,
      minLength: 1,
      maxLength: 5,
    }),
    questions: fc.uniqueArray(question(own), { selector: ({ id }) => id, maxLength: 4 }),
    sentences: fc.array(sentence, { maxLength: 3 }),
    created: fc.record({ runId: own('k3j2'), customers: fc.array(anyText, { maxLength: 1 }) }),
    custom: fc.uniqueArray(customFinding(described), { selector: ({ id }) => id, maxLength: 2 }),
  });
};
