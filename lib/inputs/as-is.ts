import fc from 'fast-check';

type Smaller<T> = (value: T) => IterableIterator<T>;

/**
 * An arbitrary for a part of an input that is given: it draws nothing, it only shrinks.
 * @param smaller candidates to try instead of a value, the most promising first; none by default
 */
export const asIs = <T>(smaller: Smaller<T> = () => [].values()): fc.Arbitrary<T> => new AsIs(smaller);

class AsIs<T> extends fc.Arbitrary<T> {
  readonly #smaller: Smaller<T>;

  constructor(smaller: Smaller<T>) {
    super();
    this.#smaller = smaller;
  }

  override generate(): fc.Value<T> {
    throw new Error('a part taken as it is has no values of its own');
  }

  override canShrinkWithoutContext(_value: unknown): _value is T {
    return true;
  }

  override shrink(value: T): fc.Stream<fc.Value<T>> {
    return fc.stream(this.#smaller(value)).map((candidate) => new fc.Value(candidate, undefined));
  }
}
