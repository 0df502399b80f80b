import { pathToFileURL } from 'node:url';
import type { RecordedExchange } from '../../schemas/exchange.ts';
import type { Finding } from './finding.ts';
import type { Counterexample } from '../../schemas/case.ts';
import { clipped, oneLine, printable, quantity } from '../../target/output/printable.ts';
import { COMMAND } from '../../settings/package-root.ts';
import { shellQuoted } from '../../target/output/curl.ts';
import { isJsonType } from '../../target/reply.ts';
import type { ReportedRequirement, Result } from '../../schemas/report.ts';

/** A finding, with the words of its requirement. */
type FailedRequirement = Finding & Pick<ReportedRequirement, 'section' | 'source' | 'statement' | 'problem'>;

/**
 * The text of a failure, always in the same order: the requirement, its likely cause, the request, the expected and the
 * actual outcome, the response, and how to reproduce it.
 * @param caseFile the path of its case; undefined if it can't be replayed
 */
export function failureText(failed: FailedRequirement, caseFile?: string): string {
  const { id, section, source, reason, counterexample, cause } = failed;
  const title = `${id} (${source ?? `section ${section}`}): ${titleOf(failed)}`;
  if (counterexample === undefined) return reason === undefined ? title : `${title}\n  ${printable(reason)}`;
  const lines = isDrift(counterexample)
    ? driftLines(counterexample)
    : caseLines(failed, counterexample, caseFile);
  return [title, ...(cause ? causeLines(cause) : []), ...lines].join('\n');
}

/** The problem, or the statement that is not met. */
export const titleOf = ({ statement, problem }: Pick<FailedRequirement, 'statement' | 'problem'>): string =>
  problem ?? statement;

const causeLines = ({ text, explains, of, next }: NonNullable<FailedRequirement['cause']>): string[] => [
  `  cause     ${printable(text)}: explains ${explains} of ${of}`,
  `            ${printable(next)}`,
];

/** Whether the counterexample is a declared answer that does not hold: it has no case to replay. */
export const isDrift = ({ scenarios }: Counterexample): boolean => scenarios.length === 0;

function driftLines({ exchanges, expected, actual, curl }: Counterexample): string[] {
  const last = exchanges.at(-1);
  return [
    ...(last ? sentLines('sent    ', last) : []),
    `  declared  ${clipped(expected, 600)}`,
    `  observed  ${clipped(actual, 600)}`,
    ...(last ? responseLines(last) : []),
    ...(curl === '' ? [] : [resendLine(curl)]),
  ];
}

function caseLines(
  { broken, cases }: FailedRequirement,
  counterexample: Counterexample,
  caseFile: string | undefined,
): string[] {
  const { exchanges, expected, actual, pointer, from, curl } = counterexample;
  const last = exchanges.at(-1)!;
  const place = pointer === undefined ? '' : `${pointer === '' ? 'the whole body' : printable(pointer)}: `;
  return [
    ...exchanges
      .slice(0, -1)
      .flatMap((control) => [
        ...sentLines('control ', control),
        `  answered  ${control.response.status} ${oneLine(control.response.body, 160)}`,
      ]),
    ...sentLines('sent    ', last),
    `  expected  ${clipped(expected, 600)}`,
    `  got       ${place}${clipped(actual, 600)}`,
    ...responseLines(last),
    `  failed    ${broken} of ${quantity(cases, 'case')}; ${reproduction(counterexample)}`,
    ...(from === undefined ? [] : [`  recorded  by an earlier run in ${printable(from)}; replayed first`]),
    resendLine(curl),
    ...(caseFile === undefined ? [] : [`  replay    ${replayCommand(caseFile)}`]),
  ];
}

/** Where a run writes the case of a requirement. @param out folder of the reports */
export const caseFileIn = (out: string, id: string): string => `${out}/cases/${id}.json`;

/** The command that sends a case again. */
export const replayCommand = (file: string): string => `${COMMAND} replay ${shellQuoted(file)}`;

/** The example of a failure in brief, each member on one printable line. */
export interface Example {
  readonly sent: string;
  readonly expected: string;
  readonly got: string;
  /** Undefined: too long to be shown here. */
  readonly curl: string | undefined;
}

/** What was sent, what came back, and how to send it again: the judged request alone, without its control. */
export function exampleOf({ exchanges, expected, actual, pointer, curl }: Counterexample): Example {
  const { request, response } = exchanges.at(-1)!;
  const [credential, ...others] = notableHeaders(request);
  const headers = credential === 'Authorization: Bearer [key]' ? others : [credential!, ...others];
  const place = pointer === undefined || pointer === '' ? '' : `${printable(pointer)}: `;
  const answer = `${response.status} ${oneLine(response.body, BRIEF_LENGTH)}`.trim();
  const came = oneLine(actual, BRIEF_LENGTH);
  return {
    sent: [
      `${printable(request.method)} ${printable(request.url)}`,
      ...targetOf(request).map((target) => `(${clipped(target, BRIEF_LENGTH)})`),
      ...headers.map((header) => `(${clipped(header, BRIEF_LENGTH)})`),
      ...(request.body === '' ? [] : [bodyLine(request.body, BRIEF_LENGTH)]),
    ].join(' '),
    expected: oneLine(expected, BRIEF_LENGTH),
    got: came === `status ${response.status}` ? answer : `${place}${came}, in ${answer}`,
    curl: curl === '' || curl.length > LONGEST_BRIEF_CURL ? undefined : printable(curl),
  };
}

/** Characters of a text in an example. */
const BRIEF_LENGTH = 120;
/** Most bodies of a few members fit. */
const LONGEST_BRIEF_CURL = 600;

const sentLines = (what: string, { request }: RecordedExchange): string[] => [
  `  ${what}  ${printable(request.method)} ${printable(request.url)}`,
  ...targetOf(request).map((target) => `            ${target}`),
  ...notableHeaders(request).map((header) => `            ${header}`),
  `            ${bodyLine(request.body)}`,
];

/** A body on one line, with the spaces around it, which could not be seen. */
const bodyLine = (body: string, most?: number): string =>
  oneLine(body, most).replace(/^ +| +$/g, (spaces) => '⟨SP⟩'.repeat(spaces.length));

/** The request target, where it is not the path of the URL. */
const targetOf = ({ requestTarget }: RecordedExchange['request']): string[] =>
  requestTarget === undefined ? [] : [`request target in absolute form: ${printable(requestTarget)}`];

const responseLines = ({ response }: RecordedExchange): string[] => [
  `            in ${response.status} ${notJson(response)}${oneLine(response.body)}`,
];

/** The content type where it is not JSON: the response may be that of a gateway. */
function notJson({ headers }: RecordedExchange['response']): string {
  const type = headers['content-type'];
  return type === undefined || isJsonType({ fields: headers }) ? '' : `${oneLine(type, 60)}: `;
}

const resendLine = (curl: string): string =>
  `  resend    ${curl.length > 1500 ? 'too long; see the case file' : curl}`;

/** The header with the credential of a request. */
export const credentialIn = (
  headers: RecordedExchange['request']['headers'],
): readonly [name: string, value: string] | undefined =>
  headers.find(([name]) => name.toLowerCase() === 'authorization');

/** Most headers that are shown: a request under many conditions has dozens. */
const MOST_HEADERS = 8;

/** The headers of nearly every request: one without them differs in that. The first describes a body. */
const USUAL_HEADERS = ['Content-Type', 'Accept', 'User-Agent'];

/** The credential, or that there is none, the usual headers that are missing, and the others, as far as there is room. */
function notableHeaders({ headers, body }: RecordedExchange['request']): string[] {
  const credential = credentialIn(headers);
  const others = headers.filter(
    (header) => header !== credential && !/^(?:application\/json|cts-conformance\/.*)$/.test(header[1]),
  );
  return [
    credential ? `${credential[0]}: ${printable(credential[1])}` : 'no Authorization',
    ...USUAL_HEADERS.slice(body === '' ? 1 : 0)
      .filter((name) => !headers.some(([other]) => other.toLowerCase() === name.toLowerCase()))
      .map((name) => `no ${name}`),
    ...others.slice(0, MOST_HEADERS).map(([name, value]) => `${printable(name)}: ${printable(value)}`),
    ...(others.length > MOST_HEADERS ? [`and ${quantity(others.length - MOST_HEADERS, 'more header')}`] : []),
  ];
}

/** How many cases of a requirement failed. */
export const failedOf = ({ broken, cases }: Pick<Result, 'broken' | 'cases'>): string =>
  `${broken} of ${quantity(cases, 'case')} failed`;

/** How often a failure was reproduced. @param reproduced such as `3/3` */
export const timesIn = (reproduced: string): readonly [times: number, attempts: number] => {
  const [times = 0, attempts = 0] = reproduced.split('/').map(Number);
  return [times, attempts];
};

/** The same in words. */
export function reproduction({ reproduced, alone }: Pick<Counterexample, 'reproduced' | 'alone'>): string {
  const [times, attempts] = timesIn(reproduced);
  if (attempts === 0) return 'not retried';
  if (times === 0) {
    const sameRequest = 'but by the same request again, to the byte';
    return `not reproduced in ${attempts} attempts${alone === 'fails' ? `, ${sameRequest}` : ' (intermittent)'}`;
  }
  const isIntermittent = times < attempts ? ' (intermittent)' : '';
  const onlyTogether = alone === 'passes' ? ', but only while other requests are in flight' : '';
  return `reproduced ${printable(reproduced)}${isIntermittent}${onlyTogether}`;
}

/** The line of a file where an error was thrown, by its stack; empty if the stack does not show it. */
export function placeIn(stack: string, file: string): string {
  const after = stack.split(pathToFileURL(file).href)[1] ?? stack.split(file)[1];
  const [, line] = after?.match(/^:(\d+)/) ?? [];
  return line === undefined ? '' : ` (line ${line})`;
}
