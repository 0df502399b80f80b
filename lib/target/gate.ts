/** Milliseconds that a last byte is held back at most. */
const LONGEST_HOLD = 1_000;

/**
 * Holds back the last byte of several bodies until all of them have come that far, so that their
 * requests are complete at the target at the same instant.
 */
export class Gate {
  #missing: number;
  #open!: () => void;
  readonly #opened: Promise<void>;

  constructor(requests: number) {
    this.#missing = requests;
    this.#opened = new Promise((resolve) => (this.#open = resolve));
    // A connection that does not come about must not hold up the others.
    setTimeout(this.#open, LONGEST_HOLD).unref();
  }

  /** The body in two pieces, the last byte only once the gate is open. */
  async *hold(body: Buffer): AsyncGenerator<Buffer> {
    yield body.subarray(0, -1);
    this.arrive();
    await this.#opened;
    yield body.subarray(-1);
  }

  /** One request has come this far, or will not come any more. */
  arrive(): void {
    if (--this.#missing <= 0) this.#open();
  }
}
