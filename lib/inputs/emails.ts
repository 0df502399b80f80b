import fc from 'fast-check';
import { noAddress, plainAddress } from './addresses.ts';
import type { Address } from './addresses.ts';
import { roundRobin } from './lists.ts';

/** Addresses of one category: a service tends to accept or reject all of them. */
interface EmailSource {
  readonly category: string;
  readonly address: fc.Arbitrary<Address>;
}

type Dictionary = Readonly<Record<string, readonly string[]>>;

/**
 * Local parts, of each category those that show the most first; the nonce is the first label of the domain, so that they
 * stay unchanged.
 */
// oxfmt-ignore
const locals: Dictionary = {
  // Many features at once; the other categories have them one by one, for services that reject some of them.
  'all atext': ["a!b#c$d%e&f'g*h+i-j/k=l?m^n_o`p{q|r}s~t"],
  'quoted, all': [String.raw`"a b\"c\\d\@e..f,g;h:i<j>k[l](m)"`],
  'international, all': ['Éİﬁ用户Жστ\u0301ßςＡ’–а'],
  quoted: ['"Ada.b"', '"ada lovelace"', '"a@b"', String.raw`"a\"b"`, String.raw`"\a\d\a"`, '""'],
  // Variable envelope return paths, routes and tags with other signs than a plus.
  'routes and tags': [
    'bounce+ada=example.org', 'ada%example.org', 'example.org!ada', 'prvs=1234=ada', 'SRS0=aB=cD=example.org=ada', '@example.org:ada',
    'ada--news',
  ],
  template: ['{{7*7}}#{7*7}${7*7}$1$&', '=1+1', '%41=41&amp;%40'],
  dots: ['a..b', '.ada.'],
  'white space': ['ada ', ' a\tb', 'ada\r\n '],
  'other atext': ['~a!b#c$d', 'a%b*c/d', 'a=b?c^d', 'a`b{c|d}e&f', '%s%d'],
  invisible: ['a\u200Bb\u00ADc\u202Ad\u200Ee', 'a\u0000b'],
  separators: ['a,b;c:d', '<a>[b]', String.raw`a\b`],
  keyword: ['null', 'test', 'postmaster', 'noreply'],
  digits: ['007', '1e5'],
  international: ['e\u0301', '用户', 'straßeİ', '😀', 'ΑΣς'],
  apostrophe: ["'o'brien"],
  comment: ['(c)ada(work)'],
};

/** Local parts that most services accept: each has an upper-case letter, a dot and a plus tag, or one of them. */
// oxfmt-ignore
const commonLocals = [
  'Ada.B+news', 'ADA.l+a+b-', 'ada-B.c+1', '_Ada_.l+', 'ada-news', 'aB.c_d+e.f', '+Ada.b', '-A.b-+_', '0.Ada+0', 'A.b+ada+', 'Ada',
];

/** Sub-domains and spellings of example.com that most services accept. */
// oxfmt-ignore
const commonDomains: readonly (readonly [labels: string, domain: string])[] = [
  ['', 'Example.COM'], ['www.', 'example.com'], ['Mail.', 'example.com'], ['www.mail-1.', 'example.com'], ['1.2.', 'example.com'],
  ['a.b.c.d.e.f.', 'example.com'], ['', 'EXAMPLE.com'], ['007.', 'example.com'], ['x--y.', 'example.com'],
];

/** Labels of domains; the nonce is the label before them. */
// oxfmt-ignore
const labels: Dictionary = {
  'mapped labels': ['Bücher.straße.βόλος.例え。ＡＢ．ﬁ.'],
  'odd label': ['-a-._b_.c-.', 'a-.-b.', '_dmarc.a_b.', 'a..'],
  punycode: ['xn--bcher-kva.', 'XN--BCHER-KVA.'],
  'international label': ['BÜCHER.', 'bücher.', 'straße.', 'βόλος.', '例え。', 'ａＢ．', 'क्‍ष.', 'a\u00ADb.'],
};

/** Whole domains, as some services check the first label or the whole; the nonce is in the local part. */
// oxfmt-ignore
const domains: Dictionary = {
  // Addresses for documentation (RFC 5737, RFC 3849).
  'address literal': ['[IPv6:2001:DB8::A]', '[192.0.2.1]', '[ipv6:2001:0db8:0:0:0:0:0:1]'],
  'misspelt provider': ['gmial.example', 'hotmial.yahooo.example', 'Yahooo.test', 'googlemail.example'],
  'reserved domain': ['www.example.com', 'example.org', 'ada.test', 'example.net', 'mail.invalid'],
  'single label': ['localhost'],
  'odd dots': ['example..com'],
};

/** Text before and after the address itself. */
const around = [
  [' ', '\n'],
  ['', ' '],
  ['\t', '\u00A0'],
  ['\u200B', '\uFEFF'],
  ['', '.'],
  ['Ada <', '>'],
  ['mailto:', ';'],
  ['eve@example.com, ', ''],
] as const;

/**
 * Limits in characters, and one more: of local part, path and forward-path (RFC 5321, section 4.5.3.1), of a domain (255),
 * and of usual columns. A domain of 255 makes 257 with a local part of one letter, and 320 with one of 64.
 */
const totals: readonly (readonly [local: string, total: number])[] = [
  [letters(64), 321],
  [letters(64), 320],
  ['Ada', 254],
  ['Ada', 100],
  ['ada', 191],
  ['ada', 253],
  ['ada', 255],
  ['ada', 256],
  ['a', 257],
  ['a', 258],
];

function letters(count: number): string {
  return 'abcdefghijklmnopqrstuvwxyz'.repeat(Math.ceil(count / 26)).slice(0, count);
}

/** Spellings that a mailbox provider may treat as the same mailbox. */
const providerForms = ['a.d.a', 'Ada', 'ada+news', 'ada-news', 'ada_', 'ada=news'];

/**
 * The email sources of a run, every category early in the list.
 * @param shuffle puts items in an order that the seed decides
 * @param ownDomain a domain of the operator, for the rules of its provider; undefined: reserved names only
 */
export function emailSources(
  shuffle: <T>(items: readonly T[]) => readonly T[],
  ownDomain?: string,
): EmailSource[] {
  const common = commonAddresses(shuffle);
  const from = <T>(
    category: string,
    [first, ...rest]: readonly T[],
    addressOf: (item: T, at: number) => Address,
  ): EmailSource[] =>
    [...(first === undefined ? [] : [first]), ...shuffle(rest)].map((item, at) => ({
      category,
      address: fc.constant(addressOf(item, at)),
    }));
  const fromEach = (
    dictionary: Dictionary,
    addressOf: (text: string, at: number) => Address,
  ): EmailSource[][] => Object.entries(dictionary).map(([category, list]) => from(category, list, addressOf));
  return roundRobin([
    from('own domain', ownDomain === undefined ? [] : providerForms, (local) => ({
      ...plainAddress,
      local,
      domain: ownDomain!,
    })),
    ...fromEach(labels, (text, at) => ({
      ...common[at % common.length]!,
      labels: text,
      domain: 'example.com',
      nonceIn: 'domain',
    })),
    ...fromEach(domains, (domain) => wide({ domain })),
    from('long address', totals, ([local, total]) => wide({ local, total })),
    from('long local part', [65, 64], (length) => wide({ local: letters(length) })),
    from('long label', [64, 63], (length) => wide({ labels: `${letters(length)}.` })),
    from('around', around, ([before, after]) => wide({ before, after })),
    ...fromEach(locals, (local) => wide({ local })),
    from('no address', ['', ' ', 'null'], noAddress),
    [{ category: 'any address', address: anyAddress }],
  ]);
}

/** Addresses with several features, which most services accept. */
export const commonAddresses = (shuffle: <T>(items: readonly T[]) => readonly T[]): Address[] => {
  const around = shuffle(commonDomains);
  return shuffle(commonLocals).map((local, at) => {
    const [labels, domain] = around[at % around.length]!;
    // A local part of words alone stays one, and one that ends with a hyphen.
    const nonceIn = at % 2 === 0 && !/^[a-z]+-[a-z]+$|-$/.test(local) ? 'local' : 'domain';
    return { ...plainAddress, local, labels, domain, nonceIn };
  });
};

/** Every form of local part that fast-check makes, at reserved domains. */
const anyAddress: fc.Arbitrary<Address> = fc
  .record({
    local: fc.emailAddress().map((address) => address.slice(0, address.lastIndexOf('@'))),
    domain: fc.constantFrom('example.com', 'example.org', 'example.net'),
  })
  .map(wide);

/** An address whose other parts are plain. A wide local part stays as it is: the nonce goes into the domain. */
function wide(parts: Partial<Omit<Address, 'nonceIn'>>): Address {
  return { ...plainAddress, ...parts, nonceIn: parts.local === undefined ? 'local' : 'domain' };
}
