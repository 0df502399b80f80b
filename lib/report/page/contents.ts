import { html } from '../html.ts';
import type { Html } from '../html.ts';
import type { Report } from '../../schemas/report.ts';
import type { Section } from './outline.ts';
import { marks, verdictNames } from './words.ts';

/** The contents list: the outline, with the gravest verdict of each section. */
export const contents = (sections: readonly Section[], { custom }: Report): Html =>
  html`<nav aria-labelledby="contents">
    <h2 id="contents">Contents</h2>
    <ul>
      ${sections.map((section) => {
        const { number, title, anchor } = section;
        const worst = worstOf(section);
        return html`<li class="${number.includes('.') && 'deeper'}">
          <a href="#${anchor}"><span class="number">${number}</span> ${title}</a>
          ${
            worst &&
            html`<span class="count ${worst}"
              ><b aria-hidden="true">${marks[worst].symbol}</b
              ><span class="apart"> ${marks[worst].word}</span></span
            >`
          }
        </li> `;
      })}
      ${
        custom !== undefined &&
        html`<li>
          <a href="#own"><span class="number"></span> Suites of your own</a>
        </li>`
      }
      <li>
        <a href="#pictures"><span class="number"></span> The run in pictures</a>
      </li>
      <li>
        <a href="#words"><span class="number"></span> What the words mean</a>
      </li>
    </ul>
  </nav>`;

function worstOf({ requirements, questions }: Section): (typeof verdictNames)[number] | undefined {
  const verdicts = [
    ...requirements.filter(({ optional }) => !optional).map(({ verdict }) => verdict),
    ...questions.flatMap(({ held }) => held?.verdict ?? []),
  ];
  return verdictNames.find((verdict) => verdicts.includes(verdict));
}

/** The filters; shown by the script, as they do nothing without it. */
export function filters({ requirements, questions, custom = [] }: Report): Html {
  const ids = new Set<string>(questions.map(({ id }) => id));
  const statements = requirements.filter(({ id }) => !ids.has(id));
  const kinds = [
    ...verdictNames.map(
      (verdict) =>
        [
          verdict,
          marks[verdict].word,
          [...requirements, ...custom].filter((one) => one.verdict === verdict).length,
        ] as const,
    ),
    ['question', 'left open', questions.length] as const,
  ];
  return html`<search id="filters" aria-label="Filter the statements" hidden>
    <label for="find">Find</label>
    <input
      id="find"
      type="search"
      autocomplete="off"
      spellcheck="false"
      placeholder="a word, an id, a section"
    />
    <div class="kinds" role="group" aria-label="Show only">
      ${kinds
        .filter(([, , count]) => count > 0)
        .map(
          ([kind, word, count]) =>
            html`<button type="button" aria-pressed="false" data-show="${kind}" class="${kind}">
              ${word} <small>${count}</small>
            </button> `,
        )}
    </div>
    <p class="tools">
      <span role="status" id="shown">${statements.length + questions.length + custom.length} shown</span>
      <button type="button" id="open-all" class="plain">Open all</button>
    </p>
  </search>`;
}
