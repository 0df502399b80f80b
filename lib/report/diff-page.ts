import { byId } from '../schemas/json.ts';
import type { Report } from '../schemas/report.ts';
import { diffSections, diffHeadline, diffNotes, verdictWord } from './diff-text.ts';
import type { Item } from './diff-text.ts';
import { diffOf } from './diff.ts';
import type { Changed, Diff, ChangedAnswer } from './diff.ts';
import { html, visible } from './page/html.ts';
import type { Html } from './page/html.ts';
import { pageChapter, contents } from './page/contents.ts';
import type { PageChapter } from './page/contents.ts';
import { documentPage, definitionList, urlOf } from './page/document.ts';
import { answer } from './page/questions.ts';
import { countBadges, requirementEntry } from './page/requirement.ts';
import type { EntryContext } from './page/requirement.ts';
import { minuteOf } from './text.ts';
import { capitalised, runVerdicts, verdicts } from './vocabulary.ts';

/** A report that is compared, and where it is. */
export interface Compared {
  readonly report: Report;
  /** Its folder, for the replay commands. */
  readonly out: string;
  /** Path of its page, relative to the page of the difference; undefined: there is none. */
  readonly page: string | undefined;
}

/** The difference as a self-contained page, which shows each failure in full. */
export function diffPage(before: Compared, after: Compared): string {
  const diff = diffOf(before.report, after.report);
  const { word, verdict, text } = diffHeadline(diff);
  const heading = capitalised(word.toLowerCase());
  const chapters = chaptersOf(before, after, diff);
  return documentPage(
    `${heading}: ${text}`,
    html`<header class="${verdict}">
        <p class="kind">Customer and Token Service Interface: difference between two reports</p>
        <h1><span class="symbol" aria-hidden="true">${verdicts[verdict].symbol}</span> ${heading}</h1>
        <p class="sentence">${capitalised(text)}.</p>
        ${diffNotes(diff).map((note) => html`<p>${visible(note)}</p>`)}
        ${definitionList([
          ['Old', run(before)],
          ['New', run(after)],
        ])}
      </header>
      <div class="columns">
        <aside aria-label="Navigation">${contents(chapters)}</aside>
        <main>${chapters.map(pageChapter)}</main>
      </div>`,
  );
}

/** A run in brief: its verdict, the number of requirements with each verdict, and its target, seed and so on. */
function run({ report, page }: Compared): Html {
  const { verdict, target, suite, requirements, run: facts } = report;
  const { symbol, words } = runVerdicts[verdict];
  return html`<strong class="count ${verdict}"
      ><b aria-hidden="true">${symbol}</b> ${capitalised(words)}</strong
    >
    ${page !== undefined && html`<a href="${urlOf(page)}">Report</a>`}<br />
    ${countBadges(requirements)}<br />
    <code>${visible(target.baseUrl)}</code
    >${target.name !== undefined && html`, ${visible(target.name)}`}<br />
    ${visible(minuteOf(facts.startedAt))} UTC, seed ${facts.seed}, suite ${visible(suite.version)}`;
}

/** What changed, as the chapters of the page. */
const chaptersOf = (before: Compared, after: Compared, diff: Diff): PageChapter[] =>
  diffSections(diff).map(({ kind, title, items }): PageChapter => {
    if (kind === 'drifted') return { anchor: kind, title, ...answers(after, diff.drifted) };
    if (kind === 'slower' || kind === 'unanswered' || kind === 'answered')
      return { anchor: kind, title, body: list(items) };
    const changed = diff[kind];
    return {
      anchor: kind,
      title,
      judged: changed.map((one) => (one.new ?? one.old)!),
      body: html`<ul class="entries">
        ${changed.map((one, at) => entry(one, before, after, kind === 'broken' && at === 0))}
      </ul>`,
    };
  });

/** A requirement with its new verdict, or, if the new report does not contain it, with the old one. */
function entry({ old: then, new: now }: Changed, before: Compared, after: Compared, isOpen: boolean): Html {
  const [shown, from, note] = now
    ? [now, after, `was ${verdictWord(then)}`]
    : [then!, before, 'not in the new report'];
  return requirementEntry(shown, { ...contextOf(from), note: () => note }, isOpen);
}

const contextOf = ({ out, page }: Compared): EntryContext => ({
  out,
  log: new Map(),
  page: page === undefined ? undefined : urlOf(page),
});

/** The answers that differ; those that are no longer as declared come first, as failures. */
function answers(after: Compared, drifted: readonly ChangedAnswer[]): Pick<PageChapter, 'judged' | 'body'> {
  const requirements = byId(after.report.requirements);
  const failed = drifted
    .filter(({ contradictsProfile }) => contradictsProfile)
    .flatMap(({ id }) => requirements.get(id) ?? []);
  return {
    ...(failed.length > 0 && { judged: failed }),
    body: html`${
        failed.length > 0 &&
        html`<ul class="entries">
          ${failed.map((one) => requirementEntry(one, contextOf(after)))}
        </ul>`
      }
      <ul class="entries">
        ${drifted.map(
          ({ id, question, old: then, new: now, contradictsProfile }) =>
            html`<li class="entry">
              ${visible(question)} <code>${visible(id)}</code>
              ${definitionList([
                ['Old', answer(then)],
                ['New', html`${answer(now)}${contradictsProfile && ' (not as declared)'}`],
              ])}
            </li> `,
        )}
      </ul>`,
  };
}

const list = (items: readonly Item[]): Html =>
  html`<ul>
    ${items.map(({ id, facts }) => html`<li><code>${visible(id)}</code> ${definitionList(facts.map(([name, fact]) => [name, visible(fact)]))}</li>`)}
  </ul>`;
