import fc from 'fast-check';
import { ends, signEdges, starts } from './fragments.ts';
import { rulesBehind } from './name-rules.ts';
import type { SentName } from './name-rules.ts';
import { MAX_JOINED, edgePairs, joinedNames, nameOfLength, pieces, source } from './names.ts';
import type { Edges, NameSource } from './names.ts';
import { roundRobin } from './round-robin.ts';

/** Lengths that are tried in each list. */
const LENGTHS = 3;
/** Characters of which nothing is known that are tried together, before those that are rejected are tried alone. */
const TOGETHER = 6;

/** Whether a character is worth a name of its own: those of other kinds are seldom accepted where others of a group are not. */
const isLikely = (character: string): boolean => /[ -~’\p{L}]/u.test(character);
/** Letters of two, three and four bytes, for names that are as long as a service accepts. */
const WIDE = ['é', 'Ж', '語', '한', '𠮷'];
const MAX_WIDE = 2;

/** Whether a name has a text in a certain place. */
type Has = (name: string, text: string) => boolean;
const beginsWith: Has = (name, text) => name.startsWith(text);
const endsWith: Has = (name, text) => name.endsWith(text);
const contains: Has = (name, text) => name.includes(text);

/**
 * Makes lists of names that a target may accept, each from its responses to all names before: lengths up to the longest
 * that it accepts; characters of which nothing is known; and then what only rejected names have, as far as its characters
 * are accepted: edges, in pairs and then alone, and pieces, many in a name and then alone.
 * @param shuffle puts items in an order that the seed decides
 */
export function smallerNames(
  shuffle: <T>(items: readonly T[]) => readonly T[],
): (sent: readonly SentName[]) => NameSource[] {
  const attempts = new Map<string, number>();
  /** Notes an attempt. @returns how many there were before */
  const attempt = (text: string): number => {
    const before = attempts.get(text) ?? 0;
    attempts.set(text, before + 1);
    return before;
  };
  return (sent) => {
    const rules = rulesBehind(sent);
    const untested = (texts: readonly string[], has: Has): string[] =>
      texts.filter((text) => {
        const tests = sent.filter(({ name }) => has(name, text));
        return rules.mayAccept(text) && tests.length > 0 && !tests.some(({ accepted }) => accepted);
      });
    const left = {
      starts: untested([...starts, ...signEdges], beginsWith),
      ends: untested([...ends, ...signEdges], endsWith),
      pieces: Object.entries(pieces).map(([category, all]) => [category, untested(all, contains)] as const),
    };
    const unknown = rules.unknownIn([...left.starts, ...left.ends, ...left.pieces.flatMap(([, all]) => all)]);
    const tried = Map.groupBy(unknown, attempt);
    const together = tried.get(0) ?? [];
    const characters = [
      ...rules.lengthsBetween(LENGTHS).map((length) => source('length', nameOfLength(length))),
      ...[...inGroups(together, TOGETHER), ...inGroups((tried.get(1) ?? []).filter(isLikely), 1)].map(
        (some) => source('characters', fc.constant(`Ada B${some.join('e')}rg`)),
      ),
    ];
    // Most of what follows needs to know them.
    if (together.length > 0) return characters;

    const byAttempts = (texts: readonly string[], key: string): ReadonlyMap<number, readonly string[]> =>
      Map.groupBy(shuffle(texts.filter(rules.areKnown)), (text) => attempt(key + text));
    const before = byAttempts(left.starts, 'start ');
    const after = byAttempts(left.ends, 'end ');
    const edges: readonly Edges[] = [
      ...edgePairs(before.get(0) ?? [], after.get(0) ?? []),
      ...(before.get(1) ?? []).map((start): Edges => [start, '']),
      ...(after.get(1) ?? []).map((end): Edges => ['', end]),
    ];
    const { longest } = rules;
    const [everyday = [], ...others] = left.pieces.map(([category, all]) =>
      [...byAttempts(all, 'piece ')].flatMap(([times, some]) => {
        const inPart = `${category}, in part`;
        if (times === 0)
          return joinedNames(inPart, some, { ...longest, points: Math.min(MAX_JOINED, longest.points) });
        return times === 1 ? some.map((piece) => source(inPart, fc.constant(`Ada ${piece}`))) : [];
      }),
    );
    const wide = rules.isLengthLimited ? WIDE.filter(rules.areKnown) : [];
    return [
      ...characters,
      ...(wide.length > 0 && attempt('wide') < MAX_WIDE
        ? [source('wide length', nameOfLength(longest.points, wide))]
        : []),
      ...edges.map(([start, end]) => source('edges, in part', fc.constant(`${start}Ada Berg${end}`))),
      ...everyday,
      ...roundRobin(others),
    ];
  };
}

const inGroups = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
