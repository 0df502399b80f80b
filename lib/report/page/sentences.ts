import type { Report, ReportedSentence } from '../../schemas/report.ts';
import { html, joined, prose, visible } from './html.ts';
import type { Html } from './html.ts';
import { titleOfSection } from '../order.ts';
import { verdictNames } from '../vocabulary.ts';
import { badge } from './requirement.ts';
import { quantity } from '../../target/output/printable.ts';

/**
 * Sentences of the interface, each with its requirements and questions, folded.
 * @param section the section that they all belong to; undefined: there are several, whose titles are shown
 */
export function sentencesOf(
  section: string | undefined,
  sentences: readonly ReportedSentence[],
  report: Report,
): Html {
  const sectionText = section === undefined ? 'other sections' : `section ${section}`;
  return html`<details class="more sentences">
    <summary>${quantity(sentences.length, 'sentence')} of ${sectionText}: ${counts(sentences)}</summary>
    ${[...Map.groupBy(sentences, (one) => one.section)].map(
      ([number, own]) =>
        html`${
          section === undefined &&
          html`<h3>
            ${number !== '0' && html`<span class="number">${visible(number)}</span> `}${titleOfSection(number)}
          </h3>`
        }
        ${list(own, report)}`,
    )}
  </details>`;
}

/** How many of some sentences have requirements or questions, such as `9 with a requirement, 1 with neither`. */
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
      ({ text, tested, asked, reason }) =>
        html`<li>
          ${prose(text)} ${tested.length > 0 && html`<p>Requirements: ${links(tested, report)}</p>`}
          ${asked.length > 0 && html`<p>Questions: ${links(asked, report)}</p>`}
          ${reason !== undefined && html`<p>Neither: ${visible(reason)}</p>`}
        </li> `,
    )}
  </ul>`;

/** Links to the entries of some ids, by verdict; a question has one only if the profile declares its answer. */
function links(ids: readonly string[], { requirements, questions }: Report): Html {
  const verdicts = new Map(requirements.map(({ id, verdict }) => [id, verdict]));
  const asked = new Set(questions.map(({ id }) => id));
  const all = Map.groupBy(ids, (id) => verdicts.get(id) ?? (asked.has(id) ? 'undeclared' : 'absent'));
  const groups = (['undeclared', ...verdictNames, 'absent'] as const).filter((group) => all.has(group));
  return joined(
    groups.map((group) => {
      const own = all.get(group)!;
      if (group === 'absent') return html`not in this report: ${visible(own.join(', '))}`;
      const linked = joined(own.map((id) => html`<a href="#${id}">${visible(id)}</a>`));
      return group === 'undeclared' ? linked : html`${badge(group)} ${linked}`;
    }),
    '; ',
  );
}
