import type { EvidenceLine } from '../../../schemas/evidence.ts';
import { html } from '../../html.ts';
import type { Html } from '../../html.ts';
import type { Report } from '../../../schemas/report.ts';
import { classes } from './classes.ts';
import { latency } from './latency.ts';
import { timeline } from './timeline.ts';
import { exchangesIn } from './traffic.ts';

/** What people would rather look at than read. */
export function pictures({ run }: Report, evidence: readonly EvidenceLine[]): Html {
  const exchanges = exchangesIn(evidence);
  return html`<section aria-labelledby="pictures" class="pictures">
    <h2 id="pictures">The run in pictures</h2>
    ${
      exchanges.length === 0
        ? html`<p>There is none: the run left no evidence of an answered request.</p>`
        : html`
            <h3>How long the responses took</h3>
            ${latency(exchanges)}
            <h3>What happened when</h3>
            ${timeline(exchanges, run)}
            <h3>What became of the inputs</h3>
            ${classes(evidence)}
          `
    }
  </section>`;
}
