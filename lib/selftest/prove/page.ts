import { html } from '../../report/html.ts';
import type { Html } from '../../report/html.ts';
import { dotted, table, tablePage } from '../../report/page/table-page.ts';
import { levelOf, provableIds, statementOf } from './provable.ts';
import { ofFaults, ofVariants } from './summary.ts';
import type { Summary } from './summary.ts';
import { isFault } from './trial.ts';
import type { Proof } from './trial.ts';

/** The proofs as one page that needs nothing but itself. @param date ISO 8601 */
export function proofPage(proofs: readonly Proof[], summary: Summary, date: string): string {
  const { results, untripped, missed, blamed } = summary;
  const faults = ofFaults(proofs);
  const variants = ofVariants(proofs);
  const seeds = [...new Set(proofs.flatMap(({ seed, keptAt = [seed] }) => keptAt))];
  const caught = results.named + results.other;
  const isProven = missed.length + blamed.length === 0;
  return tablePage({
    title: 'Proof of the conformance suite',
    kind: `Proof of the conformance suite, ${date.slice(0, 10)}`,
    head: html`<h1 class="${isProven ? 'pass' : 'fail'}">
        ${caught} of ${faults.length} faults caught, ${results.passed} of ${variants.length} conforming
        services passed
      </h1>
      <p>
        Each row below is a service of its own, checked over HTTP by the command that users run, at
        ${seeds.length === 1 ? 'seed' : 'seeds'} ${seeds.join(', ')}. A <em>fault</em> breaks one statement on
        purpose and must be caught; a <em>variant</em> keeps the interface, chooses otherwise where it leaves
        a choice, and must pass.
      </p>
      <nav aria-label="Contents">
        <a href="#requirements">Requirements</a> <a href="#faults">Faults</a> <a href="#variants">Variants</a>
      </nav>`,
    body: html`${listed('Missed', missed, ({ service }) => (isFault(service) ? service.breaks : ''))}
      ${listed('Blamed', blamed, ({ broken, untested }) => [...broken, ...untested].join(', '))}
      <section id="requirements">
        <h2>Requirements</h2>
        <p class="legend">
          ${untripped.length === 0 ? 'Each of them has a fault that it catches.' : html`No fault trips ${untripped.join(', ')}.`}
          <em>Alone</em> counts the faults that nothing else would have caught; <em>found after</em> is the
          number of responses until a fault showed, the median.
        </p>
        ${table(
          'Requirements',
          ['Requirement', 'Named', 'Caught', 'Alone', 'Found after', 'False reds'],
          html`<tbody>
            ${summary.requirements.map(
              ({ id, named, caught, alone, foundAfter, falseReds }) =>
                html`<tr>
                  <th scope="row">${dotted(id)}<small>${statementOf(id)}</small></th>
                  ${[named, caught, alone, foundAfter ?? '–', falseReds].map((count) => html`<td class="number">${count}</td>`)}
                </tr>`,
            )}
          </tbody>`,
        )}
      </section>
      <section id="faults">
        <h2>Faults</h2>
        <p class="legend">
          <span class="pass">●</span> caught by a requirement that the fault names;
          <span class="warn">○</span> caught by another;
          ${seeds.length > 1 && 'a number: in so many of the seeds; '}a row without a mark was missed.
        </p>
        ${matrices(faults, ({ broken }) => broken)}
      </section>
      <section id="variants">
        <h2>Variants</h2>
        <p class="legend">
          <span class="fail">✕</span> a false red, or a statement that went untested;
          <span class="warn">○</span> advice that the variant goes against, which is shown and fails nothing.
        </p>
        ${matrices(variants, ({ broken, untested }) => [...broken, ...untested])}
      </section>`,
  });
}

/** What did not end as it must: nothing where there is none. */
const listed = (title: string, proofs: readonly Proof[], why: (proof: Proof) => string): Html | false =>
  proofs.length > 0 &&
  html`<section>
    <h2 class="fail">${title}</h2>
    <ul>
      ${proofs.map((proof) => html`<li><code>${proof.service.name}</code>, seed ${proof.seed}: ${why(proof)}</li>`)}
    </ul>
  </section>`;

/** A matrix service × requirement for each category. */
function matrices(proofs: readonly Proof[], marked: (proof: Proof) => readonly string[]): Html[] {
  const categories = Map.groupBy(proofs, ({ service }) => service.category);
  return [...categories].map(([category, own]) => {
    // Columns without a mark would only push the others apart.
    const columns = provableIds.filter((id) => own.some((proof) => marked(proof).includes(id)));
    const rows = [...Map.groupBy(own, ({ service }) => service.name).values()];
    const isWell = own.every(({ result }) => result !== 'missed' && result !== 'blamed');
    const kind = isFault(own[0]!.service) ? 'fault' : 'variant';
    const heads = [
      'Service',
      ...columns.map((id) => html`<th scope="col" class="turned"><code>${id}</code></th>`),
      kind === 'fault' ? 'Found after' : 'Requests',
    ];
    const body = html`<tbody>
      ${rows.map((row) => matrixRow(row, columns, marked))}
    </tbody>`;
    return html`<details${!isWell && html` open`}>
      <summary>
        <h3>${category}</h3>
        ${rows.length} ${kind}s${!isWell && html`, <strong class="fail">not all well</strong>`}
      </summary>
      ${table(category, heads, body)}
    </details>`;
  });
}

function matrixRow(
  row: readonly Proof[],
  columns: readonly string[],
  marked: (proof: Proof) => readonly string[],
): Html {
  const { service } = row[0]!;
  const isBad = row.some(({ result }) => result === 'missed' || result === 'blamed');
  const requests = Math.max(...row.map(({ foundAfter, requests }) => foundAfter ?? requests));
  return html`<tr class="${isBad ? 'fail' : ''}">
    <th scope="row">
      <code>${service.name}</code><small>${isFault(service) ? service.breaks : service.open}</small>
    </th>
    ${columns.map((id) => cell(row, id, marked))}
    <td class="number">${requests}</td>
  </tr> `;
}

function cell(row: readonly Proof[], id: string, marked: (proof: Proof) => readonly string[]): Html {
  const { service } = row[0]!;
  const count = row.filter((proof) => marked(proof).includes(id)).length;
  if (count === 0) return html`<td></td>`;
  const isNamed = isFault(service) && service.caughtBy.includes(id);
  const isFalseRed = !isFault(service) && levelOf(id) !== 'should';
  const [kind, mark] = isNamed ? ['pass', '●'] : isFalseRed ? ['fail', '✕'] : ['warn', '○'];
  return html`<td class="mark ${kind}">${mark}${count < row.length && html`<small>${count}</small>`}</td>`;
}
