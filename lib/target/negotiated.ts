import { reach } from './reach.ts';

/** What a target speaks, as it was negotiated. */
export interface Negotiated {
  readonly [name: string]: string;
}

const TIMEOUT = 10_000;

/** Opens one connection and says which versions of TLS and of HTTP come of it (RFC 7301). Sends no request. */
export async function negotiated(baseUrl: string): Promise<Negotiated> {
  if (baseUrl.startsWith('http:')) return { scheme: 'http', http: 'http/1.1' };
  const { tls, trouble } = await reach(baseUrl, TIMEOUT);
  if (tls === undefined || trouble) throw new Error(trouble?.detail ?? 'no TLS');
  return { scheme: 'https', tls: tls.version, http: tls.http };
}
