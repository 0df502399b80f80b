import type { EvidenceLine, ExchangeLine } from '../../schemas/evidence.ts';
import type { Report } from '../../schemas/report.ts';
import { html, visible } from './html.ts';
import type { Content, Html } from './html.ts';
import { rounded, formatMilliseconds } from '../text.ts';
import { table } from './document.ts';
import { quantity } from '../../target/output/printable.ts';
import { linesOf } from '../../engine/evidence/lines.ts';

/** The charts of a run: tables, with a drawing in each row. */
export function charts({ run, requirements }: Report, evidence: readonly EvidenceLine[]): Html {
  const exchanges = linesOf(evidence, 'exchange');
  if (exchanges.length === 0) return html`<p>None: there is no evidence of a response.</p>`;
  return html`<h3>Latency</h3>
    ${latency(run)}
    <h3>Timeline</h3>
    ${timeline(exchanges, run.requests)}
    <h3>Inputs</h3>
    ${inputs(evidence, requirements)}`;
}

/** A row of a chart: its name, its drawing, and the figures that the drawing stands for. */
type ChartRow = readonly [name: Content, drawing: Html, ...figures: (Html | number | string)[]];

/** @param scale what the head of the drawings says */
const chart = (
  title: string,
  [name, scale, ...figures]: readonly string[],
  rows: readonly ChartRow[],
): Html =>
  table(
    title,
    [name!, html`<th scope="col" class="drawing">${scale}</th>`, ...figures],
    html`<tbody>
      ${rows.map(
        ([first, drawing, ...others]) =>
          html`<tr>
            <th scope="row">${first}</th>
            <td class="drawing">${drawing}</td>
            ${others.map((figure) => html`<td class="figure">${figure}</td>`)}
          </tr> `,
      )}
    </tbody>`,
  );

/** Units across a drawing. */
const WIDTH = 1000;

/** Hidden from screen readers, because the row contains its figures. */
const drawing = (shapes: Content): Html =>
  html`<svg viewBox="0 0 ${WIDTH} 10" preserveAspectRatio="none" aria-hidden="true">${shapes}</svg>`;

/** Parts of a bar, one after the other, as shares of its whole. */
function bar(parts: readonly (readonly [kind: string, share: number])[]): Html {
  let end = 0;
  return drawing(
    parts.map(([kind, share]) => {
      const from = end;
      end += share * WIDTH;
      return (
        share > 0 &&
        html`<rect class="${kind}" x="${from.toFixed(1)}" width="${(end - from).toFixed(1)}" height="10" />`
      );
    }),
  );
}

const keys = (kinds: readonly string[]): Html[] =>
  kinds.map((kind) => html`<span class="key ${kind}" aria-hidden="true"></span> ${kind} `);

const percentiles = ['p50', 'p90', 'p99'] as const;

/** The latencies of accepted requests, as the report has them. */
function latency({ latency: operations }: Report['run']): Html {
  const rows = Object.entries(operations);
  if (rows.length === 0) return html`<p>Neither operation accepted a request.</p>`;
  const max = Math.max(0.1, ...rows.map(([, { p99 }]) => p99));
  return html`<p class="status">Time from sending a request to its complete response: ${keys(percentiles)}</p>
    ${chart(
      'Latency',
      ['Operation', `up to ${milliseconds(max)}`, ...percentiles, 'Accepted requests'],
      rows.map(([name, one]) => [
        visible(name),
        bar([
          ['p50', one.p50 / max],
          ['p90', (one.p90 - one.p50) / max],
          ['p99', (one.p99 - one.p90) / max],
        ]),
        ...percentiles.map((percentile) => milliseconds(one[percentile])),
        one.count,
      ]),
    )}`;
}

/** Latencies are measured to a tenth of a millisecond. */
const milliseconds = (value: number): string =>
  value < 100 ? `${rounded(value)} ms` : formatMilliseconds(value);

/** The exchanges over time, from the first request on: those of each scenario, and those that were retried. */
function timeline(exchanges: readonly ExchangeLine[], requests: number): Html {
  const end = exchanges.reduce((last, { startedAt, duration }) => Math.max(last, startedAt + duration), 1);
  const columnOf = (at: number): number => Math.min(WIDTH - 1, Math.max(0, Math.floor((at / end) * WIDTH)));
  const segments = (all: readonly ExchangeLine[]): Html => {
    let path = '';
    let last = -1;
    for (const { startedAt, duration } of all.toSorted((one, other) => one.startedAt - other.startedAt)) {
      const from = Math.max(last, columnOf(startedAt));
      const to = Math.max(columnOf(startedAt + duration), columnOf(startedAt) + 1);
      if (to <= last) continue;
      path += from === last ? `H${to}` : `M${from} 5H${to}`;
      last = to;
    }
    return drawing(html`<path class="sent" d="${path}" />`);
  };
  const troubled = exchanges.filter(({ troubles }) => troubles.length > 0);
  const retries = troubled.map(({ startedAt }) => `M${columnOf(startedAt)} 0V10`).join('');
  const absent = requests - exchanges.length;
  return html`<p class="status">
      ${exchanges.length} of ${requests} requests, by
      scenario${absent > 0 && '; the others are not in the evidence: retries, and most of a long run'}.
    </p>
    ${chart(
      'Timeline',
      ['Scenario', `0 to ${formatMilliseconds(end)}`, 'Requests'],
      [
        ...[...Map.groupBy(exchanges, ({ queue }) => queue)].map(([name, all]): ChartRow => [
          visible(name),
          segments(all),
          all.length,
        ]),
        ...(troubled.length > 0
          ? [['retries', drawing(html`<path class="again" d="${retries}" />`), troubled.length] as const]
          : []),
      ],
    )}
    ${troubled.length > 0 && troubleTable(troubled.flatMap(({ troubles }) => troubles))}`;
}

const troubleTable = (all: ExchangeLine['troubles']): Html =>
  html`<p class="status">${quantity(all.length, 'failed attempt')}, which were retried:</p>
    ${table(
      'Failed attempts',
      ['Kind', 'Count', 'Waited', 'Example'],
      html`<tbody>
        ${[...Map.groupBy(all, ({ kind }) => kind)].map(([kind, alike]) => {
          const waited = alike.reduce((sum, { wait = 0 }) => sum + wait, 0);
          return html`<tr>
            <th scope="row">${kind}</th>
            <td class="figure">${alike.length}</td>
            <td class="figure">${waited > 0 ? formatMilliseconds(waited) : '–'}</td>
            <td>${visible(alike[0]!.detail)}</td>
          </tr> `;
        })}
      </tbody>`,
    )}`;

/** The outcome of a case: it failed a requirement, got no response or a server error, or was as expected. */
const outcomes = ['failed', 'accepted', 'rejected'] as const;
type CaseOutcome = (typeof outcomes)[number];

/** Cases of one kind with one outcome. */
interface Cases {
  readonly scenario: string;
  readonly category: string;
  readonly outcome: CaseOutcome;
  readonly count: number;
}

/** The scenario whose categories are kinds of names and of addresses. */
const WIDE_CUSTOMERS = 'wide customers';

/** How many inputs of each kind failed a requirement, were accepted, or were rejected. */
function inputs(evidence: readonly EvidenceLine[], requirements: Report['requirements']): Html {
  const cases = casesIn(evidence, requirements);
  if (cases.length === 0) return html`<p>No input was judged.</p>`;
  const wide = cases.filter(({ scenario }) => scenario === WIDE_CUSTOMERS);
  const kinds = [
    ['Kinds of names', wide.filter(({ category }) => category !== NO_RESPONSE), 0],
    ['Kinds of addresses', wide.filter(({ category }) => category.includes(' | ')), 1],
  ] as const;
  const unlisted = requirements.filter(
    ({ broken, failedCases }) => failedCases !== undefined && broken > failedCases.length,
  );
  return html`<p class="status">
      ${keys(outcomes)}– failed: a requirement fails, no response, or a server error. All other outcomes are
      as expected.
      ${
        unlisted.length > 0 &&
        `Not all failed cases are marked: the report lists the first of ${unlisted.map(({ id }) => id).join(', ')}.`
      }
    </p>
    ${outcomeChart('Scenario', cases, ({ scenario }) => scenario)}
    ${kinds.map(
      ([title, own, at]) =>
        own.length > 0 &&
        html`<details class="more">
          <summary>${title} in “${WIDE_CUSTOMERS}”</summary>
          ${outcomeChart(title, own, ({ category }) => category.split(' | ')[at]!)}
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
    linesOf(evidence, 'exchange').map(({ number, response }) => [number, response.status]),
  );
  const outcomeOf = (isBroken: boolean, status: number, accepted: boolean): CaseOutcome =>
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

/** A row for each kind of case: those that failed first, then by number. */
function outcomeChart(title: string, cases: readonly Cases[], nameOf: (one: Cases) => string): Html {
  const sum = (all: readonly Cases[]): number => all.reduce((total, { count }) => total + count, 0);
  const kinds = [...Map.groupBy(cases, nameOf)]
    .map(([name, all]) => {
      const counts = outcomes.map(
        (outcome) => [outcome, sum(all.filter((one) => one.outcome === outcome))] as const,
      );
      return { name, counts, failed: counts[0]![1], all: sum(all) };
    })
    .toSorted((one, other) => other.failed - one.failed || other.all - one.all);
  const max = Math.max(...kinds.map(({ all }) => all));
  // Failures must be visible.
  const shareOf = (count: number): number => (count === 0 ? 0 : Math.max(0.01, count / max));
  return chart(
    title,
    [title, `up to ${quantity(max, 'case')}`, ...outcomes],
    kinds.map(({ name, counts }) => [
      visible(name),
      bar(counts.map(([outcome, count]) => [outcome, shareOf(count)])),
      ...counts.map(([outcome, count]) =>
        count === 0 ? html`<small>0</small>` : html`<span class="${outcome}">${count}</span>`,
      ),
    ]),
  );
}
