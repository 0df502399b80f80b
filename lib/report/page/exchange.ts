import { STATUS_CODES } from 'node:http';
import type { RecordedExchange } from '../../schemas/exchange.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { visible } from './visible.ts';
import { time } from './words.ts';

/** A request and its response, whole but for long bodies. @param role what it is here, such as `control` */
export const exchange = (recorded: RecordedExchange, role: string): Html => {
  const { number, queue, request, response, troubles, startedAt, firstByte, duration, inFlight } = recorded;
  return html`<div class="exchange">
    <p class="role">
      <b>${role}</b> no. ${number}, ${visible(queue)}; sent ${time(startedAt)} into the run, answered after
      ${time(firstByte)}, complete after ${time(duration)}, ${inFlight} in flight
    </p>
    ${
      troubles.length > 0 &&
      html`<p class="troubles">
        Tried ${troubles.length + 1} times; before the answer came:
        ${troubles.map(({ detail }, at) => html`${at > 0 && '; '}${visible(detail)}`)}
      </p>`
    }
    ${requestOf(request)}
    <pre class="response"><code><b>${response.status} ${STATUS_CODES[response.status]}</b>
${fields(Object.entries(response.headers))}
${visible(response.body, 'lines')}</code></pre>
  </div>`;
};

/** The request of an exchange. */
export const requestOf = ({ method, url, headers, body }: RecordedExchange['request']): Html => {
  const isBare = headers.every(([name]) => name.toLowerCase() !== 'authorization');
  return html`<pre class="request"><code><b>${visible(method)} ${visible(url)}</b>
${fields(headers)}${isBare && html`<i>no Authorization</i>${NEWLINE}`}
${visible(body, 'lines')}</code></pre>`;
};

/** A formatter takes one that stands in a template for a space. */
const NEWLINE = '\n';

const fields = (all: readonly (readonly [name: string, value: string])[]): Html[] =>
  all.map(([name, value]) => html`<span class="field">${visible(name)}:</span> ${visible(value)}${NEWLINE}`);
