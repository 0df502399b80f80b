import { lookup } from 'node:dns/promises';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import type { TLSSocket } from 'node:tls';
import type { Trouble } from './exchange.ts';
import { troubleOf } from './trouble.ts';

/** A connection as it was negotiated. */
export interface Secured {
  readonly version: string;
  /** Of HTTP (RFC 7301). */
  readonly http: string;
  /** When the certificate ends, ISO 8601; undefined where it does not say. */
  readonly until: string | undefined;
}

/** What came of a look at a target that sends it no request. */
export interface Reached {
  /** None where the URL has an address in place of a name. */
  readonly addresses: readonly string[];
  /** Milliseconds until a connection was open; undefined: none was. */
  readonly connect?: number;
  readonly tls?: Secured;
  /** What is in the way: the name, the connection or TLS, whichever is missing above. */
  readonly trouble?: Trouble;
}

/** Opens one connection, the way requests do, and says how far it came. @param timeout milliseconds */
export async function reach(baseUrl: string, timeout: number): Promise<Reached> {
  const { protocol, hostname, port } = new URL(baseUrl);
  const isSecure = protocol === 'https:';
  // A literal IPv6 address stands in brackets in a URL only.
  const host = hostname.replace(/^\[|\]$/g, '');
  const isAddress = /^[\d.]+$|:/.test(host);
  const signal = AbortSignal.timeout(timeout);
  let reached: Reached = { addresses: [] };
  let socket: Socket | undefined;
  try {
    if (!isAddress) reached = { addresses: await within(signal, addressesOf(host)) };
    const startedAt = performance.now();
    const place = { host, port: Number(port || (isSecure ? 443 : 80)) };
    socket = isSecure
      ? connectSecurely({
          ...place,
          ...(isAddress ? {} : { servername: host }),
          ALPNProtocols: ['h2', 'http/1.1'],
          // Looked at all the same, as it may tell when it has ended; nothing is sent.
          rejectUnauthorized: false,
        })
      : connect(place);
    await within(signal, event(socket, 'connect'));
    reached = { ...reached, connect: performance.now() - startedAt };
    if (!isSecure) return reached;
    await within(signal, event(socket, 'secureConnect'));
    return { ...reached, ...securityOf(socket as TLSSocket) };
  } catch (error) {
    return { ...reached, trouble: troubleOf(error, timeout) };
  } finally {
    socket?.on('error', () => {}).destroy();
  }
}

function securityOf(socket: TLSSocket): Pick<Reached, 'tls' | 'trouble'> {
  const ends = Date.parse(socket.getPeerCertificate().valid_to ?? '');
  const tls = {
    version: socket.getProtocol() ?? 'unknown',
    http: socket.alpnProtocol || 'http/1.1',
    until: Number.isNaN(ends) ? undefined : new Date(ends).toISOString(),
  };
  const code = String(socket.authorizationError);
  const isTrusted = socket.authorized || process.env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0';
  return isTrusted
    ? { tls }
    : { tls, trouble: troubleOf(Object.assign(new Error('not trusted'), { code }), 0) };
}

const addressesOf = async (host: string): Promise<string[]> =>
  (await lookup(host, { all: true })).map(({ address }) => address);

const event = (socket: Socket, name: string): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.once(name, () => resolve());
    socket.once('error', reject);
    socket.once('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
  });

/** @throws the reason of the signal when that comes first */
const within = <T>(signal: AbortSignal, promise: Promise<T>): Promise<T> =>
  Promise.race([
    promise,
    new Promise<never>((_, reject) => {
      const stop = (): void => reject(signal.reason as Error);
      if (signal.aborted) stop();
      signal.addEventListener('abort', stop, { once: true });
    }),
  ]);
