import { html } from '../html.ts';
import type { Html } from '../html.ts';
import type { Section } from './outline.ts';
import { questionsOf } from './questions.ts';
import { statement } from './statement.ts';
import { counts } from './tally.ts';
import { levels } from './words.ts';

/** One section of the interface document: its statements, and what it leaves open. */
export function sectionOf(section: Section, out: string): Html {
  const { number, title, anchor, requirements, questions } = section;
  const isDeeper = number.includes('.');
  const heading = html`<span class="number">${number}</span> ${title}
    ${requirements.length > 0 && html`<small>${counts(requirements)}</small>`}`;
  return html`<section class="${isDeeper ? 'chapter deeper' : 'chapter'}" aria-labelledby="${anchor}">
    ${isDeeper ? html`<h3 id="${anchor}">${heading}</h3>` : html`<h2 id="${anchor}">${heading}</h2>`}
    ${
      requirements.length > 0 &&
      html`<ul class="statements">
        ${(['must', 'should', 'declared'] as const).flatMap((level) =>
          requirements.filter((one) => one.level === level).map((one) => statement(one, out)),
        )}
      </ul>`
    }
    ${questionsOf(questions, number === '' ? 'the profile' : `section ${number}`, out)}
  </section> `;
}

/** What the words of the page mean. */
export const glossary = (out: string): Html =>
  html`<section aria-labelledby="words">
    <h2 id="words">What the words mean</h2>
    <dl class="words">
      <dt>${levels.must}</dt>
      <dd>stated by the interface document, in the section that it stands under.</dd>
      <dt>${levels.should}</dt>
      <dd>said by an RFC beneath it; a failure warns, and counts only in a strict run.</dd>
      <dt>${levels.declared}</dt>
      <dd>
        left open by the document and answered by the target's operator in a profile; another answer is drift.
      </dd>
      <dt>Left open</dt>
      <dd>“not shown” in the document: asked and recorded, never failed.</dd>
      <dt>Holds</dt>
      <dd>
        no judged exchange broke it; what that is worth stands beside it (with n clean cases, the rate of
        faults is below 3/n at 95 %).
      </dd>
      <dt>No verdict</dt>
      <dd>it could not be judged: what it builds on was refused, or no answer came.</dd>
    </dl>
    <p>
      This page is made from <code>conformance.json</code> and <code>evidence.ndjson</code> alone;
      <code>npx cts-conformance render ${out}</code> makes it again. The key and issued tokens stand as
      <code>[key]</code> and <code>[token 12]</code>. Long bodies are cut here and whole in the evidence.
    </p>
  </section>`;
