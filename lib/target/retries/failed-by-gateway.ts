import type { Request } from '../exchange.ts';
import type { SentReply } from '../sender.ts';
import { BETWEEN_CHECKS } from './outage.ts';
import { IMMEDIATELY } from './retry-policy.ts';
import type { NextAttempt } from './retry-policy.ts';
import { noteRejection, forgetTroubles, stopAsAway } from './state.ts';
import type { RetryState, SendOptions, RetryContext } from './state.ts';

/** The next attempt after a gateway's failure; `final`: that is the answer of the service. */
export async function nextAfterGatewayFailure(
  context: RetryContext,
  request: Request,
  { reply, sentAt, inFlight }: SentReply,
  state: RetryState,
  { mayBeRejected = false }: SendOptions,
): Promise<NextAttempt | 'final'> {
  const { outages, aloneRetries, rejections, sender } = context;
  const { limiter } = sender;
  if (mayBeRejected && rejections.has(reply.status)) {
    const isUp = outages.hasAnswered(sentAt) || (await outages.outage(request, sentAt)) === 'none';
    if (isUp) return 'final';
  }
  const wasAlone = 'quiet' in state.next;
  if (aloneRetries.isInVain()) limiter.halve(sentAt, inFlight);
  else if (!wasAlone) limiter.overload(sentAt, inFlight);
  state.gatewayFailures++;
  const detail = `status ${reply.status}, without Retry-After`;
  // The service behind the gateway may be away if nothing else was answered since, or an outage has ended since.
  if (wasAlone && !state.wasAway && outages.mayBeAway(state.since)) {
    const outage = await outages.outage(request, state.since);
    if (outage === 'lasting') stopAsAway(context, `answers ${request.method} ${request.path} with ${detail}`);
    if (outage === 'over') forgetTroubles(state);
    if (outage !== 'none') return IMMEDIATELY;
  }
  const next =
    aloneRetries.afterGateway(state.gatewayFailures) ??
    (outages.mayBeStarting(state.since) ? { pause: BETWEEN_CHECKS } : undefined);
  if (next === undefined) {
    if (mayBeRejected) noteRejection(context, reply.status);
    else if (aloneRetries.isInVain()) limiter.clearSpacing();
    return 'final';
  }
  state.troubles.push({ kind: 'throttled', detail, wait: 'quiet' in next ? next.quiet : next.pause });
  return next;
}
