import fc from 'fast-check';

/** An arbitrary for a part of an input that is given and does not shrink. */
export const asIs = <T>(): fc.Arbitrary<T> => new AsIs<T>();

class AsIs<T> extends fc.Arbitrary<T> {
  override generate(): fc.Value<T> {
    throw new Error('a part taken as it is has no values of its own');
  }

  override canShrinkWithoutContext(_value: unknown): _value is T {
    return true;
  }

  override shrink(): fc.Stream<fc.Value<T>> {
    return fc.Stream.nil();
  }
}
