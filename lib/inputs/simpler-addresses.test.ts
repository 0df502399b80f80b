import { describe, expect, it } from 'vitest';
import { addressText, commonAddresses, emailSources, plainAddress } from './emails.ts';
import type { Address } from './emails.ts';
import { simplerAddresses } from './simpler-addresses.ts';
import type { SentAddress } from './simpler-addresses.ts';
import fc from 'fast-check';

type Validator = (email: string) => boolean;

const asGiven = <T>(items: readonly T[]): readonly T[] => items;

/** The addresses that a service accepts: of those of a run, and of five lists of simpler ones. */
function sentTo(accepts: Validator) {
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
    expect(sentTo(() => true).simpler).toEqual([]);
  });

  it('have the features that a service accepts, one at a time', () => {
    const { accepted, simpler } = sentTo((email) => /^[a-z\d]+(?:[._-][a-z\d]+)*@example\.com$/.test(email));
    for (const form of [/^[a-z]\.d\.a/, /-/, /_/, /^0/])
      expect(accepted.some((one) => form.test(one))).toBe(true);
    expect(simpler.length).toBeLessThan(30);
  });

  it.each([40, 50, 64, 75])(
    'are as long as a service accepts at example.com, such as %i characters',
    (limit) => {
      const { accepted, simpler } = sentTo(
        (email) => /^[a-z\d]+@example\.com$/.test(email) && email.length <= limit,
      );
      expect(Math.max(...accepted.map(({ length }) => length))).toBe(limit);
      expect(simpler.length).toBeLessThan(30);
    },
  );

  it.each([100, 128, 191])(
    'are as long as a service accepts at any domain, such as %i characters',
    (limit) => {
      const { accepted, simpler } = sentTo((email) => SIMPLE.test(email) && email.length <= limit);
      expect(accepted.some(({ length }) => length === limit)).toBe(true);
      expect(simpler.length).toBeLessThan(30);
    },
  );

  it('have the longest local part that a service accepts', () => {
    const { accepted } = sentTo((email) => SIMPLE.test(email) && email.indexOf('@') <= 30);
    expect(accepted.some((email) => email.indexOf('@') === 30)).toBe(true);
  });
});
