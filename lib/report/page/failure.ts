import { fieldIn } from '../../settings/headers.ts';
import {
  caseFileIn,
  isDrift,
  replayCommand,
  reproduction,
  failedOf,
} from '../../engine/judging/failure-text.ts';
import type { Counterexample } from '../../schemas/case.ts';
import type { ExchangeLine } from '../../schemas/evidence.ts';
import type { CustomFinding, Finding, ReportedRequirement } from '../../schemas/report.ts';
import { UNSAFE, clipped, oneLine, quantity, shown } from '../../target/output/printable.ts';
import { failureMarkdown } from '../formats/summary.ts';
import { html, joined, legend, visible } from './html.ts';
import type { Html } from './html.ts';
import { difference } from './difference.ts';
import { definitionList, table } from './document.ts';
import { MAX_CASES, exchange, exchangeLink, valueAt } from './exchanges.ts';
import type { Log } from './exchanges.ts';

/** Characters of a command that is short enough to be copied. */
const LONGEST_COMMAND = 4000;

/**
 * A failure: its likely cause, what was expected and received, the exchanges, all failed cases, and how to reproduce it.
 * @param out folder of the reports, for the replay command; a custom suite can't be replayed
 */
export function failure(
  failed: ReportedRequirement | CustomFinding,
  counterexample: Counterexample,
  log: Log,
  out: string,
): Html {
  const { id, cause } = failed;
  const { exchanges, expected, actual, pointer, curl } = counterexample;
  const texts = echoedTexts(counterexample);
  const compared = texts && difference(texts.sent, texts.got);
  const isCase = !isDrift(counterexample);
  const caseFile = `cases/${id}.json`;
  return html`
    ${
      cause &&
      html`<p class="cause">
        Likely cause of all failed cases: <strong>${visible(cause.text)}</strong>. ${visible(cause.next)}
      </p>`
    }
    ${definitionList([
      [
        isCase ? 'Expected' : 'Declared',
        html`<span class="value"
          >${compared ? html`${compared.sent}, as submitted` : visible(expected)}</span
        >`,
      ],
      [
        isCase ? 'Got' : 'Observed',
        html`<span class="value"
            >${pointer !== undefined && html`<code class="pointer">${pointer === '' ? 'the whole body' : visible(pointer)}</code> `}${compared?.got ?? visible(actual)}</span
          >
          ${compared?.points}`,
      ],
    ])}
    ${exchanges.map((one, at) => exchange(one, at < exchanges.length - 1 ? 'Control' : 'Judged', pointer))}
    ${legend(exchanges.flatMap(({ request, response }) => [request.body, response.body]))}
    ${
      isCase &&
      html`<p>${failedOf(failed)}; ${reproduction(counterexample)}.</p>
        ${caseTable(failed, pointer, log)}`
    }
    ${curl !== '' && command('Send it again', curl, 'level' in failed ? caseFile : 'conformance.json')}
    ${isCase && 'level' in failed && command('Replay it', replayCommand(caseFileIn(out, id)), caseFile)}
    ${
      'level' in failed &&
      html`<details class="more">
        <summary>Markdown for an issue</summary>
        ${copied(failureMarkdown(failed, out), 'Markdown for an issue')}
      </details>`
    }
    ${isCase && howFound(failed, counterexample)}
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

/** All failed cases, as far as the report lists them. */
function caseTable(
  { id, failedCases = [], broken }: Finding,
  pointer: string | undefined,
  log: Log,
): Html | false {
  if (failedCases.length < 2) return false;
  const rows = failedCases.slice(0, MAX_CASES);
  return html`<details class="more cases">
    <summary>
      ${rows.length < broken ? `The first ${rows.length} of ${broken}` : `All ${broken}`} failed cases
    </summary>
    ${table(
      `Failed cases of ${id}`,
      ['Exchange', 'Category', 'Sent', 'Got'],
      html`<tbody>
        ${rows.map(({ exchange: number, category, actual }) => {
          const sent = log.get(number);
          return html`<tr>
            <td>${exchangeLink(number, log)}</td>
            <td>${visible(category)}</td>
            <td>${sent && html`<code>${visible(sentIn(sent, pointer))}</code>`}</td>
            <td>${visible(actual)}</td>
          </tr> `;
        })}
      </tbody>`,
    )}
  </details>`;
}

/** What distinguishes a request: the submitted member, a credential other than the key, or else its body. */
function sentIn({ request }: ExchangeLine, pointer: string | undefined): string {
  const value = pointer === undefined ? undefined : valueAt(request.body, pointer);
  if (value !== undefined) return clipped(shown(value), 100);
  const credential = fieldIn(request.headers, 'Authorization');
  if (credential?.[1] !== 'Bearer [key]')
    return credential ? oneLine(credential.join(': '), 100) : 'no Authorization';
  return oneLine(request.body, 100);
}

/** How the generator made the input. */
function howFound({ foundAfter }: Finding, counterexample: Counterexample): Html {
  const { input, originalInput, shrinks, category, seed, path, scenarios } = counterexample;
  const [minimal, original] = [JSON.stringify(input) ?? '', JSON.stringify(originalInput) ?? ''];
  return html`<details class="more">
    <summary>How it was found</summary>
    <p>
      In
      ${joined(
        scenarios.map((name) => html`<i>${visible(name)}</i>`),
        ' and ',
      )},
      category
      <i>${visible(category)}</i>, seed ${seed}, path
      ${visible(path)}${foundAfter !== undefined && `; the first failed case was exchange ${foundAfter}`}.
    </p>
    ${definitionList([
      [shrinks > 0 ? 'Minimal input' : 'Input', html`<pre><code>${visible(minimal)}</code></pre>`],
      original !== minimal && [
        'Original input',
        html`<pre><code>${visible(original)}</code></pre>
          <p class="status">minimised in ${quantity(shrinks, 'step')}</p>`,
      ],
    ])}
  </details>`;
}

/** A shell command, with a button that copies it if scripts run. @param file that contains it, if it is too long */
const command = (title: string, line: string, file: string): Html =>
  line.length > LONGEST_COMMAND || line.match(UNSAFE)
    ? html`<p class="status">
        ${title}: the command has ${line.length} characters; see <code>curl</code> in ${file}.
      </p>`
    : html`<div>
        <p class="status">${title}</p>
        ${copied(line, title)}
      </div>`;

const copied = (text: string, title: string): Html =>
  html`<div class="command">
    <pre tabindex="0"><code>${text}</code></pre>
    <button type="button" class="copy" hidden>Copy<span class="apart">: ${title}</span></button>
  </div>`;
