import { html } from '../../html.ts';
import type { Html } from '../../html.ts';
import type { EvidenceLine } from '../../../schemas/evidence.ts';
import { visible } from '../visible.ts';

/** What became of some inputs. */
export interface Outcomes {
  readonly name: string;
  readonly accepted: number;
  readonly refused: number;
  /** Answered with a server error, or not at all. */
  readonly failed: number;
}

interface Case {
  readonly experiment: string;
  readonly category: string;
  readonly outcome: 'accepted' | 'refused' | 'failed';
}

/** The experiment whose categories are classes of names and of addresses. */
const WIDE = 'wide customers';

/** How much of each class of input was accepted, refused or failed. */
export function classes(evidence: readonly EvidenceLine[]): Html {
  const cases = casesIn(evidence);
  if (cases.length === 0) return html`<p>No input was judged.</p>`;
  const wide = cases.filter(({ experiment }) => experiment === WIDE);
  const names = outcomesBy(wide, ({ category }) => nameClass(category));
  const addresses = outcomesBy(
    wide.filter(({ category }) => category.includes(' | ')),
    ({ category }) => addressClass(category),
  );
  return html`${stripes}${table(
    'By experiment',
    outcomesBy(cases, ({ experiment }) => experiment),
  )}
  ${
    names.length > 0 &&
    html`<details class="more keep">
      <summary>Wide input by its classes: ${names.length} of names, ${addresses.length} of addresses</summary>
      ${table('Names', names)} ${addresses.length > 0 && table('Addresses', addresses)}
    </details>`
  }`;
}

/** The cases of a run; those that were lost without a request to the target are none. */
export function casesIn(evidence: readonly EvidenceLine[]): Case[] {
  const statuses = new Map(
    evidence.filter((line) => line.type === 'exchange').map((line) => [line.number, line.response.status]),
  );
  return evidence.flatMap((line): Case[] => {
    if (line.type === 'observation') {
      const { experiment, category } = line.observation.case;
      const isServerError = (statuses.get(line.exchange) ?? 0) >= 500;
      const outcome = line.observation.accepted ? 'accepted' : isServerError ? 'failed' : 'refused';
      return [{ experiment, category, outcome }];
    }
    if (line.type !== 'exploration') return [];
    return line.lost
      .filter(({ request }) => request)
      .map(() => ({ experiment: line.experiment, category: 'unanswered', outcome: 'failed' as const }));
  });
}

const withoutWave = (category: string): string =>
  category.replace(/, (?:name alone|in part|address alone)$/, '');
const nameClass = (category: string): string => withoutWave(category).split(' | ')[0]!;
const addressClass = (category: string): string => withoutWave(category).split(' | ')[1]!;

/** Outcomes by name, those with most that was not accepted first. */
function outcomesBy(cases: readonly Case[], nameOf: (one: Case) => string): Outcomes[] {
  return [...Map.groupBy(cases, nameOf)].map(([name, own]) => {
    const count = (outcome: Case['outcome']): number => own.filter((one) => one.outcome === outcome).length;
    return { name, accepted: count('accepted'), refused: count('refused'), failed: count('failed') };
  });
}

const kinds = ['accepted', 'refused', 'failed'] as const;

const table = (caption: string, rows: readonly Outcomes[]): Html =>
  html`<table class="shares">
    <caption>
      ${caption}
    </caption>
    <thead>
      <tr>
        <th scope="col">Input</th>
        <th scope="col" class="share-bar"><span class="apart">Share</span></th>
        ${kinds.map((kind) => html`<th scope="col"><span class="key ${kind}" aria-hidden="true"></span>${kind}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (row) =>
          html`<tr>
            <th scope="row">${visible(row.name)}</th>
            <td class="share-bar">${bar(row)}</td>
            ${kinds.map((kind) => html`<td>${row[kind] === 0 ? html`<span class="none">0</span>` : row[kind]}</td>`)}
          </tr> `,
      )}
    </tbody>
  </table>`;

/** What was refused is told by its texture too. */
const stripes = html`<svg class="apart" aria-hidden="true">
  <pattern id="stripes" width="4" height="10" patternUnits="userSpaceOnUse">
    <rect width="2" height="10" />
  </pattern>
</svg>`;

const WIDTH = 300;

/** The figures beside it say the same. */
function bar(row: Outcomes): Html {
  const all = row.accepted + row.refused + row.failed;
  let x = 0;
  return html`<svg viewBox="0 0 ${WIDTH} 10" preserveAspectRatio="none" aria-hidden="true">
    ${kinds.map((kind) => {
      const width = (row[kind] / all) * WIDTH;
      const from = x;
      x += width;
      return (
        width > 0 &&
        html`<rect class="${kind}" x="${from.toFixed(1)}" y="0" width="${width.toFixed(1)}" height="10" />`
      );
    })}
  </svg>`;
}
