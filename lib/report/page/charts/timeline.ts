import { html } from '../../html.ts';
import type { Html } from '../../html.ts';
import type { ExchangeLine } from '../../../experiment/evidence.ts';
import { visible } from '../visible.ts';
import { counted, plain, time } from '../words.ts';

const WIDTH = 1000;
const HEIGHT = 100;

/** The run from its start to its end: requests in flight, what was sent for what, tries again and waits. */
export function timeline(exchanges: readonly ExchangeLine[], durationMs: number): Html {
  const end = Math.max(1, durationMs, ...exchanges.map((one) => one.startedAt + one.duration));
  const step = stepOf(end);
  const span = Math.ceil(end / step) * step;
  const steps = inFlight(exchanges, span);
  const peak = Math.max(1, ...steps);
  const lanes = Map.groupBy(exchanges, ({ lane }) => lane);
  const troubled = exchanges.filter(({ troubles }) => troubles.length > 0);
  return html`<div class="plot">
      <p class="plot-name">Requests in flight, at most ${peak}</p>
      <svg
        viewBox="0 0 ${WIDTH} ${HEIGHT}"
        preserveAspectRatio="none"
        role="img"
        aria-label="Requests in flight over ${time(end)}: at most ${peak} together; ${counted(exchanges.length, 'response')}"
      >
        <path class="area" d="${area(steps, peak)}" />
      </svg>
      ${troubled.length > 0 && troubles(troubled, span)}
      ${[...lanes].map(
        ([lane, own]) =>
          html`<div class="lane">
            <span>${visible(lane)} <small>${own.length}</small></span
            ><svg
              viewBox="0 0 ${WIDTH} 10"
              preserveAspectRatio="none"
              role="img"
              aria-label="${counted(own.length, 'response')} from ${time(Math.min(...own.map(({ startedAt }) => startedAt)))} to ${time(Math.max(...own.map(({ startedAt, duration }) => startedAt + duration)))}"
            >
              <path class="lane-marks" d="${segments(own, span)}" />
            </svg>
          </div> `,
      )}
      <p class="ticks" aria-hidden="true">
        ${Array.from({ length: span / step }, (_, at) => html`<span>${plain((at * step) / 1000, 3)} s</span>`)}
      </p>
    </div>
    ${troubled.length > 0 && troubleTable(troubled)}`;
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
  const y = (count: number): number => HEIGHT - Math.round((count / peak) * (HEIGHT - 4));
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

/** Requests that were sent again: how long each waited, up to the try that was answered. */
function troubles(exchanges: readonly ExchangeLine[], span: number): Html {
  return html`<div class="lane">
    <span>sent again, and waits <small>${exchanges.length}</small></span
    ><svg
      viewBox="0 0 ${WIDTH} 10"
      preserveAspectRatio="none"
      role="img"
      aria-label="${counted(exchanges.length, 'request')} sent more than once; the table below says why"
    >
      ${exchanges.map(({ startedAt, troubles }) => {
        const to = columnOf(startedAt, span);
        const from = columnOf(startedAt - waitedIn({ troubles }), span);
        return html`<path class="wait" d="M${from} 5H${to}" /><path class="again" d="M${to} 0V10" />`;
      })}
    </svg>
  </div>`;
}

const waitedIn = ({ troubles }: Pick<ExchangeLine, 'troubles'>): number =>
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
        <th scope="col">Waited, in all</th>
        <th scope="col">For example</th>
      </tr>
    </thead>
    <tbody>
      ${kinds.map(
        ([kind, own]) =>
          html`<tr>
            <th scope="row">${kind}</th>
            <td>${own.length}</td>
            <td>${time(waitedIn({ troubles: own }))}</td>
            <td>${visible(own[0]!.detail)}</td>
          </tr> `,
      )}
    </tbody>
  </table>`;
}
