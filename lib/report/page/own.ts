import type { CustomFinding, Report } from '../../schemas/report.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { failure } from './failure.ts';
import { entry, worth } from './statement.ts';
import { counts } from './tally.ts';
import { visible } from './visible.ts';

/** What suites of somebody's own have found, marked as theirs; nothing where none was run. */
export const ownSection = ({ custom, customCounts }: Report): Html | false =>
  custom !== undefined &&
  html`<section class="chapter" aria-labelledby="own">
    <h2 id="own">Suites of your own <small>${counts(custom)}</small></h2>
    <p>
      Beyond the interface, and no part of its
      verdict${customCounts === true ? '; they were told to count for the exit code' : ''}.
    </p>
    <ul class="statements">
      ${custom.map((finding) =>
        entry({ ...finding, id: anchorOf(finding), kind: 'Your own' }, evidence(finding)),
      )}
    </ul>
  </section>`;

/** A suite that could not be loaded is known by its path. */
const anchorOf = ({ id }: CustomFinding): string => id.replaceAll(/[^\w.-]/g, '-');

function evidence(finding: CustomFinding): Html {
  const { source, reason, counterexample } = finding;
  return html`
    <p class="source">
      In <code>${visible(source)}</code> <a href="#${anchorOf(finding)}">#${anchorOf(finding)}</a>
    </p>
    ${reason !== undefined && html`<p class="reason">${visible(reason)}</p>`}
    ${counterexample ? failure(finding, counterexample, undefined) : worth(finding)}
  `;
}
