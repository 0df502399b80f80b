import { claimsOf } from '../../inputs/jwt.ts';
import { customerIdForm } from '../../schemas/interface.ts';

/** A text, and the name of its member. */
interface Named {
  readonly name: string;
  readonly text: string;
}

/** What clients call a token. */
const BEST_NAMED = /^(?:access_?token|token|jwt|bearer|credentials?|secret|value|token_?value)$/i;

/** Names of a credential, and of what it is signed with, or allows. */
const WELL_NAMED = /^(?:key|access|api_?key)$/i;

export const isNamed = (name: string): boolean => BEST_NAMED.test(name) || WELL_NAMED.test(name);

const NEARLY_NAMED = /token|jwt|secret|credential|bearer|key|pass(?:phrase|word|code)/i;

/** Names of a credential, and of much else: with one of these, a text must not consist of words. */
const POSSIBLY_NAMED = /^(?:code|ticket|grant|session|sid|pat|pin|otp|auth|authorization)$/i;

const OTHERWISE_NAMED =
  /(?:_at|date|time|(?:expir|request|trace|correlation)\w{0,30}|exp|ttl|iat|type|scopes?|created|updated|kind|iss|aud|sub|kid|alg|prefix|version|mode|livemode|name|email|(?:public|publishable|signing)_key|(?:result|response|return|reason|status|error|err|fault)_code|host(?:_?name)?|path|instance|node|pod|server)$|[cx]srf/;

/** Names of texts for people, and of links, which are a credential only if nothing else is. */
const SELDOM_NAMED = /(?:status|message|error|detail|title|object|url|uri|href|issued|hint|description)$/;

const IDENTIFYING = /(?:^|_)(?:id|jti|uuid)$/;

/** A name in lower case, with an underscore between its words. */
const inSnakeCase = (name: string): string => name.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, '_').toLowerCase();

const isIdentifying = (name: string): boolean => IDENTIFYING.test(inSnakeCase(name));

/** Whether a text is a credential by the name of its member or by its form. */
export const isCertainly = (name: string, text: string): boolean =>
  JWT.test(text) || isNamed(name) || (NEARLY_NAMED.test(name) && !isIdentifying(name));

export const isBest = (name: string, text: string): boolean =>
  BEST_NAMED.test(name) || claimsOf(text) !== undefined;

/** The id of a customer is not a credential. */
export const isCustomerId = (name: string, text: string): boolean =>
  isIdentifying(name) && customerIdForm.test(text);

/** What some services write before each token, as others do before each id. */
const TOKEN_PREFIX = /^(?:tok|token|tkn|at|pat|jwt)[_-]/i;

/** A date, also as .NET writes it, or a duration (ISO 8601). */
const DATE = /^\/Date\(|^\d{4}-\d\d-\d\d|^\w{3}, \d\d \w{3} \d{4}|^P[\dT][\dTYMWDHS.]*$/;

export const JWT = /^[\w-]{4,}\.[\w-]{4,}\.[\w-]*$/;

export function scoreOf(name: string, text: string): number {
  if (DATE.test(text) || /^https?:/.test(text)) return 0;
  if (/pass_?phrase$/i.test(name) && /^[a-z]+(?: [a-z]+){3,}$/i.test(text)) return 4;
  // The service's own scheme, or what is signed, may precede the credential.
  if (/\s/.test(text.trim()))
    return /^authorization$|^auth$/i.test(name) || BEST_NAMED.test(name)
      ? Number(partsOf(text).some(isUncommon)) * 4
      : 0;
  // Beside a token, members with such names say something about it.
  const isShort = text.length < 8 || (text.length < 16 && isWording(text));
  // What is called a value may be that of anything else.
  if (/^value$/i.test(name) && !isShort) return 9.5 + secrecyScore(text);
  if (isNamed(name)) return isShort ? 1.5 : (BEST_NAMED.test(name) ? 10 : 8) + secrecyScore(text);
  if (JWT.test(text) && claimsOf(text) !== undefined) return 9;
  if (OTHERWISE_NAMED.test(inSnakeCase(name)) || SELDOM_NAMED.test(inSnakeCase(name))) return 0;
  const isIdentifier = isIdentifying(name);
  if (NEARLY_NAMED.test(name) && !isIdentifier) {
    if (/refresh/i.test(name)) return 0.5;
    return isShort ? 1 : 5 + secrecyScore(text);
  }
  if (POSSIBLY_NAMED.test(name) && text.length >= 6 && !isWording(text) && !NUMBERED_WORDS.test(text))
    return 2;
  const isPrefixed = TOKEN_PREFIX.test(text);
  return secrecyScore(text) > 0 ? secrecyScore(text) + (isPrefixed ? 2 : isIdentifier ? 0 : 1) : 0;
}

/** Whether a number is a credential: a long one, or one of four digits or more that is called a token. */
export const isNumericCredential = (name: string, value: number): boolean =>
  isNamed(name) && (isUncommon(String(value)) || (/token$/i.test(name) && value > 999));

/** A passphrase: more words than a name has. */
const PHRASE = /^[a-z]+(?:-[a-z]+){5,}$|^[a-z]+(?: [a-z]+){7,}$/;

/** A number of eight digits or more that is neither a date (20261231) nor seconds or milliseconds since 1970 until 2100. */
export const LONG_NUMBER =
  /^(?!(?:1[5-9]|[23]\d|4[01])\d{8}(?:\d{3})?$|(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])$)\d{8,}$/;

/** The parts of a text between spaces and punctuation, without times (RFC 3339). */
export const partsOf = (text: string): string[] =>
  text.replaceAll(/\d{4}-\d\d-\d\d[T ][\d:.]+(?:Z|[+-][\d:]+)?/g, ' ').split(/[^\w.~+-]+/);

/** Capitals and small letters that change too often for a name such as `PostgreSQL` or `McDonalds`. */
const MIXED_CASE = /[a-z][A-Z]+[a-z]+[A-Z]+[a-z]|[A-Z][a-z]+[A-Z]+[a-z]+[A-Z]/;

/** Whether a text does not look written by people: it is long and varied, of letters and digits, or of capitals among small letters. */
export const isUncommon = (text: string): boolean =>
  !isWording(text) &&
  !NUMBERED_WORDS.test(text) &&
  !DATE.test(text) &&
  (secrecyScore(text) > 0 ||
    LONG_NUMBER.test(text) ||
    (text.length >= 8 && (/\d/.test(text) ? /[a-z]/i : MIXED_CASE).test(text)));

/** The parts of a text that may be a credential though neither its name nor its form shows it; also the whole text. */
export function uncommonParts({ name, text }: Named): string[] {
  const isSeldom = SELDOM_NAMED.test(inSnakeCase(name));
  if (OTHERWISE_NAMED.test(inSnakeCase(name)) || DATE.test(text)) return [];
  if (PHRASE.test(text) && (isNamed(name) || !(isSeldom || text.includes(' ')))) return [text];
  const parts = partsOf(text);
  return (/\s|^https?:/.test(text) ? parts : [text, ...parts]).filter(isUncommon);
}

/** Whether a text may be the credential, if there is no better candidate. */
export const mayBeCredential = (named: Named): boolean =>
  !isIdentifying(named.name) &&
  (PHRASE.test(named.text) || !/\s/.test(named.text)) &&
  uncommonParts(named).length > 0;

/**
 * Words, such as `invalid_credentials`, which are not a secret. A secret without digits is possible, but hardly one that
 * also consists of short parts without capitals inside, each with a vowel.
 */
const CAPITALISED = '(?=[AEIOUY]|[A-Z][a-z]*[aeiouy])[A-Z][a-z]{1,15}';

const WORD = `(?:(?=[a-z]*[aeiouy])[a-z]{2,15}|(?=[A-Z]*[AEIOUY])[A-Z]{2,20}|${CAPITALISED})(?:${CAPITALISED}){0,3}`;

const WORDS = new RegExp(`^${WORD}(?:[_.:-]${WORD})*$`);

/** The code of an error, such as `VAL_002`: a word in capitals, and a short number. */
export const NUMBERED_WORDS = /^[A-Z]{2,12}(?:_[A-Z]{2,12})*[_-]\d{1,4}$/;

/** Whether a text consists of words, and is not an id or a secret. */
export const isWording = (text: string): boolean => WORDS.test(text);

/** How much a text looks like a credential: long, without spaces, varied. */
export function secrecyScore(text: string): number {
  if (JWT.test(text)) return 3;
  const isText = isWording(text) || NUMBERED_WORDS.test(text);
  return text.length >= 16 && new Set(text).size >= 8 && !isText ? 1 : 0;
}

/** Whether two texts that a service made have the same form: about the same length, as many parts, and digits or none. */
export function haveSameForm(text: string, other: string): boolean {
  const ratio = text.length / other.length;
  const digits = /\d/.test(other) ? /\d/.test(text) : true;
  return digits && ratio > 0.5 && ratio < 2 && text.split('.').length === other.split('.').length;
}

/** Whether a text has no kinds of characters that another lacks: small letters, capitals, digits, others. */
export const hasNoOtherCharacters = (text: string, other: string): boolean =>
  [/[a-z]/, /[A-Z]/, /\d/, /[^a-z\d]/i].every((kind) => !kind.test(text) || kind.test(other));
