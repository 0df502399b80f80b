import { curlOf } from '../target/curl.ts';
import type { Exchange } from '../target/exchange.ts';
import { clipped } from '../target/printable.ts';
import { record, redactAll } from '../target/record.ts';
import type { Counterexample, Violation } from './finding.ts';
import type { Observation } from './observation.ts';
import type { Run } from './run.ts';

/** What breaks a requirement, as it is reported: redacted, with the command that sends it again. */
export function counterexample(
  run: Run,
  found: Observation,
  violation: Violation,
  exchanges: readonly (Exchange | undefined)[],
  reproduced: Pick<Counterexample, 'scenarios' | 'input' | 'path' | 'shrinks' | 'reproduced'>,
): Counterexample {
  const { redactor } = run.target;
  const shown = exchanges.filter((exchange) => exchange !== undefined);
  const last = shown.at(-1)!;
  const redacted = redactAll(
    {
      ...violation,
      category: found.case.category,
      originalInput: found.case.input,
      seed: run.settings.seed,
      ...reproduced,
      exchanges: shown.map((exchange) => record(exchange, redactor)),
      curl: curlOf(last.request, last.url),
    },
    redactor,
  );
  // Where the key stands in a place that does not count, the shell fills it in.
  const curl = redacted.curl.replaceAll('[key]', `'"$TARGET_API_KEY"'`);
  const [expected, actual] = [clipped(redacted.expected, 2000), clipped(redacted.actual, 2000)];
  return { ...redacted, expected, actual, curl };
}
