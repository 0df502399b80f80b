import { isDeepStrictEqual } from 'node:util';
import { byId } from '../../schemas/json.ts';
import type { Json } from '../../schemas/json.ts';
import type { Report, ReportedQuestion, ReportedRequirement } from '../../schemas/report.ts';
import { html, joined, visible } from './html.ts';
import type { Html } from './html.ts';
import { definitionList } from './document.ts';
import { exchange } from './exchanges.ts';
import { badge } from './requirement.ts';
import { quantity } from '../../target/output/printable.ts';
import { NO_REASON } from '../vocabulary.ts';

/**
 * The open questions: the answers, then those without an answer, by reason.
 * @param shown ids of those that are shown in full among the failures
 */
export function questionRows({ questions, requirements }: Report, shown: ReadonlySet<string>): Html {
  const declaredAs = byId(requirements);
  const isAnswered = ({ id, answer }: ReportedQuestion): boolean =>
    answer !== undefined || declaredAs.has(id);
  const answered = questions.filter(isAnswered);
  const others = Map.groupBy(
    questions.filter((question) => !isAnswered(question)),
    ({ reason = NO_REASON }) => reason,
  );
  return html`<p>
      The interface leaves these points open. Every answer conforms, unless the profile declares another one.
    </p>
    <ul class="entries">
      ${answered.map((one) => entry(one, declaredAs.get(one.id), shown.has(one.id)))}
    </ul>
    ${[...others].map(
      ([reason, all]) =>
        html`<details class="unanswered">
          <summary>${quantity(all.length, 'question')} without an answer: ${visible(reason)}</summary>
          <ul>
            ${all.map(
              ({ id, section, question }) =>
                html`<li class="entry" data-kind="question" id="${id}">
                  ${question} <code>${id}</code> <small>section ${section}</small>
                </li> `,
            )}
          </ul>
        </details>`,
    )}`;
}

function entry(
  { id, section, question, answer: observed, declared, reason, cases, exchanges }: ReportedQuestion,
  declaredAs: ReportedRequirement | undefined,
  isShown: boolean,
): Html {
  const [first] = exchanges;
  return html`<li
    class="entry"
    data-kind="question ${declaredAs?.verdict}"
    id="${isShown ? `${id}.answer` : id}"
  >
    ${question} <code>${id}</code> <small>section ${section}</small>
    ${definitionList([
      ['Answer', observed === undefined ? html`<i>${visible(reason ?? 'no answer')}</i>` : answer(observed)],
      (declared !== undefined || declaredAs !== undefined) && [
        'Declared',
        html`${declared !== undefined && (isDeepStrictEqual(declared, observed) ? 'as declared' : answer(declared))}
        ${declaredAs && declaredAs.verdict !== 'pass' && badge(declaredAs.verdict)}
        ${isShown && html`<a href="#${id}">Drift</a>`}`,
      ],
      first !== undefined && [
        'Observed',
        html`<details class="more">
          <summary>in ${quantity(cases, 'response')}<span class="apart"> that answer ${id}</span></summary>
          ${exchange(first, 'Example')}
        </details>`,
      ],
    ])}
  </li> `;
}

/** Maximum number of members of an answer that are shown. */
const MAX_MEMBERS = 60;

/** An answer: its members one below the other, those with equal values together. */
export function answer(value: Json): Html {
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object'))
    return value.length === 0
      ? html`<i>none</i>`
      : html`${joined(value.slice(0, MAX_MEMBERS).map((item) => html`<code>${visible(String(item))}</code>`))}${value.length > MAX_MEMBERS && ` and ${value.length - MAX_MEMBERS} more`}`;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return html`<code>${visible(typeof value === 'string' ? value : JSON.stringify(value))}</code>`;
  const members = Object.entries(value as Readonly<Record<string, Json>>);
  if (members.length === 0) return html`<i>none</i>`;
  const byValue = Map.groupBy(members.slice(0, MAX_MEMBERS), ([, member]) => JSON.stringify(member));
  return html`<dl class="members">
    ${[...byValue.values()].map(
      (equal) =>
        html`<div>
          <dt>${joined(equal.map(([name]) => (name === '' ? 'the whole body' : visible(name))))}</dt>
          <dd>${answer(equal[0]![1])}</dd>
        </div>`,
    )}
    ${
      members.length > MAX_MEMBERS &&
      html`<div>
        <dt>and</dt>
        <dd>${members.length - MAX_MEMBERS} more</dd>
      </div>`
    }
  </dl>`;
}
