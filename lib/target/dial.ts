import { once } from 'node:events';
import { connect, isIP } from 'node:net';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { ConnectionOptions, TLSSocket } from 'node:tls';
import { errors } from 'undici';
import type { Route } from '../settings/route.ts';

/** Where a target is, and the way there. */
export interface Place {
  /** Origin and path without a closing slash. */
  readonly baseUrl: string;
  readonly route: Route;
}

/** Opens a connection to a target, secured if its URL says so. @throws what prevented it */
export type Dial = () => Promise<Socket>;

/** Milliseconds of silence before the operating system tests whether the other end is still there. */
const KEEP_ALIVE = 60_000;

/** The function that opens all connections to a target. @param timeout milliseconds for opening one */
export function dialer(place: Place, timeout: number): Dial {
  let session: Buffer | undefined;
  return async () => {
    const signal = AbortSignal.timeout(Math.ceil(timeout));
    let socket = begin(place);
    try {
      await once(socket, 'connect', { signal });
      if (place.baseUrl.startsWith('https:')) {
        const secured = secure(place, socket, { ALPNProtocols: ['http/1.1'], ...(session && { session }) });
        secured.on('session', (ticket) => (session = ticket));
        socket = secured;
        await once(secured, 'secureConnect', { signal });
      }
      return socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE);
    } catch (error) {
      socket.on('error', () => {}).destroy();
      throw signal.aborted ? new errors.ConnectTimeoutError('the connection could not be opened') : error;
    }
  };
}

/** Begins to open the connection beneath. */
export function begin({ baseUrl }: Place): Socket {
  const { protocol, port } = new URL(baseUrl);
  return connect({ host: hostOf(baseUrl), port: Number(port || (protocol === 'https:' ? 443 : 80)) });
}

/** Begins TLS on a connection. */
export function secure({ baseUrl, route }: Place, socket: Socket, more: ConnectionOptions): TLSSocket {
  const host = hostOf(baseUrl);
  const { pfx, ...tls } = route.tls;
  return connectTls({
    socket,
    // Expected in the certificate. A server name is never an address (RFC 6066, section 3).
    host,
    ...(!isIP(host) && { servername: host }),
    ...tls,
    ...(pfx && { pfx: Buffer.from(pfx) }),
    ...more,
  });
}

/** URLs have brackets around an IPv6 address, sockets don't. */
export const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '');
