import { ESCAPE } from './text-changes.ts';
import type { TextHypothesis } from './text-changes.ts';

/** Most characters that a cause names. */
const NAMED = 3;
/** Most characters that are one cause. */
const MAX_CHARACTERS = 12;

/**
 * The hypothesis that certain characters are always removed, or each replaced by another one or by an HTML entity, as
 * the broken texts show; none if they differ in anything else.
 */
export function charactersChangedIn(
  broken: readonly (readonly [sent: string, got: string])[],
): TextHypothesis[] {
  const changed = new Map<string, string>();
  for (const [sent, got] of broken) {
    const own = removedFrom(sent, got) ?? replacedIn(sent, got) ?? escapedIn(sent, got);
    if (own === undefined) return [];
    for (const [character, by] of own) {
      if ((changed.get(character) ?? by) !== by) return [];
      changed.set(character, by);
    }
  }
  const change = (sent: string): string =>
    Array.from(sent, (character) => changed.get(character) ?? character).join('');
  if (changed.size > 0 && [...changed.values()].every((by) => ENTITY.test(by)))
    return [{ id: 'html-escaped', text: 'HTML-escaped', next: ESCAPE, change }];
  if (changed.size === 0 || changed.size > MAX_CHARACTERS) return [];
  const names = [...changed]
    .slice(0, NAMED)
    .map(([character, by]) => `${nameOf(character)} ${by ? `replaced by ${nameOf(by)}` : 'removed'}`);
  const others = changed.size - NAMED;
  const more = others > 0 ? ` and ${others} ${others === 1 ? 'other' : 'others'}` : '';
  return [
    {
      id: 'characters',
      text: names.join(', ') + more,
      next: 'Keep each character of a text that is accepted, or reject the text.',
      change,
    },
  ];
}

/** The characters that a text has lost; undefined if it differs in more. */
function removedFrom(sent: string, got: string): Map<string, string> | undefined {
  const removed = new Map<string, string>();
  const rest = [...got];
  for (const character of sent) {
    if (character === rest[0]) rest.shift();
    else removed.set(character, '');
  }
  return rest.length === 0 ? removed : undefined;
}

/** The characters that were replaced by one each; undefined if the texts differ in more. */
function replacedIn(sent: string, got: string): Map<string, string> | undefined {
  const [before, after] = [[...sent], [...got]];
  if (before.length !== after.length) return undefined;
  return new Map(
    before.flatMap((character, at) => (character === after[at] ? [] : [[character, after[at]!] as const])),
  );
}

const ENTITY = /^&#?\w+;/;

/** The characters that were replaced by an HTML entity each; undefined if the texts differ in more. */
function escapedIn(sent: string, got: string): Map<string, string> | undefined {
  const escaped = new Map<string, string>();
  let rest = got;
  for (const character of sent) {
    const isKept = rest.startsWith(character) && !/^&(?:amp|#38|#x26);/i.test(rest);
    const by = isKept ? character : (ENTITY.exec(rest)?.[0] ?? '');
    if (by === '') return undefined;
    if (!isKept) escaped.set(character, by);
    rest = rest.slice(by.length);
  }
  return rest === '' ? escaped : undefined;
}

const nameOf = (character: string): string =>
  /^[!-~]$/.test(character)
    ? character
    : `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
