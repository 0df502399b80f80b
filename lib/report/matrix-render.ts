import { reproduction, titleOf } from '../engine/failure-text.ts';
import type { ReportedRequirement } from '../schemas/report.ts';
import { clipped, printable } from '../target/printable.ts';
import { code, inert, table as markdownTable } from './formats/markdown.ts';
import { html } from './html.ts';
import type { Html } from './html.ts';
import type { Matrix, QuestionRow, RequirementRow, ComparedService } from './matrix.ts';
import { dotted, table, tablePage } from './page/document.ts';
import { brief } from './text.ts';
import { OPEN, quantity, legend, levelNames, levels, runVerdicts } from './vocabulary.ts';

const wordOf = (requirement: ReportedRequirement | undefined): string => requirement?.verdict ?? '–';

function headlineOf({ services }: Matrix): string {
  const conforming = services.filter(({ report }) => report.verdict === 'conforms').length;
  return `${conforming} of ${services.length} ${services.length === 1 ? 'service conforms' : 'services conform'}`;
}

/** What to know before comparing the services. */
function notesOn({ services }: Matrix): string[] {
  const versions = new Set(services.map(({ report }) => report.suite.version));
  const early = services.filter(({ report }) => report.run.stopped !== undefined).map(({ name }) => name);
  return [
    ...(versions.size > 1 ? ['The reports are of several versions of the suite: the rules may differ.'] : []),
    ...(early.length > 0 ? [`Runs that ended early: ${early.join(', ')}.`] : []),
  ];
}

/** Services × requirements as Markdown. */
export function matrixMarkdown(matrix: Matrix): string {
  const { services, rows, questions } = matrix;
  const names = services.map(({ name }) => inert(name));
  const section = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [`## ${title}`, '', ...lines, ''];
  return [
    `# ${headlineOf(matrix)}`,
    '',
    ...notesOn(matrix).flatMap((text) => [inert(text), '']),
    ...markdownTable(
      ['Service', 'Verdict', 'Required', 'Checked', 'Suite', 'Seed'],
      services.map(({ name, report: { verdict, run, suite }, passed, required }) => [
        inert(name),
        runVerdicts[verdict].words,
        `${passed} of ${required}`,
        run.startedAt.slice(0, 10),
        inert(suite.version),
        String(run.seed),
      ]),
    ),
    '',
    ...levelNames.flatMap((level) =>
      section(
        levels[level].title,
        markdownTable(
          ['Requirement', ...names],
          rows
            .filter((one) => one.level === level)
            .map(({ id, cells }) => [
              code(id),
              ...cells.map((one) => (one?.verdict === 'fail' ? '**fail**' : wordOf(one))),
            ]),
        ),
      ),
    ),
    legend,
    '',
    ...section(
      OPEN,
      markdownTable(
        ['Question', ...names],
        questions.map(({ id, cells }) => [
          code(id),
          ...cells.map((answer) => (answer === undefined ? '–' : inert(brief(answer)))),
        ]),
      ),
    ),
  ].join('\n');
}

/** Services × requirements as a self-contained page. */
export function matrixPage(matrix: Matrix): string {
  const { services, rows, questions } = matrix;
  const failures = services.flatMap((service, at) => failuresOf(service, at, rows));
  const names = services.map(({ name }) => line(name, 80));
  return tablePage({
    title: `${headlineOf(matrix)} to the Customer and Token Service Interface`,
    kind: 'Customer and Token Service Interface',
    head: html`<h1>${headlineOf(matrix)}</h1>
      ${notesOn(matrix).map((text) => html`<p>${line(text)}</p>`)}
      <nav aria-label="Contents">
        <a href="#services">Services</a> <a href="#requirements">Requirements</a>
        ${failures.length > 0 && html`<a href="#failures">Failures</a>`}
        ${questions.length > 0 && html`<a href="#questions">Open questions</a>`}
      </nav>`,
    body: html`<section id="services">
        <h2>Services</h2>
        ${table(
          'Services',
          ['Service', 'Verdict', 'Required', 'Checked', 'Suite', 'Seed', 'Requests'],
          html`<tbody>
            ${services.map(serviceRow)}
          </tbody>`,
        )}
      </section>
      <section id="requirements">
        <h2>Requirements</h2>
        <p class="legend">${legend}</p>
        ${table(
          'Requirements',
          ['Requirement', ...names],
          levelNames.map((level) =>
            group(
              levels[level].title,
              services.length,
              rows.filter((row) => row.level === level),
            ),
          ),
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
          <h2>${OPEN}</h2>
          <p class="legend">How each service answers the open questions. No answer is wrong.</p>
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

/** Untrusted text on one line. */
const line = (text: string, most = 300): string => clipped(printable(text), most);

function serviceRow({ name, report, passed, required }: ComparedService): Html {
  const { verdict, run, target, suite } = report;
  return html`<tr>
    <th scope="row">${line(name, 80)}<small>${line(target.baseUrl, 120)}</small></th>
    <td class="${verdict}">${runVerdicts[verdict].words}</td>
    <td>${passed} of ${required}</td>
    <td>${run.startedAt.slice(0, 10)}</td>
    <td>${line(suite.version, 20)}</td>
    <td>${run.seed}</td>
    <td>${run.requests}</td>
  </tr>`;
}

const group = (title: string, services: number, rows: readonly RequirementRow[]): Html | false =>
  rows.length > 0 &&
  html`<tbody>
    <tr>
      <th scope="rowgroup" colspan="${services + 1}">${title}</th>
    </tr>
    ${rows.map(
      ({ id, section, statement, cells }) =>
        html`<tr>
          <th scope="row">${dotted(line(id))}<small>${line(section, 20)}: ${line(statement)}</small></th>
          ${cells.map(verdictCell)}
        </tr>`,
    )}
  </tbody>`;

function verdictCell(requirement: ReportedRequirement | undefined, service: number): Html {
  const hasFailure = requirement?.counterexample !== undefined && requirement.verdict !== 'pass';
  return html`<td class="${requirement?.verdict ?? 'absent'}">
    ${hasFailure ? html`<a href="#${anchor(service, requirement.id)}">${wordOf(requirement)}</a>` : wordOf(requirement)}
  </td>`;
}

const anchor = (service: number, id: string): string => `v${service + 1}-${id.replace(/[^\w.-]/g, '-')}`;

function failuresOf({ name }: ComparedService, at: number, rows: readonly RequirementRow[]): Html[] {
  const failed = rows.flatMap(({ cells }) => {
    const cell = cells[at];
    return cell?.counterexample && cell.verdict !== 'pass' ? [{ ...cell, found: cell.counterexample }] : [];
  });
  if (failed.length === 0) return [];
  return [
    html`<h3>${line(name, 80)}</h3>
      <dl>
        ${failed.map(
          ({ id, section, found, broken, cases, ...one }) =>
            html`<dt id="${anchor(at, id)}">
                ${dotted(line(id))}, section ${line(section, 20)}: ${line(titleOf(one))}
              </dt>
              <dd>
                expected ${line(found.expected)}; got ${line(found.actual)}; ${broken} of
                ${quantity(cases, 'case')} failed; ${reproduction(found.reproduced)}
              </dd>`,
        )}
      </dl>`,
  ];
}

const questionRow = ({ id, question, cells }: QuestionRow): Html =>
  html`<tr>
    <th scope="row">${dotted(line(id))}<small>${line(question)}</small></th>
    ${cells.map((answer) => html`<td class="words">${answer === undefined ? '–' : brief(answer)}</td>`)}
  </tr>`;
