import { STATUS_CODES } from 'node:http';
import { isDrift, reproduction } from '../../engine/failure-text.ts';
import type { Counterexample } from '../../schemas/case.ts';
import type { RecordedExchange } from '../../schemas/exchange.ts';
import type { ReportedRequirement } from '../../schemas/report.ts';
import { UNSAFE, clipped } from '../../target/printable.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { time } from '../text.ts';
import { quantity } from '../vocabulary.ts';
import { difference } from './difference.ts';
import { legend, visible } from './visible.ts';
import { COMMAND } from '../../settings/package-root.ts';

/** Characters of a command that is short enough to be copied. */
const LONGEST_COMMAND = 4000;

/**
 * A failure: what was sent, expected and received, the inputs, the exchanges, and how to reproduce it.
 * @param out folder of the reports, for the replay command; undefined if it can't be replayed
 */
export function failure(
  {
    id,
    broken,
    cases,
    foundAfter,
    cause,
  }: Pick<ReportedRequirement, 'id' | 'broken' | 'cases' | 'foundAfter' | 'cause'>,
  counterexample: Counterexample,
  out: string | undefined,
): Html {
  const { exchanges, expected, actual, pointer, curl, reproduced } = counterexample;
  const judged = exchanges.at(-1);
  const texts = echoedTexts(counterexample);
  const isCase = !isDrift(counterexample);
  // The difference shows the texts in full.
  const most = texts ? 200 : 600;
  const caseFile = `cases/${id}.json`;
  return html`
    ${
      isCase &&
      html`<p>
        ${broken} of ${quantity(cases, 'case')}
        failed${foundAfter !== undefined && `, the first after ${quantity(foundAfter, 'response')}`};
        ${reproduction(reproduced)}.
      </p>`
    }
    ${
      cause &&
      html`<p class="cause">
        Likely cause: <strong>${visible(cause.text)}</strong>; explains ${cause.explains} of ${cause.of}.
        ${visible(cause.next)}
      </p>`
    }
    <dl class="failure">
      ${
        judged &&
        html`<dt>Sent</dt>
          <dd>${requestOf(judged.request)}</dd>`
      }
      <dt>${isCase ? 'Expected' : 'Declared'}</dt>
      <dd><p class="value">${visible(clipped(expected, most), 'printed')}</p></dd>
      <dt>${isCase ? 'Got' : 'Observed'}</dt>
      <dd>
        <p class="value">
          ${pointer !== undefined && html`<code class="pointer">${pointer === '' ? 'the whole body' : visible(pointer)}</code> `}${visible(clipped(actual, most), 'printed')}
        </p>
        ${judged && html`<p class="status">in a response with status ${judged.response.status}</p>`}
        ${texts && difference(texts.sent, texts.got)}
      </dd>
    </dl>
    ${legend([...(texts ? [texts.sent, texts.got] : []), expected, actual])}
    ${isCase && inputs(counterexample)} ${allExchanges(exchanges)}
    ${curl !== '' && command('Send it again', curl, out === undefined ? 'conformance.json' : caseFile)}
    ${isCase && out !== undefined && command('Replay it', `${COMMAND} replay ${out}/${caseFile}`, caseFile)}
  `;
}

/** The submitted and the returned text, if the failure is that they differ. */
function echoedTexts({
  exchanges,
  pointer = '',
}: Counterexample): { readonly sent: string; readonly got: string } | undefined {
  const judged = exchanges.at(-1);
  if (!judged || pointer === '') return undefined;
  const sent = valueAt(judged.request.body, pointer);
  const got = valueAt(judged.response.body, pointer);
  return typeof sent === 'string' && typeof got === 'string' && sent !== got ? { sent, got } : undefined;
}

/** The value at a JSON pointer (RFC 6901); undefined if there is none. */
function valueAt(json: string, pointer: string): unknown {
  try {
    let value: unknown = JSON.parse(json);
    for (const token of pointer.split('/').slice(1)) {
      const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
      value = (value as Record<string, unknown>)[name];
    }
    return value;
  } catch {
    return undefined;
  }
}

function inputs(counterexample: Counterexample): Html {
  const { input, originalInput, shrinks, category, seed, path, scenarios } = counterexample;
  const [minimal, original] = [JSON.stringify(input) ?? '', JSON.stringify(originalInput) ?? ''];
  return html`<dl class="failure">
    <dt>${shrinks > 0 ? 'Minimal input' : 'Input'}</dt>
    <dd>
      <pre><code>${visible(minimal)}</code></pre>
      <p class="status">
        ${scenarios.map((name, at) => html`${at > 0 && ' and '}<i>${visible(name)}</i>`)}, category
        <i>${visible(category)}</i>, seed ${seed}, path ${visible(path)}
      </p>
    </dd>
    ${
      original !== minimal &&
      html`<dt>Original input</dt>
        <dd>
          <pre><code>${visible(original)}</code></pre>
          <p class="status">minimised in ${quantity(shrinks, 'step')}</p>
        </dd>`
    }
  </dl>`;
}

const allExchanges = (exchanges: readonly RecordedExchange[]): Html | false =>
  exchanges.length > 0 &&
  html`<details class="more">
    <summary>${quantity(exchanges.length, 'exchange')} in full</summary>
    ${exchanges.map((one, at) => exchange(one, at < exchanges.length - 1 ? 'Control' : 'Judged'))}
    ${legend(
      exchanges.flatMap(({ request, response }) => [request.body, response.body]),
      'lines',
    )}
  </details>`;

/** A shell command, with a button that copies it if scripts run. @param file that contains it, if it is too long */
const command = (title: string, line: string, file: string): Html =>
  line.length > LONGEST_COMMAND || line.match(UNSAFE)
    ? html`<p class="status">
        ${title}: the command has ${line.length} characters; see <code>curl</code> in ${file}.
      </p>`
    : html`<div class="command">
        <p>${title}</p>
        <pre><code>${line}</code></pre>
        <button type="button" class="copy" hidden>Copy<span class="apart">: ${title}</span></button>
      </div>`;

/** A request and its response, except for the rest of long bodies. @param role such as `Control` */
export function exchange(recorded: RecordedExchange, role: string): Html {
  const { number, queue, request, response, troubles, startedAt, firstByte, duration, inFlight } = recorded;
  return html`<div class="exchange">
    <p class="role">
      <b>${role}</b> no. ${number}, ${visible(queue)}; sent after ${time(startedAt)}, first byte after
      ${time(firstByte)}, complete after ${time(duration)}, ${inFlight} in flight
    </p>
    ${
      troubles.length > 0 &&
      html`<p class="troubles">
        ${quantity(troubles.length, 'failed attempt')} before:
        ${troubles.map(({ detail }, at) => html`${at > 0 && '; '}${visible(detail)}`)}
      </p>`
    }
    ${requestOf(request)}
    <pre class="response"><code><b>${response.status} ${STATUS_CODES[response.status]}</b>
${headers(Object.entries(response.headers))}
${visible(response.body, 'lines')}</code></pre>
  </div>`;
}

function requestOf(request: RecordedExchange['request']): Html {
  const hasCredential = request.headers.some(([name]) => name.toLowerCase() === 'authorization');
  return html`<pre class="request"><code><b>${visible(request.method)} ${visible(request.url)}</b>
${headers(request.headers)}${!hasCredential && html`<i>no Authorization</i>${NEWLINE}`}
${visible(request.body, 'lines')}</code></pre>`;
}

/** The formatter would replace a line break in a template by a space. */
const NEWLINE = '\n';

const headers = (all: readonly (readonly [name: string, value: string])[]): Html[] =>
  all.map(([name, value]) => html`<span class="field">${visible(name)}:</span> ${visible(value)}${NEWLINE}`);
