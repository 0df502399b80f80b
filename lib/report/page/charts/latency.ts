import { html } from '../../html.ts';
import type { Html } from '../../html.ts';
import type { ExchangeLine } from '../../../schemas/evidence.ts';
import { time } from '../../text.ts';
import { quantity } from '../../vocabulary.ts';

const operations = [
  { name: 'Create a customer', path: '/v1/customers' },
  { name: 'Issue a token', path: '/v2/tokens' },
] as const;

const shares = [
  ['p50', 0.5],
  ['p90', 0.9],
  ['p99', 0.99],
] as const;

/** Bins for each doubling of the time. */
const FINENESS = 4;
const WIDTH = 1000;
const HEIGHT = 100;

/** The latencies of each operation: their distribution on a logarithmic scale, and percentiles. */
export function latency(exchanges: readonly ExchangeLine[]): Html {
  const rows = operations.flatMap(({ name, path }) => {
    const sorted = exchanges
      .filter(({ request }) => request.method === 'POST' && request.url.split(/[?#]/, 1)[0]!.endsWith(path))
      .map(({ duration }) => Math.max(1, duration))
      .toSorted((one, other) => one - other);
    return sorted.length === 0 ? [] : [{ name, sorted }];
  });
  if (rows.length === 0) return html`<p>Neither operation responded.</p>`;
  const [from, to] = octavesOf(rows.flatMap(({ sorted }) => [sorted[0]!, sorted.at(-1)!]));
  const most = Math.max(...rows.map(({ sorted }) => Math.max(...binsOf(sorted, from, to))));
  return html`<div class="plot">
      ${rows.map(
        ({ name, sorted }) =>
          html`<p class="plot-name">${name}</p>
            <svg
              viewBox="0 0 ${WIDTH} ${HEIGHT}"
              preserveAspectRatio="none"
              role="img"
              aria-label="${name}: ${quantity(sorted.length, 'response')}, p50 ${time(percentile(sorted, 0.5))}, p99 ${time(percentile(sorted, 0.99))}; see the table below"
            >
              ${bars(binsOf(sorted, from, to), most)}
              ${shares.map(([share, part]) => marker(share, place(percentile(sorted, part), from, to)))}
            </svg> `,
      )}
      ${axis(from, to)}
    </div>
    <p class="status">
      Milliseconds from sending to the complete response, rounded; each step of the scale doubles the time.
    </p>
    <table class="figures">
      <caption class="apart">
        Milliseconds from sending to the complete response
      </caption>
      <thead>
        <tr>
          <th scope="col"><span class="apart">Figure</span></th>
          ${rows.map(({ name }) => html`<th scope="col">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${figures.map(
          ([name, of, share]) =>
            html`<tr>
              <th scope="row">
                ${share !== undefined && html`<span class="key ${share}" aria-hidden="true"></span>`}${name}
              </th>
              ${rows.map(({ sorted }) => html`<td>${of(sorted)}</td>`)}
            </tr> `,
        )}
      </tbody>
    </table>`;
}

/** The figures of a distribution, and the class of the line that marks each in the chart. */
const figures: readonly (readonly [
  name: string,
  of: (sorted: readonly number[]) => number,
  share?: string,
])[] = [
  ['Responses', ({ length }) => length],
  ['Fastest', (sorted) => sorted[0]!],
  ...shares.map(
    ([share, part]) => [share, (sorted: readonly number[]) => percentile(sorted, part), share] as const,
  ),
  ['Slowest', (sorted) => sorted.at(-1)!],
];

/** The range of powers of two that contains all values; at least three, and a multiple of the label step. */
function octavesOf(values: readonly number[]): [from: number, to: number] {
  const from = Math.floor(Math.log2(Math.min(...values)));
  const octaves = Math.max(3, Math.floor(Math.log2(Math.max(...values))) + 1 - from);
  return [from, from + Math.ceil(octaves / stepOf(octaves)) * stepOf(octaves)];
}

/** How many values lie in each bin. */
export function binsOf(values: readonly number[], from: number, to: number): number[] {
  const bins = Array.from({ length: (to - from) * FINENESS }, () => 0);
  for (const value of values) {
    const bin = Math.floor((Math.log2(value) - from) * FINENESS);
    bins[Math.min(bins.length - 1, Math.max(0, bin))]!++;
  }
  return bins;
}

const place = (value: number, from: number, to: number): number =>
  Math.round(((Math.log2(value) - from) / (to - from)) * WIDTH);

function bars(bins: readonly number[], most: number): Html[] {
  const width = WIDTH / bins.length;
  return bins.flatMap((count, at) => {
    // A bin with any value must be visible.
    const height = Math.max(2, Math.round((count / most) * (HEIGHT - 6)));
    return count === 0
      ? []
      : html`<rect
          class="bar"
          x="${(at * width + 1).toFixed(1)}"
          y="${HEIGHT - height}"
          width="${(width - 2).toFixed(1)}"
          height="${height}"
        />`;
  });
}

const marker = (share: string, x: number): Html =>
  html`<line class="marker ${share}" x1="${x}" x2="${x}" y1="0" y2="${HEIGHT}" />`;

/** The labels of the scale, each at the left end of its step. */
function axis(from: number, to: number): Html {
  const every = stepOf(to - from);
  const labels = Array.from({ length: (to - from) / every }, (_, at) => 2 ** (from + at * every));
  return html`<p class="ticks" aria-hidden="true">
    ${labels.map((label) => html`<span>${time(label)}</span>`)}
  </p>`;
}

/** Doublings from one label to the next, so that the labels fit under a narrow plot. */
const stepOf = (octaves: number): number => Math.ceil(octaves / 6);

/** The smallest value that the given share does not exceed (nearest rank). @param sorted ascending, not empty */
export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!;
