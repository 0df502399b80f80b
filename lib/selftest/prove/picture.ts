import { readFileSync } from 'node:fs';
import { html } from '../../report/page/html.ts';
import type { Html } from '../../report/page/html.ts';
import { styleSheet } from '../../report/page/document.ts';
import { FONT_SIZE, WIDTH, foundChart, phaseChart } from './charts.ts';
import type { Chart, FaultRun } from './charts.ts';
import { raw } from 'hono/html';

/** What the picture shows of a `proof.json`. */
export interface Proof {
  readonly seeds: readonly number[];
  readonly faults: readonly { readonly name: string; readonly runs: readonly RecordedRun[] }[];
}
type RecordedRun = FaultRun & { readonly depth?: string };

const [MARGIN, TITLE] = [16, 34];

/**
 * Both charts of several proofs as an SVG file, in the colours of the reader's scheme.
 * @throws {Error} if there is no proof, or they are not of the same faults and seeds
 */
export function picture(proofs: readonly Proof[]): string {
  const bases = proofs.map(({ seeds, faults }) => JSON.stringify([seeds, faults.map(({ name }) => name)]));
  if (new Set(bases).size !== 1)
    throw new Error('Name the proof.json of one or more proofs, all of the same faults and seeds.');
  const { seeds, faults } = proofs[0]!;
  const series = proofs.map((proof) => {
    const runs = proof.faults.flatMap((fault) => fault.runs);
    return { depth: runs[0]?.depth ?? 'default', runs };
  });
  const [found, phases] = [foundChart(series), phaseChart(series)];
  const second = MARGIN + TITLE + found.height + TITLE;
  const height = second + TITLE + phases.height + MARGIN + TITLE;
  const titled = (y: number, title: string, { marks }: Chart): Html =>
    html`<text x="${MARGIN}" y="${y + 14}" font-size="16" font-weight="600">${title}</text>
      <g transform="translate(0 ${y + TITLE})">${marks}</g> `;
  return html`<svg
    xmlns="http://www.w3.org/2000/svg"
    width="${WIDTH}"
    height="${height}"
    viewBox="0 0 ${WIDTH} ${height}"
    role="img"
    aria-label="${found.words}; ${phases.words}"
    font-family="system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif"
    font-size="${FONT_SIZE}"
    fill="var(--ink)"
  >
    <style>
      ${raw(styleSheet('colours'))}
    </style>
    <rect width="100%" height="100%" fill="var(--paper)" />
    ${titled(MARGIN, 'Share of faults found, by responses received (logarithmic scale)', found)}
    ${titled(second, 'Faults by the phase that first shows them', phases)}
    <text x="${MARGIN}" y="${height - MARGIN}" fill="var(--dim)">
      ${faults.length} faults, the same at each depth; inputs of seed ${seeds.join(', ')}. No curve has a step
      for what no single response shows.
    </text>
  </svg>`
    .toString()
    .concat('\n');
}

if (import.meta.main) {
  const paths = process.argv.slice(2);
  process.stdout.write(picture(paths.map((path) => JSON.parse(readFileSync(path, 'utf8')) as Proof)));
}
