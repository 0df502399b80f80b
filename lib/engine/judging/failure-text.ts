import { fieldIn } from '../../settings/headers.ts';
import { missingUsualFields } from '../../target/connections/as-sent.ts';
import type { RecordedExchange } from '../../schemas/exchange.ts';
import type { Counterexample } from '../../schemas/case.ts';
import { clipped, printable, quantity } from '../../target/output/printable.ts';
import { COMMAND } from '../../settings/package-root.ts';
import { shellQuoted } from '../../target/output/curl.ts';
import { isJsonType } from '../../target/reply.ts';
import type { CustomFinding, Finding, ReportedRequirement } from '../../schemas/report.ts';

/** A finding, with the words of its requirement. One of a custom suite has a file in place of a section. */
type Failed = Finding &
  Pick<ReportedRequirement, 'statement'> &
  Partial<Pick<ReportedRequirement, 'section' | 'source' | 'problem'> & Pick<CustomFinding, 'file'>>;

/** A name, and the lines that it stands for, which may come from the target: renderers make them inert. */
export type Fact = readonly [name: string, line: string, ...more: string[]];

/**
 * What to know about a failure, always in the same order: its likely cause, the request, the expected and the actual
 * outcome, the response, and how to reproduce it.
 * @param caseFile the path of its case; undefined if it can't be replayed
 */
export function failureFacts(
  { reason, counterexample, cause, broken, cases }: Failed,
  caseFile?: string,
): Fact[] {
  if (counterexample === undefined) return reason === undefined ? [] : [['because', clipped(reason, 600)]];
  const { exchanges, expected, actual, pointer, from, curl } = counterexample;
  const isCase = !isDrift(counterexample);
  const last = exchanges.at(-1);
  const pointerText = pointer === undefined ? '' : `${pointer || 'the whole body'}: `;
  const controls = exchanges.slice(0, isCase ? -1 : 0);
  const facts: (Fact | false | undefined)[] = [
    cause && ['cause', cause.text, cause.next],
    ...controls.flatMap((control): Fact[] => [
      ['control', ...requestLines(control)],
      ['answered', responseLine(control, 160)],
    ]),
    last && ['sent', ...requestLines(last)],
    [isCase ? 'expected' : 'declared', clipped(expected, 600)],
    [
      isCase ? 'got' : 'observed',
      `${pointerText}${clipped(actual, 600)}`,
      ...(last ? [`in ${responseLine(last)}`] : []),
    ],
    isCase && ['failed', `${broken} of ${quantity(cases, 'case')}; ${reproduction(counterexample)}`],
    from !== undefined && ['saved', `by an earlier run in ${from}; replayed first`],
    curl !== '' && [
      'resend',
      curl.length > MAX_CURL_LENGTH ? `too long; see ${caseFile ?? 'conformance.json'}` : curl,
    ],
    isCase && caseFile !== undefined && ['replay', replayCommand(caseFile)],
  ];
  return facts.filter((fact) => fact !== undefined && fact !== false);
}

/** Characters of a command that are shown. */
const MAX_CURL_LENGTH = 1500;

/** The facts that show a failure by an example, each on one line. */
export const exampleFacts = (failed: Failed): Fact[] =>
  failureFacts(failed)
    .filter(([name]) => EXAMPLE.includes(name))
    // Nearly every request has the key.
    .map(([name, ...lines]) => [name, clipped(lines.filter((line) => line !== USUAL_KEY).join(', '), 240)]);

const EXAMPLE = ['sent', 'expected', 'got'];
const USUAL_KEY = 'Authorization: Bearer [key]';

/** Some of the facts, each by its first line. */
export const firstLines = (facts: readonly Fact[], names: readonly string[]): Fact[] =>
  facts.filter(([name]) => names.includes(name)).map(([name, line]) => [name, line]);

/** The facts of a failure that say why it is one. */
export const REASONS = ['because', 'expected', 'declared', 'got', 'observed', 'failed'];

/** Facts as lines that are safe in a terminal and a log. */
export const factLines = (facts: readonly Fact[]): string[] =>
  facts.flatMap(([name, ...lines]) =>
    lines.map((line, at) => `  ${at === 0 ? name : ''}`.padEnd(FACT_INDENT) + printable(line)),
  );

/** Columns before the line of a fact. */
export const FACT_INDENT = 12;

/** The text of a failure: the requirement with its section, and the facts. @param caseFile as in {@link failureFacts} */
export const failureText = (failed: Failed, caseFile?: string): string =>
  [failureTitle(failed), ...factLines(failureFacts(failed, caseFile))].join('\n');

/** The first line of the text of a failure. */
export const failureTitle = (failed: Failed): string => {
  const { id, source, file, section } = failed;
  return printable(`${id} (${source ?? file ?? `section ${section}`}): ${titleOf(failed)}`);
};

/** The problem, or the statement that is not met. */
export const titleOf = ({ statement, problem }: Pick<Failed, 'statement' | 'problem'>): string =>
  problem ?? statement;

/** Whether the counterexample is a declared answer that does not hold: it has no case to replay. */
export const isDrift = ({ scenarios }: Counterexample): boolean => scenarios.length === 0;

/** Where a run writes the case of a requirement. @param out folder of the reports */
export const caseFileIn = (out: string, id: string): string => `${out}/cases/${id}.json`;

/** The command that sends a case again. */
export const replayCommand = (file: string): string => `${COMMAND} replay ${shellQuoted(file)}`;

const requestLines = ({ request }: RecordedExchange): readonly [string, ...string[]] => [
  `${request.method} ${request.url}`,
  // Where it is not the path of the URL.
  ...(request.requestTarget === undefined
    ? []
    : [`request target in absolute form: ${request.requestTarget}`]),
  ...notableHeaders(request),
  ...(request.body === '' ? [] : [bodyLine(request.body)]),
];

/** The beginning of a body, with the spaces around it, which are invisible otherwise. */
const bodyLine = (body: string): string =>
  clipped(body).replace(/^ +| +$/g, (spaces) => '⟨SP⟩'.repeat(spaces.length));

/** A response, with its content type where it is not JSON: it may be that of a gateway. */
function responseLine({ response: { status, headers, body } }: RecordedExchange, maxLength?: number): string {
  const type = headers['content-type'];
  const notJson = type === undefined || isJsonType({ fields: headers }) ? '' : `${clipped(type, 60)}: `;
  return `${status} ${notJson}${clipped(body, maxLength)}`.trimEnd();
}

/** Maximum number of headers that are shown: a request under many conditions has dozens. */
const MAX_HEADERS = 8;

/** The credential, or that there is none, the usual headers that are missing, and the others, as far as there is room. */
function notableHeaders({ headers, body }: RecordedExchange['request']): string[] {
  const credential = fieldIn(headers, 'Authorization');
  const others = headers.filter(
    (header) => header !== credential && !/^(?:application\/json|cts-conformance\/.*)$/.test(header[1]),
  );
  return [
    credential ? clipped(credential.join(': ')) : 'no Authorization',
    ...missingUsualFields(headers, body !== '').map((name) => `no ${name}`),
    ...others.slice(0, MAX_HEADERS).map((header) => clipped(header.join(': '))),
    ...(others.length > MAX_HEADERS ? [`and ${quantity(others.length - MAX_HEADERS, 'more header')}`] : []),
  ];
}

/** How many cases of a requirement failed. */
export const failedOf = ({ broken, cases }: Pick<Finding, 'broken' | 'cases'>): string =>
  `${broken} of ${quantity(cases, 'case')} failed`;

/** How often a failure was reproduced. @param reproduced such as `3/3` */
export const timesIn = (reproduced: string): readonly [times: number, attempts: number] => {
  const [times = 0, attempts = 0] = reproduced.split('/').map(Number);
  return [times, attempts];
};

/** How often a failure was reproduced, in words. */
export function reproduction({ reproduced, alone }: Pick<Counterexample, 'reproduced' | 'alone'>): string {
  const [times, attempts] = timesIn(reproduced);
  if (attempts === 0) return 'not retried';
  if (times === 0) {
    const sameRequest = 'but by the same request again, to the byte';
    return `not reproduced in ${attempts} attempts${alone === 'fails' ? `, ${sameRequest}` : ' (intermittent)'}`;
  }
  const isIntermittent = times < attempts ? ' (intermittent)' : '';
  const onlyTogether = alone === 'passes' ? ', but only while other requests are in flight' : '';
  return `reproduced ${reproduced}${isIntermittent}${onlyTogether}`;
}
