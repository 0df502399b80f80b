import type { TokenObservation } from '../../lib/engine/token.ts';
import type { Found } from '../../lib/engine/credential-in-reply.ts';

/**
 * Whether two requests for different lifetimes came to the same token by right. A JWT without anything
 * of its own is the same text when its claims are, and they are the same where the target brings both
 * lifetimes into the range that it offers, or where the later request asked for just so much less
 * that both end at the same instant. Ranges of lifetimes are not shown (interface, section 8).
 */
export function lifetimeExplains(first: TokenObservation, second: TokenObservation): boolean {
  const [one, other] = [first.case.input, second.case.input];
  if (one.scopes.toSorted().join() !== other.scopes.toSorted().join()) return false;
  const { iat, exp } = jwtTimes(first.found!);
  if (exp === undefined) return false;
  if (iat === undefined) {
    const end = ({ exchange }: TokenObservation, lifetime: number): number =>
      exchange.startedAt / 1000 + lifetime;
    const apart = Math.abs(end(first, one.expiresIn) - end(second, other.expiresIn));
    return apart <= 2 + Math.max(first.exchange.duration, second.exchange.duration) / 1000;
  }
  const told = exp - iat;
  return told < Math.min(one.expiresIn, other.expiresIn) || told > Math.max(one.expiresIn, other.expiresIn);
}

/** `iat` and `exp` in the claims of a JWT (RFC 7519, section 4.1), in seconds. */
function jwtTimes({ claims = {} }: Found): { iat?: number; exp?: number } {
  const { iat, exp } = claims;
  return { ...(typeof iat === 'number' && { iat }), ...(typeof exp === 'number' && { exp }) };
}
