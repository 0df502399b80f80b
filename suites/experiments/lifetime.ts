import type { TokenObservation } from '../../lib/experiment/token.ts';
import { isObject } from '../../lib/target/reply.ts';

/**
 * Whether two requests for different lifetimes came to the same token because the target brought
 * both into the range that it offers: a JWT without anything of its own is then the same text, and
 * its claims tell. Ranges of lifetimes are not shown (interface, section 8).
 */
export function lifetimeExplains(first: TokenObservation, second: TokenObservation): boolean {
  const [one, other] = [first.case.input, second.case.input];
  if (one.scopes.toSorted().join() !== other.scopes.toSorted().join()) return false;
  const told = jwtLifetime(second.found!.text);
  if (told === undefined) return false;
  const [least, most] = [Math.min(one.expiresIn, other.expiresIn), Math.max(one.expiresIn, other.expiresIn)];
  return told < least || told > most;
}

/** Seconds from `iat` to `exp` in the claims of a JWT (RFC 7519, section 4.1). */
function jwtLifetime(token: string): number | undefined {
  const [, payload, signature] = token.split('.');
  if (payload === undefined || signature === undefined) return undefined;
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
    if (!isObject(claims) || typeof claims['exp'] !== 'number' || typeof claims['iat'] !== 'number')
      return undefined;
    return claims['exp'] - claims['iat'];
  } catch {
    return undefined;
  }
}
