import { html } from '../../report/html.ts';
import type { Html } from '../../report/html.ts';
import { dotted, table, tablePage } from '../../report/page/document.ts';
import { idsToProve, isFault, levelOf, statementOf } from './proof-task.ts';
import type { ProofOutcome } from './proof-task.ts';
import { faultOutcomes, variantOutcomes } from './summary.ts';
import type { ProofSummary } from './summary.ts';

/** The outcomes as a self-contained page. @param date ISO 8601 */
export function proofPage(outcomes: readonly ProofOutcome[], summary: ProofSummary, date: string): string {
  const { results, unproven, missed, falsePositives } = summary;
  const faults = faultOutcomes(outcomes);
  const variants = variantOutcomes(outcomes);
  const seeds = [...new Set(outcomes.flatMap(({ seed, profileSeeds = [seed] }) => profileSeeds))];
  const caught = results.caught + results['caught-by-other'];
  const isProven = missed.length + falsePositives.length === 0;
  return tablePage({
    title: 'Proof of the conformance suite',
    kind: `Proof of the conformance suite, ${date.slice(0, 10)}`,
    head: html`<h1 class="${isProven ? 'pass' : 'fail'}">
        ${caught} of ${faults.length} faults caught, ${results.passed} of ${variants.length} conforming
        variants passed
      </h1>
      <p>
        Each row below is a service that the command checked over HTTP, as users run it, at
        ${seeds.length === 1 ? 'seed' : 'seeds'} ${seeds.join(', ')}. A <em>fault</em> deliberately breaks one
        statement and must be caught. A <em>conforming variant</em> keeps the interface, but chooses
        differently where the interface leaves a choice, and must pass.
      </p>
      <nav aria-label="Contents">
        <a href="#requirements">Requirements</a> <a href="#faults">Faults</a> <a href="#variants">Variants</a>
      </nav>`,
    body: html`${listed('Missed faults', missed, ({ service }) => (isFault(service) ? service.breaks : ''))}
      ${listed('False positives', falsePositives, ({ broken, untested }) => [...broken, ...untested].join(', '))}
      <section id="requirements">
        <h2>Requirements</h2>
        <p class="legend">
          ${unproven.length === 0 ? 'Each requirement caught a fault.' : html`Caught no fault: ${unproven.join(', ')}.`}
          <em>Named</em>: faults that must be caught by this requirement. <em>Caught alone</em>: faults that
          no other requirement caught. <em>Found after</em>: responses until the fault showed, median.
          <em>False positives</em>: conforming variants for which it failed or was not tested.
        </p>
        ${table(
          'Requirements',
          ['Requirement', 'Named', 'Caught', 'Caught alone', 'Found after', 'False positives'],
          html`<tbody>
            ${summary.requirements.map(
              ({ id, named, caught, caughtAlone, foundAfter, falsePositives }) =>
                html`<tr>
                  <th scope="row">${dotted(id)}<small>${statementOf(id)}</small></th>
                  ${[named, caught, caughtAlone, foundAfter ?? '–', falsePositives].map((count) => html`<td class="number">${count}</td>`)}
                </tr>`,
            )}
          </tbody>`,
        )}
      </section>
      <section id="faults">
        <h2>Faults</h2>
        <p class="legend">
          <span class="pass">●</span> caught by a requirement that the fault names;
          <span class="warn">○</span> caught by another
          one;${seeds.length > 1 && ' a number: caught at that many of the seeds;'} no mark: missed.
        </p>
        ${matrices(faults, ({ broken }) => broken)}
      </section>
      <section id="variants">
        <h2>Conforming variants</h2>
        <p class="legend">
          <span class="fail">✕</span> a false positive, or not tested; <span class="warn">○</span> a warning:
          the variant does not follow a recommendation, which fails no run.
        </p>
        ${matrices(variants, ({ broken, untested }) => [...broken, ...untested])}
      </section>`,
  });
}

/** A list of outcomes that are wrong; no markup if there are none. */
const listed = (
  title: string,
  outcomes: readonly ProofOutcome[],
  why: (outcome: ProofOutcome) => string,
): Html | false =>
  outcomes.length > 0 &&
  html`<section>
    <h2 class="fail">${title}</h2>
    <ul>
      ${outcomes.map((outcome) => html`<li><code>${outcome.service.name}</code>, seed ${outcome.seed}: ${why(outcome)}</li>`)}
    </ul>
  </section>`;

/** A matrix service × requirement for each category. */
function matrices(
  outcomes: readonly ProofOutcome[],
  marked: (outcome: ProofOutcome) => readonly string[],
): Html[] {
  const categories = Map.groupBy(outcomes, ({ service }) => service.category);
  return [...categories].map(([category, own]) => {
    const columns = idsToProve.filter((id) => own.some((outcome) => marked(outcome).includes(id)));
    const rows = [...Map.groupBy(own, ({ service }) => service.name).values()];
    const isSound = !own.some(isWrong);
    const kind = isFault(own[0]!.service) ? 'fault' : 'variant';
    const heads = [
      'Service',
      ...columns.map((id) => html`<th scope="col" class="turned"><code>${id}</code></th>`),
      kind === 'fault' ? 'Found after' : 'Requests',
    ];
    const body = html`<tbody>
      ${rows.map((row) => matrixRow(row, columns, marked))}
    </tbody>`;
    return html`<details${!isSound && html` open`}>
      <summary>
        <h3>${category}</h3>
        ${rows.length} ${kind}s${!isSound && html`, <strong class="fail">${own.filter(isWrong).length} wrong</strong>`}
      </summary>
      ${table(category, heads, body)}
    </details>`;
  });
}

const isWrong = ({ result }: ProofOutcome): boolean => result === 'missed' || result === 'false-positive';

function matrixRow(
  row: readonly ProofOutcome[],
  columns: readonly string[],
  marked: (outcome: ProofOutcome) => readonly string[],
): Html {
  const { service } = row[0]!;
  const requests = Math.max(...row.map(({ foundAfter, requests }) => foundAfter ?? requests));
  return html`<tr class="${row.some(isWrong) ? 'fail' : ''}">
    <th scope="row">
      <code>${service.name}</code><small>${isFault(service) ? service.breaks : service.open}</small>
    </th>
    ${columns.map((id) => cell(row, id, marked))}
    <td class="number">${requests}</td>
  </tr> `;
}

function cell(
  row: readonly ProofOutcome[],
  id: string,
  marked: (outcome: ProofOutcome) => readonly string[],
): Html {
  const { service } = row[0]!;
  const count = row.filter((outcome) => marked(outcome).includes(id)).length;
  if (count === 0) return html`<td></td>`;
  const isNamed = isFault(service) && service.caughtBy.includes(id);
  const isFalsePositive = !isFault(service) && levelOf(id) !== 'should';
  const [kind, mark] = isNamed ? ['pass', '●'] : isFalsePositive ? ['fail', '✕'] : ['warn', '○'];
  return html`<td class="mark ${kind}">${mark}${count < row.length && html`<small>${count}</small>`}</td>`;
}
