import type { EvidenceLine } from '../../../schemas/evidence.ts';
import { html } from '../../html.ts';
import type { Html } from '../../html.ts';
import { visible } from '../visible.ts';

/** How many inputs had each outcome. */
type InputOutcomes = { readonly name: string } & Readonly<Record<InputOutcome, number>>;

/** `failed`: a server error, or no response. */
type InputOutcome = 'accepted' | 'rejected' | 'failed';

interface SentCase {
  readonly scenario: string;
  readonly category: string;
  readonly outcome: InputOutcome;
}

/** The scenario whose categories are kinds of names and of addresses. */
const WIDE = 'wide customers';

/** How many inputs of each category were accepted, rejected, or failed. */
export function inputs(evidence: readonly EvidenceLine[]): Html {
  const cases = casesIn(evidence);
  if (cases.length === 0) return html`<p>No input was judged.</p>`;
  const wide = cases.filter(({ scenario }) => scenario === WIDE);
  const names = outcomesBy(wide, ({ category }) => kindsIn(category)[0]!);
  const addresses = outcomesBy(
    wide.filter(({ category }) => category.includes(' | ')),
    ({ category }) => kindsIn(category)[1]!,
  );
  return html`${stripes}${table(
    'By scenario',
    outcomesBy(cases, ({ scenario }) => scenario),
  )}
  ${
    names.length > 0 &&
    html`<details class="more keep">
      <summary>Wide input by category: ${names.length} of names, ${addresses.length} of addresses</summary>
      ${table('Names', names)} ${addresses.length > 0 && table('Addresses', addresses)}
    </details>`
  }`;
}

/** The cases of a run, without those that were lost before a request was sent. */
export function casesIn(evidence: readonly EvidenceLine[]): SentCase[] {
  const statuses = new Map(
    evidence.filter((line) => line.type === 'exchange').map((line) => [line.number, line.response.status]),
  );
  return evidence.flatMap((line): SentCase[] => {
    if (line.type === 'observation') {
      const { scenario, category } = line.observation.case;
      const isServerError = (statuses.get(line.exchange) ?? 0) >= 500;
      const outcome = line.observation.accepted ? 'accepted' : isServerError ? 'failed' : 'rejected';
      return [{ scenario, category, outcome }];
    }
    if (line.type !== 'exploration') return [];
    return line.lost
      .filter(({ request }) => request)
      .map(() => ({ scenario: line.scenario, category: 'no response', outcome: 'failed' as const }));
  });
}

/** The kinds of the name and of the address in a category of wide input. */
const kindsIn = (category: string): string[] =>
  category.replace(/, (?:name alone|in part|address alone)$/, '').split(' | ');

function outcomesBy(cases: readonly SentCase[], nameOf: (one: SentCase) => string): InputOutcomes[] {
  return [...Map.groupBy(cases, nameOf)].map(([name, all]) => {
    const count = (outcome: InputOutcome): number => all.filter((one) => one.outcome === outcome).length;
    return { name, accepted: count('accepted'), rejected: count('rejected'), failed: count('failed') };
  });
}

const outcomes = ['accepted', 'rejected', 'failed'] as const;

const table = (caption: string, rows: readonly InputOutcomes[]): Html =>
  html`<table class="shares">
    <caption>
      ${caption}
    </caption>
    <thead>
      <tr>
        <th scope="col">Input</th>
        <th scope="col" class="share-bar"><span class="apart">Share</span></th>
        ${outcomes.map((outcome) => html`<th scope="col"><span class="key ${outcome}" aria-hidden="true"></span>${outcome}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (row) =>
          html`<tr>
            <th scope="row">${visible(row.name)}</th>
            <td class="share-bar">${bar(row)}</td>
            ${outcomes.map((outcome) => html`<td>${row[outcome] === 0 ? html`<span class="none">0</span>` : row[outcome]}</td>`)}
          </tr> `,
      )}
    </tbody>
  </table>`;

/** A pattern for the rejected share, so that colour is not its only mark. */
const stripes = html`<svg class="apart" aria-hidden="true">
  <pattern id="stripes" width="4" height="10" patternUnits="userSpaceOnUse">
    <rect width="2" height="10" />
  </pattern>
</svg>`;

const WIDTH = 300;

/** A bar, hidden from screen readers, because the row contains its figures. */
function bar(row: InputOutcomes): Html {
  const all = outcomes.reduce((sum, outcome) => sum + row[outcome], 0);
  let x = 0;
  return html`<svg viewBox="0 0 ${WIDTH} 10" preserveAspectRatio="none" aria-hidden="true">
    ${outcomes.map((outcome) => {
      const width = (row[outcome] / all) * WIDTH;
      const from = x;
      x += width;
      return (
        width > 0 &&
        html`<rect class="${outcome}" x="${from.toFixed(1)}" y="0" width="${width.toFixed(1)}" height="10" />`
      );
    })}
  </svg>`;
}
