import type { Lines } from '../../../engine/lines.ts';
import type { EvidenceLine, ExchangeLine } from '../../../schemas/evidence.ts';
import type { Report } from '../../../schemas/report.ts';
import { html } from '../../html.ts';
import type { Html } from '../../html.ts';
import { inputs } from './inputs.ts';
import { latency } from './latency.ts';
import { timeline } from './timeline.ts';
import type { Span } from './timeline.ts';

/** The charts of a run. */
export function charts({ run, requirements }: Report, evidence: readonly EvidenceLine[]): Html {
  const exchanges = evidence.filter((line): line is ExchangeLine => line.type === 'exchange');
  const absent = run.requests - exchanges.length;
  return html`${
    exchanges.length === 0
      ? html`<p>None: there is no evidence of a response.</p>`
      : html`
          <h3>Latency</h3>
          ${latency(run)}
          <h3>Timeline</h3>
          <p class="status">
            ${exchanges.length} of ${run.requests} requests, by
            scenario${absent > 0 && '; the others are not in the evidence: retries, and most of a long run'}.
          </p>
          ${timeline(exchanges, spanOf(run, evidence, exchanges))}
          <h3>Inputs</h3>
          ${inputs(evidence, requirements)}
        `
  }`;
}

/** From the start of the run to its end, or to the last response, if the clocks differ. */
function spanOf(
  { startedAt, durationMs }: Report['run'],
  evidence: readonly EvidenceLine[],
  exchanges: readonly ExchangeLine[],
): Span {
  const start = evidence.find((line) => line.type === 'run')?.clockStartedAt ?? startedAt;
  const offset = Math.max(0, Date.parse(start) - Date.parse(startedAt));
  const last = exchanges.reduce((end, one) => Math.max(end, one.startedAt + one.duration), 0);
  return { offset, end: Math.max(1, durationMs, offset + last) };
}

/** Characters of a body that a page may show. */
const MOST_BODY = 4000;

/**
 * The lines of `evidence.ndjson` that a page shows, with the beginnings of bodies. They were written by this run, so
 * that they need no check.
 */
export function pageLines(evidence: Lines): EvidenceLine[] {
  const lines: EvidenceLine[] = [];
  for (const text of evidence) {
    const line = JSON.parse(text) as EvidenceLine;
    if (line.type === 'exchange')
      lines.push({
        ...line,
        request: { ...line.request, body: line.request.body.slice(0, MOST_BODY) },
        response: { ...line.response, body: line.response.body.slice(0, MOST_BODY) },
        reply: { utf8: true },
      });
    else if (line.type !== 'answer') lines.push(line);
  }
  return lines;
}
