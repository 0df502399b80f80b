import { html } from '../html.ts';
import type { Html } from '../html.ts';
import type { Report, ReportedRequirement } from '../../schemas/report.ts';
import { levels, marks, verdictNames } from './words.ts';

/** How many statements of each level came to which verdict, and each as a square of its own. */
export function tally({ requirements, questions }: Report): Html {
  const drifted = questions.filter(({ drift }) => drift).length;
  const answered = questions.filter(({ answer }) => answer !== undefined).length;
  const byLevel = Map.groupBy(requirements, ({ level }) => level);
  return html`<table class="tally">
    <caption class="apart">
      Statements by level and verdict
    </caption>
    <tbody>
      ${(['must', 'should', 'declared'] as const).map((level) => {
        const own = byLevel.get(level) ?? [];
        return (
          own.length > 0 &&
          html`<tr>
            <th scope="row">${levels[level]}</th>
            <td>${counts(own)}</td>
            <td class="strip">${strip(own)}</td>
          </tr> `
        );
      })}
      <tr>
        <th scope="row">Left open</th>
        <td>${answered} of ${questions.length} answered${drifted > 0 && `, ${drifted} drifted`}</td>
        <td class="strip">
          <span aria-hidden="true"
            >${questions.map(
              ({ id, answer, drift }) =>
                html`<a
                  tabindex="-1"
                  href="#${id}"
                  class="cell ${drift ? 'fail' : answer === undefined ? 'untested' : 'answered'}"
                  title="${id}"
                  >${drift ? '≠' : answer === undefined ? '–' : '•'}</a
                >`,
            )}</span
          >
        </td>
      </tr>
    </tbody>
  </table>`;
}

/** Counts by verdict, the gravest first. */
export function counts(requirements: readonly Pick<ReportedRequirement, 'verdict'>[]): Html {
  const found = verdictNames
    .map((verdict) => [verdict, requirements.filter((one) => one.verdict === verdict).length] as const)
    .filter(([, count]) => count > 0);
  return html`<span class="counts"
    >${found.map(
      ([verdict, count]) =>
        html`<span class="count ${verdict}"
          ><b aria-hidden="true">${marks[verdict].symbol}</b> ${count} ${inNumber(verdict, count)}</span
        > `,
    )}</span
  >`;
}

const inNumber = (verdict: ReportedRequirement['verdict'], count: number): string => {
  const { word } = marks[verdict];
  return count === 1 ? word : (plurals[word] ?? word);
};

const plurals: Readonly<Record<string, string>> = { fails: 'fail', warns: 'warn', holds: 'hold' };

/** For the eye and the pointer; the table and the outline say the same to everybody else. */
const strip = (requirements: readonly ReportedRequirement[]): Html =>
  html`<span aria-hidden="true"
    >${requirements.map(
      ({ id, verdict }) =>
        html`<a tabindex="-1" href="#${id}" class="cell ${verdict}" title="${id}: ${marks[verdict].word}"
          >${marks[verdict].symbol}</a
        >`,
    )}</span
  >`;
