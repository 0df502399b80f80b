import { titleOf } from '../../engine/failure-text.ts';
import type { FindingVerdict } from '../../schemas/case.ts';
import type { CustomFinding, ReportedRequirement } from '../../schemas/report.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { capitalised, quantity, countsIn, highestRate, levels, remark, verdicts } from '../vocabulary.ts';
import { failure } from './failure.ts';
import { visible } from './visible.ts';

/** A requirement with its verdict, which opens in place. @param out folder of the reports */
export const requirementEntry = (requirement: ReportedRequirement, out: string): Html =>
  entry(requirement, requirement.id, capitalised(levels[requirement.level].name), details(requirement, out));

/** The anchor of a requirement. A plain test in a custom suite has any text as its id. */
export const anchorOf = (id: string): string => id.replaceAll(/[^\w.-]/g, '-');

/** A requirement of a custom suite. */
export const customEntry = (finding: CustomFinding): Html => {
  const anchor = anchorOf(finding.id);
  const { source, reason, counterexample } = finding;
  return entry(
    finding,
    anchor,
    'Custom',
    html`<p class="source">In <code>${visible(source)}</code> <a href="#${anchor}">#${anchor}</a></p>
      ${reason !== undefined && html`<p class="reason">${visible(reason)}</p>`}
      ${counterexample ? failure({ ...finding, id: anchor }, counterexample, undefined) : basis(finding)}`,
  );
};

const entry = (judged: ReportedRequirement | CustomFinding, anchor: string, kind: string, body: Html): Html =>
  html`<li class="entry" data-kind="${judged.verdict}">
    <details class="${judged.verdict}">
      <summary>
        ${badge(judged.verdict)}
        <span class="statement">${visible(titleOf(judged))}</span>
        <span class="about"
          ><code>${anchor}</code> <span class="level">${kind}</span>
          <span class="remark">${visible(remark(judged))}</span></span
        >
      </summary>
      <div class="body" id="${anchor}">${body}</div>
    </details>
  </li> `;

/** A verdict as symbol, word and colour. */
export const badge = (verdict: FindingVerdict): Html =>
  html`<span class="badge ${verdict}"
    ><b aria-hidden="true">${verdicts[verdict].symbol}</b> ${verdict}</span
  >`;

/** How often each verdict occurs, the most severe first. */
export const countBadges = (judged: readonly { readonly verdict: FindingVerdict }[]): Html =>
  html`<span class="counts"
    >${countsIn(judged).map(
      ([verdict, count]) =>
        html`<span class="count ${verdict}"
          ><b aria-hidden="true">${verdicts[verdict].symbol}</b> ${count} ${verdict}</span
        > `,
    )}</span
  >`;

/** Everything that the report contains about a requirement. */
export function details(requirement: ReportedRequirement, out: string): Html {
  const { id, why, tested, reason, counterexample } = requirement;
  return html`
    <p class="source">${sourceOf(requirement)} <a href="#${id}">#${id}</a></p>
    ${reason !== undefined && html`<p class="reason">${visible(reason)}</p>`}
    ${counterexample ? failure(requirement, counterexample, out) : basis(requirement)}
    ${why !== undefined && html`<p>${visible(why)}</p>`}
    ${tested !== undefined && html`<p class="tested"><b>How it is tested:</b> ${visible(tested)}</p>`}
  `;
}

function sourceOf({ level, section, source }: ReportedRequirement): string {
  if (source !== undefined) return `Recommended by ${source}; belongs to section ${section}`;
  return level === 'declared'
    ? `Declared in the profile; section ${section} leaves it open`
    : `Stated in section ${section}`;
}

/** The exchanges that a verdict is based on; nothing if there are none. */
function basis({ cases, accepted, inFlight, broken }: ReportedRequirement | CustomFinding): Html | false {
  const rate = broken === 0 ? highestRate(cases) : undefined;
  return (
    cases > 0 &&
    html`<p>
      ${broken} of ${quantity(cases, 'case')}
      failed${rate !== undefined && ` (95 % confident that fewer than ${rate} % do)`}; ${accepted} accepted,
      at most ${inFlight} in flight.
    </p>`
  );
}
