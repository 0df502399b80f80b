import { html } from '../html.ts';
import type { Html } from '../html.ts';
import type { ReportedRequirement } from '../../schemas/report.ts';
import { remark } from '../sentences.ts';
import type { Remarked } from '../sentences.ts';
import { failure } from './failure.ts';
import { visible } from './visible.ts';
import { levels, marks } from './words.ts';

/** One statement of the interface with its verdict; opens in place. @param out folder of the reports */
export const statement = (requirement: ReportedRequirement, out: string): Html =>
  entry({ ...requirement, kind: levels[requirement.level] }, evidence(requirement, out));

/** What an entry tells before it is opened. */
interface Told extends Remarked {
  readonly id: string;
  readonly statement: string;
  /** Whose word it is. */
  readonly kind: string;
}

/** A statement with its verdict; opens in place. @param id also its place in the page */
export function entry(told: Told, body: Html): Html {
  const { id, kind, verdict, statement } = told;
  return html`<li class="entry" data-kind="${verdict}">
    <details class="${verdict}">
      <summary>
        ${badge(verdict)}
        <span class="said">${visible(statement)}</span>
        <span class="about"
          ><code>${id}</code> <span class="level">${kind}</span>
          <span class="remark">${visible(remark(told))}</span></span
        >
      </summary>
      <div class="body" id="${id}">${body}</div>
    </details>
  </li> `;
}

/** A verdict by its symbol, its word and its colour. */
export const badge = (verdict: ReportedRequirement['verdict']): Html =>
  html`<span class="badge ${verdict}"
    ><b aria-hidden="true">${marks[verdict].symbol}</b> ${marks[verdict].word}</span
  >`;

/** All that is known of a verdict. */
export function evidence(requirement: ReportedRequirement, out: string): Html {
  const { id, section, source, level, reason, counterexample } = requirement;
  return html`
    <p class="source">
      ${source === undefined ? sourceOf(level, section) : `Advised by ${source}; belongs to section ${section}`}
      <a href="#${id}">#${id}</a>
    </p>
    ${reason !== undefined && html`<p class="reason">${visible(reason)}</p>`}
    ${counterexample && failure(requirement, counterexample, out)} ${!counterexample && worth(requirement)}
  `;
}

/** What the exchanges that were judged are worth; nothing where none was. */
export const worth = ({ cases, accepted, inFlight, broken }: Judged): Html | false =>
  cases > 0 &&
  html`<p>
    ${cases} exchanges were judged, of which ${accepted} were accepted; at most ${inFlight} were in flight
    together.
    ${broken === 0 && cases >= 4 && `With ${cases} clean cases, the rate of faults is below ${(300 / cases).toPrecision(2)} % at 95 %.`}
  </p>`;

type Judged = Pick<ReportedRequirement, 'cases' | 'accepted' | 'inFlight' | 'broken'>;

const sourceOf = (level: ReportedRequirement['level'], section: string): string =>
  level === 'declared'
    ? `Declared by the target's operator, as section ${section} leaves it open`
    : `Stated in section ${section}`;
