import type { Latency, Report } from '../../../schemas/report.ts';
import { html } from '../../html.ts';
import type { Html } from '../../html.ts';
import { rounded, time } from '../../text.ts';
import { quantity } from '../../vocabulary.ts';
import { visible } from '../visible.ts';

const shares = ['p50', 'p90', 'p99'] as const;
const WIDTH = 1000;

/** The latencies of accepted requests, as the report has them: a bar for each operation, up to p50, p90 and p99. */
export function latency({ latency: operations }: Report['run']): Html {
  const rows = Object.entries(operations);
  if (rows.length === 0) return html`<p>Neither operation accepted a request.</p>`;
  const step = roundStep(Math.max(0.1, ...rows.map(([, { p99 }]) => p99)));
  const steps = Math.ceil(Math.max(0.1, ...rows.map(([, { p99 }]) => p99)) / step);
  return html`<p class="status">
      Time from sending a request to its complete response:
      ${shares.map((share) => html`<span class="key ${share}" aria-hidden="true"></span> ${share} `)}
    </p>
    <div class="plot">
      ${rows.map(([name, one]) => row(name, one, steps * step))}
      <p class="ticks" aria-hidden="true">
        ${Array.from({ length: steps }, (_, at) => html`<span>${milliseconds(at * step)}</span>`)}
      </p>
    </div>`;
}

function row(name: string, one: Latency, end: number): Html {
  const place = (value: number): number => Math.round((value / end) * WIDTH);
  const words = shares.map((share) => `${share} ${milliseconds(one[share])}`).join(', ');
  return html`<div class="queue tall">
    <span>${visible(name)} <small>${quantity(one.count, 'accepted request')}: ${words}</small></span
    ><svg viewBox="0 0 ${WIDTH} 10" preserveAspectRatio="none" aria-hidden="true">
      ${shares.map((share, at) => {
        const from = at === 0 ? 0 : place(one[shares[at - 1]!]);
        return html`<rect
          class="${share}"
          x="${from}"
          y="0"
          width="${place(one[share]) - from}"
          height="10"
        />`;
      })}
    </svg>
  </div> `;
}

/** Latencies are measured to a tenth of a millisecond. */
const milliseconds = (value: number): string => (value < 100 ? `${rounded(value, 3)} ms` : time(value));

/** A round number that divides a scale up to a value into four to eight steps. */
function roundStep(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most / 4));
  return [1, 2, 5].map((factor) => factor * power).find((step) => most / step <= 8)!;
}
