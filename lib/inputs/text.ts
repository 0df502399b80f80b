import fc from 'fast-check';

/**
 * Makes the strings of an arbitrary shrink towards the shortest one that still fails, then towards
 * the letter a: chunks are cut out, the large ones first, so that few requests are needed and the
 * bare reason is left (`"İ"`, not forty characters). Code points stay whole.
 */
export function shrinkable(values: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return new ShrinkableText(values);
}

class ShrinkableText extends fc.Arbitrary<string> {
  readonly #values: fc.Arbitrary<string>;

  constructor(values: fc.Arbitrary<string>) {
    super();
    this.#values = values;
  }

  override generate(random: fc.Random, biasFactor: number | undefined): fc.Value<string> {
    return new fc.Value(this.#values.generate(random, biasFactor).value, undefined);
  }

  override canShrinkWithoutContext(value: unknown): value is string {
    return typeof value === 'string';
  }

  override shrink(value: string): fc.Stream<fc.Value<string>> {
    return fc.stream(smaller(value)).map((text) => new fc.Value(text, undefined));
  }
}

/** Above this many code points only the ends are cut and the whole is simplified at once. */
const SHORT = 64;

function* smaller(value: string): Generator<string> {
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
  if (length > SHORT) return;
  for (const size of halvings(length)) {
    for (let at = size; at + size < length; at += size) yield points.toSpliced(at, size).join('');
  }
  for (const [at, point] of points.entries()) {
    if (point !== 'a') yield points.with(at, 'a').join('');
  }
}

function halvings(length: number): number[] {
  const sizes: number[] = [];
  for (let size = length >> 1; size >= 1; size >>= 1) sizes.push(size);
  return sizes;
}
