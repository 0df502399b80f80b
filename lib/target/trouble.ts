import { errors } from 'undici';
import type { Trouble } from '../schemas/exchange.ts';
import type { Proxy } from '../settings/proxy.ts';
import { PROXY, ProxyFailed } from './connections/proxy.ts';
import type { ProxyProblem } from './connections/proxy.ts';
import { tlsTroubleOf } from './connections/advice.ts';

/** Describes the error that prevented a complete response. @param timeout milliseconds */
export function troubleOf(error: unknown, timeout: number): Trouble {
  if (error instanceof ProxyFailed) return proxyTrouble(error, timeout);
  const code = codeOf(error);
  return { ...kindOfTrouble(error, code, timeout), ...(code !== undefined && { code }) };
}

/**
 * Describes the failure of a proxy. Rejected credentials and a forbidden host are not repeated, as too many attempts
 * may lock an account; anything else may be the target's restart.
 */
function proxyTrouble({ proxy, failure }: ProxyFailed, timeout: number): Trouble {
  const name = `the proxy ${proxy.origin} (${proxy.variable})`;
  if ('cause' in failure) {
    const { kind, detail, code = '' } = troubleOf(failure.cause, timeout);
    return { kind, detail: `${name}: ${detail}`, code: `${PROXY}${code}` };
  }
  if ('reason' in failure) return { kind: 'refused', detail: `${name}: ${failure.reason}`, code: PROXY };
  const { answer, problem } = failure;
  return {
    kind: problem === 'credentials' || problem === 'forbidden' ? 'proxy' : 'refused',
    detail: `${name} answered ${answer}: ${meaningOf(problem, proxy)}`,
    code: `${PROXY}${problem}`,
  };
}

function meaningOf(problem: ProxyProblem, { credentials }: Proxy): string {
  switch (problem) {
    case 'credentials':
      return credentials === undefined ? 'it demands credentials' : 'it rejects the credentials';
    case 'forbidden':
      return 'it does not allow this host or port';
    case 'target':
      return 'it could not reach the target';
    case 'other':
      return 'it does not connect to the target';
  }
}

function kindOfTrouble(error: unknown, code: string | undefined, timeout: number): Trouble {
  if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')) {
    return { kind: 'timeout', detail: `no complete response within ${timeout / 1000} s` };
  }
  if (error instanceof errors.ConnectTimeoutError) {
    return { kind: 'timeout', detail: 'the connection could not be opened in time' };
  }
  if (code === 'NO_HTTP2')
    return { kind: 'protocol', detail: `the target does not speak HTTP/2: ${(error as Error).message}` };
  if (code === 'CLOSED_BEFORE_HTTP2')
    return { kind: 'reset', detail: 'the connection was closed before the target answered in HTTP/2' };
  if (isMisread(error, code)) return { kind: 'misread', detail: 'undici could not read the response' };
  if (
    code?.startsWith('HPE_') ||
    error instanceof errors.HTTPParserError ||
    error instanceof errors.HeadersOverflowError
  ) {
    return { kind: 'protocol', detail: `the response is not valid HTTP/1.1${parserReason(error as Error)}` };
  }
  if (code === 'ECONNREFUSED') return { kind: 'refused', detail: 'connection refused' };
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return { kind: 'refused', detail: 'the host name does not resolve' };
  }
  if (code === 'ENOENT') return { kind: 'refused', detail: 'the Unix socket does not exist' };
  if (code === 'EACCES') return { kind: 'refused', detail: 'the connection is not permitted' };
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH')
    return { kind: 'refused', detail: 'there is no route to the host' };
  const tls = tlsTroubleOf(code);
  if (tls) return { kind: 'refused', detail: `TLS failed: ${tls.detail} (${code})` };
  // The codes of undici mean nothing to users.
  const shown = code === undefined || code.startsWith('UND_ERR_') ? '' : ` (${code})`;
  return { kind: 'reset', detail: `the connection was closed before the response was complete${shown}` };
}

/** What llhttp objects to, as Node's client or undici reports it; none of its texts is the target's. */
function parserReason({ message, ...error }: Error & { readonly reason?: unknown }): string {
  const reason = typeof error.reason === 'string' ? error.reason : /\((.*)\)$/.exec(message)?.[1];
  return reason === undefined ? '' : `: ${reason}`;
}

/** Whether undici has rejected a response that Node's client may read: see `openNode`. */
const isMisread = (error: unknown, code: string | undefined): boolean =>
  code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' ||
  (error instanceof errors.SocketError && error.message === 'bad response');

/** The code of an error, or of the first one that it wraps. */
function codeOf(error: unknown): string | undefined {
  for (let node = error; node instanceof Error; node = node.cause) {
    if (node instanceof AggregateError && node.errors.length > 0) return codeOf(node.errors[0]);
    const { code } = node as NodeJS.ErrnoException;
    if (typeof code === 'string') return code;
  }
  return undefined;
}
