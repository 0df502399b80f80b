import fc from 'fast-check';
import { roundRobin } from './names.ts';

/** Addresses of one category: a service tends to accept or reject all of them. */
interface EmailSource {
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

/** Text before and after the address itself. */
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
 * @param shuffle puts items in an order that the seed decides
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

/**
 * An email address before it is made unique: the nonce of a request goes into the local part or in front of the domain,
 * so that no address is sent twice, not even while shrinking.
 */
export interface Address {
  readonly before: string;
  readonly local: string;
  readonly labels: string;
  /** Under a reserved name (RFC 2606), and never shrunk away from it: no mail ever leaves. */
  readonly domain: string;
  readonly after: string;
  /** `none`: the text is no address, only `before` and `after`. */
  readonly nonceIn: 'local' | 'domain' | 'none';
}

/** The address as text. @param nonce lower-case letters and digits, at most 16 */
export function addressText(
  { before, local, labels, domain, after, nonceIn: where }: Address,
  nonce: string,
): string {
  if (where === 'none') return before + after;
  const unique = where === 'local' ? `${local}${nonce}@` : `${local}@${nonce}.`;
  return `${before}${unique}${labels}${domain}${after}`;
}

/** The plain tier: letters and digits at example.com. */
export const plainAddress: Address = {
  before: '',
  local: 'ada',
  labels: '',
  domain: 'example.com',
  after: '',
  nonceIn: 'local',
};

/** A text that is no address, sent unchanged. */
export const noAddress = (text: string): Address => ({
  ...plainAddress,
  before: text,
  local: '',
  domain: '',
  nonceIn: 'none',
});

/** An arbitrary for addresses; parts that are left out are plain. */
export function addresses(parts: {
  before?: fc.Arbitrary<string>;
  local?: fc.Arbitrary<string>;
  labels?: fc.Arbitrary<string>;
  domain?: fc.Arbitrary<string>;
  after?: fc.Arbitrary<string>;
}): fc.Arbitrary<Address> {
  const text = (part: fc.Arbitrary<string> | undefined, plain: string): fc.Arbitrary<string> =>
    part ?? fc.constant(plain);
  return fc.record({
    before: text(parts.before, ''),
    local: text(parts.local, 'ada'),
    labels: text(parts.labels, ''),
    domain: parts.domain ?? fc.constant('example.com'),
    after: text(parts.after, ''),
    // A wide local part stays as it is, with the nonce in the domain.
    nonceIn: fc.constant(parts.local === undefined ? 'local' : 'domain'),
  });
}
