import { createHmac } from 'node:crypto';

/** A JWT (RFC 7519) with these claims, signed with HMAC-SHA256. */
export function signedJwt(claims: object, secret: string): string {
  const signed = [{ alg: 'HS256', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}
