/** Characters from which on a secret is looked for in every disguise; shorter ones would be found everywhere. */
const DISGUISED_FROM = 12;
/** Characters of a Base64 text within another that are still telling. */
const TELLING = 8;

/**
 * Regular expressions for a secret as a target may send it back: as it is, in Base64 at any offset (RFC
 * 4648), in hexadecimal, backwards, in another case, and with any of its characters written as an escape
 * of JSON, HTML, a URL or a programming language, or torn apart by line breaks.
 */
export function formsOf(secret: string): string[] {
  const literal = [secret, encodeURIComponent(secret), ...base64Forms(secret)].map(escaped);
  if (secret.length < DISGUISED_FROM) return [...new Set(literal)];
  const hex = Buffer.from(secret).toString('hex');
  const others = [hex, hex.toUpperCase(), backwards(secret), secret.toUpperCase(), secret.toLowerCase()].map(
    escaped,
  );
  return [...new Set([...literal, ...others, [...secret].map(anyWay).join(TORN)])];
}

/** What may stand between two characters where a text is broken into lines (RFC 2045, section 6.7, among others). */
const TORN = String.raw`(?:\s|=\r?\n|\\[rnt]|%0[aAdD]){0,4}`;

/** One character, written as it is or escaped. */
function anyWay(character: string): string {
  const code = character.codePointAt(0)!;
  const hex = code.toString(16);
  const digits = [...hex]
    .map((digit) => (/\d/.test(digit) ? digit : `[${digit}${digit.toUpperCase()}]`))
    .join('');
  return `(?:${escaped(character)}|\\\\u0*${digits}|\\\\u\\{0*${digits}\\}|\\\\x0*${digits}|%${digits}|%25${digits}|&#0*${code};|&#[xX]0*${digits};)`;
}

const backwards = (text: string): string => [...text].toReversed().join('');

/** The Base64 of a text wherever it may begin within the bytes that are encoded, without what its neighbours change. */
function base64Forms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const own = encoded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
    return own.length < TELLING ? [] : [own, own.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

const escaped = (text: string): string => text.replace(/[^\w]/g, String.raw`\$&`);
