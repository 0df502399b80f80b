import { isDeepStrictEqual } from 'node:util';
import { MIN_SAMPLE } from './cause.ts';
import type { Cause } from './cause.ts';
import { characterName, charactersChangedIn, trimsOf } from './character-changes.ts';
import {
  KEEP_CASE,
  KEEP_FORM,
  KEEP_SPACE,
  KEEP_STRING,
  REJECT_TOO_LONG,
  changes,
  pairs,
  withoutTag,
} from './text-changes.ts';
import type { TextHypothesis } from './text-changes.ts';

/** A submitted text, and the value in the response; undefined: no such member. */
export interface ReturnedText {
  readonly sent: string;
  readonly got: unknown;
  /** The other text of the same request. */
  readonly other?: string;
}

/**
 * The simplest change that explains all echoes, including those that equal the submitted text; undefined if none does,
 * or if all are equal.
 * @param echoes in the order of the responses
 */
export function causeOfEchoes(echoes: readonly ReturnedText[]): Cause | undefined {
  const broken = echoes.filter(({ sent, got }) => sent !== got);
  if (broken.length === 0) return undefined;
  if (broken.every(({ got, other }) => other !== undefined && got === other))
    return broken.length < echoes.length && broken.every(({ sent }) => sent.trim() === '')
      ? coalesced(broken)
      : SWAPPED;
  const causeIn = (hypotheses: readonly TextHypothesis[]): Cause | undefined => {
    const { id, text, next } = hypotheses.find(explains(echoes)) ?? {};
    return id === undefined ? undefined : { id, text: text!, next: next! };
  };
  const texts = broken.flatMap(({ sent, got }) => (typeof got === 'string' ? [[sent, got] as const] : []));
  return (
    causeIn(changes) ??
    emptied(broken) ??
    causeIn(cutsOf(broken)) ??
    causeIn(pairs) ??
    splitting(echoes, broken) ??
    crossing(echoes, broken) ??
    causeIn(charactersChangedIn(texts)) ??
    causeIn(trimsOf(texts)) ??
    causeIn(cutsAt(texts)) ??
    cutUnevenly(echoes, broken) ??
    transliterated(echoes) ??
    replacedByOne(broken) ??
    asDates(broken) ??
    inSome(echoes) ??
    alikeIn(broken) ??
    asOtherType(broken)
  );
}

/** Whether a change turns each submitted text into the one that came back. */
const explains =
  (echoes: readonly ReturnedText[]) =>
  ({ change }: TextHypothesis): boolean =>
    echoes.every(({ sent, got }) => isReturnedAs(change(sent), got));

/** Whether two values are the same once they are written and read as JSON: -0 becomes 0, and infinity null. */
const isReturnedAs = (value: unknown, got: unknown): boolean =>
  [value, got].some((one) => typeof one === 'string' || one === undefined)
    ? value === got
    : isDeepStrictEqual(throughJson(value), throughJson(got));

const throughJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** A change explains each wrong text, but would change others too: it depends on more, such as the request or the rest of the text. */
function inSome(echoes: readonly ReturnedText[]): Cause | undefined {
  const isWrong = ({ sent, got }: ReturnedText): boolean => sent !== got;
  const broken = echoes.filter(isWrong);
  const found = changes.find(explains(broken));
  if (broken.length < MIN_SAMPLE || !found) return undefined;
  // Another request had exactly these texts, which explains why others are right.
  const all = new Set<unknown>(echoes.map(({ sent }) => sent));
  if (broken.every(({ got }) => all.has(got) && isDistinctive(String(got)))) return CROSSED;
  const since = echoes.slice(echoes.findIndex(isWrong));
  const { id, text, next } = found;
  return {
    id,
    text: `${text}, ${explains(since)(found) ? 'from some request on' : 'but not always'}`,
    next,
  };
}

/** One text, which none of them has in it, comes back in place of several. */
function replacedByOne(broken: readonly ReturnedText[]): Cause | undefined {
  const [{ got }] = broken as [ReturnedText];
  const isOne = broken.every(
    (one) => one.got === got && !(typeof got === 'string' && one.sent.includes(got)),
  );
  if (!isOne || typeof got !== 'string' || broken.length < MIN_SAMPLE) return undefined;
  return {
    id: 'default',
    text: `${JSON.stringify(got.slice(0, 40))} is returned in place of some texts`,
    next: 'Look for a default, such as || or catch: return each text as it was submitted, or reject it.',
  };
}

/** Every wrong text comes back as a date with a time, as JavaScript and .NET write one. */
function asDates(broken: readonly ReturnedText[]): Cause | undefined {
  const isDate = ({ got }: ReturnedText): boolean =>
    typeof got === 'string' && /^(?:[+-]?\d{4,6}-\d\d-\d\dT|\d\d?\/\d\d?\/\d{4} )\d\d?:\d\d:\d\d/.test(got);
  return broken.length >= MIN_SAMPLE && broken.every(isDate)
    ? { id: 'dates', text: 'some texts are read as dates, and returned with a time', next: KEEP_STRING }
    : undefined;
}

/** Whether two texts become equal by the same change. */
function areEqualAs(change: (text: string) => string): (one: string, other: string) => boolean {
  return (one, other) => change(one) === change(other);
}

/** A letter in lower case, where that is one letter. */
function lowerCased(letter: string): string {
  const folded = letter.toUpperCase().toLowerCase();
  return [...folded].length === 1 ? folded : letter.toLowerCase();
}

/** How texts that come back wrong may resemble those that were submitted, where no known change explains all of them. */
const likenesses: readonly (Cause & { readonly of: (sent: string, got: string) => boolean })[] = [
  {
    id: 'white-space',
    text: 'some white space removed, added or replaced',
    next: KEEP_SPACE,
    of: areEqualAs((text) => text.replaceAll(/\s+/g, '')),
  },
  {
    id: 'letter-case',
    text: 'some letters in another case',
    next: KEEP_CASE,
    of: areEqualAs((text) => Array.from(text, lowerCased).join('')),
  },
  {
    id: 'normalised',
    text: 'some characters in another form of Unicode',
    next: KEEP_FORM,
    of: areEqualAs((text) => text.normalize('NFKC')),
  },
  {
    id: 'cut',
    text: 'the end of some texts removed',
    next: 'Look for a limit, a separator or a trim that ends a text, and return each text as a whole.',
    of: (sent, got) => sent.startsWith(got),
  },
];

/** All wrong texts resemble the submitted ones in one way. */
function alikeIn(broken: readonly ReturnedText[]): Cause | undefined {
  if (broken.length < MIN_SAMPLE) return undefined;
  const found = likenesses.find(({ of }) =>
    broken.every(({ sent, got }) => typeof got === 'string' && of(sent, got)),
  );
  return found && { id: found.id, text: found.text, next: found.next };
}

/** Every wrong text comes back as a value of another type of JSON. */
function asOtherType(broken: readonly ReturnedText[]): Cause | undefined {
  const types = new Set(broken.map(({ got }) => (got === null ? 'null' : TYPES[typeof got])));
  if (types.has(undefined) || broken.length < MIN_SAMPLE) return undefined;
  return {
    id: 'other-type',
    text: `some texts are returned as ${['null', 'booleans', 'numbers'].filter((type) => types.has(type)).join(' or ')}`,
    next: KEEP_STRING,
  };
}

const TYPES: Readonly<Record<string, string>> = { number: 'numbers', boolean: 'booleans' };

/** Cuts after the length that the broken texts have, in each unit. */
function cutsOf(broken: readonly ReturnedText[]): TextHypothesis[] {
  const texts = broken.map(({ got }) => (typeof got === 'string' ? got : ''));
  // One that is emptied shows no length.
  if (texts.every((text) => text === '')) return [];
  const areAscii = broken.every(({ sent }) => isAscii(sent));
  // A character that was cut in two may come back as U+FFFD, which has another length.
  const whole = texts.filter((text) => !text.endsWith('\ufffd'));
  const cut = (
    unit: string,
    lengthOf: (text: string) => number,
    first: (text: string, most: number) => string,
    how = '',
  ): TextHypothesis => {
    const most = Math.max(0, ...(whole.length > 0 ? whole : texts).map(lengthOf));
    return {
      id: 'cut',
      text: `cut after ${most} ${areAscii ? 'characters' : unit}${how}`,
      next: REJECT_TOO_LONG,
      change: (sent) => (lengthOf(sent) > most ? first(sent, most) : sent),
    };
  };
  const bytesIn = (text: string): number => Buffer.byteLength(text);
  const pointsIn = (text: string): number => [...text].length;
  const firstPoints = (text: string, most: number): string => [...text].slice(0, most).join('');
  return [
    cut(
      'UTF-16 units',
      (text) => text.length,
      (text, most) => text.slice(0, most),
    ),
    // .NET writes half of a character beyond U+FFFF as U+FFFD, and Java as a question mark.
    cut(
      'UTF-16 units',
      (text) => text.length,
      (text, most) => text.slice(0, most).toWellFormed(),
    ),
    cut(
      'UTF-16 units',
      (text) => text.length,
      (text, most) => text.slice(0, most).replace(/[\ud800-\udbff]$/, '?'),
    ),
    cut('code points', pointsIn, firstPoints),
    // As by truncate in Rails.
    ...['...', '…'].flatMap((end) => [
      cut(
        'code points',
        pointsIn,
        (text, most) => firstPoints(text, Math.max(0, most - end.length)) + end,
        `, the last of them ${end}`,
      ),
      cut(
        'UTF-16 units',
        (text) => text.length,
        (text, most) => text.slice(0, Math.max(0, most - end.length)) + end,
        `, the last of them ${end}`,
      ),
    ]),
    cut('bytes', bytesIn, (text, most) => Buffer.from(text).subarray(0, most).toString()),
    // Each byte of a character that was cut in two comes back as U+FFFD, as in Go.
    cut('bytes', bytesIn, (text, most) => {
      const rest = wholeCharacters(text, most);
      return rest + '\ufffd'.repeat(most - bytesIn(rest));
    }),
    cut('bytes', bytesIn, wholeCharacters),
  ];
}

/** Cuts at the first occurrence of a character that follows the rest of each broken text. */
function cutsAt(broken: readonly (readonly [sent: string, got: string])[]): TextHypothesis[] {
  const ends = new Set(
    broken.map(([sent, got]) => (sent.startsWith(got) ? /^./su.exec(sent.slice(got.length))?.[0] : '')),
  );
  const [end] = ends;
  // Where all are emptied, what they begin with may have nothing to do with it.
  if (ends.size !== 1 || !end || broken.every(([, got]) => got === '')) return [];
  return [
    {
      id: 'cut',
      text: `cut at the first ${characterName(end)}`,
      next: 'Look for a format in which this character ends a value, or for a pattern that stops there.',
      change: (sent) => sent.split(end)[0],
    },
  ];
}

/** All texts longer than a certain length are cut, but not after the same number of units, as between words. */
function cutUnevenly(echoes: readonly ReturnedText[], broken: readonly ReturnedText[]): Cause | undefined {
  if (broken.length < MIN_SAMPLE) return undefined;
  const lengthOf = (text: string): number => [...text].length;
  const kept = ['...', '…', ''].map((end) =>
    broken.flatMap(({ sent, got }) =>
      typeof got === 'string' && got.endsWith(end) && sent.startsWith(got.slice(0, got.length - end.length))
        ? [lengthOf(got)]
        : [],
    ),
  );
  const lengths = kept.find(({ length }) => length === broken.length);
  if (!lengths) return undefined;
  const [least, most] = [Math.min(...lengths), Math.max(...lengths)];
  const isExplained = ({ sent, got }: ReturnedText): boolean => (sent !== got) === lengthOf(sent) > most;
  return least > 0 && echoes.every(isExplained)
    ? { id: 'cut', text: `cut after ${least} to ${most} code points`, next: REJECT_TOO_LONG }
    : undefined;
}

/** The beginning of a text, without the part of a character at its end. @param most in bytes */
const wholeCharacters = (text: string, most: number): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.from(text).subarray(0, most), { stream: true });

/** Texts come back in ASCII, with their own characters of ASCII in order, and others in place of the rest. */
function transliterated(echoes: readonly ReturnedText[]): Cause | undefined {
  const areExplained = echoes.every(({ sent, got }) => {
    if (isAscii(sent) || typeof got !== 'string') return sent === got;
    if (!isAscii(got)) return false;
    let at = 0;
    for (const character of sent.replaceAll(/[^\0-\x7f]/g, '')) {
      at = got.indexOf(character, at) + 1;
      if (at === 0) return false;
    }
    return true;
  });
  return areExplained
    ? { id: 'ascii', text: 'characters beyond ASCII replaced by ones of ASCII', next: KEEP_FORM }
    : undefined;
}

const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);

/** In each wrong text, some characters beyond ASCII have become U+FFFD, which are also returned as they were sent. */
function splitting(echoes: readonly ReturnedText[], broken: readonly ReturnedText[]): Cause | undefined {
  const lost = broken.map(lostIn);
  // Each part of a character becomes one.
  if (!broken.some(({ got }) => String(got).includes('\ufffd\ufffd'))) return undefined;
  if (lost.some((characters) => characters.length === 0)) return undefined;
  const isKept = (character: string): boolean =>
    echoes.some(({ got }) => typeof got === 'string' && got.includes(character));
  if (!lost.flat().some(isKept)) return undefined;
  const isPair = ({ got }: ReturnedText): boolean =>
    /^[^\ufffd]*(?:\ufffd{2}[^\ufffd]+)*\ufffd{0,2}$/.test(String(got));
  const arePairs = lost.flat().every((character) => character.length === 2) && broken.every(isPair);
  return arePairs && lost.flat().length > 1 ? SPLIT_PAIR : SPLIT;
}

/** The characters that have become one or more U+FFFD each; none if the text differs in anything else. */
function lostIn({ sent, got }: ReturnedText): string[] {
  if (typeof got !== 'string') return [];
  const [first, ...parts] = got.split(/\ufffd+/);
  const characters: string[] = [];
  let rest = sent.startsWith(first!) ? sent.slice(first!.length) : '';
  for (const part of parts) {
    const [character] = /^[^\0-\x7f]/u.exec(rest) ?? [];
    if (character === undefined || !rest.startsWith(part, character.length)) return [];
    characters.push(character);
    rest = rest.slice(character.length + part.length);
  }
  // One that was submitted is not lost.
  return rest === '' ? characters.filter((character) => character !== '\ufffd') : [];
}

const SPLIT_PAIR: Cause = {
  id: 'split',
  text: 'a surrogate pair encoded in two parts',
  next: 'Encode texts as a whole: a character beyond U+FFFF is two UTF-16 units, and a chunk may end between them.',
};

const SPLIT: Cause = {
  id: 'split',
  text: 'a character of several bytes decoded in parts',
  next: 'Join all bytes of a body, then decode it: a character may begin in one chunk or buffer and end in the next.',
};

/** Whether two requests hardly have this text in common by chance, as they may have `false` or a short word. */
export const isDistinctive = (text: string): boolean => text.length >= 8;

/** Whether most wrong values were submitted by other requests, and few by their own: some requests resemble others. */
function crossing(echoes: readonly ReturnedText[], broken: readonly ReturnedText[]): Cause | undefined {
  const all = new Set<unknown>(echoes.map(({ sent }) => sent));
  const isLong = ({ got }: ReturnedText): boolean => typeof got === 'string' && isDistinctive(got);
  const isOwn = ({ sent, got }: ReturnedText): boolean => isPartOf(sent, got);
  const long = broken.filter(isLong);
  // Not all requests whose values may come back are among these.
  const known = broken.filter(({ got }) => all.has(got));
  const areForeign = long.filter(isOwn).length * 2 < long.length;
  const isCrossed = known.length * 2 > broken.length && areForeign;
  return isCrossed ? CROSSED : undefined;
}

/**
 * Whether a returned value is the submitted one, however normalised, a part of it, also without its tag, some of its words,
 * a longer form, or an address that differs after the first label of its domain: then it is not another request's.
 */
export function isPartOf(sent: string, got: unknown): boolean {
  if (typeof got !== 'string') return false;
  const [own, returned] = [lettersOf(sent), lettersOf(got)];
  const untagged = lettersOf(withoutTag(sent));
  const words = wordsOf(sent);
  return (
    own.includes(returned) ||
    isSameMailbox(sent, got) ||
    untagged.includes(returned) ||
    wordsOf(got).every((word) => words.includes(word)) ||
    (isDistinctive(own) && returned.includes(own))
  );
}

/** Whether two addresses differ in the end of their domains alone: what makes an address unique is before that. */
function isSameMailbox(one: string, other: string): boolean {
  const [own, returned] = [one, other].map((text) => /^.*@[^@.]*/s.exec(text)?.[0].toLowerCase());
  return own !== undefined && isDistinctive(own) && own === returned;
}

const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

const lettersOf = (text: string): string => wordsOf(text).join('');

const emptied = (broken: readonly ReturnedText[]): Cause | undefined =>
  broken.length >= MIN_SAMPLE && broken.every(({ got }) => got === '') ? EMPTIED : undefined;

const EMPTIED: Cause = {
  id: 'emptied',
  text: 'an empty text is returned in place of some',
  next: "See whether the member is written twice, or lost where a text can't be stored.",
};

const SWAPPED: Cause = {
  id: 'swapped',
  text: 'the email is returned as the name, or the name as the email',
  next: 'Compare the order of parameters, columns and members wherever a customer is read, stored and written.',
};

const coalesced = (broken: readonly ReturnedText[]): Cause => ({
  id: 'coalesced',
  text: `the other of name and email is returned in place of ${broken.every(({ sent }) => sent === '') ? 'an empty' : 'a blank'} text`,
  next: 'Look for a default, such as || or COALESCE: return each text as it was submitted, or reject it.',
});

/** Responses that belong to other requests. */
export const CROSSED: Cause = {
  id: 'crossed',
  text: 'the value of another request',
  next: 'Look for a variable, a buffer or a cache that requests share.',
};
