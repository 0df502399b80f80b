import { clipped } from '../../target/printable.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import type { Report, ReportedRequirement } from '../../schemas/report.ts';
import { sentence } from '../sentences.ts';
import { tally } from './tally.ts';
import { visible } from './visible.ts';
import { badge } from './statement.ts';
import { counted, headlines, plain, time } from './words.ts';

/** The verdict in one sentence, of what and when, and what is broken. */
export function headline(report: Report): Html {
  const { verdict, target } = report;
  const { symbol, word } = headlines[verdict];
  const name = target.name ?? new URL(target.baseUrl).host;
  return html`<header class="${verdict}">
    <p class="kind">Customer and Token Service Interface: conformance of ${visible(name)}</p>
    <h1><span class="symbol" aria-hidden="true">${symbol}</span> ${word}</h1>
    <p class="sentence">${upper(sentence(report))}.</p>
    ${facts(report)} ${tally(report)} ${broken(report)}
  </header>`;
}

const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function facts({ target, suite, run, created }: Report): Html {
  const { startedAt, durationMs, seed, requests, retries, throttled, waitedMs, inFlight, stopped } = run;
  const rows: (readonly [name: string, value: Html] | false)[] = [
    ['Target', html`<code>${visible(target.baseUrl)}</code>${target.embedded && ', as none was named'}`],
    ['Suite', html`${suite.name} ${suite.version}${run.strict && ', strict'}`],
    [
      'Date',
      html`<time datetime="${startedAt}"
        >${startedAt.replace('T', ' ').replace(/(?:\.\d+)?Z$/, ' UTC')}</time
      >`,
    ],
    ['Duration', html`${time(durationMs)}`],
    ['Requests', html`${requests}, at most ${inFlight} in flight, ${retries} sent again`],
    ['Seed', html`<code>${seed}</code>`],
    throttled > 0 && [
      'Patience',
      html`asked for ${counted(throttled, 'time')}; ${plain(waitedMs / 1000, 2)} s were waited`,
    ],
    created !== undefined &&
      created.customers.length > 0 && [
        'Left behind',
        html`${counted(created.customers.length, 'customer')} tagged <code>${visible(created.runId)}</code>,
          listed in conformance.json`,
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

/** What a reader came for, where something is broken. */
function broken({ requirements, run }: Report): Html | false {
  const all = requirements.filter(({ verdict }) => verdict === 'fail' || (run.strict && verdict === 'warn'));
  if (all.length === 0) return false;
  return html`<section class="broken" aria-labelledby="broken">
    <h2 id="broken">What is broken</h2>
    <ul>
      ${all.map(
        (requirement) =>
          html`<li>
            ${badge(requirement.verdict)}
            <a href="#${requirement.id}">${visible(requirement.statement)}</a> ${inShort(requirement)}
          </li> `,
      )}
    </ul>
  </section>`;
}

const inShort = ({ counterexample, reason, section }: ReportedRequirement): Html =>
  html`<span class="short"
    >Section ${section}.
    ${
      counterexample
        ? html`Expected ${brief(counterexample.expected)}, got ${brief(counterexample.actual)}.`
        : visible(reason ?? '')
    }</span
  >`;

const SHORT = 90;

const brief = (text: string): Html => visible(clipped(text, SHORT));
