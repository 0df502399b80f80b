/** A target does not speak HTTP/2, although it was asked to. */
export class NoHttp2 extends Error {
  readonly code = 'NO_HTTP2';
  /** @param chosen the protocol that it chose by ALPN (RFC 7301); undefined: it chose none */
  constructor(chosen: string | undefined) {
    super(chosen === undefined ? 'it does not answer in HTTP/2' : `by ALPN it chose ${chosen}`);
  }
}

/** What to do about it. */
export const NO_HTTP2_ADVICE =
  'Enable HTTP/2 on the target, for http without TLS as prior knowledge (h2c), or leave out --http 2';
