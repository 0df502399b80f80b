import type { FindingVerdict } from '../../schemas/case.ts';
import type { Report } from '../../schemas/report.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { countsIn, verdictNames, verdicts } from '../vocabulary.ts';
import type { Section } from './page.ts';

/** The table of contents, with the most severe verdict of each section. */
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
              ><b aria-hidden="true">${verdicts[worst].symbol}</b><span class="apart"> ${worst}</span></span
            >`
          }
        </li> `;
      })}
      ${custom !== undefined && link('custom', 'Custom suites')} ${link('charts', 'Charts')}
      ${link('glossary', 'Glossary')}
    </ul>
  </nav>`;

const link = (anchor: string, title: string): Html =>
  html`<li>
    <a href="#${anchor}"><span class="number"></span> ${title}</a>
  </li>`;

function worstOf({ requirements, questions }: Section): FindingVerdict | undefined {
  const found = [
    ...requirements.filter(({ optional }) => !optional).map(({ verdict }) => verdict),
    ...questions.flatMap(({ declaredAs }) => declaredAs?.verdict ?? []),
  ];
  return verdictNames.find((verdict) => found.includes(verdict));
}

/** The filters. The script shows them, as they need it. */
export function filters({ requirements, questions, custom = [] }: Report): Html {
  const asked = new Set(questions.map(({ id }) => id));
  const entries = requirements.filter(({ id }) => !asked.has(id)).length + questions.length + custom.length;
  const kinds: (readonly [kind: string, word: string, count: number])[] = [
    ...countsIn([...requirements, ...custom]).map(([verdict, count]) => [verdict, verdict, count] as const),
    ['question', 'not specified', questions.length],
  ];
  return html`<search id="filters" aria-label="Filter the requirements" hidden>
    <label for="find">Find</label>
    <input
      id="find"
      type="search"
      autocomplete="off"
      spellcheck="false"
      placeholder="a word, an id, a section"
    />
    <div class="kinds" role="group" aria-label="Show only">
      ${kinds.map(
        ([kind, word, count]) =>
          html`<button type="button" aria-pressed="false" data-show="${kind}" class="${kind}">
            ${word} <small>${count}</small>
          </button> `,
      )}
    </div>
    <p class="tools">
      <span role="status" id="shown">${entries} shown</span>
      <button type="button" id="open-all" class="plain">Open all</button>
    </p>
  </search>`;
}
