import { plan } from '../../cli/from-suites.ts';
import { html } from '../../report/page/html.ts';
import type { Html } from '../../report/page/html.ts';
import type { ProofOutcome } from './proof-task.ts';

/** What the charts show of one run of a fault. */
export type FaultRun = Pick<ProofOutcome, 'result' | 'requests'> &
  Partial<Pick<ProofOutcome, 'foundAfter' | 'phase'>>;

interface Series {
  readonly depth: string;
  readonly runs: readonly FaultRun[];
}

/** A chart, as elements of an SVG that is `WIDTH` wide. */
export interface Chart {
  readonly height: number;
  /** All its figures in words. */
  readonly words: string;
  readonly marks: Html;
}

export const WIDTH = 800;

/** The colour of a depth, and the dashes that also distinguish the curves. */
const styles: Readonly<Record<string, readonly [colour: string, dashes: string]>> = {
  quick: ['var(--warn)', '3 3'],
  default: ['var(--chart)', 'none'],
  deep: ['var(--waived)', '10 4'],
};
const styleOf = (depth: string): readonly [colour: string, dashes: string] =>
  styles[depth] ?? styles['default']!;

const label = (x: number, y: number, text: string | number, anchor: 'start' | 'middle' | 'end'): Html =>
  html`<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}">${text}</text> `;

const line = (path: string, stroke: string, dashes: string, width: number): Html =>
  html`<path
    d="${path}"
    fill="none"
    stroke="${stroke}"
    stroke-dasharray="${dashes}"
    stroke-width="${width}"
  /> `;

const isFound = ({ result }: FaultRun): boolean => result !== 'missed';

/** After how many responses each fault showed, in ascending order, without faults that no single response shows. */
const foundAfterIn = (runs: readonly FaultRun[]): number[] =>
  runs
    .filter(isFound)
    .flatMap(({ foundAfter }) => foundAfter ?? [])
    .toSorted((one, other) => one - other);

/** Such as: default: 98 of 100 found, half within 12 responses. */
function foundWords({ depth, runs }: Series): string {
  const half = foundAfterIn(runs)[Math.ceil(runs.length / 2) - 1];
  return (
    `${depth}: ${runs.filter(isFound).length} of ${runs.length} found` +
    (half === undefined ? '' : `, half within ${half} responses`)
  );
}

const mostRequests = (runs: readonly FaultRun[]): number =>
  Math.max(1, ...runs.map(({ requests }) => requests));

const PLOT = { left: 52, right: WIDTH - 12, top: 8, bottom: 208 };

/** The share of faults that were found, by the responses that had arrived. */
export function foundChart(series: readonly Series[]): Chart {
  const { left, right, top, bottom } = PLOT;
  const end = Math.max(10, ...series.map(({ runs }) => mostRequests(runs)));
  const x = (responses: number): number => left + (Math.log(responses) / Math.log(end)) * (right - left);
  const y = (share: number): number => bottom - share * (bottom - top);
  const ticks = [1, 10, 100, 1000, 10_000]
    .flatMap((power) => [1, 2, 5].map((factor) => factor * power))
    .filter((tick) => tick <= end);
  const curve = ({ depth, runs }: Series): Html => {
    const steps = foundAfterIn(runs).map(
      (responses, at) => `H${x(responses).toFixed(1)}V${y((at + 1) / runs.length).toFixed(1)}`,
    );
    return line(
      `M${left} ${bottom}${steps.join('')}H${x(mostRequests(runs)).toFixed(1)}`,
      ...styleOf(depth),
      2.5,
    );
  };
  const key = ({ depth, runs }: Series, at: number): Html => {
    const row = bottom - 14 - 20 * (series.length - 1 - at);
    return html`${line(`M${right - 356} ${row - 4}h28`, ...styleOf(depth), 2.5)}
    ${label(right - 320, row, foundWords({ depth, runs }), 'start')}`;
  };
  return {
    height: bottom + 26,
    words: series.map(foundWords).join('; '),
    marks: html`${[0, 0.25, 0.5, 0.75, 1].map(
      (share) =>
        html`${line(`M${left} ${y(share)}H${right}`, 'var(--line)', 'none', 1)}
        ${label(left - 6, y(share) + 4, `${share * 100} %`, 'end')}`,
    )}
    ${ticks.map(
      (tick) =>
        html`${line(`M${x(tick).toFixed(1)} ${bottom}v5`, 'var(--dim)', 'none', 1)}
        ${label(x(tick), bottom + 20, tick, 'middle')}`,
    )}
    ${series.map(curve)} ${series.map(key)}`,
  };
}

const NO_RESPONSE = 'no single response';
const MISSED = 'missed';

/** The row that counts a run. */
const rowOf = (run: FaultRun): string => (isFound(run) ? (run.phase ?? NO_RESPONSE) : MISSED);

const [BAR_LEFT, COLUMN, HEAD] = [196, 58, 24];

/** The faults that each phase is the first to show, in the order of the plan. */
export function phaseChart(series: readonly Series[]): Chart {
  const counts = series.map(({ runs }) => Map.groupBy(runs, rowOf));
  const countOf = (at: number, row: string): number => counts[at]!.get(row)?.length ?? 0;
  const rows = [...plan.map(({ name }) => name), NO_RESPONSE, MISSED].filter((row) =>
    counts.some((count) => count.has(row)),
  );
  const most = Math.max(1, ...rows.flatMap((row) => series.map((_, at) => countOf(at, row))));
  const barsEnd = WIDTH - 12 - COLUMN * series.length;
  const columnOf = (at: number): number => barsEnd + COLUMN * (at + 1);
  const thickness = series.length === 1 ? 12 : 5;
  const step = thickness * series.length + 8;
  return {
    height: HEAD + rows.length * step,
    words: rows
      .map((row) => `${row}: ${series.map(({ depth }, at) => `${depth} ${countOf(at, row)}`).join(', ')}`)
      .join('; '),
    marks: html`${series.map(({ depth }, at) => label(columnOf(at), 14, depth, 'end'))}
    ${rows.map((row, index) => {
      const top = HEAD + index * step;
      const baseline = top + (step - 8) / 2 + 4.5;
      return html`${label(BAR_LEFT - 10, baseline, row, 'end')}
      ${series.map(({ depth }, at) => {
        const width = (countOf(at, row) / most) * (barsEnd - BAR_LEFT);
        return html`<rect
            x="${BAR_LEFT}"
            y="${top + at * thickness}"
            width="${width.toFixed(1)}"
            height="${thickness - 1}"
            fill="${styleOf(depth)[0]}"
          />
          ${label(columnOf(at), baseline, countOf(at, row), 'end')}`;
      })}`;
    })}`,
  };
}

export const FONT_SIZE = 13;

/** A chart in a page, which has the colours. */
export const inlineChart = (name: string, { height, words, marks }: Chart): Html =>
  html`<div class="scroll" tabindex="0" role="region" aria-label="${name}">
    <svg
      width="${WIDTH}"
      height="${height}"
      role="img"
      aria-label="${words}"
      font-size="${FONT_SIZE}"
      fill="var(--ink)"
    >
      ${marks}
    </svg>
  </div>`;
