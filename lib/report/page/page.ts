import type { EvidenceLine } from '../../schemas/evidence.ts';
import type { Report, ReportedQuestion, ReportedRequirement } from '../../schemas/report.ts';
import { printable } from '../../target/printable.ts';
import { html, pageText } from '../html.ts';
import type { Html } from '../html.ts';
import { sections as outline } from '../sections.ts';
import { OPEN, capitalised, levelNames, levels, runVerdicts } from '../vocabulary.ts';
import { charts } from './charts/charts.ts';
import { contents, filters } from './contents.ts';
import { inlined } from './document.ts';
import { headline } from './headline.ts';
import { questionsOf } from './questions.ts';
import { countBadges, customEntry, requirementEntry } from './requirement.ts';
import { COMMAND } from '../../settings/package-root.ts';

const { style, script, policy } = inlined(['base', 'head', 'entries', 'charts', 'media'], 'script.js');

/**
 * `index.html`: the report as a self-contained page.
 * @param evidence the lines of `evidence.ndjson` that the charts need
 * @param out folder of the reports, for the replay commands
 */
export function reportPage(report: Report, evidence: readonly EvidenceLine[], out = 'reports'): string {
  const { target, run, verdict, suite, custom, customCounts } = report;
  const sections = sectionsOf(report);
  return pageText(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta http-equiv="Content-Security-Policy" content="${policy}" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="referrer" content="no-referrer" />
          <meta name="color-scheme" content="light dark" />
          <meta name="generator" content="${suite.name} ${suite.version}" />
          <title>
            ${capitalised(runVerdicts[verdict].words)}: ${printable(target.name ?? target.baseUrl)},
            ${run.startedAt.slice(0, 10)}
          </title>
          ${style}
        </head>
        <body>
          <a class="skip" href="#requirements">Skip to the requirements</a>
          ${headline(report)}
          <div class="columns">
            <aside aria-label="Navigation">${filters(report)} ${contents(sections, report)}</aside>
            <main id="requirements" tabindex="-1">
              ${sections.map((section) => chapter(section, out))}
              ${
                custom !== undefined &&
                html`<section class="chapter" aria-labelledby="custom">
                  <h2 id="custom">Custom suites <small>${countBadges(custom)}</small></h2>
                  <p>
                    Not part of the
                    verdict${customCounts && ', but the exit code depends on them (--suite-counts)'}.
                  </p>
                  <ul class="entries">
                    ${custom.map(customEntry)}
                  </ul>
                </section>`
              }
              ${charts(report, evidence)} ${glossary(out)}
            </main>
          </div>
          <footer>
            <p>${suite.name} ${suite.version}, seed ${run.seed}, ${run.startedAt}</p>
          </footer>
          ${script}
        </body>
      </html> `,
  );
}

/** An open question, with the requirement that its declared answer is. */
export interface PlacedQuestion extends ReportedQuestion {
  readonly declaredAs?: ReportedRequirement;
}

/** A section of the interface document with its requirements and open questions. */
export interface Section {
  readonly number: string;
  readonly title: string;
  readonly anchor: string;
  readonly requirements: readonly ReportedRequirement[];
  readonly questions: readonly PlacedQuestion[];
}

/** Puts each requirement and each question into its section; what cites none belongs to the profile. */
export function sectionsOf({ requirements, questions }: Report): Section[] {
  const asked = new Set(questions.map(({ id }) => id));
  const declared = new Map(requirements.filter(({ id }) => asked.has(id)).map((one) => [one.id, one]));
  const numbers = new Set<string>(outline.map(({ number }) => number));
  const profile = { number: '', title: 'The profile' };
  return [...outline, profile]
    .map(({ number, title }): Section => {
      const isHere = ({ section }: { readonly section: string }): boolean =>
        numbers.has(section) ? section === number : number === '';
      return {
        number,
        title,
        anchor: `section-${number || 'profile'}`,
        requirements: requirements.filter((one) => !asked.has(one.id) && isHere(one)),
        questions: questions.filter(isHere).map((question): PlacedQuestion => {
          const declaredAs = declared.get(question.id);
          return { ...question, ...(declaredAs && { declaredAs }) };
        }),
      };
    })
    .filter(({ number, ...own }) => number !== '' || own.requirements.length + own.questions.length > 0);
}

function chapter({ number, title, anchor, requirements, questions }: Section, out: string): Html {
  const isNested = number.includes('.');
  const heading = html`<span class="number">${number}</span> ${title}
    ${requirements.length > 0 && html`<small>${countBadges(requirements)}</small>`}`;
  return html`<section class="${isNested ? 'chapter deeper' : 'chapter'}" aria-labelledby="${anchor}">
    ${isNested ? html`<h3 id="${anchor}">${heading}</h3>` : html`<h2 id="${anchor}">${heading}</h2>`}
    ${
      requirements.length > 0 &&
      html`<ul class="entries">
        ${levelNames.flatMap((level) =>
          requirements.filter((one) => one.level === level).map((one) => requirementEntry(one, out)),
        )}
      </ul>`
    }
    ${questionsOf(questions, number === '' ? 'the profile' : `section ${number}`, out)}
  </section> `;
}

const glossary = (out: string): Html =>
  html`<section aria-labelledby="glossary">
    <h2 id="glossary">Glossary</h2>
    <dl class="glossary">
      <dt>${capitalised(levels.must.name)}</dt>
      <dd>stated by the interface document, in the section under which the requirement is listed.</dd>
      <dt>${capitalised(levels.should.name)}</dt>
      <dd>recommended by an RFC that the interface builds on; fails only a strict run.</dd>
      <dt>${capitalised(levels.declared.name)}</dt>
      <dd>open in the document, and answered in the profile of the target; a different answer is drift.</dd>
      <dt>${OPEN}</dt>
      <dd>an open question: every answer conforms, unless the profile declares another one.</dd>
      <dt>pass</dt>
      <dd>
        no case failed. A percentage is the bound on the failure rate: with n passing cases, it is below 3/n
        at 95 % confidence.
      </dd>
      <dt>fail, warn</dt>
      <dd>at least one case failed; warn, if the requirement is only recommended.</dd>
      <dt>waived</dt>
      <dd>broken, and the profile accepts that until a given day.</dd>
      <dt>inconclusive</dt>
      <dd>could not be judged: a request that it builds on was rejected, or no response arrived.</dd>
      <dt>untested</dt>
      <dd>not tested in this run, for the reason given.</dd>
    </dl>
    <p>
      This page is rendered from <code>conformance.json</code> and <code>evidence.ndjson</code>;
      <code>${COMMAND} render ${out}</code> renders it again. <code>[key]</code>, <code>[token 12]</code>,
      <code>[possible token 12]</code> and <code>[redacted]</code> stand for secrets. Long bodies are
      truncated on this page; the evidence has them in full.
    </p>
  </section>`;
