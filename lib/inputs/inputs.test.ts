import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressText, plainAddress } from './addresses.ts';
import { emailSources } from './emails.ts';
import { customerOf, plainCustomer, shrinkCustomer } from './customers.ts';
import { styles, usualStyle, styleArbitraries, writeJson } from './json-styles.ts';
import { ends, fragments, signEnds, signStarts, starts, everydayNames, scripts } from './dictionaries.ts';
import { nameSources } from './names.ts';
import { customerRequest, tokenRequest } from '../schemas/interface.ts';
import { readable, smallerText } from './shrinking.ts';
import type { CustomerInput } from './customers.ts';
import { tokenOf, wideToken } from './tokens.ts';

const asGiven = <T>(items: readonly T[]): readonly T[] => items;
const generate = <T>(arbitrary: fc.Arbitrary<T>): T => fc.sample(arbitrary, { seed: 1, numRuns: 1 })[0]!;

/** Domains of RFC 2606, and of documentation (RFC 5737, RFC 3849). */
const RESERVED =
  /(?:^|[.。．])(?:example\.(?:com|net|org)|example|test|invalid|localhost)[\s.\uFEFF]*$|^\[.*\]$/i;

describe('inputs', () => {
  it('satisfy the schemas of the interface', () => {
    const { alone, combined } = nameSources(asGiven);
    const names = [...alone, ...combined].map(({ name }) => generate(name));
    const addresses = emailSources(asGiven).map(({ address }) => generate(address));
    for (const name of names)
      expect(customerRequest.safeParse({ name, email: 'a@example.com' }).success).toBe(true);
    for (const address of addresses) {
      const email = addressText(address, 'q1');
      expect(customerRequest.safeParse({ name: 'Ada', email }).success).toBe(true);
    }
    fc.assert(
      fc.property(
        plainCustomer,
        (input) => customerRequest.safeParse(customerOf(input, 'q1', undefined)).success,
      ),
    );
    fc.assert(fc.property(wideToken, (input) => tokenRequest.safeParse(tokenOf(input)).success));
  });

  it('keep addresses under reserved names when they shrink', () => {
    const outside = new Set<string>();
    const look = (input: CustomerInput, depth: number): void => {
      for (const { value } of shrinkCustomer.shrink(input, undefined)) {
        const { local, nonceIn } = value.address;
        const email = addressText({ ...value.address, local: local && 'ada' }, 'q1');
        for (const [, domain = ''] of email.matchAll(/@([^\s,;>]*)/g))
          if (nonceIn !== 'none' && !RESERVED.test(domain)) outside.add(email);
        if (depth > 1) look(value, depth - 1);
      }
    };
    const addresses = emailSources(asGiven).map((source) => generate(source.address));
    for (const address of addresses.filter(({ before, labels, after }) => before + labels + after !== ''))
      look({ name: 'Ada Berg', address, style: usualStyle }, 2);
    expect([...outside]).toEqual([]);
  });

  it('have plain customers: two short ASCII words, and letters and digits at example.com', () => {
    fc.assert(
      fc.property(plainCustomer, (input) => {
        const { name, email } = customerOf(input, 'q1w2', undefined);
        return /^[A-Z][a-z]{1,9} [A-Z][a-z]{1,11}$/.test(name) && /^[a-z][a-z0-9]+@example\.com$/.test(email);
      }),
    );
  });

  it('are at a domain of the user in place of example.com, and otherwise keep their domains', () => {
    const emailOf = (domain: string): string =>
      customerOf({ ...generate(plainCustomer), address: { ...plainAddress, domain } }, 'q1', 'acme.dev')
        .email;
    expect(emailOf('example.com')).toBe('adaq1@acme.dev');
    expect(emailOf('example.org')).toBe('adaq1@example.org');
  });

  it('keep every address under a reserved name, and each one unique', () => {
    for (const { address } of emailSources(asGiven).filter(({ category }) => category !== 'no address')) {
      const email = addressText(generate(address), 'qmark');
      expect(email).toMatch(
        /(?:example\.{1,2}(?:com|org|net)|\.test|\.example|\.invalid|@localhost|@\[(?:192\.0\.2\.|IPv6:2001:0?db8:).*\])[.>;\s\u00A0\uFEFF]*$/i,
      );
      expect(email).toContain('qmark');
    }
  });

  it('reach more than 90 distinct names', () => {
    const { alone, combined } = nameSources(asGiven);
    expect(new Set([...alone, ...combined].map(({ name }) => generate(name))).size).toBeGreaterThan(140);
  });
});

describe('names', () => {
  const all = nameSources(asGiven);
  const textsOf = (sources: typeof all.alone): string[] => sources.map(({ name }) => generate(name));
  const texts = textsOf([...all.alone, ...all.combined]);

  it('have each piece of the dictionaries among others', () => {
    const pieces = [...Object.values(fragments).flat(), ...Object.values(scripts).flat()];
    const isInside = (piece: string): boolean =>
      texts.some((text) => text.length > piece.length && text.includes(piece));
    expect(pieces.filter((piece) => !isInside(piece))).toEqual([]);
  });

  it('are at most 40 letters, marks and signs of strict validators, if they are everyday names', () => {
    const strict = /^(?=.{1,40}$)\p{L}[\p{L}\p{M} .'’-]+$/u;
    expect(everydayNames.filter((text) => !strict.test(text))).toEqual([]);
    // Each letter that is often damaged, and each sign, stands in one of them.
    const joined = everydayNames.join(' ');
    const missing = [...".'’-üßñçÆŁŽȘşĐơưİıЖЇёΐς"].filter((letter) => !joined.includes(letter));
    expect(missing).toEqual([]);
  });

  it('begin and end with each edge', () => {
    expect([...starts, ...signStarts].filter((edge) => !texts.some((text) => text.startsWith(edge)))).toEqual(
      [],
    );
    expect([...ends, ...signEnds].filter((edge) => !texts.some((text) => text.endsWith(edge)))).toEqual([]);
  });

  it('begin and end, over several runs, with the pieces of categories without signs', () => {
    const runs = fragments['astral planes']!.flatMap((_, by) =>
      textsOf(
        nameSources((items) => [...items.slice(by), ...items.slice(0, by)]).combined.filter(
          ({ category }) => category === 'astral planes',
        ),
      ),
    );
    for (const piece of fragments['astral planes']!) {
      expect(runs.some((text) => text.startsWith(piece))).toBe(true);
      expect(runs.some((text) => text.endsWith(piece))).toBe(true);
    }
  });

  it('of several pieces have at most 100 characters, letters of scripts at most 50 in each half', () => {
    const joined = all.combined.filter(({ category }) => category in fragments || category in scripts);
    expect(Math.max(...textsOf(joined).map((text) => [...text].length))).toBeLessThanOrEqual(100);
    for (const half of Object.values(scripts).flat()) {
      expect([...half].length).toBeLessThanOrEqual(50);
      expect(half).toMatch(/^[\p{L}\p{M} ]*$/u);
    }
  });

  it('and addresses fit into the requests of a run', () => {
    // Twelve of the single names are sent at the same instant; one more request has a name that equals its address.
    const pairs = Math.max(all.alone.length - 12, emailSources(asGiven).length);
    expect(1 + all.combined.length + pairs).toBeLessThanOrEqual(160);
  });
});

describe('addresses', () => {
  const emails = emailSources(asGiven).map(({ category, address }) => ({
    category,
    email: addressText(generate(address), 'q12345abc'),
  }));

  it('have the lengths of RFC 5321, with no label longer than 63', () => {
    const long = emails.filter(({ category }) => category === 'long address').map(({ email }) => email);
    expect(long.map((email) => email.length)).toEqual(
      expect.arrayContaining([253, 254, 255, 256, 257, 258, 320, 321]),
    );
    for (const email of long) {
      const labels = email.slice(email.indexOf('@') + 1).split('.');
      expect(labels.every((label) => label.length > 0 && label.length <= 63)).toBe(true);
    }
  });

  it('have a filler of any length that leaves no label empty or too long', () => {
    for (let total = 0; total < 400; total++) {
      const email = addressText({ ...plainAddress, nonceIn: 'domain', total }, 'q12345abcdefghi1');
      expect(email.length).toBe(Math.max(total, 'ada@q12345abcdefghi1.example.com'.length));
      expect(email).toMatch(/^ada@(?:[a-z0-9]{1,63}\.)+com$/);
    }
  });

  it('are at the domain of the operator only if there is one', () => {
    const at = (domain?: string): number =>
      emailSources(asGiven, domain).filter(({ address }) =>
        addressText(generate(address), 'q1').endsWith('@mail.acme.dev'),
      ).length;
    expect(at()).toBe(0);
    expect(at('mail.acme.dev')).toBeGreaterThan(4);
  });
});

describe('JSON encodings', () => {
  it('encode the same value in every style', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.record({ ...styleArbitraries, fields: fc.constant([]) }),
        (value, style) => {
          expect(JSON.parse(writeJson(value, style))).toEqual(JSON.parse(JSON.stringify(value)));
        },
      ),
    );
  });

  it('differ from the usual text', () => {
    const value = { name: 'Ada', email: 'ada@example.com' };
    const texts = styles.map((style) => writeJson(value, style));
    expect(new Set([...texts, writeJson(value, usualStyle)]).size).toBe(styles.length + 1);
    expect(writeJson(value, usualStyle)).toBe(JSON.stringify(value));
  });

  it('write escapes as RFC 8259 defines them', () => {
    expect(writeJson('é😀/', { ...usualStyle, escape: 'non-ascii', hex: 'upper' })).toBe(
      String.raw`"\u00E9\uD83D\uDE00/"`,
    );
    expect(writeJson('a/', { ...usualStyle, escape: 'solidus' })).toBe(String.raw`"a\/"`);
    expect(writeJson({ a: 'b' }, { ...usualStyle, escape: 'values' })).toBe(String.raw`{"a":"\u0062"}`);
  });
});

describe('readable texts', () => {
  /** Steps to the first candidate that fails too, as shrinking does. */
  const shrunk = (text: string, fails: (text: string) => boolean): string => {
    for (let left = text, steps = 0; ; steps++) {
      expect(steps).toBeLessThan(200);
      const next = [...readable('Ada Berg')(left)].find(fails);
      if (next === undefined) return left;
      left = next;
    }
  };

  it.each([
    ['a plain name, if that fails too', 'x\u0000<b>y', () => true, 'Ada Berg'],
    ['what is trimmed, beside a word', 'q \tAda o ', (text: string) => text.trim() !== text, ' Ada'],
    ['what is escaped, beside a word', 'q<b>r&s', (text: string) => /[<&]/.test(text), '<Ada'],
    ['a text that fails alone, alone', 'null', (text: string) => text === 'null', 'null'],
    ['the empty text', '', (text: string) => text === '', ''],
  ])('lead to %s', (_, text, fails, expected) => {
    expect(shrunk(text, fails)).toBe(expected);
  });

  it('end, whatever fails', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), fc.integer(), (text, salt) => {
        shrunk(text, (candidate) => (candidate.length * 31 + salt) % 3 !== 0);
      }),
    );
  });
});

describe('smaller texts', () => {
  it('are shorter, or as long with more of the letter a, and well formed', () => {
    const plainness = (text: string): number => [...text].filter((point) => point === 'a').length;
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 90 }), (text) => {
        for (const smaller of smallerText(text)) {
          expect(smaller.isWellFormed()).toBe(true);
          const sizes = [[...smaller].length, [...text].length] as const;
          expect(sizes[0] < sizes[1] || (sizes[0] === sizes[1] && plainness(smaller) > plainness(text))).toBe(
            true,
          );
        }
      }),
    );
  });

  it('lead to the one character that matters', () => {
    let text = 'McDonald Ω İ <b>long</b> and more of it, up to the end';
    for (let smaller: string | undefined = ''; smaller !== undefined;) {
      smaller = [...smallerText(text)].find((candidate) => candidate.includes('İ'));
      if (smaller !== undefined) text = smaller;
    }
    expect(text).toBe('İ');
  });
});
