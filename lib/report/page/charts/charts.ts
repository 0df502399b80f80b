import type { Lines } from '../../../engine/lines.ts';
import type { EvidenceLine, ExchangeLine } from '../../../schemas/evidence.ts';
import type { Report } from '../../../schemas/report.ts';
import { html } from '../../html.ts';
import type { Html } from '../../html.ts';
import { inputs } from './inputs.ts';
import { latency } from './latency.ts';
import { timeline } from './timeline.ts';

/** The charts of a run. */
export function charts({ run }: Report, evidence: readonly EvidenceLine[]): Html {
  const exchanges = evidence.filter((line): line is ExchangeLine => line.type === 'exchange');
  return html`<section aria-labelledby="charts" class="charts">
    <h2 id="charts">Charts</h2>
    ${
      exchanges.length === 0
        ? html`<p>None: there is no evidence of a response.</p>`
        : html`
            <h3>Latency</h3>
            ${latency(exchanges)}
            <h3>Timeline</h3>
            ${timeline(exchanges, run)}
            <h3>Inputs</h3>
            ${inputs(evidence)}
          `
    }
  </section>`;
}

/**
 * The lines of `evidence.ndjson` that the charts show, without headers and bodies, which can be large. They were
 * written by this run, so that they need no check.
 */
export function chartedLines(evidence: Lines): EvidenceLine[] {
  const lines: EvidenceLine[] = [];
  for (const text of evidence) {
    // May contain a million ids.
    if (text.startsWith('{"type":"summary"')) continue;
    const line = JSON.parse(text) as EvidenceLine;
    if (line.type === 'exchange')
      lines.push({
        ...line,
        request: { ...line.request, headers: [], body: '' },
        response: { ...line.response, headers: {}, body: '' },
        reply: { utf8: true },
      });
    else if (line.type !== 'answer') lines.push(line);
  }
  return lines;
}
