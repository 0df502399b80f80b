import type { Report, ReportedSentence } from '../../schemas/report.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { titleOfSection } from '../sections.ts';
import { quantity, verdictNames } from '../vocabulary.ts';
import { badge } from './requirement.ts';
import { visible } from './visible.ts';

/** Sentences of one section of the interface, each with its requirements and questions, folded. */
export const sentencesOf = (section: string, sentences: readonly ReportedSentence[], report: Report): Html =>
  folded(`section ${section}`, sentences, list(sentences, report));

/** Sentences of several sections, with their titles, folded. */
export const sentencesBySection = (sentences: readonly ReportedSentence[], report: Report): Html =>
  folded(
    'other sections',
    sentences,
    html`${[...Map.groupBy(sentences, ({ section }) => section)].map(
      ([section, own]) =>
        html`<h3>
            ${section !== '0' && html`<span class="number">${visible(section)}</span> `}${titleOfSection(section)}
          </h3>
          ${list(own, report)}`,
    )}`,
  );

const folded = (place: string, sentences: readonly ReportedSentence[], body: Html): Html =>
  html`<details class="more sentences">
    <summary>${quantity(sentences.length, 'sentence')} of ${place}: ${counts(sentences)}</summary>
    ${body}
  </details>`;

/** How many of some sentences have what, such as `9 with a requirement, 1 with neither`. */
function counts(sentences: readonly ReportedSentence[]): string {
  const kinds = Map.groupBy(sentences, ({ tested, asked }) =>
    tested.length > 0 ? 'a requirement' : asked.length > 0 ? 'only a question' : 'neither',
  );
  return (['a requirement', 'only a question', 'neither'] as const)
    .filter((kind) => kinds.has(kind))
    .map((kind) => `${kinds.get(kind)!.length} with ${kind}`)
    .join(', ');
}

const list = (sentences: readonly ReportedSentence[], report: Report): Html =>
  html`<ul>
    ${sentences.map(
      ({ text, tested, asked, because }) =>
        html`<li>
          ${prose(text)} ${tested.length > 0 && html`<p>Requirements: ${links(tested, report)}</p>`}
          ${asked.length > 0 && html`<p>Questions: ${links(asked, report)}</p>`}
          ${because !== undefined && html`<p>Neither: ${visible(because)}</p>`}
        </li> `,
    )}
  </ul>`;

/** Links to the entries of some ids, by verdict; a question has one only if the profile declares its answer. */
function links(ids: readonly string[], { requirements, questions }: Report): Html {
  const verdicts = new Map(requirements.map(({ id, verdict }) => [id, verdict]));
  const asked = new Set(questions.map(({ id }) => id));
  const all = Map.groupBy(ids, (id) => verdicts.get(id) ?? (asked.has(id) ? 'undeclared' : 'absent'));
  const groups = (['undeclared', ...verdictNames, 'absent'] as const).filter((group) => all.has(group));
  return html`${groups.map((group, at) => {
    const own = all.get(group)!;
    const linked = own.map((id, at) => html`${at > 0 && ', '}<a href="#${id}">${visible(id)}</a>`);
    return html`${at > 0 && '; '}${
      group === 'undeclared'
        ? linked
        : group === 'absent'
          ? html`not in this report: ${visible(own.join(', '))}`
          : html`${badge(group)} ${linked}`
    }`;
  })}`;
}

/** A sentence of the document, whose Markdown has code and rows of tables. */
const prose = (text: string): Html =>
  html`${text
    .replaceAll(/^\| | \|$/g, '')
    .split('`')
    .map((part, at) => (at % 2 === 0 ? visible(part) : html`<code>${visible(part)}</code>`))}`;
