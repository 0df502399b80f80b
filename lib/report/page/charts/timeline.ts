import type { ExchangeLine } from '../../../schemas/evidence.ts';
import { html } from '../../html.ts';
import type { Html } from '../../html.ts';
import { time } from '../../text.ts';
import { quantity } from '../../vocabulary.ts';
import { visible } from '../visible.ts';

const WIDTH = 1000;
/** Equal parts of the time scale. */
const PARTS = 4;

/** The time span of a run, in milliseconds of its own clock: exchanges begin when the clock of the evidence starts. */
export interface Span {
  /** When the clock of the evidence starts. */
  readonly offset: number;
  readonly end: number;
}

/** The run over time: the requests of each scenario, and those that were sent more than once. */
export function timeline(exchanges: readonly ExchangeLine[], span: Span): Html {
  const queues = [...Map.groupBy(exchanges, ({ queue }) => queue)];
  const troubled = exchanges.filter(({ troubles }) => troubles.length > 0);
  const columnOf = (at: number): number =>
    Math.min(WIDTH - 1, Math.max(0, Math.floor(((at + span.offset) / span.end) * WIDTH)));
  const segments = (all: readonly ExchangeLine[]): string => {
    let path = '';
    let last = -1;
    for (const { startedAt, duration } of all.toSorted((one, other) => one.startedAt - other.startedAt)) {
      const from = Math.max(last, columnOf(startedAt));
      const to = Math.max(columnOf(startedAt + duration), columnOf(startedAt) + 1);
      if (to <= last) continue;
      path += from === last ? `H${to}` : `M${from} 5H${to}`;
      last = to;
    }
    return path;
  };
  const retries = troubled.map(({ startedAt }) => `M${columnOf(startedAt)} 0V10`).join('');
  return html`<div class="plot timeline">
      ${queues.map(([name, all]) => row(html`${visible(name)} <small>${all.length}</small>`, 'queue-marks', segments(all)))}
      ${
        troubled.length > 0 &&
        row(
          html`<span class="key again" aria-hidden="true"></span>retries <small>${troubled.length}</small>`,
          'again',
          retries,
        )
      }
      <p class="ticks" aria-hidden="true">
        ${Array.from({ length: PARTS }, (_, at) => html`<span>${time((span.end * at) / PARTS)}</span>`)}
        <span class="last">${time(span.end)}</span>
      </p>
    </div>
    ${troubled.length > 0 && troubleTable(troubled)}`;
}

/** A row of the chart; the drawing adds nothing for screen readers. */
const row = (name: Html, kind: string, path: string): Html =>
  html`<div class="queue">
    <span>${name}</span
    ><svg viewBox="0 0 ${WIDTH} 10" preserveAspectRatio="none" aria-hidden="true">
      <path class="${kind}" d="${path}" />
    </svg>
  </div> `;

const waitedIn = (troubles: ExchangeLine['troubles']): number =>
  troubles.reduce((sum, { wait = 0 }) => sum + wait, 0);

function troubleTable(exchanges: readonly ExchangeLine[]): Html {
  const all = exchanges.flatMap(({ troubles }) => troubles);
  const kinds = [...Map.groupBy(all, ({ kind }) => kind)];
  return html`<table class="figures">
    <caption>
      ${quantity(all.length, 'failed attempt')}, which were retried
    </caption>
    <thead>
      <tr>
        <th scope="col">Kind</th>
        <th scope="col">Count</th>
        <th scope="col">Waited</th>
        <th scope="col" class="words-of">Example</th>
      </tr>
    </thead>
    <tbody>
      ${kinds.map(
        ([kind, alike]) =>
          html`<tr>
            <th scope="row">${kind}</th>
            <td>${alike.length}</td>
            <td>${waitedIn(alike) > 0 ? time(waitedIn(alike)) : '–'}</td>
            <td class="words-of">${visible(alike[0]!.detail)}</td>
          </tr> `,
      )}
    </tbody>
  </table>`;
}
