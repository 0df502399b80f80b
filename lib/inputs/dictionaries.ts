/**
 * Pieces of text that back ends, validators, ORMs, firewalls and databases are known to change, by category. A service
 * that rejects one piece tends to reject its category.
 */
// oxfmt-ignore
export const fragments: Readonly<Record<string, readonly string[]>> = {
  letters: [
    'McDonald', 'LOVELACE', 'iPhone', 'van der Berg', 'eBay', 'a  b', 'a   b', 'aaa', 'bookkeeper', 'xx', '1st', "'s", 'DE LA', 'O’NEIL', 'Jr',
    'Mr', 'Mrs', 'Dr', 'PhD', 'Sr', 'LLC', 'GmbH', 'MacLeod', 'FitzGerald', 'Mcdonald', "O'brien", "d'Arcy", 'de', 'von', 'da', 'Ann Ann', 'Ann - Bo',
  ],
  punctuation: [
    "O'Brien", 'Anne-Marie', 'J.R.', 'Lovelace, Ada', 'a;b', 'a:b', '(c)', '[b]', 'no?', 'hey!!', '...',
    'a -- b', '---', 'A & B', 'a , b', '..', ',,', ':-)', ';)', ':D', '<3', '=>', '!=', '+-', '<=',
  ],
  signs: [
    '111', '====', '___', 'a+b', '50%', '#1', 'Ann #2', 'a@b', 'a*b', 'a^b', 'a=b', 'a~b', 'a|b', 'c_d', '$5', 'a/b',
    'x\\y', '€', '£', '§', '°', '±', '&amp', '&lt', '&#65',
  ],
  quotes: [
    '"q"', "''", '`t`', '“q”', '‘q’', '«q»', '‹q›', "\\'", '\\"', '\\\\', "it''s", '""', "``q''", '„q“', '$$',
    '"a","b"', '「q」', '￥', '&#39;', '&quot;', '（）', '，：', '´', '‧',
  ],
  html: [
    '<b>x</b>', 'a<b', 'a>b', 'R&D', '&amp;', '&lt;', '&#65;', '&eacute;', '<!-- c -->', '<br/>',
    '</p>', '&#x41;', '&copy', '&quot', '&apos;',
  ],
  'scripts and templates': [
    '<script>1</script>', 'javascript:x', '<img src=x onerror=y>', ']]>', '<?php 1?>', 'onclick="x"',
    'data:text/html,x', '{{7*7}}', '${7*7}', '#{7*7}', '<%= 7*7 %>', '{7*7}', '[[7*7]]', '*{7*7}', '@(7*7)',
    '{% x %}', '{{{x}}}', '${jndi:ldap://x}', '$!{x}', '<%x%>', '{# c #}', '@{x}', '#set($x=1)', '@@', '{!x}', '<#if x>', '{{!c}}',
  ],
  'sql and shell': [
    "' OR 1=1 --", '; DROP TABLE t', '/* c */', '$(id)', '`id`', '| cat', '&& ls', '../..', '%00',
    'UNION SELECT', 'SELECT * FROM t', '--', '/etc/passwd', 'a;b;c', 'a,b', 'a|b', '&x=1', '*)(uid=*', '// c', '..\\', '> f', 'C:\\x', '$t(x)', '*|X|*',
  ],
  formats: [
    '%s', '%d', '%n', '%%', '{0}', '{}', '$1', '$&', '\\1', '\\g<0>', ':email', '%(x)s', '${HOME}',
    '%PATH%', '?', '{{', '}}', '{{email}}', '%2$s', ',}', '@p1', '#1#',
  ],
  escapes: [
    '\\n', '\\t', '\\u0041', '\\x41', '%41', '%20', '+', '=41', '\\0', '&nbsp;', '%u0041', '\\/',
    '=?utf-8?Q?=41?=', '%C3%A9', '\\u{41}', '\\101', '\\2a', '%{x}',
  ],
  markdown: [
    '**b**', '_i_', '[a](b)', '~~s~~', '# h', ':smile:', ':)', 'http://example.com/', 'www.example.com',
    '(tm)', '(c)', '1/2', '->', '\\_', '@a',
  ],
  masked: [
    '4111 1111 1111 1111', '4111111111111111', '078-05-1120', 'ada@example.com', '+1 555 0100', 'password', 'secret', 'class',
    'Scunthorpe', 'Takeshita', 'Essex', 'Michelle', 'Cummings', 'Hancock', 'Dickens', 'Titian', 'Dick', 'DE89 3704 0044 0532 0130 00', '10.0.0.1', 'damn', 'sk_live_1', 'token=x', '2001:db8::1',
  ],
  digits: [
    '٣٧', '۳۷', '߃', '३७', '৩৭', '੩', '૩', '୩', '௩', '౩', '೩', '൩', '෩', '๓๗', '໓', '༣', '၃', 'ႃ', '៣', '᠓', '᥉', '᧓', '᪃',
    '᭓', '᮳', '᱃', '᱓', '꘣', '꣓', '꤃', '꧓', '꩓', '꯳', '３', '²', '½', '①', '⑴', '⒈', 'Ⅷ', 'ⅷ', '〇', '三', '㈢', '፫',
  ],
  compatibility: [
    'e\u0301\u0301', 'A\u030A', '\u212A', '\u212B', '\u1E9B\u0323', '\u0344', '\u2126', '\u0340', '\u1100\u1161', 'q\u0323\u0307', 'q\u0307\u0323',
    'ﬁ', 'Ａ', 'ａ', '＠', '＜', '＇', 'ｱ', '™', '℠', '㎏', '…', '‥', '\u2011', 'ĳ', '℃', 'ª', 'º', '㈱', '㏂', '〜', '～', '№', '℡', 'ﬆ', 'ℵ', '⁄', '＄', '﹤', 'ￜ',
    'Ǆ', 'ʰ', '𝟛',
  ],
  typography: [
    '–', '—', '―', '‐', '−', '’', '‛', 'ʼ', 'ʻ', 'ʹ', 'l·l', '•', '・', '′', '″', '„', '¨', '⼀',
    'раураl', 'Αpple', 'ѕ', 'օ', 'ꓮ', '،', '؛', '؟', '٪', '٫', '۔', '־', '׳', '״', '।', '॥', '。', '、', '「', '՞', '։', '჻',
    '\u037E', '\u0387',
  ],
  'astral planes': [
    '😀', '👍🏽', '👩‍💻', '🇩🇪', '❤️', '☺', '1️⃣', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', '𝒜', '𝗔', '𠮷', '𐍈', '\u{1D11E}', '\u{10400}\u{10428}', '\u{1E900}',
    '\u{1F130}', '\u{2F800}', '葛\u{E0100}', '\u{1D7D8}', '\u{1FAE8}', '\u{1F3F3}\uFE0F\u200D\u{1F308}', '\u{20B9F}',
  ],
  'invisible and direction': [
    '\u200B', '\u200C', '\u0D28\u0D4D\u200D', '\u2060', '\u00AD', '\uFEFF', '\u034F', '\u180E', '\u115F', '\u3164',
    '\u2800', '\uFE0F', '\uFE0E', '\u{E0061}', '\u2061', '\u2063', '\u206A', '\uFFA0', '\u17B4', '\u180B',
    '\u200E', '\u200F', '\u202A', '\u202B', '\u202C', '\u202D', '\u202E', '\u2066', '\u2067', '\u2068',
    '\u2069', '\u061C',
  ],
  'white space': [
    '\u00A0', '\u2000', '\u2002', '\u2003', '\u2007', '\u2009', '\u200A', '\u202F', '\u205F', '\u3000', '\u1680', '\u2028',
    '\u2029', '\u0085', '\u00A0 ', ' \u3000', 'a\nb', 'a\r\nb', 'a\rb', 'a\tb', 'a\vb', 'a\fb', '\n\n\n', 'a\t\tb', 'a \n b', '\n\r',
  ],
  controls: [
    '\u0001', '\u0007', '\b', '\u001B[31m', '\u001F', '\u007F', '\u0080', '\u009F', '\u0090', 'a\u0000b',
    '\u0000', '\u0002\u0003\u0004\u0005\u0006', '\u000E\u000F', '\u0010\u0011\u0012\u0013\u0014\u0015\u0016\u0017', '\u0018\u0019\u001A', '\u001C\u001D\u001E', '\u0081\u008D\u0099', '\u009B1m',
  ],
  'odd code points': [
    '\uFFFE', '\uFFFF', '\uFDD0', '\u{1FFFE}', '\u{1FFFF}', '\u{10FFFF}', '\u{10FFFE}', '\uD7FF', '\uE000',
    '\u{10000}', '\u{FFFFF}', '\u{100000}', '\uF8FF', '\u{F0000}', '\uFFFD', '\uFFFC', 'Ã©', 'â‚¬',
    '\u00C2', '\u0378', '\u{E0001}', '\uFFF9', 'ï»¿', 'q\u0308\u0303\u0304\u0306\u030C\u030F',
  ],
};

/** Categories whose names have signs anyway, so that one more of `signEdges` makes no difference to a validator. */
export const signCategories: ReadonlySet<string> = new Set([
  'punctuation',
  'signs',
  'quotes',
  'html',
  'scripts and templates',
  'sql and shell',
  'formats',
  'escapes',
  'markdown',
  'masked',
]);

/**
 * Names as people have them, of at most 40 characters: letters, marks, spaces, and in some of them one of the other signs
 * that validators of names accept. Behind a strict validator these are the names that show what a service changes.
 */
export const everydayNames: readonly string[] = [
  "Maeve O'Brien D'Arcy",
  'Anne-Marie Smith-Jones',
  'Ann and Tom McDonald Von Trapp',
  'J. R. R. St. John Jr.',
  'Maeve O’Neil D’Arcy',
  'Zoë Müller Groß Peña François Ægir',
  'Søren Åberg José Núñez Þóra Weiß',
  'Łukasz Žižka Čapek Ștefan Gülşen',
  'Nguyễn Đặng Thị Sơn Trưởng İnci Işık',
  'Семён Жёлтый Їжак Γιώργος Αΐδης',
  'น้ำทิพย์ ज़ैन مُحَمَّد 김민수 さくら',
];

/** Signs that some services only change at the beginning or the end of a value. */
// oxfmt-ignore
const signEdges = ['=', '@', '/', '&', '~', '<', '$', '(', '_', ':', '!', '{', '[', '?', '|', ';'];
/** The signs that may begin a value, also those of a quotation, a list or a heading in Markdown and in mail. */
export const signStarts: readonly string[] = [...signEdges, '> ', '- ', '* ', '+ ', '# '];
export const signEnds: readonly string[] = [...signEdges, '>', '*', '+', '#', ' (x)'];

/** White space, invisible characters and the like that some services only change at the beginning or the end. */
// oxfmt-ignore
const edges = [
  ' ', '\t', '\n', '\r\n', '\u00A0', '\u3000', '\uFEFF', '\u200B', '😀', '\u0000', '.', '"', "'", ',', '-', '\\', '%',
  '\u200D', '\u0301', '\u200E', '\u00AD',
];
export const starts: readonly string[] = [...edges, 'Mr. ', 'The ', 'null '];
export const ends: readonly string[] = [...edges, ' III', ' Ltd', ' null'];

/** Values that some services mistake for something else if a name consists of nothing more. */
// oxfmt-ignore
export const specialValues: { readonly common: readonly string[]; readonly rarer: readonly string[] } = {
  common: [
    '', '0', '007', '1e5', '1.50', 'null', 'NULL', 'undefined', 'true', 'NaN', 'None', 'no', '=1+1', '{}', '2024-01-01', ' Ada ', 'test', '😀',
  ],
  rarer: [
  ' ', '42', '1_000', '1,000', '+5', '0x1A', '12345678901234567891', '100%%', '-0',
  'Null', 'nil', 'Infinity', 'false',
  'yes', 'off', 'N', '~', '[object Object]', '[]', '{"a":1}', '[1,2]', '"quoted"', "''",
  '2024-01-01T00:00:00Z', '2024-01-01T00:00:00.120+02:00', '12/31/2024', '10:30', '__proto__', 'constructor',
  'class', 'select', 'this', 'function', 'default',
  'admin', 'ada@example.com', 'NA', 'Ada B Lovelace', 'ada lovelace',
  'N/A', '-', '.', 'QWRhIExvdmVsYWNl', 'Lovelace, Ada', 'ANNE MARIE DE LA CRUZ', 'Dr. Ada Jr.', 'Ada <ada@example.com>', '<b', 'cus_1',
  '{{7}}', '\u200B', '\u3000', '\u0301', '١٢', '１２', 'NUL', 'Юлия', '山田太郎', 'محمد', '김민수', 'A &amp; \\u0042 ${7}',
  ],
};

/** Usual limits of columns, buffers and validators, in characters; the longest first, as they show most. */
// oxfmt-ignore
export const lengths: readonly number[] = [
  8192, 4096, 1024, 1000, 512, 500, 256, 255, 200, 191, 128, 100, 64, 50, 32,
];

/** The `lengths` at which names consist of characters of several bytes. */
export const wideLengths: readonly number[] = [191, 500, 1000, 8192];

/**
 * Letters that software unifies, composes, folds or transliterates: by search normalisers (Lucene's analysers,
 * `unaccent`), ICU transforms, input methods, legacy character sets, and the mappings of Unicode (normalisation forms,
 * with marks in the order in which they are typed, SpecialCasing, CaseFolding). Each name has two halves, so that a
 * service that accepts one script at a time accepts its halves; each half has at most 48 code points, all of them
 * letters, marks and spaces.
 */
// oxfmt-ignore
export const scripts: Readonly<Record<string, readonly [string, string]>> = {
  // Special casing, letters without a decomposition, comma and cedilla, dots above, modifier letters.
  Latin: [
    'ÉéüñÑ øØłŁåÅ çœŒæÆ þÞđÐð žőÖŸ ßẞ İıi̇ſŉ ǆǅ ﬀﬃ ĸƒ',
    'șțşţȘŢ ăâ ơưễạ ėęįģķ ħŧŋŊ ŵ ĳŀ əɓ ǰẖẘẚ ḍ ǧ ȷƿ',
  ],
  'accented Latin': [
    'ãāáàäą ćčċĉďě ēëèê íīïî ńňŕř óòôõōö śšŝť ůūúùűŭ źż',
    'ÁÀÄĀ ČĆĎĚĒ ÍÎŁĽĹ ŇÓÔÕ ŘŠŚ ŤÚŮŪÝŹŻ ắở ẁ ġĝĥĵ ǎǚ ǫȳ',
  ],
  'Greek and Cyrillic': [
    'Ὀδυσσεύς ΟΔΟΣ Ωμέγα Ά\u1F71άό\u1FD3ΐΰΪ ᾳᾼῷ ϐϑϕϖϰϱϲϵϴ µ\u2126 ᾶ',
    'Юлия Ёлка ё Йй ЇїіЄґ ЎѓЌ ЉњђЏ щъьэ Ѣѳѵ Ѐѝ ӀӘқңөүҺ',
  ],
  // Letters of Persian, Urdu and Kurdish, forms of alef, heh and yeh, tatweel, harakat, presentation forms; final letters
  // and points of Hebrew.
  'Arabic and Hebrew': [
    'أإآٱا يىیئې كکڪ ةهۀەہ ؤۇ محـمد مُحَم\u0651\u064Eدٌ ٰ ﻻﷲ ںےٹ',
    'שלום ךםןףץ \u05E9\u05C1\u05B8לוֹם בְּ װױײ \uFB1D\uFB2A\uFB4B\uFB4F לַ֪ים ܐ ދި ߊ',
  ],
  // Traditional, simplified and Japanese forms, compatibility ideographs, radicals; both kana, small, voiced and half-width.
  'Han and kana': [
    '國張陳劉體龍黃趙吳楊鄭葉馬臺灣廣東龜後髮裡 国张陈刘体龙东后发里 髙﨑澤沢邊邉齋斎德徳 \uFA19\uF900々〆',
    'さくら サクラ ぁァ がか\u3099 ハ\u309Aぱ ゔヴ ゐヱ ゝヾ ヿゟ ー ｱｶﾞﾊﾟｰ ヵヶ っッ ㇷ',
  ],
  // Syllables and kinds of jamo; scripts with two cases, and ligatures.
  'Hangul and Caucasian': [
    '한국어 각 \u1112\u1161\u11AB ㄱㅏㅎ ﾡﾢ 李\uF9E1 金\uF90A 女\uF981 뷁 김민수 힣 ᄀᆞ',
    'ᲐᲑᲒ აბგ ႠႡ ⴀⴁ ჼ Աա և ԵՒ ﬓﬔ Հայ ᎠᎡ ꭰ ᏸ Ⲁⲁ Ⰰⰰ Ꙁꙁ',
  ],
  // Nukta, candrabindu, vowels of two parts, chillu letters; Sara Am, digraphs, and letters of the same sound.
  'Indic and others': [
    'हिन्दी \u0958क\u093C ज़ हँ हं ऩ \u09DC\u09DFৎো \u0A36 \u0B5C ொ ஸ்ரீ ೊ ൊ ൺൻർ ෝ',
    'ไทย น้ำ\u0E4D\u0E32 เเแ ຳໜ ខ្មែរ ឣ မြန် ဦဿ ᠮ \u0F43\u0F77 ሀሐኀ ሰሠ አዐ',
  ],
};
