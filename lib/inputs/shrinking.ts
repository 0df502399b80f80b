import fc from 'fast-check';

/** Longer texts are only cut at the ends, and all their code points are replaced at once. */
const SHORT_TEXT = 64;

/**
 * Smaller texts to try in place of a failing one: first shorter ones, the largest chunks cut out first, as that needs
 * the fewest requests; then texts with more of the letter a. No code point is split.
 */
export function* smallerText(value: string): Generator<string> {
  const points = [...value];
  const length = points.length;
  if (length === 0) return;
  yield '';
  for (const gap of halvings(length)) {
    yield points.slice(0, length - gap).join('');
    yield points.slice(gap).join('');
  }
  const plain = 'a'.repeat(length);
  if (length > 1 && value !== plain) yield plain;
  if (length > SHORT_TEXT) return;
  for (const size of halvings(length)) {
    for (let at = size; at + size < length; at += size) yield points.toSpliced(at, size).join('');
  }
  for (const [at, point] of points.entries()) {
    if (point !== 'a') yield points.with(at, 'a').join('');
  }
}

/** Shorter lists to try in place of a failing one, the largest parts left out first. */
export function* smallerList<T>(value: readonly T[]): Generator<readonly T[]> {
  const { length } = value;
  if (length === 0) return;
  yield [];
  for (const size of halvings(length)) {
    for (let at = 0; at < length; at += size) yield value.toSpliced(at, size);
  }
}

function halvings(length: number): number[] {
  const sizes: number[] = [];
  for (let size = length >> 1; size >= 1; size >>= 1) sizes.push(size);
  return sizes;
}

/** Maximum number of code points that are put beside a plain word. */
const MAX_BESIDE = 2;

/**
 * Readable candidates: first the plain text, then smaller ones, and for a minimal one, the same beside a plain word, or
 * between two. These are shrunk no further.
 * @param plain such as `Ada Berg`
 */
export const readable = (plain: string): Smaller<string> => {
  const [word = '', other = ''] = plain.split(' ');
  const isSmall = (text: string): boolean => text !== '' && [...text].length <= MAX_BESIDE;
  const beside = (text: string): string[] => [text + word, word + text, word + text + other];
  const isBeside = (text: string): boolean =>
    [text.slice(word.length), text.slice(0, -word.length), text.slice(word.length, -other.length)].some(
      (rest) => isSmall(rest) && beside(rest).includes(text),
    );
  return function* smaller(value) {
    if (value === plain) return;
    yield plain;
    if (word !== '' && isBeside(value)) return;
    yield* smallerText(value);
    if (word !== '' && isSmall(value)) yield* beside(value);
  };
};

type Smaller<T> = (value: T) => IterableIterator<T>;

/**
 * An arbitrary that only shrinks given values and generates none.
 * @param smaller candidates to try in place of a value, the most promising first; default: none
 */
export const asIs = <T>(smaller: Smaller<T> = () => [].values()): fc.Arbitrary<T> => new AsIs(smaller);

class AsIs<T> extends fc.Arbitrary<T> {
  readonly #smaller: Smaller<T>;

  constructor(smaller: Smaller<T>) {
    super();
    this.#smaller = smaller;
  }

  override generate(): fc.Value<T> {
    throw new Error('this arbitrary only shrinks');
  }

  override canShrinkWithoutContext(_value: unknown): _value is T {
    return true;
  }

  override shrink(value: T): fc.Stream<fc.Value<T>> {
    return fc.stream(this.#smaller(value)).map((candidate) => new fc.Value(candidate, undefined));
  }
}
