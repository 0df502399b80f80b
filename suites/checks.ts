import { member, stringsIn } from '../lib/target/reply.ts';
import type { Reply } from '../lib/target/reply.ts';
import { hash } from '../lib/engine/tag.ts';
import type { Observation } from '../lib/engine/observation.ts';
import type { Violation } from '../lib/engine/finding.ts';
import type { Clash } from '../lib/engine/compare.ts';
import { printable, shown } from '../lib/target/printable.ts';

/** A violation whose actual value comes from the target. */
export const violation = (expected: string, actual: unknown, pointer?: string): Violation => ({
  expected,
  actual: shown(actual),
  ...(pointer === undefined ? {} : { pointer }),
});

/** Only what was accepted must be honoured; what was refused is the service's right. */
export const isAccepted = ({ accepted }: Observation): boolean => accepted;

/** Plain input that was refused. */
export const mustBeAccepted =
  (expected: string) =>
  ({ accepted, exchange: { reply } }: Observation): Violation | undefined =>
    accepted ? undefined : { expected, actual: `status ${reply.status}` };

/** What had to be refused must not carry what only the right credential is given, whatever its status. */
export const mustBeRefused =
  (result: string) =>
  ({ accepted, exchange: { reply } }: Observation): Violation | undefined =>
    accepted
      ? { expected: `a refusal: no ${result}`, actual: `a response with a ${result}, status ${reply.status}` }
      : undefined;

/** A member that must equal what was submitted, to the code point. */
export function mustEcho(name: string, submitted: string, reply: Reply): Violation | undefined {
  const echoed = member(reply.json, name);
  if (echoed === submitted) return undefined;
  const difference = typeof echoed === 'string' ? ` (${firstDifference(submitted, echoed)})` : '';
  return {
    expected: `${shown(submitted)}, as submitted`,
    actual: `${shown(echoed)}${difference}`,
    pointer: `/${name}`,
  };
}

function firstDifference(expected: string, actual: string): string {
  const sent = [...expected];
  const got = [...actual];
  const at = sent.findIndex((point, index) => point !== got[index]);
  if (at === -1) return `${got.length - sent.length} code points more than submitted`;
  return `differs at code point ${at + 1}: ${point(sent[at])} was sent, ${point(got[at])} came back`;
}

const point = (character: string | undefined): string =>
  character === undefined
    ? 'the end'
    : `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')} ${printable(character)}`;

/** The first two observations that share a value which must be each one's own, of what may be a million. */
export function clash<O extends Observation>(
  observations: Iterable<O>,
  valueOf: (observation: O) => string,
  violationOf: (value: string, first: O, second: O) => Violation | undefined,
): Clash<O> | undefined {
  const twice = repeated(hashesOf(observations, valueOf));
  const seen = new Map<string, O>();
  let found: Clash<O> | undefined;
  let broken = 0;
  for (const second of observations) {
    const value = valueOf(second);
    if (!twice.has(hash(value))) continue;
    const first = seen.get(value);
    const violation = first && violationOf(value, first, second);
    if (first && violation) {
      broken++;
      found ??= { first, second, violation };
    } else seen.set(value, second);
  }
  return found && { ...found, broken };
}

function* hashesOf<O>(observations: Iterable<O>, valueOf: (observation: O) => string): Generator<number> {
  for (const observation of observations) yield hash(valueOf(observation));
}

/** The numbers that come more than once. */
const repeated = (numbers: Iterable<number>): ReadonlySet<number> => {
  const sorted = Uint32Array.from(numbers).toSorted();
  return new Set(sorted.filter((number, at) => number === sorted[at - 1]));
};

/** Whether any text of a reply, fields included, contains another text. */
export const contains = (reply: Reply, text: string): boolean =>
  reply.text.includes(text) ||
  stringsIn(reply.json).some((found) => found.text.includes(text)) ||
  Object.values(reply.fields).some((value) => value.includes(text));
