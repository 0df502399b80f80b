import { clipped, printable } from '../target/printable.ts';
import { brief } from './brief.ts';
import { html } from './html.ts';
import type { Html } from './html.ts';
import { caveats, legend, levelTitles, sentenceOf, wordIn } from './matrix.ts';
import type { Matrix, QuestionRow, Row, Vendor } from './matrix.ts';
import { dotted, table, tablePage } from './page/table-page.ts';
import type { ReadRequirement } from './read.ts';

/** Vendors × requirements as one page that needs nothing but itself. */
export function matrixPage(matrix: Matrix): string {
  const { vendors, rows, questions } = matrix;
  const broken = vendors.flatMap((vendor, at) => brokenAt(vendor, at, rows));
  const names = vendors.map(({ name }) => inert(name, 80));
  return tablePage({
    title: `${sentenceOf(matrix)} to the Customer and Token Service Interface`,
    kind: 'Customer and Token Service Interface',
    head: html`<h1>${sentenceOf(matrix)}</h1>
      ${caveats(matrix).map((text) => html`<p>${inert(text)}</p>`)}
      <nav aria-label="Contents">
        <a href="#services">Services</a> <a href="#requirements">Requirements</a>
        ${broken.length > 0 && html`<a href="#broken">What is broken</a>`}
        ${questions.length > 0 && html`<a href="#questions">Open questions</a>`}
      </nav>`,
    body: html`<section id="services">
        <h2>Services</h2>
        ${table(
          'Services',
          ['Service', 'Verdict', 'Required', 'Checked', 'Suite', 'Seed', 'Requests'],
          html`<tbody>
            ${vendors.map(vendorRow)}
          </tbody>`,
        )}
      </section>
      <section id="requirements">
        <h2>Requirements</h2>
        <p class="legend">${legend}</p>
        ${table(
          'Requirements',
          ['Requirement', ...names],
          levelTitles.map(([level, title]) =>
            group(
              title,
              vendors.length,
              rows.filter((row) => row.level === level),
            ),
          ),
        )}
      </section>
      ${
        broken.length > 0 &&
        html`<section id="broken">
          <h2>What is broken</h2>
          ${broken}
        </section>`
      }
      ${
        questions.length > 0 &&
        html`<section id="questions">
          <h2>Open questions</h2>
          <p class="legend">
            What the interface leaves open, and how each service chose. No choice is wrong.
          </p>
          ${table(
            'Open questions',
            ['Question', ...names],
            html`<tbody>
              ${questions.map(questionRow)}
            </tbody>`,
          )}
        </section>`
      }`,
  });
}

/** Any text of a report, as it may stand in the page. */
const inert = (text: string, most = 300): string => clipped(printable(text), most);

function vendorRow({ name, report, held, required }: Vendor): Html {
  const { verdict, run, target, suite } = report;
  return html`<tr>
    <th scope="row">${inert(name, 80)}<small>${inert(target.baseUrl, 120)}</small></th>
    <td class="${verdict}">${verdict.replaceAll('-', ' ')}</td>
    <td>${held} of ${required}</td>
    <td>${run.startedAt.slice(0, 10)}</td>
    <td>${inert(suite.version, 20)}</td>
    <td>${run.seed}</td>
    <td>${run.requests}</td>
  </tr>`;
}

const group = (title: string, vendors: number, rows: readonly Row[]): Html =>
  rows.length === 0
    ? html``
    : html`<tbody>
        <tr>
          <th scope="rowgroup" colspan="${vendors + 1}">${title}</th>
        </tr>
        ${rows.map(
          ({ id, section, statement, cells }) =>
            html`<tr>
              <th scope="row">
                ${dotted(inert(id))}<small>${inert(section, 20)}: ${inert(statement)}</small>
              </th>
              ${cells.map((cell, at) => verdictCell(cell, at))}
            </tr>`,
        )}
      </tbody>`;

function verdictCell(requirement: ReadRequirement | undefined, vendor: number): Html {
  const word = wordIn(requirement);
  const isTold = requirement?.counterexample !== undefined && requirement.verdict !== 'pass';
  return html`<td class="${requirement?.verdict ?? 'absent'}">
    ${isTold ? html`<a href="#${anchor(vendor, requirement.id)}">${word}</a>` : word}
  </td>`;
}

/** In a name of a fragment only what may stand there. */
const anchor = (vendor: number, id: string): string => `v${vendor + 1}-${id.replace(/[^\w.-]/g, '-')}`;

function brokenAt({ name }: Vendor, at: number, rows: readonly Row[]): Html[] {
  const own = rows.flatMap(({ cells }) => {
    const cell = cells[at];
    return cell?.counterexample && cell.verdict !== 'pass' ? [{ ...cell, found: cell.counterexample }] : [];
  });
  if (own.length === 0) return [];
  return [
    html`<h3>${inert(name, 80)}</h3>
      <dl>
        ${own.map(
          ({ id, section, statement, found, broken, cases }) =>
            html`<dt id="${anchor(at, id)}">
                ${dotted(inert(id))}, section ${inert(section, 20)}: ${inert(statement)}
              </dt>
              <dd>
                expected ${inert(found.expected)}; got ${inert(found.actual)}; in ${broken} of ${cases} cases,
                and sent again ${inert(found.reproduced, 20)} times
              </dd>`,
        )}
      </dl>`,
  ];
}

const questionRow = ({ id, question, cells }: QuestionRow): Html =>
  html`<tr>
    <th scope="row">${dotted(inert(id))}<small>${inert(question)}</small></th>
    ${cells.map((answer) => html`<td class="words">${answer === undefined ? '–' : brief(answer)}</td>`)}
  </tr>`;
