import type { z } from 'zod';
import type { Violation } from '../lib/engine/judging/finding.ts';
import { IDENTICAL, PLAIN } from '../lib/engine/observation.ts';
import type { Observation, SummarisedId } from '../lib/engine/observation.ts';
import type { Clash } from '../lib/engine/requirement.ts';
import { customerResponse } from '../lib/schemas/interface.ts';
import type { CustomerRequest } from '../lib/schemas/interface.ts';
import { printable, shown } from '../lib/target/output/printable.ts';
import { member, pointerTo, stringsIn } from '../lib/schemas/json.ts';
import { isSuccess } from '../lib/target/reply.ts';
import type { Reply } from '../lib/target/reply.ts';

/** The check of a request that must be accepted. It also fails if the service failed at first, but accepts a repetition. */
export const mustBeAccepted =
  (expected: string) =>
  ({ accepted, intermittent, exchange, control }: Observation): Violation | undefined => {
    if (intermittent)
      return {
        expected: `${expected}, as when the same request is repeated`,
        actual: outcomeText((intermittent === 'control' ? control! : exchange).reply),
        ...(intermittent === 'control' && { inControl: true }),
      };
    return accepted ? undefined : { expected, actual: outcomeText(exchange.reply) };
  };

/** The outcome of a request that was not accepted. */
export const outcomeText = (reply: Reply): string => {
  const { status, notJson } = reply;
  if (!isSuccess(reply)) return `status ${status}`;
  return notJson === undefined
    ? `status ${status} without the result`
    : `status ${status} with a body that is not JSON (${printable(notJson)})`;
};

/**
 * The check of a request that must be rejected: its response must not carry the result, whatever its status. If the
 * status is that of a rejection, the failure shows where the result is.
 */
export const mustBeRejected =
  (result: string) =>
  ({
    accepted,
    place,
    exchange: { reply },
  }: Observation & { readonly place?: string }): Violation | undefined =>
    accepted
      ? {
          expected: `a rejection: no ${result}`,
          actual: `a response with a ${result}, status ${reply.status}`,
          ...(!isSuccess(reply) && { pointer: place }),
        }
      : undefined;

/**
 * The first way in which a JSON value does not fit a schema; undefined where it fits.
 * @param pointer to the value in the body
 */
export function schemaViolation(schema: z.ZodType, value: unknown, pointer: string): Violation | undefined {
  const [issue] = schema.safeParse(value).error?.issues ?? [];
  if (issue === undefined) return undefined;
  const actual = issue.path.reduce(
    (outer: unknown, name) => (outer as Record<PropertyKey, unknown>)[name],
    value,
  );
  return {
    expected: issue.message.replace(/^expected /, ''),
    actual: actual === undefined ? 'no such member' : shown(actual),
    pointer: `${pointer}${pointerTo(issue.path)}`,
  };
}

/** The same for the body of a response, which may not be JSON. */
export function bodyViolation(schema: z.ZodType, { json, notJson }: Reply): Violation | undefined {
  const misfit = schemaViolation(schema, json, '');
  return misfit && notJson !== undefined ? { ...misfit, actual: `not JSON: ${printable(notJson)}` } : misfit;
}

/** Checks that a member equals the submitted value, to the code point. */
export function echoViolation(
  name: 'name' | 'email',
  { [name]: submitted }: CustomerRequest,
  json: unknown,
): Violation | undefined {
  const pointer = `/${name}`;
  const echoed = member(json, name);
  if (echoed === submitted) return undefined;
  const misfit = schemaViolation(customerResponse.shape[name], echoed, pointer);
  const [expected, actual] = [`${shown(submitted)}, as submitted`, shown(echoed)];
  if (misfit || typeof echoed !== 'string') return { actual, ...misfit, expected, pointer };
  return { expected, actual, pointer, texts: { sent: submitted, got: echoed } };
}

/** Checks that a response has a header. @param form what its value must match */
export function headerViolation(
  reply: Reply,
  name: string,
  expected: string,
  form = /(?:)/,
): Violation | undefined {
  const value = reply.fields[name.toLowerCase()];
  if (value !== undefined && form.test(value)) return undefined;
  return { expected, actual: value === undefined ? 'no such header' : shown(value) };
}

/**
 * Two observations with the same value, where each must have its own.
 * @param violationOf gets undefined for an exchange that was not kept
 * @param summarised the values of exchanges that were not kept
 */
export function findClash<O extends Observation>(
  observations: readonly O[],
  valueOf: (observation: O) => string,
  violationOf: (value: string, ...both: (O | undefined)[]) => Violation | undefined,
  summarised: readonly SummarisedId[] = [],
): Clash<O> | undefined {
  const kept = observations.map((observation) => [observation, valueOf(observation)] as const);
  const byValue = new Map<string, O | number>();
  let found: Clash<O> | undefined;
  let broken = 0;
  for (const [second, value] of [...summarised, ...kept]) {
    if (value === null) continue;
    const first = byValue.get(value);
    const violation = first === undefined ? undefined : violationOf(value, keptOf(first), keptOf(second));
    if (violation === undefined || typeof first === 'number') byValue.set(value, second);
    if (first === undefined || violation === undefined) continue;
    broken++;
    const clash = { first, second, violation };
    if (found === undefined || clarityOf(clash) > clarityOf(found)) found = clash;
  }
  return found && { ...found, broken };
}

const keptOf = <O>(one: O | number): O | undefined => (typeof one === 'number' ? undefined : one);

/** How well a clash shows what is wrong: best by two exchanges that were kept, of plain or identical input. */
const clarityOf = ({ first, second }: Clash<Observation>): number =>
  [first, second]
    .filter((one) => typeof one !== 'number')
    .reduce((sum, one) => sum + ([PLAIN, IDENTICAL].includes(one.case.category) ? 4 : 3), 0);

/** Whether a response contains a text anywhere: in its body, in a string of its JSON, or in a header. */
export const contains = (reply: Reply, text: string): boolean =>
  reply.text.includes(text) ||
  stringsIn(reply.json).some((found) => found.text.includes(text)) ||
  Object.values(reply.fields).some((value) => value.includes(text));
