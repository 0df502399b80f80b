import type { EvidenceLine } from '../../schemas/evidence.ts';
import { html } from '../html.ts';
import type { Report } from '../../schemas/report.ts';
import { pictures } from './charts/pictures.ts';
import { contents, filters } from './contents.ts';
import { headline } from './headline.ts';
import { inlined } from './inline.ts';
import { sectionsOf } from './outline.ts';
import { ownSection } from './own.ts';
import { glossary, sectionOf } from './section.ts';
import { headlines } from './words.ts';
import { printable } from '../../target/printable.ts';

const { style, script, policy } = inlined(
  [
    'colours',
    'base',
    'verdicts',
    'head',
    'columns',
    'filters',
    'outline',
    'failure',
    'open',
    'pictures',
    'foot',
    'phone',
    'print',
  ],
  'script.js',
);

/**
 * `index.html`: the report for people, as one page that needs nothing but itself.
 * @param evidence the lines of `evidence.ndjson`; none where there was none
 * @param out folder of the reports, for the replay lines
 */
export function reportPage(report: Report, evidence: readonly EvidenceLine[], out = 'reports'): string {
  const { target, run, verdict, suite } = report;
  const sections = sectionsOf(report);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <meta name="color-scheme" content="light dark" />
        <meta name="generator" content="${suite.name} ${suite.version}" />
        <title>
          ${headlines[verdict].word}: ${printable(target.name ?? target.baseUrl)},
          ${run.startedAt.slice(0, 10)}
        </title>
        ${style}
      </head>
      <body>
        <a class="skip" href="#statements">To the statements</a>
        ${headline(report)}
        <div class="columns">
          <aside aria-label="Find your way">${filters(report)} ${contents(sections, report)}</aside>
          <main id="statements" tabindex="-1">
            ${sections.map((section) => sectionOf(section, out))} ${ownSection(report)}
            ${pictures(report, evidence)} ${glossary(out)}
          </main>
        </div>
        <footer>
          <p>${suite.name} ${suite.version}, seed ${run.seed}, ${run.startedAt}</p>
        </footer>
        ${script}
      </body>
    </html> `.markup;
}
