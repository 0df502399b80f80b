import type { Fault, Variant } from '../../reference/fault-or-variant.ts';
import { html, joined } from '../../report/page/html.ts';
import type { Html } from '../../report/page/html.ts';
import { dotted, table, tablePage } from '../../report/page/document.ts';
import { foundChart, inlineChart, phaseChart } from './charts.ts';
import { levelOf, statementOf } from './proof-task.ts';
import type { ProofOutcome } from './proof-task.ts';
import type { ProofSummary } from './summary.ts';
import { quantity } from '../../target/output/printable.ts';

/** The outcomes as a self-contained page. @param date ISO 8601 */
export function proofPage(summary: ProofSummary, date: string): string {
  const { faults, variants, results, requirements, unproven, missed, falsePositives } = summary;
  const seeds = [
    ...new Set([...faults, ...variants].flatMap(({ seed, profileSeeds = [seed] }) => profileSeeds)),
  ];
  const caught = results.caught + results['caught-by-other'];
  const isProven = missed.length + falsePositives.length + unproven.length === 0;
  const counts = [
    ...(faults.length > 0 ? [`${caught} of ${quantity(faults.length, 'fault')} caught`] : []),
    ...(variants.length > 0
      ? [`${results.passed} of ${quantity(variants.length, 'conforming variant')} passed`]
      : []),
  ];
  return tablePage({
    title: 'Proof of the conformance suite',
    kind: `Proof of the conformance suite, ${date.slice(0, 10)}`,
    head: html`<h1 class="${isProven ? 'pass' : 'fail'}">${counts.join(', ')}</h1>
      <p>
        Each row below is a service that the command checked over HTTP, as users run it, at
        ${seeds.length === 1 ? 'seed' : 'seeds'} ${seeds.join(', ')}. A <em>fault</em> deliberately violates
        one statement and must be caught. A <em>conforming variant</em> keeps the interface, but chooses
        differently where the interface leaves a choice, and must pass.
      </p>
      <nav aria-label="Contents">
        ${faults.length > 0 && html`<a href="#charts">Charts</a>`}
        ${requirements.length > 0 && html`<a href="#requirements">Requirements</a>`}
        ${faults.length > 0 && html`<a href="#faults">Faults</a>`}
        ${variants.length > 0 && html`<a href="#variants">Variants</a>`}
      </nav>`,
    body: html`${listed('Missed faults', missed, ({ service }) => service.violates)}
    ${listed('False positives', falsePositives, ({ broken, untested }) => [...broken, ...untested].join(', '))}
    ${faults.length > 0 && charts(faults)} ${requirements.length > 0 && requirementTable(summary)}
    ${
      faults.length > 0 &&
      html`<section id="faults">
        <h2>Faults</h2>
        <p class="legend">
          <em>Violates</em>: the statement, with its section. <em>Caught by</em>: the requirements that
          failed, first those that the fault names. <em>Found after</em>: responses until the fault showed.
        </p>
        ${tables(
          faults,
          ['Fault', 'Violates', 'Caught by', 'Found after'],
          ({ service }) => service.violates,
          caughtBy,
          (row) => Math.max(...row.flatMap(({ foundAfter }) => foundAfter ?? [])),
        )}
      </section>`
    }
    ${
      variants.length > 0 &&
      html`<section id="variants">
        <h2>Conforming variants</h2>
        <p class="legend">
          <em>Open</em>: what the interface does not specify, with its section. <em>Result</em>: a warning
          fails no run. <em>Requests</em>: those of the run.
        </p>
        ${tables(
          variants,
          ['Variant', 'Open', 'Result', 'Requests'],
          ({ service }) => service.open,
          passed,
          (row) => Math.max(...row.map(({ requests }) => requests)),
        )}
      </section>`
    }`,
  });
}

/** When faults were found, and by which phase. */
function charts(faults: readonly ProofOutcome<Fault>[]): Html {
  const series = [{ depth: faults[0]!.depth ?? 'default', runs: faults }];
  return html`<section id="charts">
    <h2>Charts</h2>
    <p class="legend">Each counts a fault once per seed, and leaves out the conforming variants.</p>
    <h3>Share of faults found, by responses received</h3>
    <p class="legend">
      Each step is a fault, at the first response that shows it. The curve ends with the requests of the
      longest run. It leaves out missed faults, and those that no single response shows, such as an answer
      that differs from the profile. The scale is logarithmic.
    </p>
    ${inlineChart('Share of faults found', foundChart(series))}
    <h3>Faults by the phase that first shows them</h3>
    <p class="legend">
      In the order of <code>suites/plan.ts</code>; a phase that is never the first has no row. Phases overlap
      in time, and most faults show again in later ones: a short bar does not mean that a phase finds little.
    </p>
    ${inlineChart('Faults by phase', phaseChart(series))}
  </section>`;
}

/** The head of a column, with what it means. */
const head = (name: string, meaning: string): Html =>
  html`<th scope="col">${name}<small class="meaning">${meaning}</small></th>`;

const requirementTable = ({ requirements, unproven }: ProofSummary): Html =>
  html`<section id="requirements">
    <h2>Requirements</h2>
    ${unproven.length > 0 && html`<p class="fail">Caught no fault: ${unproven.join(', ')}.</p>`}
    ${table(
      'Requirements',
      [
        'Requirement',
        head('Named', 'faults that name it as one that must catch them'),
        head('Caught', 'faults for which it failed'),
        head('Caught alone', 'faults that no other requirement caught'),
        head('Found after', 'responses until these faults showed, median'),
        head('False positives', 'conforming variants for which it failed or was not tested'),
      ],
      html`<tbody>
        ${requirements.map(
          ({ id, named, caught, caughtAlone, foundAfter, falsePositives }) =>
            html`<tr id="${id}">
              <th scope="row">${dotted(id)}<small>${statementOf(id)}</small></th>
              ${[named, caught, caughtAlone, foundAfter ?? '–', falsePositives].map((count) => html`<td class="figure">${count}</td>`)}
            </tr>`,
        )}
      </tbody>`,
    )}
  </section>`;

/** A list of outcomes that are wrong; no markup if there are none. */
const listed = <O extends ProofOutcome>(
  title: string,
  outcomes: readonly O[],
  why: (outcome: O) => string,
): Html | false =>
  outcomes.length > 0 &&
  html`<section>
    <h2 class="fail">${title}</h2>
    <ul>
      ${outcomes.map((outcome) => html`<li><code>${outcome.service.name}</code>, seed ${outcome.seed}: ${why(outcome)}</li>`)}
    </ul>
  </section>`;

/** A table for each group, with a row for each service, whatever the number of its seeds. */
function tables<O extends ProofOutcome>(
  outcomes: readonly O[],
  heads: readonly string[],
  what: (outcome: O) => string,
  result: (row: readonly O[]) => Html,
  count: (row: readonly O[]) => number,
): Html[] {
  return [...Map.groupBy(outcomes, ({ service }) => service.group)].map(([group, own]) => {
    const rows = [...Map.groupBy(own, ({ service }) => service.name).values()];
    const wrong = own.filter(isWrong).length;
    const body = html`<tbody>
      ${rows.map(
        (row) =>
          html`<tr class="${row.some(isWrong) && 'fail'}">
            <th scope="row"><code>${row[0]!.service.name}</code></th>
            <td>${what(row[0]!)}</td>
            <td>${result(row)}</td>
            <td class="figure">${Number.isFinite(count(row)) ? count(row) : '–'}</td>
          </tr> `,
      )}
    </tbody>`;
    return html`<details${(wrong > 0 || outcomes.length <= MAX_OPEN) && html` open`}>
      <summary>
        <h3>${group}</h3>
        ${rows.length}${wrong > 0 && html`, <strong class="fail">${wrong} wrong</strong>`}
      </summary>
      ${table(group, heads, body)}
    </details>`;
  });
}

/** Services of a selection that are shown at once. */
const MAX_OPEN = 30;

const isWrong = ({ result }: ProofOutcome): boolean => result === 'missed' || result === 'false-positive';

/** What caught a fault: the requirements that it names, then others. */
function caughtBy(row: readonly ProofOutcome<Fault>[]): Html {
  const [named, others] = [true, false].map((isNamed) =>
    links(row, ({ broken, service }) => broken.filter((id) => service.caughtBy.includes(id) === isNamed)),
  );
  return sentence([
    row.some(isWrong) && html`missed`,
    named && html`${named}`,
    others && html`also ${others}`,
  ]);
}

/** Whether a variant passed, and what it failed or left untested. */
function passed(row: readonly ProofOutcome<Variant>[]): Html {
  const isFailure = (id: string): boolean => levelOf(id) !== 'should';
  const failed = links(row, ({ broken }) => broken.filter(isFailure));
  const warned = links(row, ({ broken }) => broken.filter((id) => !isFailure(id)));
  const untested = links(row, (one) => one.untested);
  return sentence([
    !row.some(isWrong) && html`passed`,
    failed && html`fails ${failed}`,
    untested && html`does not test ${untested}`,
    warned && html`warns of ${warned}`,
  ]);
}

const sentence = (parts: readonly (Html | false | undefined)[]): Html => joined(parts.filter(Boolean), '; ');

/** Links to requirements, each with the number of seeds if these are not all; undefined if there are none. */
function links<O extends ProofOutcome>(
  row: readonly O[],
  idsOf: (outcome: O) => readonly string[],
): Html | undefined {
  const all = row.flatMap(idsOf);
  const ids = [...new Set(all)];
  if (ids.length === 0) return undefined;
  return joined(
    ids.map((id) => {
      const seeds = all.filter((other) => other === id).length;
      return html`<a href="#${id}">${dotted(id)}</a
        >${seeds < row.length && ` (${seeds} of ${row.length} seeds)`}`;
    }),
  );
}
