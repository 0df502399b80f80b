import { connect } from 'node:tls';

/** What a target speaks, as it was negotiated. */
export interface Negotiated {
  readonly [name: string]: string;
}

const TIMEOUT = 10_000;

/** Opens one connection and says which versions of TLS and of HTTP come of it (RFC 7301). Sends no request. */
export async function negotiated(baseUrl: string): Promise<Negotiated> {
  const { protocol, hostname, port } = new URL(baseUrl);
  if (protocol === 'http:') return { scheme: 'http', http: 'http/1.1' };
  const socket = connect({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || 443),
    ...(/^[\d.]+$|:/.test(hostname) ? {} : { servername: hostname }),
    ALPNProtocols: ['h2', 'http/1.1'],
    timeout: TIMEOUT,
  });
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('secureConnect', resolve);
      socket.once('error', reject);
      socket.once('timeout', () => reject(new Error('no TLS connection in time')));
    });
    return {
      scheme: 'https',
      tls: socket.getProtocol() ?? 'unknown',
      http: socket.alpnProtocol || 'http/1.1',
    };
  } finally {
    socket.destroy();
  }
}
