import { setTimeout as delay } from 'node:timers/promises';
import { asSent, usualFields } from './as-sent.ts';
import type { Attempt } from './channel.ts';
import { openConnections } from './connections.ts';
import type { Endpoint } from './dial.ts';
import type { Request } from '../exchange.ts';
import { isGatewayFailure } from '../retries/throttling.ts';

/** Milliseconds between two requests. */
const POLL_INTERVAL = 250;

/** Without the key, as any server may be listening at the address. */
const keylessRequest: Request = {
  method: 'GET',
  path: '/',
  credential: undefined,
  fields: usualFields,
  body: undefined,
};

/**
 * Waits until a target answers at all, such as a service that is still starting. A gateway's 502 to 504 does not count.
 * A problem that waiting does not solve, such as a certificate, ends it.
 * @param seconds to wait at most
 * @param timeout milliseconds for one response
 * @param print receives messages for the user
 */
export async function waitUntilAnswered(
  endpoint: Endpoint,
  seconds: number,
  timeout: number,
  print: (text: string) => void,
): Promise<void> {
  const request = asSent(keylessRequest, endpoint);
  const startedAt = performance.now();
  const left = (): number => seconds * 1000 - (performance.now() - startedAt);
  for (let tries = 1; ; tries++) {
    // A new connection: an old one may lead to what was there before the target.
    const connections = openConnections(endpoint, 1, timeout);
    const attempt = await connections.shared().attempt(request, Math.max(1, Math.min(timeout, left())));
    connections.close();
    const waited = `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
    const why = reasonIn(attempt);
    const isAnswered = 'reply' in attempt;
    if (why === undefined) {
      if (tries > 1) print(`The target answered after ${waited}`);
      return;
    }
    if (isLasting(attempt)) return;
    if (left() <= POLL_INTERVAL)
      return print(
        isAnswered
          ? `After ${waited}, the target still answers with ${why}`
          : `The target did not answer within ${waited}: ${why}`,
      );
    if (tries === 1)
      print(
        isAnswered
          ? `Waiting up to ${seconds} s, as the target answers with ${why}`
          : `Waiting up to ${seconds} s until the target answers: ${why}`,
      );
    await delay(POLL_INTERVAL);
  }
}

/** Why a target has not answered; undefined: it has. */
function reasonIn(attempt: Attempt): string | undefined {
  if ('reply' in attempt)
    return isGatewayFailure(attempt.reply) ? `status ${attempt.reply.status}` : undefined;
  const { kind, detail } = attempt.trouble;
  return ['misread', 'protocol', 'oversized'].includes(kind) ? undefined : detail;
}

/** A server that has just started may have no certificate yet, or a self-signed one: only other failures of TLS last. */
const isLasting = (attempt: Attempt): boolean =>
  'trouble' in attempt && (attempt.trouble.kind === 'proxy' || LASTING.test(attempt.trouble.code ?? ''));

const LASTING = /WRONG_VERSION_NUMBER|ALTNAME|CERT_HAS_EXPIRED/;
