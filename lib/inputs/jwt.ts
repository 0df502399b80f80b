import { parseJson, isObject } from '../schemas/json.ts';

/** The members of the header or of the payload of a JWT. */
export type Claims = Readonly<Record<string, unknown>>;

/** Reads a part of a JWT; undefined: it is not one. */
export function claimsIn(part: string): Claims | undefined {
  const claims = parseJson(Buffer.from(part, 'base64url').toString());
  return isObject(claims) ? claims : undefined;
}

/** Encodes an object as a part of a JWT. */
export const jsonInBase64url = (value: object): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url');

/** The claims of a JWT (RFC 7519); undefined where the text is not a JWT. */
export function claimsOf(token: string): Claims | undefined {
  const [, payload, signature] = token.split('.');
  return payload === undefined || signature === undefined ? undefined : claimsIn(payload);
}

/** Whether a text is a JWT: two JSON objects and a signature, which may be empty. */
export const isJwt = (token: string): boolean => {
  const parts = token.split('.');
  return parts.length === 3 && parts.slice(0, 2).every((part) => claimsIn(part) !== undefined);
};
