/**
 * Holds back the last byte of a body until those of several other requests are sent as far, so that the target receives
 * all at once.
 */
export interface Barrier {
  /** The body in two pieces, the last byte only once all requests have arrived. */
  readonly hold: (body: Buffer) => AsyncIterable<Buffer>;
  /** The request has sent all but its last byte, or has failed. */
  readonly arrive: () => void;
}

/** Milliseconds after which the last bytes are sent even if a connection could not be opened. */
const LONGEST_HOLD = 1_000;
/** Milliseconds that targets have to read the rest: services that take one read for the whole body must show it. */
const READING_TIME = 50;

/** Makes the barriers of so many requests. */
export function createBarriers(requests: number): Barrier[] {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const missing = new Set(Array(requests).keys());
  setTimeout(open, LONGEST_HOLD).unref();
  return [...missing].map((own) => {
    const arrive = (): void => {
      missing.delete(own);
      if (missing.size === 0) setTimeout(open, READING_TIME);
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
  });
}
