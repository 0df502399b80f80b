import { claimsOf } from '../../inputs/jwt.ts';
import { customerIdForm } from '../../schemas/interface.ts';
import { isObject, stringsIn, valuesIn } from '../../schemas/json.ts';
import { bodyText } from '../../target/exchange.ts';
import type { Exchange } from '../../target/exchange.ts';
import { secretsInHeaders } from '../../target/output/header-secrets.ts';
import type { Redactor } from '../../target/output/redactor.ts';
import { isSuccess, reportsError } from '../../target/reply.ts';
import type { Reply } from '../../target/reply.ts';

/** Texts of one response that are redacted: a search for many thousands would take a run its time and memory. */
const MAX_REDACTED = 20;

/**
 * Redacts everything in a reply that may be a token from all output: `[token 12]`, or `[possible token 12]` where none
 * was issued. A text that the request itself sent is not a token. A text that only looks like a token is suspected to be
 * one, as the target may send the same text with every response. A body with very many such texts is cut.
 * @param found the issued token
 */
export function redactTokens(redactor: Redactor, exchange: Exchange, found?: FoundCredential): void {
  const { reply, number } = exchange;
  const isSent = sentIn(exchange);
  const inHeaders = secretsInHeaders(reply.fields)
    .filter(({ text }) => !isWording(text))
    .map(({ text, isToken }) => ({ text, isCertain: true, isIssued: isToken && isSuccess(reply) }));
  const inBody = possibleCredentials(reply).map(({ text, isCertain }) => ({
    text,
    isCertain,
    isIssued: isCertain && found !== undefined,
  }));
  // A token may be anywhere in the response that issues it, in a form that no rule knows.
  const anywhere = (mayIssue(exchange) ? uncommonTextsIn(reply) : [])
    .filter((text) => !found?.text.includes(text))
    .map((text) => ({ text, isCertain: false, isIssued: false }));
  const issued = found ? [{ text: found.text, isCertain: found.isCertain, isIssued: true }] : [];
  const all = [...issued, ...inHeaders, ...inBody, ...anywhere].filter(({ text }) => !isSent(text));
  const fresh = new Set(all.map(({ text }) => text).filter((text) => !redactor.knows(text)));
  const others = new Set([...fresh].slice(MAX_REDACTED));
  for (const { text, isCertain, isIssued } of all)
    if (!others.has(text))
      redactor[isCertain ? 'hide' : 'suspect'](text, `${isIssued ? 'token' : 'possible token'} ${number}`);
  if (others.size === 0) return;
  const end = Math.min(...[...others].map((text) => reply.text.indexOf(text)));
  redactor.cut(reply.text, Math.max(0, end), `more than ${MAX_REDACTED} possible tokens`);
}

/** Whether a response may issue a token: a 2xx to a request to the operation, also in another spelling of its path. */
const mayIssue = ({ request, reply }: Exchange): boolean =>
  isSuccess(reply) && /tokens/i.test(request.path.replaceAll(/%74/gi, 't'));

/** Redacts the token that a response issues, if any: whatever the request was sent for, and with any credential. */
export function redactIssuedToken(redactor: Redactor, exchange: Exchange): void {
  if (mayIssue(exchange)) redactTokens(redactor, exchange, findCredential(exchange.reply, []));
}

function sentIn({ url, request }: Exchange): (text: string) => boolean {
  const sent = [url, bodyText(request), request.credential?.value ?? '', ...request.fields.flat()];
  return (text) => sent.some((one) => one.includes(text));
}

/** The texts in a reply that issues no token: they are not tokens in other replies either. */
export const publicTextsOf = (reply: Reply): ReadonlySet<string> =>
  new Set([
    ...stringsIn(reply.json)
      .filter(({ name, text }) => !isCertainly(name, text))
      .map(({ text }) => text),
    ...wordsOf(reply),
    ...uncommonTextsIn(reply),
  ]);

/**
 * The credential in the reply to a request that must be rejected: a text like the one in an accepted reply, at the same
 * pointer or, with a 2xx, at another. With another status, it may be part of an error, unless its name says that it is a
 * credential, or the reply is otherwise like the accepted one.
 * A copy of what the request sent is not a result, unless it is a token that was renewed.
 */
export function carriesCredential(
  exchange: Exchange,
  { exchange: issuing, found }: { readonly exchange: Exchange; readonly found: FoundCredential | undefined },
): FoundCredential | undefined {
  const { reply } = exchange;
  const accepted = found!;
  const isSent = sentIn(exchange);
  const isErrorWith2xx = isSuccess(reply) && reportsError(reply.json);
  const carried = [...placedIn(reply), ...namesIn(reply), ...tokensInHeaders(reply)].find((placed) => {
    const { place, name, text } = placed;
    if (isSent(text))
      return (
        place === accepted.place && haveSameForm(text, accepted.text) && isRenewed(exchange, text, issuing)
      );
    if (NO_TOKEN_TEXT.test(text) && !NO_TOKEN_TEXT.test(accepted.text)) return false;
    // An error may have an id.
    if (isErrorWith2xx && !isCalledCredential(placed)) return false;
    const isAlike = haveSameForm(text, accepted.text);
    if (place !== accepted.place) return isSuccess(reply) && isNamed(name) && isAlike;
    // A word may be the error that some services write in the member of the token.
    const isWord = (isWording(text) || NUMBERED_WORDS.test(text)) && !isWording(accepted.text);
    if (isSuccess(reply)) return isAlike || (text.length >= Math.min(8, accepted.text.length) && !isWord);
    const isLikeAccepted = hasNoOtherCharacters(text, accepted.text) && hasSameMembers(reply, issuing);
    return isAlike && (isCalledCredential(placed) || isLikeAccepted);
  });
  if (!carried) return undefined;
  const { place, name, text } = carried;
  return {
    place,
    text,
    isCertain: accepted.isCertain || isCertainly(name, text),
    isBest: isBest(name, text),
  };
}

/** A character that occurs in texts for people, but hardly in tokens. */
const NO_TOKEN_TEXT = /[\s\u{80}-\u{10FFFF}]/u;

/** Whether a reply issues the token again that the request presented as its credential, in place of the key. */
const isRenewed = (exchange: Exchange, text: string, issuing: Exchange): boolean => {
  const { request, reply } = exchange;
  const isElsewhere = sentIn({ ...exchange, request: { ...request, credential: undefined } });
  return (
    isSuccess(reply) &&
    !reportsError(reply.json) &&
    request.credential?.value.endsWith(` ${text}`) === true &&
    !isElsewhere(text) &&
    hasSameMembers(reply, issuing)
  );
};

/** Whether a reply has the members of an accepted one, with the same words and booleans; items of lists differ with the request. */
function hasSameMembers({ json }: Reply, accepted: Exchange): boolean {
  const sent = bodyText(accepted.request);
  const values = new Map(valuesIn(json).map(({ pointer, value }) => [pointer, value]));
  return valuesIn(accepted.reply.json)
    .filter(({ pointer }) => !/\/\d+(?:\/|$)/.test(pointer))
    .every(({ pointer, value }) => {
      const isWord = typeof value === 'string' && isWording(value) && !sent.includes(value);
      return isWord || typeof value === 'boolean' ? values.get(pointer) === value : values.has(pointer);
    });
}

/** A credential found in a token response. */
export interface FoundCredential {
  /**
   * JSON pointer (RFC 6901) to it, or the header that it is in, such as `header x-subject-token`, or the object of which it
   * is the name of a member, such as `name in /tokens`.
   */
  readonly place: string;
  readonly text: string;
  /** Whether its name or its form shows that it is a credential, as opposed to any long text. */
  readonly isCertain: boolean;
  /** Whether it is what clients call a token, or is a JWT: nothing else in the response is a better guess. */
  readonly isBest: boolean;
  /** Its claims, if it is a JWT (RFC 7519). */
  readonly claims?: Readonly<Record<string, unknown>>;
}

const BEST_NAMED = /^(?:access_?token|token|jwt|bearer|credentials?|secret|value|token_?value)$/i;
/** Names of a credential, and of what it is signed with, or allows. */
const WELL_NAMED = /^(?:key|access|api_?key)$/i;
const isNamed = (name: string): boolean => BEST_NAMED.test(name) || WELL_NAMED.test(name);
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
/** What some services write before each token, as others do before each id. */
const TOKEN_PREFIX = /^(?:tok|token|tkn|at|pat|jwt)[_-]/i;
/** A date, also as .NET writes it, or a duration (ISO 8601). */
const DATE = /^\/Date\(|^\d{4}-\d\d-\d\d|^\w{3}, \d\d \w{3} \d{4}|^P[\dT][\dTYMWDHS.]*$/;
const JWT = /^[\w-]{4,}\.[\w-]{4,}\.[\w-]*$/;

/** What is sent before a credential, as a response may show it to clients. */
const SCHEME = /^(?:Authorization: (?:\w+ )?(?=\S+$)|Bearer (?=\S+$)|(?:DPoP|Token) (?=\D*\d)(?=\S+$))/;

type Placed = Pick<FoundCredential, 'place' | 'text'> & { readonly name: string };

/** The strings in a body, and its numbers that are called a credential. */
function placedIn(reply: Reply): Placed[] {
  let written: ReadonlyMap<string, string> | undefined;
  return valuesIn(reply.json).flatMap(({ pointer: place, name, value }) => {
    if (typeof value === 'string') return [{ place, name, text: value.replace(SCHEME, '') }];
    if (typeof value !== 'number' || !isNumericCredential(name, value)) return [];
    if (Number.isSafeInteger(value)) return [{ place, name, text: String(value) }];
    written ??= longNumbersIn(reply.text);
    return [{ place, name, text: written.get(`${name} ${value}`) ?? String(value) }];
  });
}

/** Whether a number is a credential: a long one, or one of four digits or more that is called a token. */
const isNumericCredential = (name: string, value: number): boolean =>
  isNamed(name) && (isUncommon(String(value)) || (/token$/i.test(name) && value > 999));

/** The digits of numbers that JavaScript rounds, by the name of their member and the rounded number. */
const longNumbersIn = (text: string): ReadonlyMap<string, string> =>
  new Map(
    [...text.matchAll(/"([^"\\]*)"\s*:\s*(\d{16,})/g)].map(([, name, digits]) => [
      `${name} ${Number(digits)}`,
      digits!,
    ]),
  );

/** The names of members in a body that are values rather than words. */
const namesIn = (reply: Reply): Placed[] =>
  valuesIn(reply.json).flatMap(({ pointer, value }) =>
    (isObject(value) ? Object.keys(value) : [])
      .filter((text) => secrecyScore(text) > 0)
      .map((text) => ({ place: `name in ${pointer}`, name: '', text })),
  );

/** Frameworks add sessions, and tokens against CSRF, to responses that issue nothing, but a session token in cookies only. */
const NO_TOKEN = /[cx]srf|sess/i;
const SESSION_HEADER = /^(?:x-)?session-token$/;

const tokensInHeaders = (reply: Reply): Placed[] =>
  secretsInHeaders(reply.fields)
    .filter(
      ({ name, text, isToken }) =>
        isToken && (!NO_TOKEN.test(name) || SESSION_HEADER.test(name)) && !isWording(text),
    )
    .map(({ header, name, text }) => ({ place: `header ${header}`, name, text }));

/**
 * Finds the credential in a token response by the name of its member and by its form, as the interface does not show
 * where it is: if not in the body, then in a header, as with OpenStack's Keystone. If nothing is likely, it is any text
 * that does not look written by people.
 */
export function findCredential(reply: Reply, scopes: readonly string[]): FoundCredential | undefined {
  const placed = placedIn(reply).filter(
    ({ name, text }) =>
      text !== '' && !scopes.includes(text) && text !== scopes.join(' ') && !isCustomerId(name, text),
  );
  const isError = reportsError(reply.json);
  const likely = placed
    .map((one) => ({ ...one, score: scoreOf(one.name, one.text) }))
    .filter(({ name, text, score }) => score > 0 && (!isError || isCertainly(name, text)))
    .toSorted((one, other) => other.score - one.score);
  const [first] = likely;
  // A refresh token beside another credential has members of the same names (RFC 6749, section 1.5).
  const best =
    first && IN_REFRESH.test(first.place)
      ? (likely.find(({ place, score }) => !IN_REFRESH.test(place) && score >= NAMED_SCORE) ?? first)
      : first;
  const unlikely = isError ? undefined : [...placed, ...namesIn(reply)].find(mayBeCredential);
  const found = best ?? tokensInHeaders(reply)[0] ?? unlikely;
  if (!found) return undefined;
  const { place, name, text } = found;
  const claims = claimsOf(text);
  return {
    place,
    text,
    isCertain: isCertainly(name, text),
    isBest: isBest(name, text),
    ...(claims && { claims }),
  };
}

const IN_REFRESH = /refresh/i;
/** The least score of what is named much like a credential, and long enough. */
const NAMED_SCORE = 5;
/** The least score of what is called a token, and long enough, or is a JWT. */
const BEST_SCORE = 9;

/**
 * Whether another text than the one that was found may be the credential, as it differs between two responses, and the
 * other one does not.
 */
export function mayBeElsewhere(
  { place, isBest: isBestOne }: FoundCredential,
  one: Reply,
  other: Reply,
): boolean {
  const others = new Map(placedIn(other).map((placed) => [placed.place, placed.text]));
  const isAsLikely = (placed: Placed): boolean =>
    isBestOne
      ? isBest(placed.name, placed.text) && scoreOf(placed.name, placed.text) >= BEST_SCORE
      : scoreOf(placed.name, placed.text) >= 1;
  return placedIn(one).some(
    (placed) =>
      placed.place !== place &&
      !IN_REFRESH.test(placed.place) &&
      isAsLikely(placed) &&
      ![undefined, placed.text].includes(others.get(placed.place)),
  );
}

/** The id of a customer is not a credential. */
const isCustomerId = (name: string, text: string): boolean =>
  isIdentifying(name) && customerIdForm.test(text);

function scoreOf(name: string, text: string): number {
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

/** Whether a text is a credential by the name of its member or by its form. */
const isCertainly = (name: string, text: string): boolean =>
  JWT.test(text) || isNamed(name) || (NEARLY_NAMED.test(name) && !isIdentifying(name));

const isBest = (name: string, text: string): boolean => BEST_NAMED.test(name) || claimsOf(text) !== undefined;

/** Whether a text is a credential even in the reply that rejects a request. */
const isCalledCredential = ({ place, name, text }: Placed): boolean =>
  place.startsWith('header ') || (isCertainly(name, text) && !/^(?:key|value)$/i.test(name));

/** The texts in the body of a reply that may be a credential. */
function possibleCredentials(reply: Reply): { readonly text: string; readonly isCertain: boolean }[] {
  if (reply.json === undefined)
    return wordsOf(reply)
      .filter((text) => secrecyScore(text) > 0)
      .map((text) => ({ text, isCertain: JWT.test(text) }));
  return placedIn(reply)
    .filter(({ name, text }) => scoreOf(name, text) > 0 && !isWording(text) && !isCustomerId(name, text))
    .map(({ name, text }) => ({ text, isCertain: isCertainly(name, text) }));
}

/** A passphrase: more words than a name has. */
const PHRASE = /^[a-z]+(?:-[a-z]+){5,}$|^[a-z]+(?: [a-z]+){7,}$/;
/** A number of eight digits or more that is neither a date (20261231) nor seconds or milliseconds since 1970 until 2100. */
const LONG_NUMBER =
  /^(?!(?:1[5-9]|[23]\d|4[01])\d{8}(?:\d{3})?$|(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])$)\d{8,}$/;

/** The parts of a text between spaces and punctuation, without times (RFC 3339). */
const partsOf = (text: string): string[] =>
  text.replaceAll(/\d{4}-\d\d-\d\d[T ][\d:.]+(?:Z|[+-][\d:]+)?/g, ' ').split(/[^\w.~+-]+/);

/** Capitals and small letters that change too often for a name such as `PostgreSQL` or `McDonalds`. */
const MIXED_CASE = /[a-z][A-Z]+[a-z]+[A-Z]+[a-z]|[A-Z][a-z]+[A-Z]+[a-z]+[A-Z]/;

/** Whether a text does not look written by people: it is long and varied, of letters and digits, or of capitals among small letters. */
const isUncommon = (text: string): boolean =>
  !isWording(text) &&
  !NUMBERED_WORDS.test(text) &&
  !DATE.test(text) &&
  (secrecyScore(text) > 0 ||
    LONG_NUMBER.test(text) ||
    (text.length >= 8 && (/\d/.test(text) ? /[a-z]/i : MIXED_CASE).test(text)));

/** The parts of a text that may be a credential though neither its name nor its form shows it; also the whole text. */
function uncommonParts({ name, text }: Omit<Placed, 'place'>): string[] {
  const isSeldom = SELDOM_NAMED.test(inSnakeCase(name));
  if (OTHERWISE_NAMED.test(inSnakeCase(name)) || DATE.test(text)) return [];
  if (PHRASE.test(text) && (isNamed(name) || !(isSeldom || text.includes(' ')))) return [text];
  const parts = partsOf(text);
  return (/\s|^https?:/.test(text) ? parts : [text, ...parts]).filter(isUncommon);
}

function uncommonTextsIn(reply: Reply): string[] {
  const isTaken = reply.json === undefined ? isUncommon : (text: string) => LONG_NUMBER.test(text);
  const inText = partsOf(reply.text).filter(isTaken);
  return [...[...placedIn(reply), ...namesIn(reply)].flatMap(uncommonParts), ...inText];
}

/** Whether a text may be the credential, if there is no better candidate. */
const mayBeCredential = (placed: Placed): boolean =>
  !isIdentifying(placed.name) &&
  (PHRASE.test(placed.text) || !/\s/.test(placed.text)) &&
  uncommonParts(placed).length > 0;

/** The long words of a body that is not JSON. */
const wordsOf = (reply: Reply): readonly string[] =>
  reply.json === undefined ? (reply.text.match(/[\w.~+/-]{16,}/g) ?? []) : [];

/** Every text in the body of a reply that may be a credential. */
export const possibleCredentialTexts = (reply: Reply): string[] =>
  possibleCredentials(reply).map(({ text }) => text);

/**
 * Words, such as `invalid_credentials`, which are not a secret. A secret without digits is possible, but hardly one that
 * also consists of short parts without capitals inside, each with a vowel.
 */
const CAPITALISED = '(?=[AEIOUY]|[A-Z][a-z]*[aeiouy])[A-Z][a-z]{1,15}';
const WORD = `(?:(?=[a-z]*[aeiouy])[a-z]{2,15}|(?=[A-Z]*[AEIOUY])[A-Z]{2,20}|${CAPITALISED})(?:${CAPITALISED}){0,3}`;
const WORDS = new RegExp(`^${WORD}(?:[_.:-]${WORD})*$`);

/** The code of an error, such as `VAL_002`: a word in capitals, and a short number. */
const NUMBERED_WORDS = /^[A-Z]{2,12}(?:_[A-Z]{2,12})*[_-]\d{1,4}$/;

/** Whether a text consists of words, and is not an id or a secret. */
export const isWording = (text: string): boolean => WORDS.test(text);

/** How much a text looks like a credential: long, without spaces, varied. */
function secrecyScore(text: string): number {
  if (JWT.test(text)) return 3;
  const isText = isWording(text) || NUMBERED_WORDS.test(text);
  return text.length >= 16 && new Set(text).size >= 8 && !isText ? 1 : 0;
}

/** Whether two texts that a service made have the same form: about the same length, as many parts, and digits or none. */
function haveSameForm(text: string, other: string): boolean {
  const ratio = text.length / other.length;
  const digits = /\d/.test(other) ? /\d/.test(text) : true;
  return digits && ratio > 0.5 && ratio < 2 && text.split('.').length === other.split('.').length;
}

/** Whether a text has no kinds of characters that another lacks: small letters, capitals, digits, others. */
export const hasNoOtherCharacters = (text: string, other: string): boolean =>
  [/[a-z]/, /[A-Z]/, /\d/, /[^a-z\d]/i].every((kind) => !kind.test(text) || kind.test(other));
