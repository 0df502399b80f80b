import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ends, signEnds, signStarts, starts } from './dictionaries.ts';
import { addressText, plainAddress } from './addresses.ts';
import { commonAddresses, emailSources } from './emails.ts';
import type { Address } from './addresses.ts';
import type { SentName } from './name-rules.ts';
import { nameSources, piecesByCategory } from './names.ts';
import { simplerAddresses, simplerNames } from './simpler-inputs.ts';
import type { SentAddress } from './simpler-inputs.ts';

type Validator = (text: string) => boolean;

const asGiven = <T>(items: readonly T[]): readonly T[] => items;

/** The addresses that a service accepts: of those of a run, and of five lists of simpler ones. */
function addressesSentTo(accepts: Validator) {
  let count = 0;
  const send = (address: Address): SentAddress => {
    const email = addressText(address, `q1abcd0${(count++).toString(36)}`);
    return { email, accepted: accepts(email) };
  };
  const wide = emailSources(asGiven).map(({ address }) => fc.sample(address, { seed: 1, numRuns: 1 })[0]!);
  const sent = [plainAddress, ...commonAddresses(asGiven), ...wide].map(send);
  const before = sent.length;
  const nextAddresses = simplerAddresses();
  for (let list = 0; list < 5; list++) sent.push(...nextAddresses(sent).map(send));
  return {
    simpler: sent.slice(before),
    accepted: sent.filter((one) => one.accepted).map(({ email }) => email),
  };
}

const SIMPLE = /^[\w.+%-]+@[a-z\d.-]+\.[a-z]+$/i;

describe('simpler addresses', () => {
  it('are none where a service accepts every address', () => {
    expect(addressesSentTo(() => true).simpler).toEqual([]);
  });

  it('have the features that a service accepts, one at a time', () => {
    const { accepted, simpler } = addressesSentTo((email) =>
      /^[a-z\d]+(?:[._-][a-z\d]+)*@example\.com$/.test(email),
    );
    for (const form of [/^[a-z]\.d\.a/, /-/, /_/, /^0/])
      expect(accepted.some((one) => form.test(one))).toBe(true);
    expect(simpler.length).toBeLessThan(30);
  });

  it.each([40, 50, 64, 75])(
    'are as long as a service accepts at example.com, such as %i characters',
    (limit) => {
      const { accepted, simpler } = addressesSentTo(
        (email) => /^[a-z\d]+@example\.com$/.test(email) && email.length <= limit,
      );
      expect(Math.max(...accepted.map(({ length }) => length))).toBe(limit);
      expect(simpler.length).toBeLessThan(30);
    },
  );

  it.each([100, 128, 191])(
    'are as long as a service accepts at any domain, such as %i characters',
    (limit) => {
      const { accepted, simpler } = addressesSentTo((email) => SIMPLE.test(email) && email.length <= limit);
      expect(accepted.some(({ length }) => length === limit)).toBe(true);
      expect(simpler.length).toBeLessThan(30);
    },
  );

  it('have the longest local part that a service accepts', () => {
    const { accepted } = addressesSentTo((email) => SIMPLE.test(email) && email.indexOf('@') <= 30);
    expect(accepted.some((email) => email.indexOf('@') === 30)).toBe(true);
  });
});

const textOf = (name: fc.Arbitrary<string>): string => fc.sample(name, { seed: 1, numRuns: 1 })[0]!;
const length = (name: string): number => [...name].length;

/** All names that are sent to a service: those of a run, then five lists of smaller ones. */
function namesSentTo(accepts: Validator) {
  const send = (name: string): SentName => ({ name, accepted: accepts(name) });
  const { alone, combined } = nameSources(asGiven);
  const sent = ['Ada Berg', ...[...alone, ...combined].map(({ name }) => textOf(name))].map(send);
  const before = sent.length;
  const nextNames = simplerNames(asGiven);
  for (let list = 0; list < 5; list++) sent.push(...nextNames(sent).map(({ name }) => send(textOf(name))));
  const accepted = sent.filter((one) => one.accepted).map(({ name }) => name);
  return { smaller: sent.slice(before), accepted };
}

const all = Object.values(piecesByCategory).flat();

describe('simpler names', () => {
  it('are none where a service accepts every name', () => {
    expect(namesSentTo(() => true).smaller).toHaveLength(0);
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
  ])('have, behind a limit to %s, what the service accepts of the dictionaries', (_, accepts, maxNames) => {
    const { accepted, smaller } = namesSentTo(accepts);
    const may = all.filter((piece) => accepts(`A x${piece}x`));
    expect(may.length).toBeGreaterThan(15);
    const missing = may.filter((piece) => !accepted.some((name) => name.includes(piece)));
    expect(missing.length).toBeLessThan(may.length / 8);
    expect(smaller.length).toBeLessThanOrEqual(maxNames);
  });

  it('begin and end with the edges that a service accepts', () => {
    const { accepted } = namesSentTo((name) => /^[^\s<>](?:.*[^\s<>])?$/su.test(name) && length(name) <= 40);
    const isEdge = (edge: string): boolean => !/[\s<>]/.test(edge);
    const before = [...starts, ...signStarts].filter((edge) => isEdge(edge[0]!));
    const after = [...ends, ...signEnds].filter((edge) => isEdge(edge.at(-1)!));
    expect(before.filter((edge) => !accepted.some((name) => name.startsWith(edge)))).toEqual([]);
    expect(after.filter((edge) => !accepted.some((name) => name.endsWith(edge)))).toEqual([]);
  });

  it.each([17, 57, 110, 120, 300])('are as long as a service accepts, such as %i characters', (limit) => {
    const { accepted } = namesSentTo((name) => length(name) <= limit);
    expect(Math.max(...accepted.map(length))).toBeGreaterThanOrEqual(limit - 1);
  });
});
