import { exampleOf, titleOf } from '../../engine/failure-text.ts';
import type { Example } from '../../engine/failure-text.ts';
import type { Report, ReportedCause, ReportedRequirement } from '../../schemas/report.ts';
import { clipped } from '../../target/printable.ts';
import { inOrder } from '../causes.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { rounded, time } from '../text.ts';
import {
  OPEN,
  WARNINGS,
  capitalised,
  quantity,
  levelNames,
  levels,
  runVerdicts,
  sentence,
  verdicts,
  warningCount,
} from '../vocabulary.ts';
import { anchorOf, badge, countBadges } from './requirement.ts';
import { visible } from './visible.ts';

/** The verdict in one sentence, the facts of the run, and the failures. */
export function headline(report: Report): Html {
  const { verdict, target } = report;
  const { symbol, words } = runVerdicts[verdict];
  const name = target.name ?? new URL(target.baseUrl).host;
  return html`<header class="${verdict}">
    <p class="kind">Customer and Token Service Interface: conformance of ${visible(name)}</p>
    <h1><span class="symbol" aria-hidden="true">${symbol}</span> ${capitalised(words)}</h1>
    <p class="sentence">${capitalised(sentence(report))}.</p>
    ${facts(report)} ${tally(report)} ${failures(report)} ${warnings(report)}
  </header>`;
}

function facts({ target, suite, run, created }: Report): Html {
  const { startedAt, durationMs, seed, requests, retries, throttled, waitedMs, inFlight, stopped } = run;
  const isOver = run.unfinished === undefined;
  const rows: (readonly [name: string, value: Html] | false)[] = [
    ['Target', html`<code>${visible(target.baseUrl)}</code>${target.embedded && ', the default'}`],
    target.way !== undefined && ['Way', html`${visible(target.way)}`],
    ['Suite', html`${suite.name} ${suite.version}${run.strict && ', strict'}`],
    [
      'Date',
      html`<time datetime="${startedAt}"
        >${startedAt.replace('T', ' ').replace(/(?:\.\d+)?Z$/, ' UTC')}</time
      >`,
    ],
    isOver && ['Duration', html`${time(durationMs)}`],
    isOver && [
      'Requests',
      html`${requests}, at most ${inFlight} in flight, ${quantity(retries, 'retry', 'retries')}`,
    ],
    ['Seed', html`<code>${seed}</code>`],
    throttled > 0 && [
      'Rate limit',
      html`rate-limited ${quantity(throttled, 'time')}; waited ${rounded(waitedMs / 1000, 2)} s`,
    ],
    created !== undefined &&
      created.customers.length > 0 && [
        'Test data left on the target',
        html`${quantity(created.customers.length, 'customer')} with <code>${visible(created.runId)}</code> in
          the email address, listed in conformance.json`,
      ],
    stopped !== undefined && ['Ended early', visible(stopped)],
  ];
  return html`<dl class="facts">
    ${rows.map(
      (row) =>
        row &&
        html`<div>
          <dt>${row[0]}</dt>
          <dd>${row[1]}</dd>
        </div> `,
    )}
  </dl>`;
}

/** The number of requirements by level and verdict, and each as a cell that links to it. */
function tally({ requirements, questions }: Report): Html {
  const drifted = questions.filter(({ drift }) => drift).length;
  const answered = questions.filter(({ answer }) => answer !== undefined).length;
  const cell = (id: string, kind: string, symbol: string, title: string): Html =>
    html`<a tabindex="-1" href="#${id}" class="cell ${kind}" title="${title}">${symbol}</a>`;
  return html`<table class="tally">
    <caption class="apart">
      Requirements by level and verdict
    </caption>
    <tbody>
      ${levelNames.map((level) => {
        const all = requirements.filter((one) => one.level === level);
        return (
          all.length > 0 &&
          html`<tr>
            <th scope="row">${capitalised(levels[level].name)}</th>
            <td>${countBadges(all)}</td>
            <td class="strip">
              <span aria-hidden="true"
                >${all.map(({ id, verdict }) => cell(id, verdict, verdicts[verdict].symbol, `${id}: ${verdict}`))}</span
              >
            </td>
          </tr> `
        );
      })}
      <tr>
        <th scope="row">${OPEN}</th>
        <td>${answered} of ${questions.length} answered${drifted > 0 && `, ${drifted} drifted`}</td>
        <td class="strip">
          <span aria-hidden="true"
            >${questions.map(({ id, answer, drift }) => {
              const [kind, symbol] = drift
                ? ['fail', '≠']
                : answer === undefined
                  ? ['untested', '–']
                  : ['answered', '•'];
              return cell(id, kind, symbol, id);
            })}</span
          >
        </td>
      </tr>
    </tbody>
  </table>`;
}

function failures({ requirements, run, causes = [] }: Report): Html | false {
  const all = inOrder(
    requirements.filter(({ verdict }) => verdict === 'fail' || (run.strict && verdict === 'warn')),
  );
  if (all.length === 0) return false;
  return html`<section class="broken" aria-labelledby="broken">
    <h2 id="broken">Failures</h2>
    ${causes.map(cause)}
    <ul>
      ${all.map(
        (requirement) =>
          html`<li>
            ${badge(requirement.verdict)}
            <a href="#${requirement.id}">${visible(titleOf(requirement))}</a> ${inShort(requirement)}
          </li> `,
      )}
    </ul>
  </section>`;
}

const cause = ({ text, explains, of, next }: ReportedCause): Html =>
  html`<p>
    Likely cause: <strong>${visible(text)}</strong>; explains ${explains} of ${of} failed cases.
    ${visible(next)}
  </p> `;

/** The warnings with their examples; none if they count as failures. */
function warnings({ requirements, custom = [], run }: Report): Html | false {
  const all = [
    ...requirements.map((one) => ({ ...one, basis: one.source ?? `section ${one.section}` })),
    ...custom.map((one) => ({ ...one, basis: one.source })),
  ].filter(({ verdict }) => verdict === 'warn');
  if (all.length === 0 || run.strict) return false;
  return html`<section class="broken" aria-labelledby="warned">
    <h2 id="warned">${WARNINGS}</h2>
    <ul>
      ${all.map(
        (warned) =>
          html`<li>
            ${badge(warned.verdict)} <a href="#${anchorOf(warned.id)}">${visible(titleOf(warned))}</a>
            <span class="short">${visible(warned.basis)}. ${visible(warningCount(warned))}.</span>
            ${warned.counterexample && example(exampleOf(warned.counterexample))}
          </li> `,
      )}
    </ul>
  </section>`;
}

const example = ({ sent, expected, got, curl }: Example): Html =>
  html`<dl class="example">
    <dt>Sent</dt>
    <dd><code>${visible(sent)}</code></dd>
    <dt>Expected</dt>
    <dd>${visible(expected)}; got <code>${visible(got)}</code></dd>
    <dt>Send it again</dt>
    <dd>
      ${curl === undefined ? html`see <code>curl</code> in conformance.json` : html`<code>${curl}</code>`}
    </dd>
  </dl>`;

const inShort = ({ counterexample, reason, section }: ReportedRequirement): Html =>
  html`<span class="short"
    >Section ${section}.
    ${
      counterexample
        ? html`Expected ${short(counterexample.expected)}, got ${short(counterexample.actual)}.`
        : visible(reason ?? '')
    }</span
  >`;

const SHORT = 90;

const short = (text: string): Html => visible(clipped(text, SHORT));
