/**
 * Holds back the last byte of several bodies until all others are sent, so that the target receives the requests at
 * once.
 */
export interface Barrier {
  /** The body in two pieces, the last byte only once all requests have arrived. */
  readonly hold: (body: Buffer) => AsyncIterable<Buffer>;
  /** One request has sent all but its last byte, or has failed. */
  readonly arrive: () => void;
}

/** Milliseconds after which the last bytes are sent even if a connection could not be opened. */
const LONGEST_HOLD = 1_000;

export function createBarrier(requests: number): Barrier {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  let missing = requests;
  setTimeout(open, LONGEST_HOLD).unref();
  const arrive = (): void => {
    if (--missing <= 0) open();
  };
  return {
    arrive,
    async *hold(body) {
      yield body.subarray(0, -1);
      arrive();
      await opened;
      yield body.subarray(-1);
    },
  };
}
