import { html } from '../../html.ts';
import type { Html } from '../../html.ts';
import type { ExchangeLine } from '../../../schemas/evidence.ts';
import { visible } from '../visible.ts';
import { counted, plain, time } from '../words.ts';

const WIDTH = 1000;
const HEIGHT = 100;

/**
 * The run from its start to its end: requests in flight, what was sent for what, tries again and waits.
 * @param run.inFlight most requests in flight together, as the run counted them
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
        `Requests in flight over ${time(end)}: at most ${peak} together; ${counted(exchanges.length, 'response')}`,
        html`<path class="area" d="${area(columns, Math.max(1, peak))}" />`,
      )}
      ${queue(
        '',
        html`<span class="key wait" aria-hidden="true"></span>nothing in flight`,
        `For ${time((idle(columns).reduce((sum, [from, to]) => sum + to - from, 0) / WIDTH) * span)} in all nothing was in flight`,
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
          html`<span class="key again" aria-hidden="true"></span>sent again
            <small>${troubled.length}</small>`,
          `${counted(troubled.length, 'request')} sent more than once; the table below says why`,
          html`<path
            class="again"
            d="${troubled.map(({ startedAt }) => `M${columnOf(startedAt, span)} 0V10`).join('')}"
          />`,
        )
      }
      ${[...queues].map(([name, own]) =>
        queue(
          '',
          html`${visible(name)} <small>${own.length}</small>`,
          wordsOf(own),
          html`<path class="queue-marks" d="${segments(own, span)}" />`,
        ),
      )}
      <p class="ticks" aria-hidden="true">
        ${Array.from({ length: span / step }, (_, at) => html`<span>${plain((at * step) / 1000, 3)} s</span>`)}
      </p>
    </div>
    ${troubled.length > 0 && troubleTable(troubled)}`;
}

function wordsOf(exchanges: readonly ExchangeLine[]): string {
  const [from, to] = extentOf(exchanges);
  return `${counted(exchanges.length, 'response')} from ${time(from)} to ${time(to)}`;
}

/** When the first was sent and the last was answered; there may be more than a call takes arguments. */
const extentOf = (exchanges: readonly ExchangeLine[]): [from: number, to: number] =>
  exchanges.reduce<[number, number]>(
    ([from, to], { startedAt, duration }) => [Math.min(from, startedAt), Math.max(to, startedAt + duration)],
    [Infinity, 0],
  );

/** One line of the picture, with its name and what it says in words. */
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

/** Columns in a row that nothing must have been in flight in to be told. */
const LEAST_IDLE = 10;

/** Where nothing was in flight: between two requests, so that it was waited. */
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

/** A round number of milliseconds, so that five to ten of them make the run. */
function stepOf(end: number): number {
  const power = 10 ** Math.floor(Math.log10(end / 5));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => end / step <= 8) ?? 10 * power;
}

/** Most requests in flight in each of the columns. */
export function inFlight(
  exchanges: readonly Pick<ExchangeLine, 'startedAt' | 'duration'>[],
  span: number,
): number[] {
  const columns = Array.from({ length: WIDTH }, () => 0);
  const changes = exchanges
    .flatMap(({ startedAt, duration }) => [
      [startedAt, 1] as const,
      // What took less than a millisecond took place all the same.
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

/** A mark for each exchange; those that meet become one. */
function segments(exchanges: readonly ExchangeLine[], span: number): string {
  let path = '';
  let drawn = -1;
  for (const { startedAt, duration } of exchanges.toSorted((one, other) => one.startedAt - other.startedAt)) {
    const from = Math.max(drawn, columnOf(startedAt, span));
    const to = Math.max(columnOf(startedAt + duration, span), columnOf(startedAt, span) + 1);
    if (to <= drawn) continue;
    path += from === drawn ? `H${to}` : `M${from} 5H${to}`;
    drawn = to;
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
      What kept requests from being answered at once
    </caption>
    <thead>
      <tr>
        <th scope="col">What</th>
        <th scope="col">Times</th>
        <th scope="col">Own waits</th>
        <th scope="col" class="words-of">For example</th>
      </tr>
    </thead>
    <tbody>
      ${kinds.map(
        ([kind, own]) =>
          html`<tr>
            <th scope="row">${kind}</th>
            <td>${own.length}</td>
            <td>${waitedIn(own) > 0 ? time(waitedIn(own)) : '–'}</td>
            <td class="words-of">${visible(own[0]!.detail)}</td>
          </tr> `,
      )}
    </tbody>
  </table>`;
}
