import type { Counterexample } from '../../schemas/case.ts';
import type { FailedCase, Result } from '../../schemas/report.ts';
import { curlOf } from '../../target/output/curl.ts';
import type { Exchange } from '../../target/exchange.ts';
import { clipped } from '../../target/output/printable.ts';
import { record, redactAll } from '../../target/output/record.ts';
import { echoText } from './echo-text.ts';
import type { Echo } from './echo-text.ts';
import type { Observation } from '../observation.ts';
import type { Run } from '../scenario.ts';

/** The result of one requirement. Plain JSON: it is the meta of a Vitest task. */
export type Finding = Result & { readonly id: string };

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
  // The shell fills in a key that is not in the Authorization header.
  const curl = redacted.curl.replaceAll('[key]', `'"$TARGET_API_KEY"'`);
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
