import { describe, expect, it } from 'vitest';
import { addressText } from '../inputs/addresses.ts';
import { emailSources } from '../inputs/emails.ts';
import { nameSources } from '../inputs/names.ts';
import type { Call } from '../reference/call.ts';
import { behaviourOf, first, foundIn, namesOf } from './faults.testing.ts';
import { causeOfEchoes, isPartOf } from './texts.ts';
import type { ReturnedText } from './texts.ts';

const unshuffled = <T>(items: readonly T[]): readonly T[] => items;

/** What a run submits. */
const { alone, combined } = nameSources(unshuffled);
const submitted = {
  name: ['Ada Berg', ...[...alone, ...combined].map(({ name }) => first(name))],
  email: emailSources(unshuffled).map(({ address }, at) => addressText(first(address), `q1x${at}`)),
};

/** The fault's change of each submitted text. */
function echoesOf(fault: string, member: 'name' | 'email'): { sent: string; got: unknown }[] {
  const change = behaviourOf(fault)[member]!;
  return submitted[member].map((sent) => ({ sent, got: change(sent, {} as Call) }));
}

describe('the likely cause of changed names', () => {
  it('is found where the catalogue has it, and nothing else is reported', () => {
    const faulty = [...namesOf('names'), ...namesOf('scripts')];
    expect(foundIn(faulty, (name) => causeOfEchoes(echoesOf(name, 'name')))).toMatchSnapshot();
  });

  it('is none of a service that changes nothing', () => {
    expect(causeOfEchoes(submitted.name.map((sent) => ({ sent, got: sent })))).toBeUndefined();
  });

  it.each(['&#99999999;', '&#x110000;', '&AMP;', '%', '%ff', '\ud83d', ''])(
    'is none of a text without a meaning that got another one: %j',
    (sent) => expect(causeOfEchoes([{ sent, got: `${sent}!` }])).toBeUndefined(),
  );

  it('is a trim of the characters that ends have lost, if only these are, and always', () => {
    const causeOf = (...pairs: readonly (readonly [sent: string, got: string])[]): string | undefined =>
      causeOfEchoes(pairs.map(([sent, got]) => ({ sent, got })))?.text;
    const trimmed = [
      ['-Ada-', 'Ada'],
      ['.A-da.', 'A-da'],
      ['.-', ''],
    ] as const;
    expect(causeOf(...trimmed)).toBe('- and . trimmed at both ends');
    expect(causeOf(...trimmed, ['-A;', 'A'])).toBe(
      '- and . trimmed at the start, -, . and ; trimmed at the end',
    );
    expect(causeOf(['-Ada-', 'Ada-'], ['-A-da', 'A-da'])).toBe('- trimmed at the start');
    expect(causeOf(['A-da-', 'A-da'], ['-', ''])).toBe('- trimmed at the end');
    expect(causeOf(...trimmed, ['-Eve', '-Eve'])).toBeUndefined();
    expect(causeOf(...trimmed, ['Eve Esq.', 'Eve'])).toBeUndefined();
  });

  it('is none if one response does not fit', () => {
    const echoes = echoesOf('name-trim', 'name');
    expect(causeOfEchoes(echoes)?.text).toBe('white space trimmed at both ends');
    const untouched = echoes.map((echo, at) => (at === 0 ? { ...echo, got: 'else' } : echo));
    expect(causeOfEchoes(untouched)).toBeUndefined();
  });

  it('is title case also for letters that have one of their own', () => {
    const returned = { "they'RE ǆON ᾳΣ ﬁN": "They'Re ǅon ᾼς Fin", 'აბგ ᲐᲑ': 'აბგ Აბ' };
    const echoes = Object.entries(returned).map(([sent, got]) => ({ sent, got }));
    expect(causeOfEchoes(echoes)?.text).toBe('words in title case');
  });

  // What Go's packages strings, html, net/url and unicode return, unless it says otherwise.
  it.each([
    ['lower-cased', { 'İnci ΣΑΣ': 'inci σασ', 'Ada ẞ Ǆ': 'ada ß ǆ' }],
    ['upper-cased', { 'straße ŉ': 'STRAßE ŉ', 'ada ß ǆ ﬁ': 'ADA ß Ǆ ﬁ' }],
    [
      'white space trimmed, and its runs replaced by one space',
      { '\u0085Ada  Berg\t': 'Ada Berg', '\ufeffAda': '\ufeffAda' },
    ],
    [
      'HTML entities decoded',
      { '&amp; &lt; &#65; &eacute; &copy &quot &apos; &apos x &nbsp;': '& < A é © " \' &apos x \u00a0' },
    ],
    [
      'first letters of words in upper case',
      { "ada o'BERG-ǆon_x ßé": "Ada O'BERG-ǅon_x ßé", 'é👩x ３x\u00a0y': 'É👩x ３x\u00a0Y' },
    ],
    [
      'the text used as a format of fmt in Go',
      { '100%': '100%!(NOVERB)', '%d %% %2$s%é': '%!d(MISSING) % %!$(MISSING)s%!é(MISSING)' },
    ],
    [
      'the text used as a pattern of MessageFormat in Java',
      { "O'Brien": 'OBrien', "it''s '{0}'": "it's {0}", '{0}': '{0}' },
    ],
    // Python's str.casefold and string.capwords, and Ruby's split.map(&:capitalize).join(' ').
    ['case-folded', { 'Weiß ΟΔΟΣ ı': 'weiss οδοσ ı', 'İ Ꭰꭰ ẞ': 'i̇ ᎠᎠ ss' }],
    ['words in title case', { "ada o'BERG\tx  y": "Ada O'berg\tX  Y" }],
    [
      'words in title case, with one space between them',
      { " ada  o'BERG\n": "Ada O'berg", 'a\x1cb\ufeff': 'A B\ufeff' },
    ],
    // normalize('NFKD').encode('ascii', 'ignore') in Python.
    ['accents and all characters beyond ASCII removed', { 'José ½ Ж': 'Jose 12 ' }],
    // parse_qs in Python, Laravel's middleware, and what a parser of XML returns.
    ['read as a member of a query string', { 'a+b&c%41': 'a b', 'a%41;b': 'aA;b' }],
    ['white space trimmed at both ends, and empty text replaced by null', { ' Ada ': 'Ada', ' ': null }],
    ['digits replaced by a number', { 42: 42, '007': 7, '1e3': '1e3', '1.50': '1.50' }],
    ['white space trimmed at both ends, and numbers rewritten', { '\nAda ': 'Ada', ' 1e3': 1000 }],
    // A column of Windows-1252, also where a character beyond U+FFFF is two characters.
    [
      'U+0141, U+010C, U+0218 and 11 others replaced by ?',
      { 'Łukasz Č Žé': '?ukasz ? Žé', Șăơėđħŧŋĳəǰẖ: '????????????' },
    ],
    ['U+0141, U+D83D and U+DE00 replaced by ?', { 'Łé 😀': '?é ??' }],
    ['{ and } removed', { '{Ada}': 'Ada' }],
    // re.sub(r"[^A-Za-z0-9 .'-]", "", name), and the classes of Unicode.
    [
      "all but ASCII letters, ASCII digits, spaces, ' and - removed",
      { "Åsa O'B-2 (x)": "sa O'B-2 x", 'Zoë <a@b>\t٣': 'Zo ab' },
    ],
    ['punctuation and symbols removed', { "Åsa O'B-2 (x)": 'Åsa OB2 x', '$a+b€': 'ab' }],
    ['ASCII digits removed', { 'Ada 1234': 'Ada ', b٣5: 'b٣' }],
    // Python's repr, MySQL's QUOTE, JSON within JSON.
    [
      'characters written as escapes with a backslash',
      { "O'B\n": String.raw`O\'B\n`, 'é\\😀ü': String.raw`\xe9\\\ud83d\ude00\u00fc` },
    ],
    // Rust's escape_default, R's encodeString and OCaml's String.escaped.
    ['characters written as escapes with a backslash', { 'é\n😀': String.raw`\u{e9}\n\u{1f600}` }],
    ['characters written as escapes with a backslash', { 'a\x1b1\ufffe': String.raw`a\0331\xef\xbf\xbe` }],
    ['characters written as escapes with a backslash', { 'éé"': String.raw`\195\169\195\169\"` }],
    // gsub("[[:space:]]+", " ", x) in R, whose tables are those of C.
    ['runs of white space replaced by one space', { 'a\u3000\tb\u00a0\x85c': 'a b\u00a0\x85c' }],
    [
      'ASCII white space trimmed at both ends',
      { '\v Ada\n': 'Ada', '\u3000Ada': '\u3000Ada', '\x01Ada': '\x01Ada' },
    ],
    // Haskell's Char8.pack, and a cast of each UTF-16 unit.
    ['code points cut to their low 8 bits', { 'é😀': 'é\0', Ł: 'A' }],
    ['code points cut to their low 8 bits', { 'é😀': 'é=\0', Ł: 'A' }],
    ['cut at the first line break', { 'Ada\rB\nC': 'Ada' }],
    // A library that knows the letters of an older Unicode.
    [
      'upper-cased, except some letters',
      { 'ada berg zoë': 'ADA BERG ZOË', 'clumsy fox': 'CLUMSY FOX', 'ოქრო 𐓘': 'ოქრო 𐓘' },
    ],
    ['characters beyond ASCII replaced by ones of ASCII', { 'Weiß Æ 株': 'Weiss AE Zhu', Ada: 'Ada' }],
    ['percent-encoded', { 'Ada é/ü+%': 'Ada%20%C3%A9/%c3%bc+%25' }],
    ['percent-encoded', { 'Ada B+': 'Ada+B%2B' }],
    ['cut at the first ,', { 'Ada, B, C': 'Ada', ',x': '', 'B C': 'B C' }],
    [
      'cut after 4 to 6 code points',
      { 'Ada Berg': 'Ada ', 'Adalbert Berg': 'Adalbe', 'A Bergholm': 'A Berg', Ada: 'Ada' },
    ],
    // Java's substring and getBytes.
    ['cut after 4 UTF-16 units', { 'Ada Berg': 'Ada ', 'Ada😀': 'Ada?', 'A😀Ada': 'A😀A', 'Ada?': 'Ada?' }],
    // Rails' truncate.
    [
      'cut after 8 code points, the last of them ...',
      { 'Ada Berg Hall': 'Ada B...', '😀da Berg': '😀da Berg', '😀da Berg2': '😀da B...' },
    ],
    [
      'NUL and characters beyond U+FFFF in modified UTF-8, each byte replaced by U+FFFD',
      { '😀': '\ufffd'.repeat(6), '\0é': '\ufffd\ufffdé' },
    ],
    [
      'quotes removed from the local part',
      { '"Ada.b"@example.com': 'Ada.b@example.com', '"a\\"b"@example.com': 'a\\"b@example.com' },
    ],
    // Tcl's encoding convertto.
    ['Latin-1 in place of UTF-8', { Zoë: 'Zo\ufffd', Łukasz: '?ukasz', '😀': '??' }],
    // Java's String.format, and Python's str.format.
    [
      'the text used as a format, in which %% stands for %',
      { '100%%': '100%', '5% of 100%%': '5% of 100%%', '%s': '%s' },
    ],
    [
      'the text used as a format, in which {{ stands for {, and }} for }',
      { '{{7}}': '{7}', '{}': '{}', 'a}}': 'a}' },
    ],
    // Python's codec idna.
    [
      'international domain converted to ASCII (IDNA 2003)',
      {
        'a@q1.straße.example': 'a@q1.strasse.example',
        'ß@q1.βόλος.example': 'ß@q1.xn--nxasmq6b.example',
        'a@q1.example\u00a0': 'a@q1.example ',
      },
    ],
    [
      'international domain mapped (IDNA 2003)',
      { 'a@q1.BÜCHER.straße.example': 'a@q1.bücher.strasse.example', 'a@क्\u200dष.example': 'a@क्ष.example' },
    ],
    // Java's String.strip, Ruby's String#strip and Python's str.capitalize.
    ['white space trimmed at both ends', { '\u3000Ada\x1c': 'Ada', '\u00a0Ada\u0085': '\u00a0Ada\u0085' }],
    [
      'ASCII white space and NUL trimmed at both ends',
      { '\fAda\0': 'Ada', '\u0001Ada\u0085': '\u0001Ada\u0085' },
    ],
    ['first letter in upper case, the others in lower case', { 'ǆon BERG': 'ǅon berg', '1A': '1a' }],
    // EmailStr of pydantic 1.
    [
      'domain lower-cased, white space and a name before the address removed',
      { 'Ada <Ada@Q1.example.COM>': 'Ada@q1.example.com', ' ada@ＡＢ.example\n': 'ada@ａｂ.example' },
    ],
    // Python's str.splitlines.
    ['line breaks replaced by spaces', { 'a\u2028b\r\n\nc\n': 'a b  c' }],
    ['plus signs replaced by spaces, and percent-decoded', { 'a+b%41': 'a bA', 'a+b%zz': 'a+b%zz' }],
    ['characters that cannot be printed removed', { 'A\u00a0b\u200d\t😀 é\u0301': 'Ab😀 é\u0301' }],
    ['characters that cannot be printed removed', { 'A\u00a0b\u200d\t😀': 'A\u00a0b😀' }],
    [
      'cut after 8 bytes',
      { 'Ada Berg Hall': 'Ada Berg', 'Ada 山田x': 'Ada 山\ufffd', 'Ada Be😀': 'Ada Be\ufffd\ufffd' },
    ],
  ])('is found in the way of another language: %s', (text, returned) => {
    const echoes = Object.entries(returned).map(([sent, got]) => ({ sent, got }));
    expect(causeOfEchoes(echoes)?.text).toBe(text);
  });

  it('is a trim where no name before an address was removed', () => {
    const returned = {
      ' Ada@Q1.example.COM\n': 'Ada@q1.example.com',
      'ada@ＡＢ.example': 'ada@ａｂ.example',
    };
    const echoes = Object.entries(returned).map(([sent, got]) => ({ sent, got }));
    expect(causeOfEchoes(echoes)?.text).toBe('white space trimmed at both ends, and domain lower-cased');
  });

  it('is a swap with the other text of the same request if each wrong text is that', () => {
    const echoes = submitted.name.map((sent, at) => {
      const other = `ada${at}@example.com`;
      return { sent, other, got: at % 3 === 0 ? other : sent };
    });
    expect(causeOfEchoes(echoes)?.id).toBe('swapped');
    expect(
      causeOfEchoes([...echoes, { sent: 'Ada', other: 'ada@example.com', got: 'else' }]),
    ).toBeUndefined();
  });

  it('is an empty text in place of some, which were not cut', () => {
    const echoes = submitted.name.map((sent, at) => ({ sent, got: at % 3 === 0 ? '' : sent }));
    expect(causeOfEchoes(echoes)?.id).toBe('emptied');
  });

  it('is a boundary within a character if such characters are lost in places', () => {
    const inBlocks = (text: string, size: number): string => {
      const bytes = Buffer.from(text);
      const count = Math.ceil(bytes.length / size);
      return Array.from({ length: count }, (_, at) =>
        String(bytes.subarray(at * size, (at + 1) * size)),
      ).join('');
    };
    const echoes = submitted.name.map((sent) => ({ sent, got: inBlocks(sent, 64) }));
    expect(causeOfEchoes(echoes)?.id).toBe('split');
    const submittedToo = `\ufffd${'a'.repeat(60)}`;
    const both = { sent: `${submittedToo}é`, got: `${submittedToo}\ufffd\ufffd` };
    expect(causeOfEchoes([...echoes, both])?.id).toBe('split');
    const shorter = echoes.map(({ sent, got }) => ({ sent, got: got.replace(/\ufffd.*/s, '') }));
    expect(causeOfEchoes(shorter)?.id).not.toBe('split');
  });

  it('is a change from some request on, or not always', () => {
    const echoesIf = (isChanged: (at: number) => boolean): ReturnedText[] =>
      submitted.name.map((sent, at) => ({ sent, got: isChanged(at) ? sent.toUpperCase() : sent }));
    expect(causeOfEchoes(echoesIf((at) => at > 30))?.text).toMatch(/, from some request on$/);
    expect(causeOfEchoes(echoesIf((at) => at % 7 === 0))?.text).toMatch(/, but not always$/);
  });

  it('is Latin-1 if such names come back as its bytes', () => {
    const echoes = submitted.name.map((sent) => ({
      sent,
      got: /^[\0-\xff]*$/.test(sent) ? Buffer.from(sent, 'latin1').toString() : sent,
    }));
    expect(causeOfEchoes(echoes)?.text).toBe('Latin-1 in place of UTF-8');
  });

  it('is not another request if the wrong text is the submitted one without its tag', () => {
    expect(isPartOf('ada1+news@example.com', 'ada1@example.com')).toBe(true);
    expect(isPartOf('ada1+news@example.com', 'ada2@example.com')).toBe(false);
    expect(isPartOf('ada1@example.net', 'ada1@example.com')).toBe(true);
    // What makes them unique is the first label.
    expect(isPartOf('Ada.B+news@q1.example.com', 'Ada.B+news@q2.example.com')).toBe(false);
    expect(isPartOf('Ada B. Berg', 'Berg, Ada')).toBe(true);
    expect(isPartOf('Ada B. Berg', 'Ada Holby')).toBe(false);
  });

  it('is another request if each wrong text was submitted by one', () => {
    const shifted = submitted.name.map((sent, at, all) => ({
      sent,
      got: at % 9 === 8 ? 'Ada Berg' : all[at],
    }));
    expect(causeOfEchoes(shifted)?.id).toBe('crossed');
    // Some requests resemble others.
    const alike = [...shifted, { sent: 'ada berg', got: 'Ada Berg' }];
    expect(causeOfEchoes(alike)?.id).toBe('crossed');
  });

  it('is the text of another request where that explains more than a change that is not always made', () => {
    const texts = ['Henry Quinner', 'Oscar Garland', 'Karen Lundlund'];
    const own = texts.map((text) => ({ sent: text, got: text }));
    const swapped = texts.map((text) => ({ sent: text.toUpperCase(), got: text.toLowerCase() }));
    const other = { sent: 'Ada Berg', got: 'Ada Berg' };
    expect(causeOfEchoes([...own, ...swapped, other])?.text).toBe('lower-cased, but not always');
    const lower = texts.map((text) => ({ sent: text.toLowerCase(), got: text.toLowerCase() }));
    expect(causeOfEchoes([...lower, ...swapped, other])?.id).toBe('crossed');
  });

  it.each<[cause: string | undefined, returned: Readonly<Record<string, unknown>>]>([
    ['"N/A" is returned in place of some texts', { '': 'N/A', ' ': 'N/A', '\t': 'N/A' }],
    [undefined, { '': 'N/A', ' ': 'N/A', '\t': 'none' }],
    [
      'some texts are read as dates, and returned with a time',
      {
        '2024': '2024-01-01T00:00:00.000Z',
        '0': '1970-01-01T00:00:00.000Z',
        '1/2/24': '01/02/2024 00:00:00',
      },
    ],
    ['numbers rewritten', { '-0': 0, '1e3': 1000, ' 5 ': 5 }],
    [
      'texts that are JSON replaced by their values',
      { '[1,{"a":2}]': [1, { a: 2 }], '{': '{', '"a"': 'a', '1': 1 },
    ],
    ['runs of two or more white space characters replaced by one space', { 'a  b': 'a b', 'a\tb': 'a\tb' }],
    ['accents removed', { 'Zoé Й': 'Zoe И', 한: '\u1112\u1161\u11ab' }],
    ['first letters of words in upper case', { "ann o'brien": "Ann O'Brien", joséa: 'JoséA' }],
    [
      'some white space removed, added or replaced',
      { 'a b': 'ab', 'c\td': 'c d', 'e  f': 'e\nf', 'g h': 'g h' },
    ],
    ['some letters in another case', { 'ada b': 'adA B', 'eve c': 'EvE c', 'bob d': 'BOB d', ola: 'ola' }],
    // A letter that becomes two is not only in another case.
    [undefined, { Groß: 'Gross', 'eve c': 'EvE c', 'bob d': 'BOB d' }],
    ['some characters in another form of Unicode', { 'ﬁ½': 'fi½', Ａ: 'A', '①': '1', '②': '②' }],
  ])('is %s, where that explains all', (cause, returned) => {
    const echoes = Object.entries(returned).map(([sent, got]) => ({ sent, got }));
    expect(causeOfEchoes([...echoes, { sent: '-', got: '-' }])?.text).toBe(cause);
  });

  it('is another type of JSON, if no wrong text is returned as a text', () => {
    const echoes = [
      { sent: 'no', got: false },
      { sent: '~', got: null },
      { sent: '0o17', got: 15 },
      { sent: 'Ada', got: 'Ada' },
    ];
    expect(causeOfEchoes(echoes)?.text).toBe('some texts are returned as null or booleans or numbers');
    expect(causeOfEchoes([...echoes, { sent: 'b', got: 'c' }])).toBeUndefined();
    expect(causeOfEchoes([...echoes, { sent: 'b', got: undefined }])).toBeUndefined();
  });

  it.each([
    ['Ada 12345678901234567', 'Ada 12345678901234568', 'long numbers rounded to a floating-point number'],
    ['2020-01-01', '2020-01-01T00:00:00.000Z', 'dates rewritten with a time'],
    [' Ada ', 'Ada', 'spaces trimmed at both ends'],
    [' \tAda', 'Ada', 'spaces and tabs trimmed at both ends'],
    ['Zoé', 'Zo\ufffd\ufffd', 'UTF-8 read as ASCII, each other byte replaced by U+FFFD'],
    ['a😀', `a${'\ufffd'.repeat(6)}`, 'surrogates encoded one by one (CESU-8), each byte replaced by U+FFFD'],
  ])('of %j as %j has a name', (sent, got, text) => {
    const kept = ['\tAda\u00a0', '\nAda', '\u3000Ada']
      .filter(() => text.includes('trimmed'))
      .slice(text.includes('tabs') ? 1 : 0);
    expect(
      causeOfEchoes([{ sent, got }, ...kept.map((one) => ({ sent: one, got: one.replace(/^ +| +$/g, '') }))])
        ?.text,
    ).toBe(text);
  });

  it.each<[cause: string | undefined, returned: Readonly<Record<string, string>>]>([
    // A text that grows is not cut, and neither is one that loses what stands at its end, whatever its length.
    [undefined, { 'Ada Berg': 'Ada Berg...', Adalbert: 'Adalbert...', Ola: 'Ola...' }],
    [
      'the end of some texts removed',
      { 'Ada 2.': 'Ada 2', 'Berg 2!': 'Berg', 'A long name? ': 'A long name?', 'Ada B': 'Ada B' },
    ],
    [undefined, { '#Ada': '', 'Ada Hansen': 'Ada Hansen' }],
    ['cut at the first #', { '#Ada': '', 'Ada#Ada': 'Ada', 'Ada Hansen': 'Ada Hansen' }],
  ])('is a cut only if the responses show one: %s', (cause, returned) => {
    const echoes = Object.entries(returned).map(([sent, got]) => ({ sent, got }));
    expect(causeOfEchoes(echoes)?.text).toBe(cause);
  });

  it.each([
    ['the other of name and email is returned in place of an empty text', ['']],
    ['the other of name and email is returned in place of a blank text', ['', ' ']],
    ['the email is returned as the name, or the name as the email', ['', 'Ola']],
  ])('is found where other texts come back as they were sent: %s', (cause, replaced) => {
    const other = 'ada@example.com';
    const echoes = ['Ada', ...replaced].map((sent) => ({ sent, other, got: sent === 'Ada' ? sent : other }));
    expect(causeOfEchoes(echoes)?.text).toBe(cause);
  });
});

describe('the likely cause of changed email addresses', () => {
  it('is found where the catalogue has it, and nothing else is reported', () => {
    const faulty = [...namesOf('emails'), ...namesOf('mailboxes')];
    expect(foundIn(faulty, (name) => causeOfEchoes(echoesOf(name, 'email')))).toMatchSnapshot();
  });
});
