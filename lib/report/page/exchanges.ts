import { STATUS_CODES } from 'node:http';
import { fieldIn } from '../../settings/headers.ts';
import type { EvidenceLine, ExchangeLine } from '../../schemas/evidence.ts';
import type { RecordedExchange } from '../../schemas/exchange.ts';
import type { Report } from '../../schemas/report.ts';
import { html, joined, visible } from './html.ts';
import type { Html } from './html.ts';
import { formatMilliseconds } from '../text.ts';
import { clipped, quantity } from '../../target/output/printable.ts';
import { parseJson, stepsIn } from '../../schemas/json.ts';
import { linesOf } from '../../engine/evidence/lines.ts';

/** The exchanges that the page shows, by number. */
export type Log = ReadonlyMap<number, ExchangeLine>;

/** Exchanges that the page shows; those that an entry refers to come before others. */
const MAX_EXCHANGES = 500;

/** The exchanges of the evidence that the page shows. */
export function logOf({ requirements, custom = [] }: Report, evidence: readonly EvidenceLine[]): Log {
  const exchanges = linesOf(evidence, 'exchange');
  const judged = [...requirements, ...custom];
  const referred = new Set([
    ...judged.flatMap(({ sample = 0 }) => sample),
    ...judged.flatMap(({ failedCases = [] }) => failedCases.slice(0, MAX_CASES).map((one) => one.exchange)),
  ]);
  const first = exchanges.filter(({ number }) => referred.has(number));
  const others = exchanges.filter(({ number }) => !referred.has(number));
  return new Map(
    [...first, ...others]
      .slice(0, MAX_EXCHANGES)
      .toSorted((one, other) => one.number - other.number)
      .map((line) => [line.number, line]),
  );
}

/** Failed cases of one requirement that the page lists. */
export const MAX_CASES = 50;

/** The number of an exchange, as a link if the page shows it. */
export const exchangeLink = (number: number, log: Log): Html =>
  log.has(number)
    ? html`<a href="#exchange-${number}">exchange ${number}</a>`
    : html`exchange ${number} in evidence.ndjson`;

/** The requests without a complete response, and the exchanges, each of which opens in place and links to what it fails. */
export const log = (report: Report, shown: Log, evidence: readonly EvidenceLine[]): Html =>
  html`${withoutResponse(evidence)} ${answeredRequests(report, shown)}`;

/** Maximum number of requests without a complete response that the page shows, and of characters of each body. */
const [MAX_LOST, MAX_LOST_BODY] = [50, 400];

function withoutResponse(evidence: readonly EvidenceLine[]): Html | undefined {
  const lost = linesOf(evidence, 'exploration').flatMap(({ scenario, lost: cases }) =>
    cases.flatMap(({ request, ...one }) => (request ? [{ ...one, scenario, request }] : [])),
  );
  if (lost.length === 0) return undefined;
  return html`<details class="more">
    <summary>${quantity(lost.length, 'request')} without a complete response</summary>
    ${lost.length > MAX_LOST && html`<p>The first ${MAX_LOST}; all are in <a href="evidence.ndjson">evidence.ndjson</a>.</p>`}
    <ol class="log">
      ${lost.slice(0, MAX_LOST).map(
        ({ scenario, category, request: { method, path, body: sent }, troubles, reason }) =>
          html`<li>
            <b>${visible(method)} ${visible(path)}</b>
            <small>${visible(scenario)}, ${visible(category)}</small>
            <pre
              tabindex="0"
            ><code>${visible(sent.slice(0, MAX_LOST_BODY), 'lines')}${sent.length > MAX_LOST_BODY && ' …'}</code></pre>
            ${troubles.length > 0 ? troublesOf(troubles) : html`<p>${visible(reason)}</p>`}
          </li> `,
      )}
    </ol>
  </details>`;
}

function answeredRequests({ run, requirements }: Report, shown: Log): Html {
  if (shown.size === 0) return html`<p>None: there is no evidence of a response.</p>`;
  const fails = Map.groupBy(
    requirements.flatMap(({ id, failedCases = [] }) => failedCases.map((one) => [one.exchange, id] as const)),
    ([number]) => number,
  );
  return html`<p>
      ${shown.size} of ${quantity(run.requests, 'request')}, in the order of their completion. All that was
      recorded is in <a href="evidence.ndjson">evidence.ndjson</a>.
    </p>
    <p id="log-filter" hidden>
      <label for="find-exchange">Find in requests and responses</label>
      <input id="find-exchange" type="search" autocomplete="off" spellcheck="false" />
      <span role="status" id="found-exchanges"></span>
    </p>
    <ol class="log">
      ${[...shown.values()].map((one) => logEntry(one, fails.get(one.number)?.map(([, id]) => id) ?? []))}
    </ol>`;
}

function logEntry(one: ExchangeLine, fails: readonly string[]): Html {
  const { number, queue, request, response, startedAt, duration, troubles } = one;
  return html`<li id="exchange-${number}">
    <details class="${fails.length > 0 && 'fail'}">
      <summary>
        <span class="number">${number}</span>
        <b>${response.status}</b> ${visible(request.method)} ${visible(pathAndQueryIn(request.url))}
        <small
          >${visible(queue)}, after ${formatMilliseconds(startedAt)}, took
          ${formatMilliseconds(duration)}</small
        >
        ${fails.length > 0 && html`<span class="count fail">✕ fails ${quantity(fails.length, 'requirement')}</span>`}
      </summary>
      ${fails.length > 0 && html`<p>Fails ${joined(fails.map((id) => html`<a href="#${id}">${id}</a>`))}.</p>`}
      ${troubles.length > 0 && troublesOf(troubles)} ${requestAndResponse(withoutRepetitiveHeaders(one))}
    </details>
  </li> `;
}

/** Headers that hardly differ from one exchange to the other; an entry of the log omits them. */
const REPETITIVE_HEADERS = /^(?:accept|connection|content-length|content-type|date|keep-alive|user-agent)$/i;

function withoutRepetitiveHeaders<E extends RecordedExchange>(one: E): E {
  const { request, response } = one;
  const isNotable = ([name, value]: readonly [string, string]): boolean =>
    !REPETITIVE_HEADERS.test(name) || (/^content-type$/i.test(name) && !/^application\/json\b/i.test(value));
  const kept = Object.fromEntries(Object.entries(response.headers).filter(isNotable));
  return {
    ...one,
    request: { ...request, headers: request.headers.filter(isNotable) },
    response: { ...response, headers: kept },
  };
}

const pathAndQueryIn = (url: string): string => url.replace(/^[a-z]+:\/\/[^/]*/i, '');

/** An exchange with its role and times. @param role such as `Control` */
export function exchange(recorded: RecordedExchange, role: string, marked?: string): Html {
  const { number, queue, troubles, startedAt, duration, inFlight } = recorded;
  return html`<div class="exchange">
    <p class="role">
      <b>${role}</b>: exchange ${number}, ${visible(queue)}; sent after ${formatMilliseconds(startedAt)}, took
      ${formatMilliseconds(duration)}, ${inFlight} in flight
    </p>
    ${troubles.length > 0 && troublesOf(troubles)} ${requestAndResponse(recorded, marked)}
  </div>`;
}

const troublesOf = (troubles: RecordedExchange['troubles']): Html =>
  html`<p class="troubles">
    ${quantity(troubles.length, 'failed attempt')}:
    ${joined(
      [...Map.groupBy(troubles, ({ detail }) => detail)].map(
        ([detail, { length }]) => html`${visible(detail)}${length > 1 && ` (${length} times)`}`,
      ),
      '; ',
    )}
  </p>`;

/** A request and its response side by side. @param marked JSON pointer to the member that is marked in both */
const requestAndResponse = ({ request, response }: RecordedExchange, marked?: string): Html =>
  html`<div class="pair">
    <pre
      tabindex="0"
    ><code><b>${visible(request.method)} ${visible(request.url)}</b>${request.requestTarget !== undefined && html`${NEWLINE}<i>request target in absolute form:</i> ${visible(request.requestTarget)}`}
${headers(request.headers)}${!fieldIn(request.headers, 'Authorization') && html`<i>no Authorization</i>${NEWLINE}`}
${body(request.body, marked)}</code></pre>
    <pre tabindex="0"><code><b>${response.status} ${STATUS_CODES[response.status]}</b>
${headers(Object.entries(response.headers))}
${body(response.body, marked)}</code></pre>
  </div>`;

/** The formatter would replace a line break in a template by a space. */
const NEWLINE = '\n';

const headers = (all: readonly (readonly [name: string, value: string])[]): Html[] =>
  all.map(
    ([name, value]) =>
      html`<span class="field">${visible(name)}:</span> ${visible(clipped(value))}${NEWLINE}`,
  );

function body(text: string, marked: string | undefined): Html {
  const range = marked === undefined ? undefined : rangeOf(text, marked);
  if (range === undefined) return visible(text, 'lines');
  const [from, to] = range;
  return html`${visible(text.slice(0, from), 'lines')}<mark>${visible(text.slice(from, to), 'lines')}</mark>${visible(text.slice(to), 'lines')}`;
}

/** The value at a JSON pointer (RFC 6901); undefined if there is none. */
export const valueAt = (json: string, pointer: string): unknown =>
  stepsIn(pointer).reduce(
    (value: unknown, name) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? (value as Record<string, unknown>)[name]
        : undefined,
    parseJson(json),
  );

/** A token of JSON: a string, a bracket, or anything else without white space. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s"[\]{}:,]+/gs;

/** The position of a member in JSON, for a pointer to a member of the outermost object; undefined: it is not there. */
export function rangeOf(json: string, pointer: string): readonly [from: number, to: number] | undefined {
  const [name, ...deeper] = stepsIn(pointer);
  if (name === undefined || deeper.length > 0 || valueAt(json, pointer) === undefined) return undefined;
  let depth = 0;
  let from: number | undefined;
  let key: string | undefined;
  for (const { 0: token, index } of json.matchAll(TOKEN)) {
    if (depth === 1 && (token === ',' || token === '}')) {
      if (from !== undefined) return [from, json.slice(0, index).trimEnd().length];
      key = undefined;
    } else if (depth === 1 && token.startsWith('"') && key === undefined) {
      key = String(JSON.parse(token));
      if (key === name) from = index;
    }
    if (token === '{' || token === '[') depth++;
    if (token === '}' || token === ']') depth--;
  }
  return undefined;
}
