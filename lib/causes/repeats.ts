import { MIN_SAMPLE, OVERTAKING } from './cause.ts';

/** Where each different value occurs. */
const positionsOf = (values: readonly string[]): (readonly number[])[] => [
  ...Map.groupBy(values.keys(), (at) => values[at]!).values(),
];

/**
 * How values repeat, if they occur in turn, or equally often.
 * @param values in the order of the responses
 */
export function periodOf(values: readonly string[]): string | undefined {
  const positions = positionsOf(values);
  const period = positions.length;
  const times = values.length / period;
  const tolerance = Math.min(OVERTAKING, period >> 2);
  const gaps = positions.flatMap((one) => one.slice(1).map((at, before) => at - one[before]!));
  // Some values are not in the list, as other requests got them.
  const roundsIn = (gap: number): number => Math.max(1, Math.round(gap / period));
  const areEquallyMany = times > 2 && positions.every(({ length }) => Math.abs(length - times) < 1);
  const isPeriodic =
    (areEquallyMany && !areInARow(positions)) ||
    (gaps.length >= MIN_SAMPLE && gaps.every((gap) => Math.abs(gap - period * roundsIn(gap)) <= tolerance));
  const isExact = gaps.every((gap) => gap === period);
  return isPeriodic ? `repeat after ${isExact ? '' : 'about '}${period}` : undefined;
}

/** Whether two values are equal exactly where two traits of their requests are. */
export function correspond(values: readonly string[], traits: readonly unknown[]): boolean {
  const pairs = values.map((value, at) => JSON.stringify([value, traits[at]]));
  const [distinct, ...others] = [values, traits, pairs].map((all) => new Set<unknown>(all).size);
  return others.every((count) => count === distinct);
}

/** Minimum number of values that repeat in the same order for this to be hardly by chance. */
const MIN_IN_ORDER = 10;

/**
 * Whether values that are not next to each other occur again in the same order, like those of a counter that restarts.
 * One response may come much later than the others.
 * @param values in the order of the responses
 */
export function beginAgain(values: readonly string[]): boolean {
  const repeated = positionsOf(values).filter((one) => one.length > 1);
  const inOrder = repeated.toSorted(([, one], [, other]) => one! - other!);
  let [beforeLatest, latest] = [0, 0];
  return (
    repeated.length >= MIN_IN_ORDER &&
    inOrder.every(([first, second]) => {
      beforeLatest = Math.max(beforeLatest, Math.min(latest, first!));
      latest = Math.max(latest, first!);
      return second! - first! > OVERTAKING && beforeLatest - first! < OVERTAKING;
    })
  );
}

/** Maximum occurrences of one value that is chosen at random, and minimum number of values that repeat by chance alone. */
const MAX_BY_CHANCE = 6;
const MIN_BY_CHANCE = 5;
/** Share of values that may be apart although they are of one moment: responses to large requests come late. */
const SHARE_OF_LATE = 0.1;

/**
 * How values repeat: in a row, or as often as if they were chosen at random. By the birthday problem, the number of pairs
 * shows from how many values they were chosen.
 * @param values in the order of the responses
 */
export function patternOf(values: readonly string[]): string | undefined {
  const positions = positionsOf(values);
  const repeated = positions.filter((one) => one.length > 1);
  if (values.length - positions.length < MIN_SAMPLE) return undefined;
  if (areInARow(positions)) return 'are the same for requests that follow each other closely';
  if (repeated.length < MIN_SAMPLE) return undefined;
  if (areCountedApart(values)) return 'come from several counters, as if each process had one';
  if (repeated.length < MIN_BY_CHANCE || repeated.some((one) => one.length > MAX_BY_CHANCE)) return undefined;
  const pairsOf = (count: number): number => (count * (count - 1)) / 2;
  const pairs = repeated.reduce((sum, one) => sum + pairsOf(one.length), 0);
  const from = Number((pairsOf(values.length) / pairs).toPrecision(1));
  return `repeat as if they were chosen from about ${from}`;
}

/** Whether equal values follow each other, as times do, except where responses overtake others. @param positions of each different value */
function areInARow(positions: readonly (readonly number[])[]): boolean {
  const repeated = positions.filter((one) => one.length > 1);
  // Also where many requests share few values, such as the second of a quick run.
  const toleranceOf = ({ length }: readonly number[]): number =>
    Math.min(OVERTAKING, Math.max(positions.length >> 3, length >> 2));
  const apart = repeated.filter((one) => one.at(-1)! - one[0]! >= one.length + toleranceOf(one));
  return apart.length === 0 || apart.length < repeated.length * SHARE_OF_LATE;
}

/**
 * Whether values end in numbers that several counters give, as each process of a service has its own: most of those that
 * occur more than once occur as often as the next number. Some are not in the list, as other requests got them.
 */
function areCountedApart(values: readonly string[]): boolean {
  const times = new Map(positionsOf(values).map((one) => [values[one[0]!]!, one.length]));
  const repeated = [...times].filter(([, count]) => count > 1);
  const differing = repeated.filter(([value, count]) => times.get(following(value)) !== count);
  return repeated.length >= MIN_IN_ORDER && differing.length < repeated.length / 2;
}

/**
 * The value that a counter gives next. Its number may be longer than a double holds. Without the lookbehind, a long row of
 * digits that does not end the value would take quadratic time.
 */
const following = (value: string): string =>
  value.replace(/(?<!\d)\d*$/, (digits) => String(BigInt(digits) + 1n).padStart(digits.length, '0'));
