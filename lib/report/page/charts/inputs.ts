import type { EvidenceLine } from '../../../schemas/evidence.ts';
import type { Report } from '../../../schemas/report.ts';
import { html } from '../../html.ts';
import type { Html } from '../../html.ts';
import { quantity } from '../../vocabulary.ts';
import { visible } from '../visible.ts';

/** What became of a case: it failed a requirement, or met no response or a server error; or it was as expected. */
const outcomes = ['failed', 'accepted', 'rejected'] as const;
type Outcome = (typeof outcomes)[number];

/** Cases of one kind with one outcome. */
export interface Cases {
  readonly scenario: string;
  readonly category: string;
  readonly outcome: Outcome;
  readonly count: number;
}

/** The scenario whose categories are kinds of names and of addresses. */
const WIDE = 'wide customers';

/** How many inputs of each kind failed a requirement, were accepted, or were rejected. */
export function inputs(evidence: readonly EvidenceLine[], requirements: Report['requirements']): Html {
  const cases = casesIn(evidence, requirements);
  if (cases.length === 0) return html`<p>No input was judged.</p>`;
  const wide = cases.filter(({ scenario }) => scenario === WIDE);
  const kinds = [
    ['Kinds of names', wide.filter(({ category }) => category !== NO_RESPONSE), 0],
    ['Kinds of addresses', wide.filter(({ category }) => category.includes(' | ')), 1],
  ] as const;
  const unlisted = requirements.filter(
    ({ broken, failedCases }) => failedCases !== undefined && broken > failedCases.length,
  );
  return html`<p class="status">
      ${outcomes.map((outcome) => html`<span class="key ${outcome}" aria-hidden="true"></span> ${outcome} `)}–
      failed: a requirement fails, no response, or a server error. All other outcomes are as expected.
      ${
        unlisted.length > 0 &&
        `Not all failed cases are marked: the report lists the first of ${unlisted.map(({ id }) => id).join(', ')}.`
      }
    </p>
    ${table('By scenario', cases, ({ scenario }) => scenario)}
    ${kinds.map(
      ([title, own, at]) =>
        own.length > 0 &&
        html`<details class="more keep">
          <summary>${title} in “${WIDE}”</summary>
          ${table(title, own, ({ category }) => kindsIn(category)[at]!)}
        </details>`,
    )}`;
}

const NO_RESPONSE = 'no response';

/** The cases of a run, without those that were lost before a request was sent. */
export function casesIn(
  evidence: readonly EvidenceLine[],
  requirements: readonly Pick<Report['requirements'][number], 'failedCases'>[],
): Cases[] {
  const broken = new Set(
    requirements.flatMap(({ failedCases = [] }) => failedCases.map(({ exchange }) => exchange)),
  );
  const statuses = new Map(
    evidence.filter((line) => line.type === 'exchange').map((line) => [line.number, line.response.status]),
  );
  const outcomeOf = (isBroken: boolean, status: number, accepted: boolean): Outcome =>
    isBroken || status >= 500 ? 'failed' : accepted ? 'accepted' : 'rejected';
  return evidence.flatMap((line): Cases[] => {
    if (line.type === 'observation') {
      const { scenario, category } = line.observation.case;
      const isBroken = broken.has(line.exchange) || (line.breaks ?? []).length > 0;
      const outcome = outcomeOf(isBroken, statuses.get(line.exchange) ?? 0, line.observation.accepted);
      return [{ scenario, category, outcome, count: 1 }];
    }
    if (line.type === 'summary') {
      const { scenario, category, breaks, status, accepted, ids } = line;
      const outcome = outcomeOf(breaks.length > 0, status, accepted);
      return [{ scenario, category, outcome, count: ids.length }];
    }
    if (line.type !== 'exploration') return [];
    const count = line.lost.filter(({ request }) => request).length;
    return count === 0 ? [] : [{ scenario: line.scenario, category: NO_RESPONSE, outcome: 'failed', count }];
  });
}

/** The kinds of the name and of the address in a category of wide input. */
const kindsIn = (category: string): string[] =>
  category.replace(/, (?:name alone|in part|address alone)$/, '').split(' | ');

type Row = readonly [name: string, counts: Readonly<Record<Outcome, number>>, all: number];

/** A row for each kind of case: those that failed first, then by number. */
function table(title: string, cases: readonly Cases[], nameOf: (one: Cases) => string): Html {
  const sum = (all: readonly Cases[]): number => all.reduce((total, { count }) => total + count, 0);
  const rows = [...Map.groupBy(cases, nameOf)]
    .map(([name, all]): Row => {
      const count = (outcome: Outcome): number => sum(all.filter((one) => one.outcome === outcome));
      return [
        name,
        { failed: count('failed'), accepted: count('accepted'), rejected: count('rejected') },
        sum(all),
      ];
    })
    .toSorted(([, one, all], [, other, others]) => other.failed - one.failed || others - all);
  const most = Math.max(...rows.map(([, , all]) => all));
  return html`<table class="shares">
    <caption>
      ${title}; the longest bar is ${quantity(most, 'case')}
    </caption>
    <thead>
      <tr>
        <th scope="col">Input</th>
        <th scope="col" class="share-bar"><span class="apart">Bar</span></th>
        ${outcomes.map((outcome) => html`<th scope="col">${outcome}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        ([name, counts]) =>
          html`<tr>
            <th scope="row">${visible(name)}</th>
            <td class="share-bar">${bar(counts, most)}</td>
            ${outcomes.map((outcome) => html`<td class="${counts[outcome] === 0 ? 'none' : outcome}">${counts[outcome]}</td>`)}
          </tr> `,
      )}
    </tbody>
  </table>`;
}

const WIDTH = 300;

/** A bar, hidden from screen readers, because the row contains its figures. */
function bar(counts: Readonly<Record<Outcome, number>>, most: number): Html {
  let x = 0;
  return html`<svg viewBox="0 0 ${WIDTH} 10" preserveAspectRatio="none" aria-hidden="true">
    ${outcomes.map((outcome) => {
      // What failed must be visible.
      const width = counts[outcome] === 0 ? 0 : Math.max(3, (counts[outcome] / most) * WIDTH);
      const from = x;
      x += width;
      return (
        width > 0 &&
        html`<rect class="${outcome}" x="${from.toFixed(1)}" y="0" width="${width.toFixed(1)}" height="10" />`
      );
    })}
  </svg>`;
}
