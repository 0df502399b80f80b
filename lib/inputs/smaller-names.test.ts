import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ends, signEnds, signStarts, starts } from './dictionaries.ts';
import type { SentName } from './name-rules.ts';
import { nameSources, piecesByCategory } from './names.ts';
import { smallerNames } from './smaller-names.ts';

type Validator = (name: string) => boolean;

const asGiven = <T>(items: readonly T[]): readonly T[] => items;
const textOf = (name: fc.Arbitrary<string>): string => fc.sample(name, { seed: 1, numRuns: 1 })[0]!;
const length = (name: string): number => [...name].length;

/** All names that are sent to a service: those of a run, then five lists of smaller ones. */
function sentTo(accepts: Validator) {
  const send = (name: string): SentName => ({ name, accepted: accepts(name) });
  const { alone, combined } = nameSources(asGiven);
  const sent = ['Ada Berg', ...[...alone, ...combined].map(({ name }) => textOf(name))].map(send);
  const before = sent.length;
  const nextNames = smallerNames(asGiven);
  for (let list = 0; list < 5; list++) sent.push(...nextNames(sent).map(({ name }) => send(textOf(name))));
  const accepted = sent.filter((one) => one.accepted).map(({ name }) => name);
  return { smaller: sent.slice(before), accepted };
}

const all = Object.values(piecesByCategory).flat();

describe('smaller names', () => {
  it('are none where a service accepts every name', () => {
    expect(sentTo(() => true).smaller).toHaveLength(0);
  });

  it.each<[string, Validator, number]>([
    ['30 characters', (name) => length(name) <= 30, 190],
    ['50 characters', (name) => length(name) <= 50, 130],
    ['64 bytes', (name) => Buffer.byteLength(name) <= 64, 150],
    ['ASCII', (name) => /^[ -~]{1,60}$/.test(name), 110],
    ['some signs', (name) => !/[<>{}$%;"\\]/.test(name) && length(name) <= 60, 120],
    ['letters', (name) => /^[\p{L}\p{M} .'’-]{1,60}$/u.test(name), 110],
    ['letters of ASCII', (name) => /^[a-z][a-z '-]{1,40}$/i.test(name), 100],
    ['two words', (name) => /^\S+(?: \S+)+$/.test(name) && length(name) <= 60, 190],
  ])('have, behind a limit to %s, what the service accepts of the dictionaries', (_, accepts, most) => {
    const { accepted, smaller } = sentTo(accepts);
    const may = all.filter((piece) => accepts(`A x${piece}x`));
    expect(may.length).toBeGreaterThan(15);
    const missing = may.filter((piece) => !accepted.some((name) => name.includes(piece)));
    expect(missing.length).toBeLessThan(may.length / 8);
    expect(smaller.length).toBeLessThanOrEqual(most);
  });

  it('begin and end with the edges that a service accepts', () => {
    const { accepted } = sentTo((name) => /^[^\s<>](?:.*[^\s<>])?$/su.test(name) && length(name) <= 40);
    const isEdge = (edge: string): boolean => !/[\s<>]/.test(edge);
    const before = [...starts, ...signStarts].filter((edge) => isEdge(edge[0]!));
    const after = [...ends, ...signEnds].filter((edge) => isEdge(edge.at(-1)!));
    expect(before.filter((edge) => !accepted.some((name) => name.startsWith(edge)))).toEqual([]);
    expect(after.filter((edge) => !accepted.some((name) => name.endsWith(edge)))).toEqual([]);
  });

  it.each([17, 57, 110, 120, 300])('are as long as a service accepts, such as %i characters', (limit) => {
    const { accepted } = sentTo((name) => length(name) <= limit);
    expect(Math.max(...accepted.map(length))).toBeGreaterThanOrEqual(limit - 1);
  });
});
