import type fc from 'fast-check';

/** How a broken value is made smaller. */
export interface Shrinking<T, R> {
  readonly arbitrary: fc.Arbitrary<T>;
  /** What shows that a candidate is broken too; undefined: it is not. */
  readonly breaks: (candidate: T) => Promise<R | undefined>;
  /** Candidates that are looked at, in the order in which one after the other would be. */
  readonly most: number;
  /** Candidates at once. */
  readonly width: number;
  /** Candidates that may be tried in vain, beside one for each that was not. */
  readonly slack: number;
}

/** The smallest broken value that was found. */
export interface Shrunk<T, R> {
  readonly value: T;
  /** What shows that it is broken; undefined: nothing smaller is. */
  readonly shown: R | undefined;
  /** The place of each step among the candidates of its level, as in fast-check's paths. */
  readonly path: readonly number[];
}

/**
 * Shrinks as fast-check does: of the candidates for a value the first that is broken too, then of its
 * candidates, and so on. Several are tried at once, before it is known whether they are needed; what comes of it
 * is the same, and at most about twice as many are tried.
 */
export async function shrink<T, R>(
  value: T,
  { arbitrary, breaks, most, width, slack }: Shrinking<T, R>,
): Promise<Shrunk<T, R>> {
  let smallest: Shrunk<T, R> = { value, shown: undefined, path: [] };
  let candidates = arbitrary.shrink(value, undefined);
  let looked = 0;
  let vain = 0;
  for (let place = 0; looked < most;) {
    const atOnce = Math.max(1, Math.min(width, most - looked, 1 + slack + looked - vain));
    const batch = taken(candidates, atOnce);
    const trials = batch.map((candidate) => breaks(candidate.value));
    // Those that turn out not to be needed may still fail.
    for (const trial of trials) trial.catch(() => {});
    let first = 0;
    let shown: R | undefined;
    while (first < batch.length && (shown = await trials[first]) === undefined) first++;
    if (shown === undefined) {
      looked += batch.length;
      place += batch.length;
      if (batch.length < atOnce) break;
      continue;
    }
    looked += first + 1;
    vain += batch.length - first - 1;
    const next = batch[first]!;
    smallest = { value: next.value, shown, path: [...smallest.path, place + first] };
    candidates = arbitrary.shrink(next.value, next.context);
    place = 0;
  }
  return smallest;
}

/** The next values of a stream, which stays open for more. */
function taken<T>(stream: fc.Stream<T>, count: number): T[] {
  const values: T[] = [];
  while (values.length < count) {
    const { done, value } = stream.next();
    if (done === true) break;
    values.push(value);
  }
  return values;
}
