import { isDrift, sentAgain } from '../../engine/failure-text.ts';
import { UNSAFE, clipped } from '../../target/printable.ts';
import type { Counterexample } from '../../schemas/case.ts';
import type { RecordedExchange } from '../../schemas/exchange.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import type { ReportedRequirement } from '../../schemas/report.ts';
import { difference } from './difference.ts';
import { exchange, requestOf } from './exchange.ts';
import { legend, visible } from './visible.ts';
import { counted } from './words.ts';

/** Characters of a command that a person would still paste. */
const LONGEST_COMMAND = 4000;

/** What is shown of a statement that is broken. */
type Shown = Pick<ReportedRequirement, 'broken' | 'cases' | 'foundAfter'> & { readonly id: string };

/**
 * A failure: what was sent, expected and got, the inputs, the exchanges, how to see it again.
 * @param out folder of the reports, for the replay line; undefined: it can't be replayed
 */
export function failure(
  { id, broken, cases, foundAfter }: Shown,
  counterexample: Counterexample,
  out: string | undefined,
): Html {
  const { exchanges, expected, actual, pointer, curl, reproduced } = counterexample;
  const judged = exchanges.at(-1);
  const texts = echoed(counterexample);
  const drift = isDrift(counterexample);
  // The difference shows them whole.
  const most = texts ? 200 : 600;
  return html`
    ${
      !drift &&
      html`<p>
        Broken in ${broken} of
        ${counted(cases, 'case')}${foundAfter !== undefined && `, first seen after ${counted(foundAfter, 'response')}`};
        ${sentAgain(reproduced)}.
      </p>`
    }
    <dl class="failure">
      ${
        judged &&
        html`<dt>Sent</dt>
          <dd>${requestOf(judged.request)}</dd>`
      }
      <dt>${drift ? 'Declared' : 'Expected'}</dt>
      <dd><p class="value">${visible(clipped(expected, most))}</p></dd>
      <dt>${drift ? 'Seen' : 'Got'}</dt>
      <dd>
        <p class="value">
          ${pointer !== undefined && html`<code class="pointer">${pointer === '' ? 'the whole body' : visible(pointer)}</code> `}${visible(clipped(actual, most))}
        </p>
        ${judged && html`<p class="status">in a response of status ${judged.response.status}</p>`}
        ${texts && difference(texts.sent, texts.got)}
      </dd>
    </dl>
    ${legend([...(texts ? [texts.sent, texts.got] : []), expected, actual])}
    ${!drift && inputs(counterexample)} ${allExchanges(exchanges)}
    ${curl !== '' && command('Send it again', curl, `as curl in ${out === undefined ? 'conformance.json' : `cases/${id}.json`}`)}
    ${!drift && out !== undefined && command('Replay it', `npx cts-conformance replay ${out}/cases/${id}.json`, '')}
  `;
}

/** The text that was sent and the one that came back, where the failure is about one that must be the same. */
function echoed({ exchanges, pointer = '' }: Counterexample): { sent: string; got: string } | undefined {
  const judged = exchanges.at(-1);
  if (!judged || pointer === '') return undefined;
  const sent = at(judged.request.body, pointer);
  const got = at(judged.response.body, pointer);
  return typeof sent === 'string' && typeof got === 'string' && sent !== got ? { sent, got } : undefined;
}

/** What a JSON pointer (RFC 6901) leads to in a text. */
function at(json: string, pointer: string): unknown {
  try {
    let value: unknown = JSON.parse(json);
    for (const name of pointer.split('/').slice(1)) {
      const own = name.replaceAll('~1', '/').replaceAll('~0', '~');
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, own)) return undefined;
      value = (value as Record<string, unknown>)[own];
    }
    return value;
  } catch {
    return undefined;
  }
}

/** The input as small as it was made, and as it was found. */
function inputs({ input, originalInput, shrinks, category, seed, path, scenarios }: Counterexample): Html {
  const [small, found] = [JSON.stringify(input) ?? '', JSON.stringify(originalInput) ?? ''];
  return html`<dl class="failure">
    <dt>Input${shrinks > 0 && ', made small'}</dt>
    <dd>
      <pre><code>${visible(small)}</code></pre>
      <p class="status">
        ${scenarios.map((name, at) => html`${at > 0 && ' and '}<i>${visible(name)}</i>`)}, class
        <i>${visible(category)}</i>, seed ${seed}, path ${visible(path)}
      </p>
    </dd>
    ${
      found !== small &&
      html`<dt>Found with</dt>
        <dd>
          <pre><code>${visible(found)}</code></pre>
          <p class="status">made smaller in ${counted(shrinks, 'step')}</p>
        </dd>`
    }
  </dl>`;
}

/** The exchanges in order, the judged one last. */
const allExchanges = (exchanges: readonly RecordedExchange[]): Html | false =>
  exchanges.length > 0 &&
  html`<details class="more">
    <summary>${counted(exchanges.length, 'exchange')}, as sent and answered</summary>
    ${exchanges.map((one, at) => exchange(one, at < exchanges.length - 1 ? 'Control' : 'Judged'))}
    ${legend(
      exchanges.flatMap(({ request, response }) => [request.body, response.body]),
      'lines',
    )}
  </details>`;

/** A line for a shell, with a button that copies it where there is a script. */
const command = (title: string, line: string, elsewhere: string): Html =>
  line.length > LONGEST_COMMAND || line.match(UNSAFE)
    ? html`<p class="status">
        ${title}: the command is long, ${line.length} characters; it stands ${elsewhere}.
      </p>`
    : html`<div class="command">
        <p>${title}</p>
        <pre><code>${line}</code></pre>
        <button type="button" class="copy" hidden>Copy<span class="apart">: ${title}</span></button>
      </div>`;
