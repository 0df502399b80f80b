import type { Json } from '../../schemas/json.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { quantity } from '../vocabulary.ts';
import { exchange } from './failure.ts';
import type { PlacedQuestion } from './page.ts';
import { badge, details } from './requirement.ts';
import { visible } from './visible.ts';

/** The open questions of a section: the answers as a table, then those without an answer, by reason. */
export function questionsOf(all: readonly PlacedQuestion[], label: string, out: string): Html | false {
  if (all.length === 0) return false;
  const answered = all.filter(({ answer, declaredAs }) => answer !== undefined || declaredAs !== undefined);
  const others = Map.groupBy(
    all.filter((question) => !answered.includes(question)),
    ({ reason = 'the reason is unknown' }) => reason,
  );
  return html`<div class="open">
    ${answered.length > 0 && table(answered, label, out)}
    ${[...others].map(
      ([reason, questions]) =>
        html`<div class="unanswered">
          <p>No answer: ${visible(reason)}</p>
          <ul>
            ${questions.map(
              ({ id, question }) =>
                html`<li class="entry" data-kind="question" id="${id}">${question} <code>${id}</code></li> `,
            )}
          </ul>
        </div>`,
    )}
  </div>`;
}

/** The roles are explicit, because the layout for phones is not that of a table. */
function table(questions: readonly PlacedQuestion[], label: string, out: string): Html {
  const isDeclared = questions.some(
    ({ declared, declaredAs }) => declared !== undefined || declaredAs !== undefined,
  );
  return html`<table class="answers" role="table">
    <caption>
      Not specified in ${label}, and how the target answers
    </caption>
    <thead role="rowgroup">
      <tr role="row">
        <th scope="col" role="columnheader">Question</th>
        <th scope="col" role="columnheader">Answer</th>
        ${isDeclared && html`<th scope="col" role="columnheader">Declared</th>`}
      </tr>
    </thead>
    ${questions.map((question) => row(question, isDeclared, out))}
  </table>`;
}

/** The rows of a question: its answer, and below it the drift from the declared one. */
function row(asked: PlacedQuestion, isDeclared: boolean, out: string): Html {
  const { id, question, answer: observed, declared, reason, declaredAs, cases, exchanges } = asked;
  const [first] = exchanges;
  const kinds = ['question', ...(declaredAs ? [declaredAs.verdict] : [])];
  return html`<tbody
    role="rowgroup"
    class="entry ${declaredAs?.verdict}"
    data-kind="${kinds.join(' ')}"
    id="${id}"
  >
    <tr role="row">
      <th scope="row" role="rowheader">${question} <code>${id}</code></th>
      <td role="cell">
        ${observed === undefined ? html`<i>${visible(reason ?? 'no answer')}</i>` : answer(observed)}
        ${
          first &&
          !declaredAs?.counterexample &&
          html`<details class="more keep">
            <summary>
              Observed in ${quantity(cases, 'response')}<span class="apart"> that answer ${id}</span>
            </summary>
            ${exchange(first, 'Example')}
          </details>`
        }
      </td>
      ${
        isDeclared &&
        html`<td role="cell" class="${declared === undefined ? 'undeclared' : 'declared'}">
          ${declared === undefined ? html`<i>not declared</i>` : answer(declared)}
          ${declaredAs && badge(declaredAs.verdict)}
        </td>`
      }
    </tr>
    ${
      declaredAs?.counterexample &&
      html`<tr role="row" class="drift">
        <td role="cell" colspan="3">
          <details class="${declaredAs.verdict}">
            <summary>
              <b>Drift</b>: the answer differs from the declared one<span class="apart"> to ${id}</span>
            </summary>
            <div class="body">${details(declaredAs, out)}</div>
          </details>
        </td>
      </tr>`
    }
  </tbody> `;
}

/** Members of an answer that are shown. */
const MOST_MEMBERS = 60;

/** An answer: its members one below the other, those with equal values together. */
export function answer(value: Json | undefined): Html {
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object'))
    return value.length === 0
      ? html`<i>none</i>`
      : html`${value.slice(0, MOST_MEMBERS).map((item, at) => html`${at > 0 && ', '}<code>${visible(String(item))}</code>`)}${value.length > MOST_MEMBERS && ` and ${value.length - MOST_MEMBERS} more`}`;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return html`<code>${visible(typeof value === 'string' ? value : JSON.stringify(value))}</code>`;
  const members = Object.entries(value as Readonly<Record<string, Json>>);
  const byValue = Map.groupBy(members.slice(0, MOST_MEMBERS), ([, member]) => JSON.stringify(member));
  const isGrouped = byValue.size < members.length && byValue.size <= 3 && members.length > 3;
  return html`<dl class="members">
    ${
      isGrouped
        ? [...byValue.values()].map(
            (equal) =>
              html`<div>
                <dt>${answer(equal[0]![1])}</dt>
                <dd>${equal.map(([name], at) => html`${at > 0 && ', '}${visible(name)}`)}</dd>
              </div>`,
          )
        : members.slice(0, MOST_MEMBERS).map(
            ([name, member]) =>
              html`<div>
                <dt>${name === '' ? 'the whole body' : visible(name)}</dt>
                <dd>${answer(member)}</dd>
              </div>`,
          )
    }
    ${
      members.length > MOST_MEMBERS &&
      html`<div>
        <dt>and</dt>
        <dd>${members.length - MOST_MEMBERS} more</dd>
      </div>`
    }
  </dl>`;
}
