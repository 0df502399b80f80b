import fc from 'fast-check';
import { addresses, noAddress } from './address.ts';
import type { Address } from './address.ts';
import { roundRobin } from './round-robin.ts';

/** A class of addresses that a service may take or refuse as one. */
export interface EmailSource {
  readonly category: string;
  readonly address: fc.Arbitrary<Address>;
}

const reserved = ['example.com', 'example.org', 'example.net'] as const;
const fixed = (text: string): fc.Arbitrary<string> => fc.constant(text);

const locals: Readonly<Record<string, readonly string[]>> = {
  'mixed case': ['Ada.LOVELACE', 'ADA', 'adaLovelace'],
  'plus tag': ['ada+news', 'ada+a+b', '+ada'],
  dots: ['a.d.a', 'ada.m.lovelace'],
  comment: ['ada(work)'],
  apostrophe: ["o'brien"],
  dashes: ['ada-lovelace', '_ada_l_'],
  'other atext': ['a!b#c$d', 'a%b*c/d', 'a=b?c^d', 'a`b{c|d}e', '~a&b', '%s%d'],
  digits: ['12345', '007', '1e5'],
  keyword: ['null', 'undefined', 'test', 'admin', 'postmaster'],
  template: ['{{7*7}}', '${7*7}', '#{7*7}', '%41', '&amp;', '=1+1', '$1$&', '=41'],
  quoted: ['"ada lovelace"', '"a@b"', String.raw`"a\"b"`, '"a..b"'],
  international: ['é', 'e\u0301', '用户', 'İ', 'ﬁ', 'straße', '😀'],
  'one character': ['a'],
};

const domains: Readonly<Record<string, readonly string[]>> = {
  'mixed-case domain': ['Example.COM', 'EXAMPLE.com'],
  'reserved domain': ['example.org', 'ada.test', 'ada.example'],
};

const labels: Readonly<Record<string, readonly string[]>> = {
  'many labels': ['a.b.c.d.e.f.', 'www.mail-1.'],
  'long label': [`${'a'.repeat(63)}.`],
  'mixed-case label': ['Mail.'],
  'international label': ['bücher.', 'xn--bcher-kva.'],
};

/** What stands before and after the address itself. */
const around = [
  [' ', ''],
  ['', ' '],
  ['', '\n'],
  ['\t', '\u00A0'],
  ['\u200B', ''],
  ['', '.'],
  ['Ada <', '>'],
  ['mailto:', ''],
] as const;

/**
 * The email sources of a run, every category early in the list.
 * @param shuffle puts a category's members in an order of the run's
 */
export function emailSources(shuffle: <T>(items: readonly T[]) => readonly T[]): EmailSource[] {
  const categories: EmailSource[][] = [
    ...Object.entries(locals).map(([category, list]) =>
      shuffle(list).map((local) => ({ category, address: addresses({ local: fixed(local) }) })),
    ),
    ...Object.entries(domains).map(([category, list]) =>
      shuffle(list).map((domain) => ({ category, address: addresses({ domain: fixed(domain) }) })),
    ),
    ...Object.entries(labels).map(([category, list]) =>
      shuffle(list).map((text) => ({ category, address: addresses({ labels: fixed(text) }) })),
    ),
    [
      { category: 'long local part', address: addresses({ local: fixed('a'.repeat(64)) }) },
      {
        category: 'long address',
        address: addresses({ local: fixed('ada'), labels: fixed('abcdefghi.'.repeat(20)) }),
      },
    ],
    shuffle(around).map(([before, after]) => ({
      category: 'around',
      address: addresses({ before: fixed(before), after: fixed(after) }),
    })),
    ['', ' ', 'ada', 'null'].map((text) => ({
      category: 'no address',
      address: fc.constant(noAddress(text)),
    })),
    [0, 1, 2].map(() => ({ category: 'any address', address: anyAddress })),
  ];
  return roundRobin(categories);
}

/** Every form of local part that fast-check makes, at reserved domains. */
const anyAddress = addresses({
  local: fc.emailAddress().map((address) => address.slice(0, address.lastIndexOf('@'))),
  domain: fc.constantFrom(...reserved),
});
