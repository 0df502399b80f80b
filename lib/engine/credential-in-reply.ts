import { customerIdForm } from '../schemas/interface.ts';
import { stringsIn } from '../target/reply.ts';
import { claimsOf } from './expiry.ts';
import type { Reply } from '../target/reply.ts';

/** A credential found in a token response. */
export interface Found {
  /** JSON pointer (RFC 6901) to it. */
  readonly pointer: string;
  readonly text: string;
  /** Its claims, where it is a JWT (RFC 7519). */
  readonly claims?: Readonly<Record<string, unknown>>;
}

const NAMED =
  /^(?:access_?token|token|jwt|bearer|credentials?|secret|api_?key|key|value|token_?value|access)$/i;
const NEARLY_NAMED = /token|jwt|secret|credential|bearer|key/i;
const OTHERWISE_NAMED =
  /(?:_at|At|date|time|expir\w*|exp|iat|type|scopes?|status|message|error|detail|title|object|url|uri|href|request\w*|trace\w*|correlation\w*|created|updated|issued|kind|iss|aud|sub|kid|alg|hint|prefix|description|version|mode|livemode|name|email)$/;
const IDENTIFYING = /(?:^|_)(?:id|jti|uuid)$|Id$/;
const DATE = /^\d{4}-\d\d-\d\d|^\w{3}, \d\d \w{3} \d{4}/;
const JWT = /^[\w-]{4,}\.[\w-]{4,}\.[\w-]*$/;

/**
 * Finds the credential in a token response without being told where it is, since the interface does
 * not show the response: by the name of its member, by its look, and by what it can't be.
 */
export function findCredential(reply: Reply, scopes: readonly string[]): Found | undefined {
  let best: (Found & { score: number }) | undefined;
  for (const { pointer, name, text: whole } of stringsIn(reply.json)) {
    const text = whole.replace(/^Bearer (?=\S+$)/, '');
    if (text === '' || scopes.includes(text) || text === scopes.join(' ')) continue;
    const score = scoreOf(name, text);
    if (score > 0 && score > (best?.score ?? 0)) best = { pointer, text, score };
  }
  if (!best) return undefined;
  const claims = claimsOf(best.text);
  return { pointer: best.pointer, text: best.text, ...(claims && { claims }) };
}

/** What names a customer is no secret, however varied it is. */
const isCustomerId = (name: string, text: string): boolean =>
  IDENTIFYING.test(name) && customerIdForm.test(text);

/** Whether a member is called what credentials are called. */
export const isNamedLikeCredential = (name: string): boolean => NAMED.test(name);

function scoreOf(name: string, text: string): number {
  if (/\s/.test(text.trim()) || DATE.test(text) || /^https?:/.test(text)) return 0;
  if (NAMED.test(name)) return 8 + lookOf(text);
  if (OTHERWISE_NAMED.test(name)) return 0;
  const isIdentifier = IDENTIFYING.test(name);
  if (NEARLY_NAMED.test(name) && !isIdentifier) return (/refresh/i.test(name) ? 3 : 5) + lookOf(text);
  return lookOf(text) > 0 ? lookOf(text) + (isIdentifier ? 0 : 1) : 0;
}

/** Every text of a reply that may be a credential, for keeping it out of all output. */
export function credentialsIn(reply: Reply): string[] {
  if (reply.json === undefined) return reply.text.match(/[\w.~+/-]{16,}/g) ?? [];
  return stringsIn(reply.json)
    .filter(({ name, text }) => scoreOf(name, text) > 0 && !WORDS.test(text) && !isCustomerId(name, text))
    .map(({ text }) => text.replace(/^Bearer /, ''));
}

/**
 * Words that say something, such as `invalid_credentials`, and are no secret. A secret may do without
 * digits by chance, but hardly without capitals here and there, or in short parts.
 */
const WORD = '(?:[A-Z]?[a-z]{1,20}(?:[A-Z][a-z]{1,20}){0,3}|[A-Z]{1,20})';
const WORDS = new RegExp(`^${WORD}(?:[_.-]${WORD})*$`);

/** How much a text looks like a credential: long, unbroken, varied. */
function lookOf(text: string): number {
  if (JWT.test(text)) return 3;
  return text.length >= 16 && new Set(text).size >= 8 && !WORDS.test(text) ? 1 : 0;
}
