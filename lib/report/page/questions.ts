import type { Json } from '../../schemas/json.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { exchange } from './exchange.ts';
import type { PlacedQuestion } from './outline.ts';
import { badge, evidence } from './statement.ts';
import { visible } from './visible.ts';
import { counted } from './words.ts';

/** What a section leaves open: the answers as a table, then what was not answered, by its reason. */
export function questionsOf(all: readonly PlacedQuestion[], label: string, out: string): Html | false {
  if (all.length === 0) return false;
  const answered = all.filter(({ answer, held }) => answer !== undefined || held !== undefined);
  const others = Map.groupBy(
    all.filter((question) => !answered.includes(question)),
    ({ reason = 'the run did not come to it' }) => reason,
  );
  return html`<div class="open">
    ${answered.length > 0 && table(answered, label, out)}
    ${[...others].map(
      ([reason, questions]) =>
        html`<div class="unanswered">
          <p>Left open and not answered: ${visible(reason)}</p>
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

/** Rows and cells say what they are, as on a phone they are laid out like no table. */
function table(questions: readonly PlacedQuestion[], label: string, out: string): Html {
  const isDeclared = questions.some(({ declared, held }) => declared !== undefined || held !== undefined);
  return html`<table class="answers" role="table">
    <caption>
      Left open in ${label}, and how the target answers
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

/** A group of rows for each: the question, and beneath it what came of its declared answer. */
function row(asked: PlacedQuestion, isDeclared: boolean, out: string): Html {
  const { id, question, answer: seen, declared, reason, held, cases, exchanges } = asked;
  const [first] = exchanges;
  const kinds = ['question', ...(held ? [held.verdict] : [])];
  return html`<tbody role="rowgroup" class="entry ${held?.verdict}" data-kind="${kinds.join(' ')}" id="${id}">
    <tr role="row">
      <th scope="row" role="rowheader">${question} <code>${id}</code></th>
      <td role="cell">
        ${seen === undefined ? html`<i>${visible(reason ?? 'not answered')}</i>` : answer(seen)}
        ${
          first &&
          !held?.counterexample &&
          html`<details class="more keep">
            <summary>
              Seen in ${counted(cases, 'response')}<span class="apart"> that answer ${id}</span>
            </summary>
            ${exchange(first, 'For example')}
          </details>`
        }
      </td>
      ${
        isDeclared &&
        html`<td role="cell" class="${declared === undefined ? 'undeclared' : 'declared'}">
          ${declared === undefined ? html`<i>not declared</i>` : answer(declared)}
          ${held && badge(held.verdict)}
        </td>`
      }
    </tr>
    ${
      held?.counterexample &&
      html`<tr role="row" class="drift">
        <td role="cell" colspan="3">
          <details class="${held.verdict}">
            <summary>
              <b>Drift</b>: the answer is another one than was declared<span class="apart"> to ${id}</span>
            </summary>
            <div class="body">${evidence(held, out)}</div>
          </details>
        </td>
      </tr>`
    }
  </tbody> `;
}

/** Members of an answer that are shown one beneath the other. */
const MOST_MEMBERS = 60;

/** An answer as a person reads it: members one beneath the other, those of one value together. */
export function answer(value: Json | undefined): Html {
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object'))
    return value.length === 0
      ? html`<i>none</i>`
      : html`${value.slice(0, MOST_MEMBERS).map((item, at) => html`${at > 0 && ', '}<code>${visible(String(item))}</code>`)}${value.length > MOST_MEMBERS && ` and ${value.length - MOST_MEMBERS} more`}`;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return html`<code>${visible(typeof value === 'string' ? value : JSON.stringify(value))}</code>`;
  const members = Object.entries(value as Readonly<Record<string, Json>>);
  const alike = Map.groupBy(members.slice(0, MOST_MEMBERS), ([, own]) => JSON.stringify(own));
  const isGrouped = alike.size < members.length && alike.size <= 3 && members.length > 3;
  return html`<dl class="members">
    ${
      isGrouped
        ? [...alike.values()].map(
            (own) =>
              html`<div>
                <dt>${answer(own[0]![1])}</dt>
                <dd>${own.map(([name], at) => html`${at > 0 && ', '}${visible(name)}`)}</dd>
              </div>`,
          )
        : members.slice(0, MOST_MEMBERS).map(
            ([name, own]) =>
              html`<div>
                <dt>${name === '' ? 'the whole' : visible(name)}</dt>
                <dd>${answer(own)}</dd>
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
