/** Values that are kept together as JSON: there may be a million, and an object each would take several times as much. */
export class Packed<T> implements Iterable<T> {
  readonly #packs: string[] = [];
  #open: T[] = [];

  get length(): number {
    return this.#packs.length * SIZE + this.#open.length;
  }

  push(value: T): void {
    this.#open.push(value);
    if (this.#open.length < SIZE) return;
    this.#packs.push(JSON.stringify(this.#open));
    this.#open = [];
  }

  *[Symbol.iterator](): Generator<T> {
    for (const pack of this.#packs) yield* JSON.parse(pack) as T[];
    yield* this.#open;
  }
}

/** Values of a pack. */
const SIZE = 64;
