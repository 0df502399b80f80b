import { html } from '../../html.ts';
import type { Html } from '../../html.ts';
import type { ExchangeLine } from '../../../schemas/evidence.ts';
import { percentile } from './percentiles.ts';
import { isOf, operations } from './traffic.ts';
import { counted, time } from '../words.ts';

const shares = [
  ['p50', 0.5],
  ['p90', 0.9],
  ['p99', 0.99],
] as const;

/** Bins in a doubling of time. */
const FINENESS = 4;
const WIDTH = 1000;
const HEIGHT = 100;

/** How long the responses of each operation took: distributions on one logarithmic scale, and percentiles. */
export function latency(exchanges: readonly ExchangeLine[]): Html {
  const rows = operations.flatMap(({ name, path }) => {
    const sorted = exchanges
      .filter((one) => isOf(one, path))
      .map(({ duration }) => Math.max(1, duration))
      .toSorted((one, other) => one - other);
    return sorted.length === 0 ? [] : [{ name, sorted }];
  });
  if (rows.length === 0) return html`<p>No response came to either operation.</p>`;
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
              aria-label="${name}: ${counted(sorted.length, 'response')}, half of them within ${time(percentile(sorted, 0.5))}, 99 % within ${time(percentile(sorted, 0.99))}; the table below has the figures"
            >
              ${bars(binsOf(sorted, from, to), most)}
              ${shares.map(([share, part]) => marker(share, place(percentile(sorted, part), from, to)))}
            </svg> `,
      )}
      ${axis(from, to)}
    </div>
    <p class="status">
      Milliseconds from sending to the whole response, rounded; each step of the scale is twice the one
      before.
    </p>
    <table class="figures">
      <caption class="apart">
        Milliseconds from sending to the whole response
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

/** What is told of a distribution, and the line that stands for it in the picture. */
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

/** Whole doublings that hold all values; at least three, and as many as the labels divide evenly. */
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
    // What is there at all must be seen.
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

/** Each label stands at the left end of what it begins. */
function axis(from: number, to: number): Html {
  const every = stepOf(to - from);
  const labels = Array.from({ length: (to - from) / every }, (_, at) => 2 ** (from + at * every));
  return html`<p class="ticks" aria-hidden="true">
    ${labels.map((label) => html`<span>${time(label)}</span>`)}
  </p>`;
}

/** Doublings from one label to the next, so that few enough stand beneath a narrow plot. */
const stepOf = (octaves: number): number => Math.ceil(octaves / 6);
