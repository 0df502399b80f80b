import type { Report, ReportedCause } from '../../schemas/report.ts';
import { baselineLines, comparedInBrief } from '../baseline.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import {
  OPEN,
  capitalised,
  levelNames,
  levels,
  quantity,
  runVerdicts,
  sentence,
  trafficOf,
  verdicts,
} from '../vocabulary.ts';
import { pairs } from './document.ts';
import { countBadges } from './requirement.ts';
import { visible } from './visible.ts';

/** The verdict, in one sentence, with the likely causes. */
export function headline(report: Report): Html {
  const { verdict, target, run, causes = [] } = report;
  const { symbol, words } = runVerdicts[verdict];
  const compared = comparedInBrief(report);
  const name = target.name ?? new URL(target.baseUrl).host;
  return html`<header class="${verdict}">
    <p class="kind">Customer and Token Service Interface: conformance of ${visible(name)}</p>
    <h1><span class="symbol" aria-hidden="true">${symbol}</span> ${capitalised(words)}</h1>
    <p class="sentence">${visible(capitalised(sentence(report)), 'printed')}.</p>
    ${causes.map(cause)} ${compared !== undefined && html`<p class="sentence">${capitalised(compared)}.</p>`}
    <p class="kind">
      <code>${visible(target.baseUrl)}</code>${target.embedded && ', the default'},
      <time datetime="${run.startedAt}">${run.startedAt.slice(0, 16).replace('T', ' ')} UTC</time>
    </p>
  </header>`;
}

const cause = ({ text, explains, of, requirements }: ReportedCause): Html =>
  html`<p class="sentence">
    Likely cause: <a href="#${requirements[0]}"><strong>${visible(text)}</strong></a
    >, explains ${explains} of ${of} failed
    cases${requirements.length > 1 && ` of ${requirements.length} requirements`}.
  </p> `;

/** The facts of the run. */
export function facts(report: Report): Html {
  const { target, suite, run, created } = report;
  const { startedAt, seed, stopped } = run;
  const traffic = trafficOf(report).join('; ');
  const known = baselineLines(report);
  return html`<details class="more keep">
    <summary>Details of the run</summary>
    ${pairs([
      ['Target', html`<code>${visible(target.baseUrl)}</code>${target.embedded && ', the default'}`],
      target.way !== undefined && ['Way', visible(target.way)],
      ['Suite', html`${suite.name} ${suite.version}${run.strict && ', strict'}`],
      ['Date', html`${startedAt.replace('T', ' ').replace(/(?:\.\d+)?Z$/, ' UTC')}`],
      traffic !== '' && ['Requests', traffic],
      ['Seed', html`<code>${seed}</code>`],
      created !== undefined &&
        created.customers.length > 0 && [
          'Test data left on the target',
          html`${quantity(created.customers.length, 'customer')} with
            <code>${visible(created.runId)}</code> in the email address, listed in conformance.json`,
        ],
      stopped !== undefined && ['Ended early', visible(stopped)],
      known.length > 0 && ['Baseline', visible(known.join('; ').replace(/^baseline /, ''))],
    ])}
  </details>`;
}

/** The number of requirements by level and verdict, and each as a cell that links to it. */
export function tally({ requirements, questions }: Report): Html {
  const drifted = questions.filter(({ drift }) => drift).length;
  const answered = questions.filter(({ answer }) => answer !== undefined).length;
  return pairs([
    ...levelNames.map((level) => {
      const all = requirements.filter((one) => one.level === level);
      return (
        all.length > 0 &&
        ([capitalised(levels[level].name), html`${countBadges(all)} ${cells(all)}`] as const)
      );
    }),
    [
      OPEN,
      html`<a href="#questions">${answered} of ${questions.length} answered</a
        >${drifted > 0 && `, ${drifted} drifted`}`,
    ],
  ]);
}

const cells = (requirements: Report['requirements']): Html =>
  html`<span class="cells" aria-hidden="true"
    >${requirements.map(({ id, verdict }) => html`<a tabindex="-1" href="#${id}" class="cell ${verdict}" title="${id}: ${verdict}">${verdicts[verdict].symbol}</a>`)}</span
  >`;
