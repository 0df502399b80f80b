import { isIP } from 'node:net';
import type { Socket } from 'node:net';
import type { PeerCertificate, TLSSocket } from 'node:tls';
import { firstHost, isSecure, openSocket } from './dial.ts';
import type { Endpoint } from './dial.ts';
import type { Trouble } from '../../schemas/exchange.ts';
import { isVerificationOff } from '../../settings/tls.ts';
import { troubleOf } from '../trouble.ts';

/** A TLS connection as it was negotiated. */
export interface Secured {
  /** The version of TLS. */
  readonly version: string;
  /** The protocol negotiated by ALPN (RFC 7301). */
  readonly http: string;
  /** When the certificate expires, ISO 8601; undefined where it does not say. */
  readonly until: string | undefined;
  /** Whether requests verify the certificate; NODE_TLS_REJECT_UNAUTHORIZED=0 turns that off. */
  readonly isVerified: boolean;
  /** The code of what is wrong with the certificate; absent: it is trusted. */
  readonly problem?: string;
  /** When the client certificate expires, ISO 8601; absent: there is none. */
  readonly clientUntil?: string;
}

/** How far a connection to a target came. */
export interface Reached {
  /** The addresses of the first host on the way; empty where it is given as an address. */
  readonly addresses: readonly string[];
  /** Milliseconds until a connection was open; undefined: none was. */
  readonly connect?: number;
  readonly tls?: Secured;
  /** What failed; `addresses`, `connect` and `tls` show how far it came. */
  readonly trouble?: Trouble;
}

/** Opens one connection, as requests do, and sends no request. @param timeout milliseconds */
export async function reach(endpoint: Endpoint, timeout: number): Promise<Reached> {
  const first = firstHost(endpoint);
  const addresses: string[] = [];
  let startedAt = performance.now();
  let reached: Reached = { addresses };
  const watch = (socket: Socket): unknown =>
    socket
      .on('lookup', (_, address: string | undefined) => {
        if (address !== undefined && 'host' in first && !isIP(first.host)) addresses.push(address);
        startedAt = performance.now();
      })
      .once('connect', () => (reached = { addresses, connect: performance.now() - startedAt }));
  try {
    // An untrusted certificate is reported with its expiry date; nothing is sent.
    const options = { ALPNProtocols: ['h2', 'http/1.1'], rejectUnauthorized: false };
    const socket = await openSocket(endpoint, AbortSignal.timeout(Math.ceil(timeout)), options, watch);
    const security = isSecure(endpoint) ? securityOf(socket as TLSSocket) : {};
    socket.on('error', () => {}).destroy();
    return { ...reached, ...security };
  } catch (error) {
    return { ...reached, trouble: troubleOf(error, timeout) };
  }
}

function securityOf(socket: TLSSocket): Pick<Reached, 'tls' | 'trouble'> {
  const clientUntil = expiryOf(socket.getCertificate());
  const code = String(socket.authorizationError);
  const tls: Secured = {
    version: socket.getProtocol() ?? 'unknown',
    http: socket.alpnProtocol || 'http/1.1',
    until: expiryOf(socket.getPeerCertificate()),
    isVerified: !isVerificationOff(),
    ...(!socket.authorized && { problem: code }),
    ...(clientUntil !== undefined && { clientUntil }),
  };
  return socket.authorized || !tls.isVerified
    ? { tls }
    : { tls, trouble: troubleOf(Object.assign(new Error('not trusted'), { code }), 0) };
}

/** @param certificate of either end; null or empty: it sent none */
function expiryOf(certificate: Partial<PeerCertificate> | null): string | undefined {
  const expiry = Date.parse(certificate?.valid_to ?? '');
  return Number.isNaN(expiry) ? undefined : new Date(expiry).toISOString();
}

/** Milliseconds for opening a connection. */
const NEGOTIATION_TIMEOUT = 10_000;

/** The versions of TLS and HTTP that a target negotiates. @throws where no connection can be opened */
export async function negotiated(endpoint: Endpoint): Promise<Readonly<Record<string, string>>> {
  if (!isSecure(endpoint)) return { scheme: 'http', http: endpoint.route.http === '2' ? 'h2c' : 'http/1.1' };
  const { tls, trouble } = await reach(endpoint, NEGOTIATION_TIMEOUT);
  if (tls === undefined || trouble) throw new Error(trouble?.detail ?? 'no TLS');
  return { scheme: 'https', tls: tls.version, http: tls.http };
}
