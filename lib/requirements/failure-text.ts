import type { RecordedExchange } from '../target/record.ts';
import { entryOf } from './catalogue.ts';
import type { Finding } from './finding.ts';
import { clipped, printable } from './printable.ts';

/**
 * A failure in words, always in the same order: the requirement, what was sent, what was expected,
 * what came back, how to see it again.
 */
export function failureText(finding: Finding, out: string): string {
  const { id, counterexample, broken, cases } = finding;
  const entry = entryOf(id);
  const cited = entry.source === undefined ? `section ${entry.section}` : entry.source;
  const lines = [`${id} (${cited}): ${entry.statement}`];
  if (counterexample === undefined) return lines.join('\n');
  const { exchanges, expected, actual, pointer, reproduced, curl } = counterexample;
  for (const [at, { request, response }] of exchanges.entries()) {
    const isJudged = at === exchanges.length - 1;
    lines.push(
      `  ${isJudged ? 'sent    ' : 'control '}  ${request.method} ${printable(request.url)}`,
      ...tellingFields(request.headers).map((field) => `            ${field}`),
      `            ${clipped(printable(request.body))}`,
      ...(isJudged ? [] : [`  answered  ${response.status} ${clipped(printable(response.body), 160)}`]),
    );
  }
  const { response } = exchanges.at(-1)!;
  lines.push(
    `  expected  ${clipped(expected, 600)}`,
    `  got       ${pointer === undefined ? '' : `${pointer === '' ? 'the whole body' : printable(pointer)}: `}${clipped(actual, 600)}`,
    `            in ${response.status} ${clipped(printable(response.body))}`,
    `  broken in ${broken} of ${cases} cases; sent again, it broke ${reproduced}${intermittent(reproduced)}`,
    `  again     ${curl.length > 1500 ? 'see curl in the case file below; it is long' : curl}`,
    `  replay    npx cts replay ${out}/cases/${id}.json`,
  );
  return lines.join('\n');
}

/** The credential, or that there is none, and the fields that not every request has. */
function tellingFields(headers: RecordedExchange['request']['headers']): string[] {
  const credential = headers.find(([name]) => name.toLowerCase() === 'authorization');
  const others = headers.filter(
    ([name, value]) => name !== credential?.[0] && !/^(?:application\/json|cts-conformance\/.*)$/.test(value),
  );
  return [
    credential ? `${credential[0]}: ${printable(credential[1])}` : 'no Authorization',
    ...others.map(([name, value]) => `${printable(name)}: ${printable(value)}`),
  ];
}

function intermittent(reproduced: string): string {
  const [again, repeats] = reproduced.split('/').map(Number);
  return again! < repeats! ? ' (intermittent)' : '';
}
