import fc from 'fast-check';

/** The candidates for a value, made as far as they are looked at. */
export class Level<T> {
  readonly #arbitrary: fc.Arbitrary<T>;
  readonly #stream: fc.Stream<fc.Value<T>>;
  readonly #candidates: Candidate<T>[] = [];

  constructor(arbitrary: fc.Arbitrary<T>, value: T, context?: unknown) {
    this.#arbitrary = arbitrary;
    this.#stream = arbitrary.shrink(value, context);
  }

  at(place: number): Candidate<T> | undefined {
    while (this.#candidates.length <= place) {
      const { done, value } = this.#stream.next();
      if (done === true) return undefined;
      this.#candidates.push(new Candidate(this.#arbitrary, value));
    }
    return this.#candidates[place];
  }
}

/** A smaller value that may be broken too. */
export class Candidate<T> {
  readonly value: T;
  /** The same for equal values. */
  readonly key: string;
  readonly #smaller: () => Level<T>;
  #level: Level<T> | undefined;

  constructor(arbitrary: fc.Arbitrary<T>, { value, context }: fc.Value<T>) {
    this.value = value;
    this.key = fc.stringify(value);
    this.#smaller = () => new Level(arbitrary, value, context);
  }

  /** The candidates for it. */
  get smaller(): Level<T> {
    return (this.#level ??= this.#smaller());
  }
}
