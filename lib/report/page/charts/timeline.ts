import { html } from '../../html.ts';
import type { Html } from '../../html.ts';
import type { ExchangeLine } from '../../../schemas/evidence.ts';
import { visible } from '../visible.ts';
import { rounded, time } from '../../text.ts';
import { quantity } from '../../vocabulary.ts';

const WIDTH = 1000;
const HEIGHT = 100;

/**
 * The run over time: requests in flight, pauses, retries, and the requests of each scenario.
 * @param run.inFlight the most requests in flight, as the run reports it
 */
export function timeline(
  exchanges: readonly ExchangeLine[],
  { durationMs, inFlight: peak }: { readonly durationMs: number; readonly inFlight: number },
): Html {
  const end = Math.max(1, durationMs, extentOf(exchanges)[1]);
  const step = stepOf(end);
  const span = Math.ceil(end / step) * step;
  const columns = inFlight(exchanges, span);
  const queues = Map.groupBy(exchanges, ({ queue }) => queue);
  const troubled = exchanges.filter(({ troubles }) => troubles.length > 0);
  return html`<div class="plot timeline">
      ${queue(
        'tall',
        html`requests in flight <small>at most ${peak}</small>`,
        `Requests in flight over ${time(end)}: at most ${peak}; ${quantity(exchanges.length, 'response')}`,
        html`<path class="area" d="${area(columns, Math.max(1, peak))}" />`,
      )}
      ${queue(
        '',
        html`<span class="key wait" aria-hidden="true"></span>nothing in flight`,
        `Nothing was in flight for ${time((idle(columns).reduce((sum, [from, to]) => sum + to - from, 0) / WIDTH) * span)} in total`,
        html`<path
          class="wait"
          d="${idle(columns)
            .map(([from, to]) => `M${from} 5H${to}`)
            .join('')}"
        />`,
      )}
      ${
        troubled.length > 0 &&
        queue(
          '',
          html`<span class="key again" aria-hidden="true"></span>retries <small>${troubled.length}</small>`,
          `${quantity(troubled.length, 'request')} sent more than once; see the table below`,
          html`<path
            class="again"
            d="${troubled.map(({ startedAt }) => `M${columnOf(startedAt, span)} 0V10`).join('')}"
          />`,
        )
      }
      ${[...queues].map(([name, all]) =>
        queue(
          '',
          html`${visible(name)} <small>${all.length}</small>`,
          wordsOf(all),
          html`<path class="queue-marks" d="${segments(all, span)}" />`,
        ),
      )}
      <p class="ticks" aria-hidden="true">
        ${Array.from({ length: span / step }, (_, at) => html`<span>${rounded((at * step) / 1000, 3)} s</span>`)}
      </p>
    </div>
    ${troubled.length > 0 && troubleTable(troubled)}`;
}

function wordsOf(exchanges: readonly ExchangeLine[]): string {
  const [from, to] = extentOf(exchanges);
  return `${quantity(exchanges.length, 'response')} from ${time(from)} to ${time(to)}`;
}

/** When the first was sent and the last was answered. There may be too many to spread into Math.min. */
const extentOf = (exchanges: readonly ExchangeLine[]): [from: number, to: number] =>
  exchanges.reduce<[number, number]>(
    ([from, to], { startedAt, duration }) => [Math.min(from, startedAt), Math.max(to, startedAt + duration)],
    [Infinity, 0],
  );

/** A row of the chart. @param words its content for screen readers */
const queue = (kind: '' | 'tall', name: Html, words: string, drawing: Html): Html =>
  html`<div class="queue ${kind}">
    <span>${name}</span
    ><svg
      viewBox="0 0 ${WIDTH} ${kind === 'tall' ? HEIGHT : 10}"
      preserveAspectRatio="none"
      role="img"
      aria-label="${words}"
    >
      ${drawing}
    </svg>
  </div> `;

/** Idle columns in a row that are shown as a pause. */
const LEAST_IDLE = 10;

/** The pauses: nothing was in flight between two requests. */
function idle(columns: readonly number[]): [from: number, to: number][] {
  const first = columns.findIndex((count) => count > 0);
  const last = columns.findLastIndex((count) => count > 0);
  const spans: [number, number][] = [];
  let from = first;
  for (let at = first; at <= last; at++) {
    if (columns[at] === 0) continue;
    if (at - from > LEAST_IDLE) spans.push([from, at]);
    from = at + 1;
  }
  return spans;
}

/** A round number of milliseconds that divides the run into at most eight steps. */
function stepOf(end: number): number {
  const power = 10 ** Math.floor(Math.log10(end / 5));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => end / step <= 8) ?? 10 * power;
}

/** The most requests in flight in each column. */
export function inFlight(
  exchanges: readonly Pick<ExchangeLine, 'startedAt' | 'duration'>[],
  span: number,
): number[] {
  const columns = Array.from({ length: WIDTH }, () => 0);
  const changes = exchanges
    .flatMap(({ startedAt, duration }) => [
      [startedAt, 1] as const,
      // A request of less than a millisecond must be visible.
      [startedAt + Math.max(1, duration), -1] as const,
    ])
    .toSorted(([one, up], [other, down]) => one - other || up - down);
  let count = 0;
  for (const [index, [from, change]] of changes.entries()) {
    count += change;
    const until = changes[index + 1]?.[0] ?? from;
    for (let at = columnOf(from, span); at <= columnOf(until, span); at++)
      columns[at] = Math.max(columns[at]!, count);
  }
  return columns;
}

const columnOf = (at: number, span: number): number =>
  Math.min(WIDTH - 1, Math.max(0, Math.floor((at / span) * WIDTH)));

function area(steps: readonly number[], peak: number): string {
  const y = (count: number): number => HEIGHT - Math.round(Math.min(1, count / peak) * (HEIGHT - 4));
  let path = `M0 ${HEIGHT}`;
  let last = 0;
  for (const [x, count] of steps.entries()) {
    if (count !== last) path += `H${x}V${y(count)}`;
    last = count;
  }
  return `${path}H${WIDTH}V${HEIGHT}Z`;
}

/** A mark for each exchange; adjacent marks are joined. */
function segments(exchanges: readonly ExchangeLine[], span: number): string {
  let path = '';
  let lastColumn = -1;
  for (const { startedAt, duration } of exchanges.toSorted((one, other) => one.startedAt - other.startedAt)) {
    const from = Math.max(lastColumn, columnOf(startedAt, span));
    const to = Math.max(columnOf(startedAt + duration, span), columnOf(startedAt, span) + 1);
    if (to <= lastColumn) continue;
    path += from === lastColumn ? `H${to}` : `M${from} 5H${to}`;
    lastColumn = to;
  }
  return path;
}

const waitedIn = (troubles: ExchangeLine['troubles']): number =>
  troubles.reduce((sum, { wait = 0 }) => sum + wait, 0);

function troubleTable(exchanges: readonly ExchangeLine[]): Html {
  const all = exchanges.flatMap(({ troubles }) => troubles);
  const kinds = [...Map.groupBy(all, ({ kind }) => kind)];
  return html`<table class="figures">
    <caption>
      Failed attempts
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
