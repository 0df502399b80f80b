import type { Cause } from './cause.ts';
import { ESCAPE_LATE, KEEP_CASE, KEEP_SPACE, URL_CODING, USE_UTF8 } from './text-changes.ts';
import type { TextHypothesis } from './text-changes.ts';

const MAX_CHARACTERS_NAMED = 3;
/** Maximum number of different characters that can have one cause, if not all are replaced by the same text. */
const MAX_CHARACTERS = 12;

/** How a text is divided into what is removed or replaced. */
const divisions: readonly ((text: string) => string[])[] = [(text) => [...text], (text) => text.split('')];

/**
 * The hypotheses that certain characters are always removed, or each replaced by another one or by an escape, as the
 * broken texts show; none if they differ in anything else.
 */
export const charactersChangedIn = (
  broken: readonly (readonly [sent: string, got: string])[],
): TextHypothesis[] =>
  divisions.flatMap((divided) => {
    const changed = changesIn(
      broken,
      divided,
      (sent, got) => removedFrom(sent, got) ?? replacedIn(sent, got),
    );
    return [
      ...classesChangedIn(broken, divided, changed),
      ...eachChanged(divided, changed, named(changed)),
      ...notations.flatMap((notation) => {
        const escaped = changesIn(broken, divided, (sent, got) => escapedIn(sent, got, notation));
        return eachChanged(divided, escaped, notation);
      }),
    ];
  });

type Characters = ReadonlyMap<string, string>;

/** What becomes of each character of the broken texts that is changed; none if that is not always the same. */
function changesIn(
  broken: readonly (readonly [sent: string, got: string])[],
  divided: (text: string) => string[],
  compare: (sent: readonly string[], got: string) => Characters | undefined,
): Characters {
  const changed = new Map<string, string>();
  for (const [sent, got] of broken) {
    const own = compare(divided(sent), got);
    if (own === undefined) return new Map();
    for (const [character, by] of own) {
      if ((changed.get(character) ?? by) !== by) return new Map();
      changed.set(character, by);
    }
  }
  return changed;
}

/** The hypothesis that each of these characters is always changed in the same way. */
const eachChanged = (
  divided: (text: string) => string[],
  changed: Characters,
  cause: Cause | undefined,
): TextHypothesis[] =>
  changed.size === 0 || cause === undefined
    ? []
    : [
        {
          id: cause.id,
          text: cause.text,
          next: cause.next,
          change: mapping(divided, (character) => changed.get(character) ?? character),
        },
      ];

const mapping =
  (divided: (text: string) => string[], change: (character: string) => string) =>
  (text: string): string =>
    divided(text).map(change).join('');

/** Names the characters that are removed or replaced. */
function named(changed: Characters): Cause | undefined {
  const by = new Set(changed.values());
  if (by.size > 1 && changed.size > MAX_CHARACTERS)
    return cases.find(({ change }) => [...changed].every(([character, own]) => own === change(character)));
  const isAlike = by.size === 1;
  const listed = enumerated(
    [...changed].map(([character, own]) => characterName(character) + (isAlike ? '' : ` ${how(own)}`)),
  );
  const [replacement = ''] = by;
  return {
    id: 'characters',
    text: isAlike ? `${listed} ${how(replacement)}` : listed,
    next: adviceOn([...changed.keys()], isAlike ? replacement : undefined),
  };
}

const how = (by: string): string => (by ? `replaced by ${characterName(by)}` : 'removed');

const adviceOn = (changed: readonly string[], by: string | undefined): string =>
  by === '?' && changed.every((character) => character > '\x7f')
    ? USE_UTF8
    : 'Keep each character of a text that is accepted, or reject the text.';

/** Characters that software treats alike. */
const classes: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['printable ASCII', /^[ -~]$/],
  ['letters', /^\p{L}$/u],
  ['ASCII letters', /^[A-Za-z]$/],
  ['combining marks', /^\p{M}$/u],
  ['numbers', /^\p{N}$/u],
  ['ASCII digits', /^\d$/],
  ['punctuation', /^\p{P}$/u],
  ['symbols', /^\p{S}$/u],
  ['white space', /^\s$/],
  ['spaces', /^ $/],
];

/**
 * The hypotheses that characters of some classes and a few of ASCII are all removed, or replaced by one text, or all
 * others.
 */
function classesChangedIn(
  broken: readonly (readonly [sent: string, got: string])[],
  divided: (text: string) => string[],
  changes: Characters,
): TextHypothesis[] {
  const [by, ...others] = new Set(changes.values());
  if (by === undefined || others.length > 0 || changes.size <= MAX_CHARACTERS_NAMED) return [];
  const kept = new Set<string>();
  for (const [sent] of broken)
    for (const character of divided(sent)) if (!changes.has(character)) kept.add(character);
  const changed = [...changes.keys()];
  const hypothesis = (text: string, isChanged: (character: string) => boolean): TextHypothesis => ({
    id: 'characters',
    text: `${text} ${how(by)}`,
    next: adviceOn(changed, by),
    change: mapping(divided, (character) => (isChanged(character) ? by : character)),
  });
  return [
    ...inClasses(changed, [...kept]).map(({ text, holds }) => hypothesis(text, holds)),
    ...inClasses([...kept], changed).map(({ text, holds }) =>
      hypothesis(`all but ${text}`, (character) => !holds(character)),
    ),
  ];
}

/** Some characters by the classes that hold none of the others, at least one, and a few characters of ASCII. */
function inClasses(
  characters: readonly string[],
  others: readonly string[],
): { readonly text: string; readonly holds: (character: string) => boolean }[] {
  let left = characters;
  const held: (readonly [name: string, pattern: RegExp])[] = [];
  for (const one of classes) {
    const [, pattern] = one;
    const rest = left.filter((character) => !pattern.test(character));
    if (rest.length === left.length || others.some((character) => pattern.test(character))) continue;
    held.push(one);
    left = rest;
  }
  const names = [...held.map(([name]) => name), ...left.map(characterName)];
  if (held.length === 0 || names.length > MAX_CHARACTERS || left.some((one) => one > '\x7f')) return [];
  const single = new Set(left);
  const holds = (character: string): boolean =>
    single.has(character) || held.some(([, pattern]) => pattern.test(character));
  return [{ text: joined(names), holds }];
}

/** Cases, as a library gives them to the letters of one version of Unicode. */
const cases: readonly (Cause & { readonly change: (letter: string) => string })[] = [
  {
    id: 'upper-case',
    text: 'upper-cased, except some letters',
    next: KEEP_CASE,
    change: (letter) => letter.toUpperCase(),
  },
  {
    id: 'lower-case',
    text: 'lower-cased, except some letters',
    next: KEEP_CASE,
    change: (letter) => letter.toLowerCase(),
  },
];

/** The first of some names, and how many others there are. */
function enumerated(names: readonly string[]): string {
  const others = names.length - MAX_CHARACTERS_NAMED;
  const first = names.slice(0, MAX_CHARACTERS_NAMED);
  return joined(others > 0 ? [...first, `${others} ${others === 1 ? 'other' : 'others'}`] : first);
}

const joined = (names: readonly string[]): string =>
  [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' and ');

/** The hypothesis that the characters which the broken texts have lost at an end are always trimmed there. */
export function trimsOf(broken: readonly (readonly [sent: string, got: string])[]): TextHypothesis[] {
  const starts = new Set<string>();
  const ends = new Set<string>();
  for (const [sent, got] of broken) {
    // Where nothing is left, nothing shows at which end the text was trimmed.
    if (got === '') continue;
    const at = sent.indexOf(got);
    if (at === -1) return [];
    for (const character of sent.slice(0, at)) starts.add(character);
    for (const character of sent.slice(at + got.length)) ends.add(character);
  }
  const all = new Set([...starts, ...ends]);
  // Several letters or digits are rather a word, which may be lost as a whole.
  const isWord = all.size > 1 && [...all].some((character) => /[\p{L}\p{N}]/u.test(character));
  if (all.size === 0 || isWord) return [];
  const listed = (characters: Iterable<string>): string =>
    enumerated([...characters].toSorted().map(characterName));
  const areAlike = starts.size === all.size && ends.size === all.size;
  const trimmed = [
    ...(starts.size > 0 ? [`${listed(starts)} trimmed at the start`] : []),
    ...(ends.size > 0 ? [`${listed(ends)} trimmed at the end`] : []),
  ];
  return [
    {
      id: 'trimmed',
      text: areAlike ? `${listed(starts)} trimmed at both ends` : trimmed.join(', '),
      next: KEEP_SPACE,
      change: (sent) => {
        const characters = [...sent];
        const first = characters.findIndex((character) => !starts.has(character));
        const last = characters.findLastIndex((character) => !ends.has(character));
        return first === -1 ? '' : characters.slice(first, last + 1).join('');
      },
    },
  ];
}

/** The characters that a text has lost; undefined if it differs in more. */
function removedFrom(sent: readonly string[], got: string): Characters | undefined {
  const removed = new Map<string, string>();
  let rest = got;
  for (const character of sent) {
    if (rest !== '' && rest.startsWith(character)) rest = rest.slice(character.length);
    else removed.set(character, '');
  }
  return rest === '' ? removed : undefined;
}

/** The characters that were replaced by one each; undefined if the texts differ in more. */
function replacedIn(sent: readonly string[], got: string): Characters | undefined {
  const after = divisions.map((divided) => divided(got)).find(({ length }) => length === sent.length);
  return (
    after &&
    new Map(
      sent.flatMap((character, at) => (character === after[at] ? [] : [[character, after[at]!] as const])),
    )
  );
}

/** A way to write characters as others. */
interface Notation extends Cause {
  /** What stands for a character at the beginning of a text, if anything does. */
  readonly escape: (character: string, rest: string) => string | undefined;
}

const notations: readonly Notation[] = [
  {
    id: 'html-escaped',
    text: 'HTML-escaped',
    next: ESCAPE_LATE,
    escape: (character, rest) => (character === '&' ? /^&(?:amp|#38|#x26);/i : /^&#?\w+;/).exec(rest)?.[0],
  },
  {
    id: 'quoted',
    text: 'characters written as escapes with a backslash',
    next: 'Build a query, a command or JSON with its library, and escape a text in one place only.',
    escape: (character, rest) => {
      if (character === '\\') return /^\\\\/.exec(rest)?.[0];
      if (!rest.startsWith('\\')) return undefined;
      const bytes = [...Buffer.from(character)];
      // As in C, Python and R, and as in Lua and OCaml.
      const ofBytes = [
        (byte: number) => `x${byte.toString(16).padStart(2, '0')}`,
        (byte: number) => byte.toString(8).padStart(3, '0'),
        (byte: number) => byte.toString().padStart(3, '0'),
      ]
        .map((digits) => bytes.map((byte) => `\\${digits(byte)}`).join(''))
        .find((escapes) => rest.slice(0, escapes.length).toLowerCase() === escapes);
      return (
        ofBytes ??
        /^\\(?:u[Dd][89ABab]..\\u[\dA-Fa-f]{4}|u[\dA-Fa-f]{4}|x[\dA-Fa-f]{2}|U[\dA-Fa-f]{8}|[uU]\{[\dA-Fa-f]{1,8}\}|N\{[^}]*\}|[^UNux])/.exec(
          rest,
        )?.[0]
      );
    },
  },
  {
    id: 'url-coded',
    text: 'percent-encoded',
    next: URL_CODING,
    escape: (character, rest) => {
      const encoded = Array.from(Buffer.from(character), (byte) => `%${byte.toString(16).padStart(2, '0')}`);
      const all = encoded.join('');
      return rest.slice(0, all.length).toLowerCase() === all
        ? rest.slice(0, all.length)
        : /^[ +]/.exec(character === ' ' ? rest : '')?.[0];
    },
  },
];

/** The characters that were escaped; undefined if the texts differ in more. */
function escapedIn(sent: readonly string[], got: string, { escape }: Notation): Characters | undefined {
  const escaped = new Map<string, string>();
  let rest = got;
  for (const character of sent) {
    const by = escape(character, rest);
    if (by !== undefined && by !== character) escaped.set(character, by);
    else if (!rest.startsWith(character)) return undefined;
    rest = rest.slice((by ?? character).length);
  }
  return rest === '' ? escaped : undefined;
}

/** A character as it is shown: itself, or its code point. */
export const characterName = (character: string): string =>
  /^[!-~]$/.test(character)
    ? character
    : `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
