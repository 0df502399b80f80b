import type { Counterexample } from '../../schemas/case.ts';
import type { FailedCase } from '../../schemas/report.ts';
import { curlOf, withKeyFromShell } from '../../target/output/curl.ts';
import type { Exchange } from '../../target/exchange.ts';
import { codePointName, characterNames } from '../../target/output/character-names.ts';
import { clipped, printable, quantity, shown } from '../../target/output/printable.ts';
import { record, redactAll } from '../../target/output/record.ts';
import type { Observation } from '../observation.ts';
import type { Run } from '../scenario.ts';

/** What was expected and what came back instead, in words. */
export interface Violation {
  /** Every correct outcome. */
  readonly expected: string;
  readonly actual: string;
  /** JSON pointer (RFC 6901) into the response body. */
  readonly pointer?: string;
  /** The submitted text and the one that came back, if they should be equal. */
  readonly texts?: Echo;
  /** Whether the control breaks the requirement: then the exchange shows what is right. */
  readonly inControl?: boolean;
}

/** The counterexample to a requirement for the report: redacted, with a command that sends it again. */
export function counterexample(
  run: Run,
  found: Observation,
  { expected: right, actual: wrong, pointer, texts }: Violation,
  exchanges: readonly (Exchange | undefined)[],
  reproduced: Pick<Counterexample, 'scenarios' | 'input' | 'path' | 'shrinks' | 'reproduced' | 'alone'>,
): Counterexample {
  const { redactor } = run.target;
  const shown = exchanges.filter((exchange) => exchange !== undefined);
  const last = shown.at(-1)!;
  // Texts are redacted before they are clipped: half a secret would not be found.
  const { echo, ...redacted } = redactAll(
    {
      echo: texts,
      expected: right,
      actual: wrong,
      ...(pointer !== undefined && { pointer }),
      category: found.case.category,
      originalInput: found.case.input,
      seed: run.settings.seed,
      ...reproduced,
      exchanges: shown.map((exchange) => record(exchange, redactor)),
      curl: curlOf(last, found.sameConnection && shown.length > 1 ? shown.at(-2) : undefined),
    },
    redactor,
  );
  const curl = withKeyFromShell(redacted.curl);
  const { expected, actual } = echo ? echoText(echo) : redacted;
  return { ...redacted, expected: clipped(expected, 2000), actual: clipped(actual, 2000), curl };
}

/** Failed cases that a report lists. */
const MAX_LISTED = 200;

/** The failed cases of a requirement for the report: redacted, and not too many. */
export function failedCases(
  run: Run,
  broken: readonly Observation[],
  violationBy: (observation: Observation) => Violation,
): FailedCase[] {
  const listed = broken
    .toSorted((one, other) => one.exchange.number - other.exchange.number)
    .slice(0, MAX_LISTED)
    .map((observation) => {
      const { scenario, category } = observation.case;
      const { actual, texts } = violationBy(observation);
      return { exchange: observation.exchange.number, scenario, category, actual, echo: texts };
    });
  return redactAll(listed, run.target.redactor).map(({ echo, actual, ...one }) => ({
    ...one,
    actual: clipped(echo ? echoText(echo).actual : actual, 200),
  }));
}

/** A text that was submitted, and the different one that came back. */
interface Echo {
  readonly sent: string;
  readonly got: string;
}

/** Code points of a long text that are shown on each side of the first difference. */
const CONTEXT = 30;

/** Two texts in words, each around their first difference if it is long, and what differs there. */
export function echoText({ sent, got }: Echo): { readonly expected: string; readonly actual: string } {
  const [submitted, echoed] = [[...sent], [...got]];
  const differs = submitted.findIndex((one, index) => one !== echoed[index]);
  const at = differs === -1 ? submitted.length : differs;
  return {
    expected: `${around(at, submitted)}, as submitted`,
    actual: `${around(at, echoed)} (${differenceAt(at, submitted, echoed)})`,
  };
}

function around(at: number, points: readonly string[]): string {
  if (points.length <= 3 * CONTEXT) return shown(points.join(''));
  const from = Math.max(0, Math.min(at, points.length) - CONTEXT);
  const to = Math.min(points.length, at + CONTEXT);
  return `code points ${from + 1} to ${to} of ${points.length}: ${shown(points.slice(from, to).join(''))}`;
}

function differenceAt(at: number, sent: readonly string[], got: readonly string[]): string {
  if (at === sent.length) return `${quantity(got.length - sent.length, 'code point')} longer than submitted`;
  return at === got.length
    ? `ends before code point ${at + 1}: ${point(sent[at]!)} was sent`
    : `differs at code point ${at + 1}: ${point(sent[at]!)} was sent, ${point(got[at]!)} came back`;
}

const point = (character: string): string => {
  const isVisible = character !== ' ' && printable(character) === character;
  return isVisible ? `${codePointName(character)} ${character}` : characterNames(character)[1];
};
