import { html } from '../report/html.ts';
import type { Html } from '../report/html.ts';
import { levelOf, provableIds, statementOf } from './provable.ts';
import { pageStyle } from './page-style.ts';
import { ofFaults, ofTwins } from './summary.ts';
import type { Summary } from './summary.ts';
import { isFault } from './trial.ts';
import type { Proof } from './trial.ts';

/** The proofs as one page that needs nothing but itself. @param date ISO 8601 */
export function proofPage(proofs: readonly Proof[], summary: Summary, date: string): string {
  const { results, untripped, missed, blamed } = summary;
  const faults = ofFaults(proofs);
  const twins = ofTwins(proofs);
  const seeds = [...new Set(proofs.map(({ seed }) => seed))];
  const caught = results.named + results.other;
  const isProven = missed.length + blamed.length === 0;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'" />
        <title>Proof of the conformance suite</title>
        <style>
          ${pageStyle}
        </style>
      </head>
      <body>
        <header>
          <p class="kind">Proof of the conformance suite, ${date.slice(0, 10)}</p>
          <h1 class="${isProven ? 'good' : 'bad'}">
            ${caught} of ${faults.length} faults caught, ${results.passed} of ${twins.length} conforming
            services passed
          </h1>
          <p>
            Each row below is a service of its own, checked over HTTP by the command that users run, at
            ${seeds.length === 1 ? 'seed' : 'seeds'} ${seeds.join(', ')}. A <em>fault</em> breaks one
            statement on purpose and must be caught; a <em>twin</em> keeps the interface, chooses otherwise
            where it leaves a choice, and must pass.
          </p>
          <nav>
            <a href="#requirements">Requirements</a> <a href="#faults">Faults</a> <a href="#twins">Twins</a>
          </nav>
        </header>
        <main>
          ${
            missed.length > 0 &&
            html`<section>
              <h2 class="bad">Missed</h2>
              <ul>
                ${missed.map(({ service, seed }) => html`<li><code>${service.name}</code>, seed ${seed}: ${service.breaks}</li>`)}
              </ul>
            </section>`
          }
          ${
            blamed.length > 0 &&
            html`<section>
              <h2 class="bad">Blamed</h2>
              <ul>
                ${blamed.map(({ service, seed, broken, untested }) => html`<li><code>${service.name}</code>, seed ${seed}: ${[...broken, ...untested].join(', ')}</li>`)}
              </ul>
            </section>`
          }
          <section id="requirements">
            <h2>Requirements</h2>
            <p>
              ${untripped.length === 0 ? 'Each of them has a fault that it catches.' : html`No fault trips ${untripped.join(', ')}.`}
              <em>Alone</em> counts the faults that nothing else would have caught; <em>found after</em> is
              the number of responses until a fault showed, the median.
            </p>
            <div class="scroll" tabindex="0" role="region" aria-label="Requirements">
              <table>
                <thead>
                  <tr>
                    <th scope="col">Requirement</th>
                    <th scope="col" class="statement">Statement</th>
                    <th scope="col">Named</th>
                    <th scope="col">Caught</th>
                    <th scope="col">Alone</th>
                    <th scope="col">Found after</th>
                    <th scope="col">False reds</th>
                  </tr>
                </thead>
                <tbody>
                  ${summary.requirements.map(
                    ({ id, named, caught, alone, foundAfter, falseReds }) =>
                      html`<tr>
                        <th scope="row"><code>${id}</code></th>
                        <td class="statement">${statementOf(id)}</td>
                        <td>${named}</td>
                        <td>${caught}</td>
                        <td>${alone}</td>
                        <td>${foundAfter ?? '–'}</td>
                        <td>${falseReds}</td>
                      </tr> `,
                  )}
                </tbody>
              </table>
            </div>
          </section>
          <section id="faults">
            <h2>Faults</h2>
            <p class="legend">
              <span class="named">●</span> caught by a requirement that the fault names;
              <span class="other">○</span> caught by another;
              ${seeds.length > 1 && 'a number: in so many of the seeds; '}a row without a mark was missed.
            </p>
            ${matrices(faults, ({ broken }) => broken)}
          </section>
          <section id="twins">
            <h2>Twins</h2>
            <p class="legend">
              <span class="bad">✕</span> a false red, or a statement that went untested;
              <span class="other">○</span> advice that the twin goes against, which is shown and fails
              nothing.
            </p>
            ${matrices(twins, ({ broken, untested }) => [...broken, ...untested])}
          </section>
        </main>
      </body>
    </html> `.markup;
}

/** A matrix service × requirement for each family. */
function matrices(proofs: readonly Proof[], marked: (proof: Proof) => readonly string[]): Html[] {
  const families = Map.groupBy(proofs, ({ service }) => service.family);
  return [...families].map(([family, own]) => {
    // Columns without a mark would only push the others apart.
    const columns = provableIds.filter((id) => own.some((proof) => marked(proof).includes(id)));
    const rows = [...Map.groupBy(own, ({ service }) => service.name).values()];
    const isWell = own.every(({ result }) => result !== 'missed' && result !== 'blamed');
    return html`<details${!isWell && html` open`}>
<summary><h3>${family}</h3> ${rows.length} ${isFault(own[0]!.service) ? 'faults' : 'twins'}${!isWell && html`, <strong class="bad">not all well</strong>`}</summary>
<div class="scroll" tabindex="0" role="region" aria-label="${family}"><table class="matrix">
<thead><tr><th scope="col">Service</th>${columns.map((id) => html`<th scope="col" class="turned"><code>${id}</code></th>`)}<th scope="col">${isFault(own[0]!.service) ? 'Found after' : 'Requests'}</th></tr></thead>
<tbody>${rows.map((row) => matrixRow(row, columns, marked))}</tbody>
</table></div>
</details>
`;
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
  return html`<tr class="${isBad ? 'bad' : ''}">
    <th scope="row">
      <code>${service.name}</code><small>${isFault(service) ? service.breaks : service.open}</small>
    </th>
    ${columns.map((id) => cell(row, id, marked))}
    <td>${requests}</td>
  </tr> `;
}

function cell(row: readonly Proof[], id: string, marked: (proof: Proof) => readonly string[]): Html {
  const { service } = row[0]!;
  const count = row.filter((proof) => marked(proof).includes(id)).length;
  if (count === 0) return html`<td></td>`;
  const isNamed = isFault(service) && service.caughtBy.includes(id);
  const isFalseRed = !isFault(service) && levelOf(id) !== 'should';
  const [kind, mark] = isNamed ? ['named', '●'] : isFalseRed ? ['bad', '✕'] : ['other', '○'];
  return html`<td class="${kind}">${mark}${count < row.length && html`<small>${count}</small>`}</td>`;
}
