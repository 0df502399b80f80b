import { parsedLines } from '../../engine/evidence/lines.ts';
import type { Lines } from '../../engine/evidence/lines.ts';
import type { EvidenceLine } from '../../schemas/evidence.ts';
import type { Report, ReportedRequirement, ReportedCause } from '../../schemas/report.ts';
import { COMMAND } from '../../settings/package-root.ts';
import { shellQuoted } from '../../target/output/curl.ts';
import { printable, quantity } from '../../target/output/printable.ts';
import { isCounted } from '../../verdict/verdict.ts';
import { baselineLines, failedSince } from '../baseline.ts';
import { failuresIn, sectionsOf, warningsIn } from '../order.ts';
import { html, visible } from './html.ts';
import type { Html } from './html.ts';
import {
  EMBEDDED,
  NOT_SPECIFIED,
  NOT_FOLLOWED,
  byLevel,
  capitalised,
  levels,
  runVerdicts,
  verdictNames,
  verdicts,
} from '../vocabulary.ts';
import { explainedVerdict, verdictSentence, extentOf, trafficOf } from '../run-in-words.ts';
import { hostOf, minuteOf } from '../text.ts';
import { charts } from './charts.ts';
import { pageChapter, contents, filters } from './contents.ts';
import type { PageChapter } from './contents.ts';
import { documentPage, definitionList } from './document.ts';
import { log, logOf } from './exchanges.ts';
import { questionRows } from './questions.ts';
import { badge, requirementEntry, countBadges } from './requirement.ts';
import type { EntryContext } from './requirement.ts';
import { sentencesOf } from './sentences.ts';
import { titleOf } from '../../engine/judging/failure-text.ts';

/**
 * `index.html`: the report as a self-contained page.
 * @param evidence the lines of `evidence.ndjson` that the page shows
 * @param out folder of the reports, for the replay commands
 */
export function reportPage(report: Report, evidence: readonly EvidenceLine[], out = 'reports'): string {
  const { target, run, verdict, suite } = report;
  const chapters = chaptersOf(
    report,
    {
      out,
      log: logOf(report, evidence),
      headlineReason: explainedVerdict(report)[1],
      note: (id) => failedSince(report, id),
    },
    evidence,
  );
  return documentPage(
    `${capitalised(runVerdicts[verdict].words)}: ${printable(target.name ?? target.baseUrl)}, ${run.startedAt.slice(0, 10)}`,
    html`<a class="skip" href="#requirements">Skip to the requirements</a>
      ${headline(report)}
      <div class="columns">
        <aside aria-label="Navigation">${filters(report)} ${contents(chapters)}</aside>
        <main id="requirements" tabindex="-1">
          <p class="nothing" id="nothing" hidden>
            Nothing matches. <button type="button" id="reset">Show everything</button>
          </p>
          ${chapters.map(pageChapter)}
        </main>
      </div>
      <footer>
        <p>${suite.name} ${suite.version}, seed ${run.seed}, ${run.startedAt}</p>
      </footer>`,
    'script.js',
  );
}

/** Characters of a body that the page may show. */
const MAX_BODY = 4000;

/** The lines of `evidence.ndjson` that the page shows, with the beginnings of bodies. */
export function pageLines(evidence: Lines): EvidenceLine[] {
  const lines: EvidenceLine[] = [];
  for (const line of parsedLines(evidence)) {
    if (line.type === 'exchange')
      lines.push({
        ...line,
        request: { ...line.request, body: line.request.body.slice(0, MAX_BODY) },
        response: { ...line.response, body: line.response.body.slice(0, MAX_BODY) },
        reply: { utf8: true },
      });
    else if (line.type !== 'answer') lines.push(line);
  }
  return lines;
}

/** The chapters of the page: what failed, then the sections of the interface, then the open questions and the rest. */
function chaptersOf(report: Report, context: EntryContext, evidence: readonly EvidenceLine[]): PageChapter[] {
  const { requirements, questions, sentences, custom = [], customCounts } = report;
  const failures = failuresIn(report);
  const warnings = warningsIn(report);
  const shown = new Set([...failures, ...warnings].map(({ id }) => id));
  const asked = new Set(questions.map(({ id }) => id));
  const sections = sectionsOf(requirements.filter(({ id }) => !asked.has(id)));
  const bySection = Map.groupBy(sentences, ({ section }) => section);
  const others = sentences.filter(({ section }) => !sections.some(({ number }) => number === section));
  const entries = (all: readonly ReportedRequirement[], isFirstOpen = false): Html =>
    html`<ul class="entries">
      ${all.map((one, at) => requirementEntry(one, context, isFirstOpen && at === 0))}
    </ul>`;
  const chapters: PageChapter[] = [
    {
      anchor: 'failures',
      title: 'Failures',
      judged: failures,
      body: entries(failures, failures.length <= 3),
    },
    {
      anchor: 'warnings',
      title: NOT_FOLLOWED,
      judged: warnings,
      body: entries(warnings, failures.length === 0),
    },
    {
      anchor: 'overview',
      title: 'Overview',
      body: html`${tally(report)} ${facts(report)}`,
    },
    ...sections.map(({ number, title, requirements: own }): PageChapter => ({
      anchor: `section-${number || 'profile'}`,
      number,
      title,
      judged: own,
      body: html`<ul class="entries">
          ${own.map((one) => (shown.has(one.id) ? linkToEntry(one) : requirementEntry(one, context)))}
        </ul>
        ${bySection.has(number) && sentencesOf(number, bySection.get(number)!, report)}`,
    })),
    ...(others.length > 0
      ? [
          {
            anchor: 'other-sections',
            title: 'Other sections',
            body: sentencesOf(undefined, others, report),
          },
        ]
      : []),
    {
      anchor: 'questions',
      title: NOT_SPECIFIED,
      judged: requirements.filter(({ id }) => asked.has(id)),
      body: questionRows(report, shown),
    },
    {
      anchor: 'custom',
      title: 'Custom suites',
      judged: custom,
      body: html`<p>
          Not part of the verdict${customCounts && ', but the exit code depends on them (--suite-counts)'}.
        </p>
        <ul class="entries">
          ${custom.map((one) => requirementEntry(one, context))}
        </ul>`,
    },
    { anchor: 'charts', title: 'Charts', body: charts(report, evidence) },
    { anchor: 'exchanges', title: 'Exchanges', body: log(report, context.log, evidence) },
    { anchor: 'glossary', title: 'Glossary', body: glossary(context.out) },
  ];
  return chapters.filter(({ judged, anchor }) => judged?.length !== 0 || anchor === 'questions');
}

/** A requirement that is shown in full above. */
const linkToEntry = (requirement: ReportedRequirement): Html =>
  html`<li class="entry reference" data-kind="${requirement.verdict}">
    ${badge(requirement.verdict)} <a href="#${requirement.id}">${visible(titleOf(requirement))}</a>
  </li> `;

const glossary = (out: string): Html =>
  html`${definitionList([
      [
        capitalised(levels.must.name),
        'stated by the interface document, in the section under which the requirement is listed.',
      ],
      [
        capitalised(levels.should.name),
        'recommended by an RFC that the interface builds on; fails only a strict run.',
      ],
      [
        capitalised(levels.declared.name),
        'open in the document, and answered in the profile of the target; a different answer is drift.',
      ],
      [NOT_SPECIFIED, 'an open question: every answer conforms, unless the profile declares another one.'],
      ...verdictNames.map((name) => [name, `${verdicts[name].meaning}.`] as const),
      ['< x %', 'the bound on the failure rate: with n passing cases, it is below 3/n at 95 % confidence.'],
    ])}
    <p>
      This page is rendered from <code>conformance.json</code> and <code>evidence.ndjson</code>;
      <code>${COMMAND} render ${shellQuoted(out)}</code> renders it again. <code>[key]</code>,
      <code>[token 12]</code>, <code>[possible token 12]</code> and <code>[redacted]</code> stand for secrets.
      Long bodies are truncated on this page; <code>evidence.ndjson</code> has their first 32,768 characters.
    </p>
    <p class="keys">
      Keys: <kbd>/</kbd> find, <kbd>j</kbd> and <kbd>k</kbd> next and previous entry, <kbd>e</kbd> next
      failure, <kbd>Escape</kbd> close.
    </p>`;

/** The verdict, in one sentence, with the likely causes. */
function headline(report: Report): Html {
  const { verdict, target, run, causes = [] } = report;
  const { symbol, words } = runVerdicts[verdict];
  const [compared] = baselineLines(report);
  const name = target.name ?? hostOf(target.baseUrl);
  return html`<header class="${verdict}">
    <p class="kind">Customer and Token Service Interface: conformance of ${visible(name)}</p>
    <h1><span class="symbol" aria-hidden="true">${symbol}</span> ${capitalised(words)}</h1>
    <p class="sentence">${visible(capitalised(verdictSentence(report)))}.</p>
    ${causes.map(cause)}
    ${compared !== undefined && html`<p class="sentence">${visible(capitalised(compared))}.</p>`}
    <p class="kind">
      <code>${visible(target.baseUrl)}</code>${target.embedded && `, ${EMBEDDED}`},
      <time datetime="${run.startedAt}">${minuteOf(run.startedAt)} UTC</time>
    </p>
  </header>`;
}

const cause = ({ text, requirements }: ReportedCause): Html =>
  html`<p class="sentence">
    Likely cause: <a href="#${requirements[0]}"><strong>${visible(text)}</strong></a
    >${requirements.length > 1 && `, in ${requirements.length} requirements`}.
  </p> `;

function facts(report: Report): Html {
  const { target, suite, run, created } = report;
  const { startedAt, seed, stopped } = run;
  const [, reason] = explainedVerdict(report);
  const traffic = trafficOf(report).join('; ');
  const extent = extentOf(report).join('; ');
  // The headline has the first, and that reason.
  const [, ...compared] = baselineLines(report);
  return html`<details class="more">
    <summary>Details of the run</summary>
    ${definitionList([
      ['Target', html`<code>${visible(target.baseUrl)}</code>${target.embedded && `, ${EMBEDDED}`}`],
      target.route !== undefined && ['Route', visible(target.route)],
      ['Suite', html`${suite.name} ${suite.version}${run.strict && ', strict'}`],
      ['Date', html`${startedAt.replace('T', ' ').replace(/(?:\.\d+)?Z$/, ' UTC')}`],
      traffic !== '' && ['Requests', traffic],
      extent !== '' && ['Extent', extent],
      ['Seed', html`<code>${seed}</code>`],
      created !== undefined &&
        created.customers.length > 0 && [
          'Test data left on the target',
          html`${quantity(created.customers.length, 'customer')} with
            <code>${visible(created.runId)}</code> in the email address, listed in conformance.json`,
        ],
      stopped !== undefined && stopped !== reason && ['Ended early', visible(stopped)],
      compared.length > 0 && ['Baseline', visible(compared.join('; '))],
    ])}
  </details>`;
}

/** The number of requirements by level and verdict, and each as a cell that links to it. */
function tally({ requirements, questions }: Report): Html {
  const drifted = questions.filter(({ drift }) => drift).length;
  const answered = questions.filter(({ answer }) => answer !== undefined).length;
  return definitionList([
    ...byLevel(requirements.filter(isCounted)).map(
      ([{ name }, own]) => [capitalised(name), html`${countBadges(own)} ${cells(own)}`] as const,
    ),
    [
      NOT_SPECIFIED,
      html`<a href="#questions">${answered} of ${questions.length} answered</a
        >${drifted > 0 && `, ${drifted} drifted`}`,
    ],
  ]);
}

const cells = (requirements: Report['requirements']): Html =>
  html`<span class="cells" aria-hidden="true"
    >${requirements.map(({ id, verdict }) => html`<a tabindex="-1" href="#${id}" class="cell ${verdict}" title="${id}: ${verdict}">${verdicts[verdict].symbol}</a>`)}</span
  >`;
