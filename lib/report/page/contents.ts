import type { FindingVerdict } from '../../schemas/case.ts';
import type { Report } from '../../schemas/report.ts';
import { html } from './html.ts';
import type { Html } from './html.ts';
import { isCounted } from '../../verdict/verdict.ts';
import { countsIn, severest, verdicts } from '../vocabulary.ts';
import { countBadges } from './requirement.ts';

/** A chapter of the page, with a heading. */
export interface PageChapter {
  readonly anchor: string;
  /** The number of the section of the interface that it is about. */
  readonly number?: string;
  readonly title: string;
  /** The requirements in it; absent if there can be none. */
  readonly judged?: readonly { readonly verdict: FindingVerdict; readonly optional?: boolean }[];
  readonly body: Html;
}

export function pageChapter({ anchor, number = '', title, judged, body }: PageChapter): Html {
  return html`<section class="chapter" aria-labelledby="${anchor}">
    <h2 id="${anchor}">
      ${number !== '' && html`<span class="number">${number}</span> `}${title}
      ${judged && html`<small>${countBadges(judged)}</small>`}
    </h2>
    ${body}
  </section> `;
}

/** The table of contents, with the most severe verdict of each chapter. */
export const contents = (chapters: readonly PageChapter[]): Html =>
  html`<nav aria-label="Contents">
    <details class="contents">
      <summary>Contents</summary>
      <ul>
        ${chapters.map(({ anchor, number, title, judged = [] }) => {
          const worst = severest(judged.filter(isCounted))?.verdict;
          return html`<li>
            <a href="#${anchor}">${number && html`<span class="number">${number}</span> `}${title}</a>
            ${
              worst &&
              html`<span class="count ${worst}"
                ><b aria-hidden="true">${verdicts[worst].symbol}</b><span class="apart"> ${worst}</span></span
              >`
            }
          </li> `;
        })}
      </ul>
    </details>
  </nav>`;

/** The filters. The script shows them, as they need it. */
export function filters({ requirements, questions, custom = [] }: Report): Html {
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
      <span role="status" id="shown"></span>
      <button type="button" id="open-all">Open all</button>
    </p>
  </search>`;
}
