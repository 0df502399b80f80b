/** The usual short name and the full name of an invisible character; without a usual one, its code point. */
export function characterNames(character: string): readonly [short: string, full: string] {
  const code = character.codePointAt(0)!;
  const [short, name] = named.get(code) ?? ranged(code) ?? [undefined, categoryName(character)];
  return [short ?? codePointName(character), `${codePointName(character)} ${name}`];
}

/** A code point in the notation of Unicode. */
export const codePointName = (character: string): string =>
  `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;

/** The kind of a character that has no name here. */
function categoryName(character: string): string {
  if (/\p{Cs}/u.test(character)) return 'lone surrogate';
  if (/\p{Co}/u.test(character)) return 'private use';
  if (/\p{Cc}/u.test(character)) return 'control';
  if (/\p{Cf}/u.test(character)) return 'format character';
  if (/\p{Zs}/u.test(character)) return 'space';
  if (/\p{M}/u.test(character)) return 'combining mark';
  return /\p{Cn}/u.test(character) ? 'unassigned' : character;
}

function ranged(code: number): readonly [string | undefined, string] | undefined {
  if (code >= 0xfe00 && code <= 0xfe0f) return [`VS${code - 0xfdff}`, `variation selector-${code - 0xfdff}`];
  if (code >= 0xe0100 && code <= 0xe01ef)
    return [`VS${code - 0xe00ef}`, `variation selector-${code - 0xe00ef}`];
  if (code >= 0xe0020 && code <= 0xe007e)
    return [undefined, `tag character for ${String.fromCharCode(code - 0xe0000)}`];
  return undefined;
}

const controls =
  'NUL null, SOH start of heading, STX start of text, ETX end of text, EOT end of transmission, ENQ enquiry, ACK acknowledge, BEL bell, BS backspace, TAB tab, LF line feed, VT line tabulation, FF form feed, CR carriage return, SO shift out, SI shift in, DLE data link escape, DC1 device control one, DC2 device control two, DC3 device control three, DC4 device control four, NAK negative acknowledge, SYN synchronous idle, ETB end of transmission block, CAN cancel, EM end of medium, SUB substitute, ESC escape, FS file separator, GS group separator, RS record separator, US unit separator';

const others = `20 SP space
7F DEL delete
85 NEL next line
A0 NBSP no-break space
AD SHY soft hyphen
34F CGJ combining grapheme joiner
61C ALM Arabic letter mark
115F HCF Hangul choseong filler
1160 HJF Hangul jungseong filler
1680 OSM Ogham space mark
180B FVS1 Mongolian free variation selector one
180C FVS2 Mongolian free variation selector two
180D FVS3 Mongolian free variation selector three
180E MVS Mongolian vowel separator
180F FVS4 Mongolian free variation selector four
2000 NQSP en quad
2001 MQSP em quad
2002 ENSP en space
2003 EMSP em space
2004 3/MSP three-per-em space
2005 4/MSP four-per-em space
2006 6/MSP six-per-em space
2007 FSP figure space
2008 PSP punctuation space
2009 THSP thin space
200A HSP hair space
200B ZWSP zero width space
200C ZWNJ zero width non-joiner
200D ZWJ zero width joiner
200E LRM left-to-right mark
200F RLM right-to-left mark
2028 LSEP line separator
2029 PSEP paragraph separator
202A LRE left-to-right embedding
202B RLE right-to-left embedding
202C PDF pop directional formatting
202D LRO left-to-right override
202E RLO right-to-left override
202F NNBSP narrow no-break space
205F MMSP medium mathematical space
2060 WJ word joiner
2061 FA function application
2062 IT invisible times
2063 IS invisible separator
2064 IP invisible plus
2066 LRI left-to-right isolate
2067 RLI right-to-left isolate
2068 FSI first strong isolate
2069 PDI pop directional isolate
206A ISS inhibit symmetric swapping
206B ASS activate symmetric swapping
206C IAFS inhibit Arabic form shaping
206D AAFS activate Arabic form shaping
206E NADS national digit shapes
206F NODS nominal digit shapes
2800 BPB Braille pattern blank
3000 IDSP ideographic space
3164 HF Hangul filler
FEFF BOM zero width no-break space, or byte order mark
FFA0 HWHF halfwidth Hangul filler
FFF9 IAA interlinear annotation anchor
FFFA IAS interlinear annotation separator
FFFB IAT interlinear annotation terminator
E0001 LTAG language tag
E007F CTAG cancel tag`;

const entry = (text: string): [short: string, full: string] => {
  const [short, ...words] = text.split(' ');
  return [short!, words.join(' ')];
};

const named = new Map<number, readonly [string | undefined, string]>([
  ...controls.split(', ').map((text, code) => [code, entry(text)] as const),
  ...others.split('\n').map((line) => {
    const [code, ...rest] = line.split(' ');
    return [Number.parseInt(code!, 16), entry(rest.join(' '))] as const;
  }),
]);
