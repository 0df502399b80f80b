import { titleOf, failedOf } from '../../engine/judging/failure-text.ts';
import type { FindingVerdict } from '../../schemas/case.ts';
import type { CustomFinding, Finding, ReportedRequirement } from '../../schemas/report.ts';
import { clipped } from '../../target/output/printable.ts';
import { isOfWaiver } from '../../verdict/waivers.ts';
import { html, prose, visible } from './html.ts';
import type { Content, Html } from './html.ts';
import { capitalised, countsIn, levels, verdicts } from '../vocabulary.ts';
import { highestRate, evidenceInBrief } from '../finding-in-words.ts';
import { exchangeLink } from './exchanges.ts';
import type { Log } from './exchanges.ts';
import { failure } from './failure.ts';

/** What an entry needs besides its requirement. */
export interface EntryContext {
  /** Folder of the reports. */
  readonly out: string;
  /** The exchanges that the page shows. */
  readonly log: Log;
  /** The reason that the headline gives. */
  readonly headlineReason?: string | undefined;
  /** How the verdict compares with that of another run. */
  readonly note?: (id: string) => string | undefined;
  /** URL of the report of the run, on another page. */
  readonly page?: string | undefined;
}

/** A requirement with its verdict, which opens in place. */
export function requirementEntry(
  judged: ReportedRequirement | CustomFinding,
  { out, log, headlineReason, note, page }: EntryContext,
  isOpen = false,
): Html {
  const { verdict, reason, counterexample } = judged;
  const { problem, why, tested } = 'level' in judged ? judged : {};
  // An id is any text if it is that of a plain test in a custom suite, or read from a file.
  const anchor = judged.id.replaceAll(/[^\w.-]/g, '-');
  const compared = note?.(judged.id);
  const { reason: _, ...withoutReason } = judged;
  const isGiven = reason !== undefined && reason === headlineReason;
  const remark = evidenceAndActual(isGiven ? withoutReason : judged);
  return html`<li class="entry" data-kind="${verdict}">
    <details class="${verdict}" ${isOpen && 'open'}>
      <summary>
        ${badge(verdict)}
        <span class="statement">${visible(titleOf(judged))}</span>
        <span class="about"
          ><code>${anchor}</code>
          <span class="level">${'level' in judged ? capitalised(levels[judged.level].name) : 'Custom'}</span>
          ${compared !== undefined && html`<span class="note">${compared}</span>`}
          ${remark !== '' && html`<span class="remark">${visible(remark)}</span>`}</span
        >
      </summary>
      <div class="body" id="${anchor}">
        <p class="source">
          ${problem !== undefined && html`${visible(judged.statement)} `}${whereStated(judged)}
          <a class="own" href="#${anchor}">Link to this entry</a>
          ${page !== undefined && html`<a class="own" href="${page}#${anchor}">In the report of the run</a>`}
        </p>
        ${reason !== undefined && html`<p class="reason">${visible(reason)}</p>`}
        ${counterexample ? failure({ ...judged, id: anchor }, counterexample, log, out) : basis(judged, log)}
        ${why !== undefined && html`<p>${visible(why)}</p>`}
        ${tested !== undefined && html`<p class="tested"><b>How it is tested:</b> ${visible(tested)}</p>`}
      </div>
    </details>
  </li> `;
}

/** What a verdict rests on, and what came back wrongly. */
const evidenceAndActual = (judged: Finding): string =>
  [
    evidenceInBrief(judged),
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

function whereStated(judged: ReportedRequirement | CustomFinding): Content {
  if (!('level' in judged)) return html`In <code>${visible(judged.file)}</code>`;
  const { level, section, source, sentence } = judged;
  if (isOfWaiver(judged)) return 'A waiver in the profile';
  const quote = sentence !== undefined && html`: “${prose(sentence)}”`;
  if (source !== undefined)
    return html`Recommended by ${visible(source)}${quote}; belongs to section ${visible(section)}`;
  return level === 'declared'
    ? html`Declared in the profile, for section ${visible(section)}${quote}`
    : html`Stated in section ${visible(section)}${quote}`;
}

/** What a verdict rests on; nothing if there is none. */
function basis(judged: Finding, log: Log): Html | false {
  const { cases, accepted, inFlight, broken, sample } = judged;
  const rate = broken === 0 ? highestRate(cases) : undefined;
  return (
    cases > 0 &&
    html`<p>
      ${failedOf(judged)}${rate !== undefined && ` (95 % confident that fewer than ${rate} % do)`}; the target
      accepted ${accepted}, and at most ${inFlight} were in flight together.
      ${sample !== undefined && html`Example: ${exchangeLink(sample, log)}.`}
    </p>`
  );
}
