import { REASONS, failureFacts, firstLines, titleOf } from '../engine/judging/failure-text.ts';
import type { ReportedRequirement } from '../schemas/report.ts';
import { oneLine } from '../target/output/printable.ts';
import { html, joined } from './page/html.ts';
import type { Html } from './page/html.ts';
import { matrixHeadline, matrixNotes, trendOf } from './matrix.ts';
import type { Matrix, QuestionRow, RequirementRow, ComparedService } from './matrix.ts';
import { dotted, table, tablePage, urlOf } from './page/document.ts';
import { sectionsOf } from './order.ts';
import type { Section } from './order.ts';
import { answerLine } from './text.ts';
import { NOT_SPECIFIED, levels, runVerdicts, verdictNames, verdicts } from './vocabulary.ts';

/** Services × requirements as a self-contained page. */
export function matrixPage(matrix: Matrix): string {
  const { services, rows, questions, isHistory } = matrix;
  const failures = services.flatMap((service, at) => failuresOf(service, at, rows));
  const title = matrixHeadline(matrix);
  return tablePage({
    title: `${title}: the Customer and Token Service Interface`,
    kind: 'Customer and Token Service Interface',
    head: html`<h1>${title}</h1>
      ${isHistory && html`<p>${oneLine(services[0]!.report.target.baseUrl, 120)}</p>`}
      ${matrixNotes(matrix).map((text) => html`<p>${oneLine(text)}</p>`)}
      <nav aria-label="Contents">
        <a href="#requirements">Requirements</a>
        ${failures.length > 0 && html`<a href="#failures">Failures</a>`}
        ${questions.length > 0 && html`<a href="#questions">Open questions</a>`}
      </nav>`,
    body: html`<section id="requirements">
        <h2>Requirements</h2>
        <p class="legend">
          ${verdictNames.map((verdict) => html`<span class="cell ${verdict}">${verdicts[verdict].symbol}</span> ${verdict} `)}
          – not in the report
        </p>
        <label><input type="checkbox" id="differences" /> Only differences</label>
        ${table(
          'Requirements',
          ['Requirement', ...services.map(serviceHead), ...(isHistory ? ['Trend'] : [])],
          sectionsOf(rows).map((section) => sectionRows(section, services.length, isHistory)),
        )}
      </section>
      ${
        failures.length > 0 &&
        html`<section id="failures">
          <h2>Failures</h2>
          ${failures}
        </section>`
      }
      ${
        questions.length > 0 &&
        html`<section id="questions">
          <h2>${NOT_SPECIFIED}</h2>
          <p class="legend">How each service answers the open questions. No answer is wrong.</p>
          ${table(
            'Open questions',
            ['Question', ...services.map(({ name }) => oneLine(name, 80))],
            html`<tbody>
              ${questions.map(questionRow)}
            </tbody>`,
          )}
        </section>`
      }`,
  });
}

function serviceHead({ name, report: { verdict, run }, passed, required, page }: ComparedService): Html {
  const shown = oneLine(name, 40);
  return html`<th scope="col">
    ${page === undefined ? shown : html`<a href="${urlOf(page)}">${shown}</a>`}
    <span class="count ${verdict}">${runVerdicts[verdict].words}</span>
    <small>${passed} of ${required}, seed ${run.seed}</small>
  </th>`;
}

/** The requirements of a section, with the number of those that pass for each service. */
function sectionRows(
  { number, title, requirements }: Section<RequirementRow>,
  services: number,
  isHistory: boolean,
): Html {
  const scores = Array.from({ length: services }, (_, at) => {
    const judged = requirements
      .flatMap(({ cells }) => cells[at] ?? [])
      .filter(({ optional = false }) => !optional);
    return html`<td class="mark">
      ${judged.filter(({ verdict }) => verdict === 'pass').length}/${judged.length}
    </td>`;
  });
  return html`<tbody>
    <tr class="section">
      <th scope="rowgroup">${number} ${title}</th>
      ${scores}${isHistory && html`<td></td>`}
    </tr>
    ${requirements.map((row) => {
      const { id, level, statement, cells } = row;
      const isSame = new Set(cells.map((one) => one?.verdict)).size === 1;
      return html`<tr class="${isSame && 'same'}">
        <th scope="row">
          ${dotted(oneLine(id))}<small
            >${level !== 'must' && `${levels[level].name}: `}${oneLine(statement)}</small
          >
        </th>
        ${cells.map(verdictCell)}${isHistory && html`<td>${trendOf(row)}</td>`}
      </tr>`;
    })}
  </tbody>`;
}

function verdictCell(requirement: ReportedRequirement | undefined, service: number): Html {
  if (requirement === undefined) return html`<td class="mark">–</td>`;
  const { id, verdict } = requirement;
  const { symbol } = verdicts[verdict];
  const words = html`${symbol}<span class="apart"> ${verdict}</span>`;
  return html`<td class="mark">
    ${
      isLinked(requirement)
        ? html`<a class="cell ${verdict}" title="${verdict}" href="#${anchor(service, id)}">${words}</a>`
        : html`<span class="cell ${verdict}" title="${verdict}">${words}</span>`
    }
  </td>`;
}

const anchor = (service: number, id: string): string => `v${service + 1}-${id.replace(/[^\w.-]/g, '-')}`;

function failuresOf({ name, page }: ComparedService, at: number, rows: readonly RequirementRow[]): Html[] {
  const failed = rows.flatMap(({ cells }) => cells[at] ?? []).filter(isLinked);
  if (failed.length === 0) return [];
  return [
    html`<h3>${oneLine(name, 80)}</h3>
      <dl>
        ${failed.map(
          (one) =>
            html`<dt id="${anchor(at, one.id)}">
                ${dotted(oneLine(one.id))}, section ${oneLine(one.section, 20)}: ${oneLine(titleOf(one))}
              </dt>
              <dd>
                ${joined(
                  firstLines(failureFacts(one), REASONS).map(([fact, line]) => `${fact} ${oneLine(line)}`),
                  '; ',
                )}${page !== undefined && html`; <a href="${urlOf(page)}#${encodeURIComponent(one.id)}">in its report</a>`}
              </dd>`,
        )}
      </dl>`,
  ];
}

/** Whether the cell of a result leads to what was expected. */
const isLinked = ({ verdict, counterexample }: ReportedRequirement): boolean =>
  counterexample !== undefined && verdict !== 'pass';

const questionRow = ({ id, question, cells }: QuestionRow): Html =>
  html`<tr>
    <th scope="row">${dotted(oneLine(id))}<small>${oneLine(question)}</small></th>
    ${cells.map((answer) => html`<td>${answer === undefined ? '–' : answerLine(answer)}</td>`)}
  </tr>`;
