import { claimsOf } from '../../inputs/jwt.ts';
import { isObject, valuesIn } from '../../schemas/json.ts';
import { bodyText } from '../../target/exchange.ts';
import type { Exchange } from '../../target/exchange.ts';
import { secretsInHeaders } from '../../target/output/header-secrets.ts';
import { isSuccess, reportsError } from '../../target/reply.ts';
import type { Reply } from '../../target/reply.ts';
import {
  hasNoOtherCharacters,
  haveSameForm,
  isBest,
  isCertainly,
  isCustomerId,
  isNamed,
  isNumericCredential,
  isWording,
  mayBeCredential,
  NUMBERED_WORDS,
  scoreOf,
  secrecyScore,
} from './credential-form.ts';

/** Whether a text is part of what a request sent. */
export function sentIn({ url, request }: Exchange): (text: string) => boolean {
  const sent = [url, bodyText(request), request.credential?.value ?? '', ...request.fields.flat()];
  return (text) => sent.some((one) => one.includes(text));
}

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

/** What is sent before a credential, as a response may show it to clients. */
const SCHEME = /^(?:Authorization: (?:\w+ )?(?=\S+$)|Bearer (?=\S+$)|(?:DPoP|Token) (?=\D*\d)(?=\S+$))/;

type Placed = Pick<FoundCredential, 'place' | 'text'> & { readonly name: string };

/** The strings in a body, and its numbers that are called a credential. */
export function placedIn(reply: Reply): Placed[] {
  let written: ReadonlyMap<string, string> | undefined;
  return valuesIn(reply.json).flatMap(({ pointer: place, name, value }) => {
    if (typeof value === 'string') return [{ place, name, text: value.replace(SCHEME, '') }];
    if (typeof value !== 'number' || !isNumericCredential(name, value)) return [];
    if (Number.isSafeInteger(value)) return [{ place, name, text: String(value) }];
    written ??= longNumbersIn(reply.text);
    return [{ place, name, text: written.get(`${name} ${value}`) ?? String(value) }];
  });
}

/** The digits of numbers that JavaScript rounds, by the name of their member and the rounded number. */
const longNumbersIn = (text: string): ReadonlyMap<string, string> =>
  new Map(
    [...text.matchAll(/"([^"\\]*)"\s*:\s*(\d{16,})/g)].map(([, name, digits]) => [
      `${name} ${Number(digits)}`,
      digits!,
    ]),
  );

/** The names of members in a body that are values rather than words. */
export const namesIn = (reply: Reply): Placed[] =>
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

/** Whether a text is a credential even in the reply that rejects a request. */
const isCalledCredential = ({ place, name, text }: Placed): boolean =>
  place.startsWith('header ') || (isCertainly(name, text) && !/^(?:key|value)$/i.test(name));
