/**
 * Pieces of text that back ends, validators, ORMs, firewalls and databases are known to change, by category. A service
 * that rejects one piece tends to reject its category.
 */
// oxfmt-ignore
export const fragments: Readonly<Record<string, readonly string[]>> = {
  letters: [
    'McDonald', 'LOVELACE', 'iPhone', 'van der Berg', 'eBay', 'a  b', 'a   b', 'aaa', 'bookkeeper', 'xx',
  ],
  punctuation: [
    "O'Brien", 'Anne-Marie', 'J.R.', 'Lovelace, Ada', 'a;b', 'a:b', '(c)', '[b]', 'no?', 'hey!!', '...',
    '--',
  ],
  signs: [
    '111', '====', '___', 'a+b', '50%', '#1', 'Ann #2', 'a@b', 'a*b', 'a^b', 'a=b', 'a~b', 'a|b', 'c_d', '$5', 'a/b',
    'x\\y', '€', '£', '§', '°',
  ],
  quotes: ['"q"', "''", '`t`', '“q”', '‘q’', '«q»', '‹q›', "\\'", '\\"', '\\\\', "it''s"],
  html: [
    '<b>x</b>', 'a<b', 'a>b', 'R&D', '&amp;', '&lt;', '&#65;', '&eacute;', '<!-- c -->', '<br/>', 'a<b>c',
    '</p>', '&#x41;', '&copy',
  ],
  'scripts and templates': [
    '<script>1</script>', 'javascript:x', '<img src=x onerror=y>', ']]>', '<?php 1?>', 'onclick="x"',
    'data:text/html,x', '{{7*7}}', '${7*7}', '#{7*7}', '<%= 7*7 %>', '{7*7}', '[[7*7]]', '*{7*7}', '@(7*7)',
    '{% x %}', '{{{x}}}', '${jndi:ldap://x}', '$!{x}', '<%x%>',
  ],
  'sql and shell': [
    "' OR 1=1 --", '; DROP TABLE t', '/* c */', '$(id)', '`id`', '| cat', '&& ls', '../..', '%00',
    'UNION SELECT', 'SELECT * FROM t', '--', '/etc/passwd', 'a;b;c', 'a,b', 'a|b', '&x=1',
  ],
  formats: [
    '%s', '%d', '%n', '%%', '{0}', '{}', '$1', '$&', '$$', '\\1', '\\g<0>', ':name', '%(x)s', '$HOME',
    '%PATH%', '?',
  ],
  escapes: [
    '\\n', '\\t', '\\u0041', '\\x41', '%41', '%20', '+', '=41', '\\0', '&nbsp;', '%u0041', '\\/',
    '=?utf-8?Q?=41?=',
  ],
  markdown: [
    '**b**', '_i_', '[a](b)', '~~s~~', '# h', ':smile:', ':)', 'http://example.com/', 'www.example.com',
    '(tm)', '(c)', '1/2', '->',
  ],
  masked: [
    '4111 1111 1111 1111', '4111111111111111', '078-05-1120', 'ada@example.com', '+1 555 0100', 'password', 'secret', 'class',
    'Scunthorpe', 'DE89 3704 0044 0532 0130 00', '10.0.0.1', 'damn',
  ],
  'Latin letters': [
    'É', 'é', 'ü', 'ñ', 'ø', 'ł', 'å', 'ç', 'œ', 'æ', 'þ', 'đ', 'ž', 'ő', 'Ö', 'Ł', 'Ÿ', 'ß', 'ẞ', 'İ', 'ı',
    'ς', 'Σ', 'ŉ', 'ǆ', 'ǅ', 'ﬀ', 'ſ', 'K', 'ᾳ',
  ],
  'other scripts': ['Ωμέγα', 'Юлия', 'שלום', 'سلام', '日本語', '한국어', 'ไทย', 'हिन्दी', 'ქართ'],
  normalisation: [
    'e\u0301', 'A\u030A', '\u212B', '\u1E9B\u0323', '\uAC00', '\u1100\u1161', '\u0958', '\u0344', '\u2126',
    '\u0340',
  ],
  compatibility: [
    'ﬁ', '①', 'Ａ', 'ｱ', '²', '½', '™', '㎏', '…', '\u2011', 'ĳ', '℃', 'ª', '㈱', '〜', '～', '٣', '५', '３', '๓',
    '𝟛', 'Ⅷ', '〇', '٠١٢',
  ],
  typography: [
    '–', '—', '−', '’', '·', '•', '″', '‚', '„', '¨', '´', 'раураl', 'Αpple', 'ѕ', 'օ', 'ꓮ', '𝗔', 'Ꭺ',
  ],
  'astral planes': [
    '😀', '👍🏽', '👩‍💻', '🇩🇪', '❤️', '☺', '1️⃣', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', '𝒜', '𠮷', '𐍈', '\u{1D11E}', '\u{10400}',
    '\u{1F130}', '\u{2F800}', '\u{E0101}',
  ],
  invisible: [
    '\u200B', '\u200C', '\u200D', '\u2060', '\u00AD', '\uFEFF', '\u034F', '\u180E', '\u115F', '\u3164',
    '\u2800', '\uFE0F', '\uFE0E', '\u{E0061}',
  ],
  'direction and space': [
    '\u200E', '\u200F', '\u202A', '\u202B', '\u202C', '\u202D', '\u202E', '\u2066', '\u2067', '\u2068',
    '\u2069', '\u061C', '\u00A0', '\u2003', '\u2009', '\u202F', '\u205F', '\u3000', '\u1680', '\u2028',
    '\u2029', '\u0085',
  ],
  'line breaks': ['a\nb', 'a\r\nb', 'a\rb', 'a\tb', 'a\vb', 'a\fb', '\n\n'],
  controls: [
    '\u0001', '\u0007', '\b', '\u001B[31m', '\u001F', '\u007F', '\u0080', '\u009F', '\u0090', 'a\u0000b',
    '\u0000',
  ],
  'odd code points': [
    '\uFFFE', '\uFFFF', '\uFDD0', '\u{1FFFE}', '\u{1FFFF}', '\u{10FFFF}', '\u{10FFFE}', '\uD7FF', '\uE000',
    '\u{10000}', '\u{FFFFF}', '\u{100000}', '\uF8FF', '\u{F0000}', '\uFFFD', '\uFFFC', 'Ã©', 'â‚¬',
    '\u00C2',
  ],
};

/** Text that some services change at the beginning or the end of a value only. */
// oxfmt-ignore
export const edges: readonly string[] = [
  ' ', '\t', '\n', '\r\n', '\u00A0', '\u3000', '\uFEFF', '\u200B', '\u2003', '\u0000', '.', '"', "'", ',',
];

/** Values that some services mistake for something else if a name consists of nothing more. */
// oxfmt-ignore
export const specialValues: readonly string[] = [
  '', ' ', ' Ada ', '0', '1', '42', '-1', '007', '1e5', '1.0', '1.50', '1,5', '+5', '0x1A', '12345678901234567891', '1_000', '1,234', '-0', '.5',
  'null', 'Null', 'NULL', 'undefined', 'None', 'nil', 'NaN', 'Infinity', 'true', 'True', 'false', 'FALSE',
  'yes', 'no', 'NO', 'No', 'on', 'off', 'N', '~', '[object Object]', '{}', '[]', '{"a":1}', '[1,2]', '"quoted"', "'quoted'", "''",
  '2024-01-01', '2024-01-01T00:00:00Z', '12/31/2024', '10:30', '1/2', '=1+1', '@SUM(1)', '__proto__', 'constructor',
  'toString', 'id', 'name', 'class', 'function', 'return', 'select', 'SELECT', 'default', 'this', 'new', 'import',
  'delete', 'test', 'Test', 'admin', 'root', 'system', 'guest', 'anonymous', 'unknown',
  'N/A', '-', '.', '?', '*', '%', 'a', 'Z', 'ada', 'ADA LOVELACE', 'Lovelace, Ada', 'Dr. Ada Jr.', "O'Brien", 'Anne-Marie', 'José Müller', 'Ludwig van der Berg', 'Ada <ada@example.com>', '<b', '😀', 'cus_1',
];

/** Usual limits of columns, buffers and validators, in characters. */
// oxfmt-ignore
export const lengths: readonly number[] = [
  32, 50, 64, 80, 100, 128, 160, 191, 200, 255, 256, 257, 500, 512, 1000, 1024, 2048, 4096, 8192,
];
