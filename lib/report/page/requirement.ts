import { titleOf } from '../../engine/judging/failure-text.ts';
import type { FindingVerdict } from '../../schemas/case.ts';
import type { CustomFinding, ReportedRequirement } from '../../schemas/report.ts';
import { clipped } from '../../target/output/printable.ts';
import { html, visible } from './html.ts';
import type { Html } from './html.ts';
import { capitalised, countsIn, highestRate, levels, quantity, remark, verdicts } from '../vocabulary.ts';
import { exchangeLink } from './exchanges.ts';
import type { Log } from './exchanges.ts';
import { failure } from './failure.ts';

/** What an entry needs besides its requirement. */
export interface Around {
  /** Folder of the reports. */
  readonly out: string;
  /** The exchanges that the page shows. */
  readonly log: Log;
  /** The one reason why nothing has a verdict, which the headline gives. */
  readonly common?: string | undefined;
  /** How the verdict compares with that of another run. */
  readonly note?: (id: string) => string | undefined;
  /** URL of the report of the run, on another page. */
  readonly page?: string | undefined;
}

/** A requirement with its verdict, which opens in place. */
export function requirementEntry(judged: ReportedRequirement, around: Around, isOpen = false): Html {
  const requirement = { ...judged, id: anchorOf(judged.id) };
  const kind = capitalised(levels[judged.level].name);
  return entry(requirement, requirement.id, kind, details(requirement, around), around, isOpen);
}

/** The anchor of a requirement. Its id is any text if it is a plain test of a custom suite, or read from a file. */
const anchorOf = (id: string): string => id.replaceAll(/[^\w.-]/g, '-');

/** A requirement of a custom suite. */
export const customEntry = (finding: CustomFinding, around: Around): Html => {
  const anchor = anchorOf(finding.id);
  const { source, reason, counterexample } = finding;
  return entry(
    finding,
    anchor,
    'Custom',
    html`<p class="source">In <code>${visible(source)}</code> ${link(anchor)}</p>
      ${reason !== undefined && html`<p class="reason">${visible(reason, 'printed')}</p>`}
      ${counterexample ? failure({ ...finding, id: anchor }, counterexample, around.log, undefined) : basis(finding, around.log)}`,
    around,
  );
};

const entry = (
  judged: ReportedRequirement | CustomFinding,
  anchor: string,
  kind: string,
  body: Html,
  { common, note }: Around,
  isOpen = false,
): Html => {
  const compared = note?.(judged.id);
  return html`<li class="entry" data-kind="${judged.verdict}">
    <details class="${judged.verdict}" ${isOpen && 'open'}>
      <summary>
        ${badge(judged.verdict)}
        <span class="statement">${visible(titleOf(judged))}</span>
        <span class="about"
          ><code>${anchor}</code>
          <span class="level">${kind}</span>
          ${compared !== undefined && html`<span class="note">${compared}</span>`}
          ${(common === undefined || judged.reason !== common) && html`<span class="remark">${visible(inShort(judged), 'printed')}</span>`}</span
        >
      </summary>
      <div class="body" id="${anchor}">${body}</div>
    </details>
  </li> `;
};

/** What a verdict rests on, and what came back where it should not have. */
const inShort = (judged: ReportedRequirement | CustomFinding): string =>
  [
    remark(judged),
    ...(judged.counterexample ? [`got ${clipped(judged.counterexample.actual, 120)}`] : []),
  ].join('; ');

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

const link = (anchor: string, page?: string): Html =>
  html`<a class="own" href="#${anchor}">Link to this entry</a
    >${page !== undefined && html` <a class="own" href="${page}#${anchor}">In the report of the run</a>`}`;

/** Everything that the report contains about a requirement. */
function details(requirement: ReportedRequirement, { out, log, page }: Around): Html {
  const { id, statement, problem, why, tested, reason, counterexample } = requirement;
  return html`
    <p class="source">
      ${visible(sourceOf(requirement))}${problem !== undefined && html`: ${visible(statement)}`}
      ${link(id, page)}
    </p>
    ${reason !== undefined && html`<p class="reason">${visible(reason, 'printed')}</p>`}
    ${counterexample ? failure(requirement, counterexample, log, out) : basis(requirement, log)}
    ${why !== undefined && html`<p>${visible(why)}</p>`}
    ${tested !== undefined && html`<p class="tested"><b>How it is tested:</b> ${visible(tested)}</p>`}
  `;
}

function sourceOf({ id, level, section, source }: ReportedRequirement): string {
  if (id.startsWith('waiver.')) return 'A waiver in the profile';
  if (source !== undefined) return `Recommended by ${source}; belongs to section ${section}`;
  return level === 'declared'
    ? `Declared in the profile; section ${section} leaves it open`
    : `Stated in section ${section}`;
}

/** What a verdict rests on; nothing if there is none. */
function basis(
  { cases, accepted, inFlight, broken, sample }: ReportedRequirement | CustomFinding,
  log: Log,
): Html | false {
  const rate = broken === 0 ? highestRate(cases) : undefined;
  return (
    cases > 0 &&
    html`<p>
      ${broken} of ${quantity(cases, 'case')}
      failed${rate !== undefined && ` (95 % confident that fewer than ${rate} % do)`}; the target accepted
      ${accepted}, and at most ${inFlight} were in flight together.
      ${sample !== undefined && html`Example: ${exchangeLink(sample, log)}.`}
    </p>`
  );
}
