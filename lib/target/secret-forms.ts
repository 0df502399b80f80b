/** Characters from which on a secret is looked for backwards and in another case; shorter ones would be found everywhere. */
const TURNED_FROM = 12;
/** Characters of a Base64 text within another that are still telling. */
const TELLING = 8;

/**
 * The texts that a secret becomes when a target sends it back encoded as a whole: in Base64 at any offset
 * (RFC 4648), in hexadecimal, percent-encoded, backwards, in another case.
 */
export function literalForms(secret: string): string[] {
  const forms = [secret, encodeURIComponent(secret.toWellFormed()), ...base64Forms(secret)];
  if (secret.length < TURNED_FROM) return forms;
  const hex = Buffer.from(secret).toString('hex');
  const backwards = [...secret].toReversed().join('');
  return [...forms, hex, hex.toUpperCase(), backwards, secret.toUpperCase(), secret.toLowerCase()];
}

/** The Base64 of a text wherever it may begin within the bytes that are encoded, without what its neighbours change. */
function base64Forms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const own = encoded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
    return own.length < TELLING ? [] : [own, own.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/**
 * Backslashes before an escape: JSON within JSON doubles them. Not without bound, and neither are zeros: a text of
 * nothing else would be gone through from each of its characters to its end.
 */
const SLASHES = String.raw`\\{1,32}`;
const ZEROS = '0{0,16}';
const PERCENT = '%(?:25){0,16}';

/** What HTML has names for (section 13.5). */
const NAMED: Readonly<Record<string, string>> = {
  '"': 'quot',
  '&': 'amp',
  "'": 'apos',
  '<': 'lt',
  '>': 'gt',
};

/** One character as an escape of JSON, JavaScript, HTML, or a URL, perhaps encoded twice. */
const ESCAPE = new RegExp(
  [
    `${SLASHES}u00([\\da-f]{2})`,
    `${SLASHES}u\\{${ZEROS}([\\da-f]{2})\\}`,
    `${SLASHES}x([\\da-f]{2})`,
    `${PERCENT}([\\da-f]{2})`,
    `&#x${ZEROS}([\\da-f]{2});`,
    `&#${ZEROS}(\\d{2,3});`,
    `&(${Object.values(NAMED).join('|')});`,
    `${SLASHES}(["'/])`,
  ].join('|'),
  'gi',
);

/** What may stand between two characters where a text is broken into lines (RFC 2045, section 6.7, among others). */
const TORN = `(?:\\s|=\\r?\\n|${SLASHES}[rnt]|%0[aAdD])`;
const TEARS = new RegExp(TORN, 'g');

/** A text with its escapes undone and its line breaks taken out. */
export const undisguise = (text: string): string =>
  text.replace(TEARS, '').replace(ESCAPE, (escape, ...groups: (string | undefined)[]) => {
    const [decimal, name, itself] = groups.slice(5);
    if (itself !== undefined) return itself;
    if (name !== undefined) return nameless(name);
    const hex = groups.slice(0, 5).find((group) => group !== undefined);
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : escape;
  });

const nameless = (name: string): string =>
  Object.entries(NAMED).find(([, known]) => known === name.toLowerCase())![0];

/** Finds a secret each of whose characters may be escaped, and which may be torn apart. */
export const disguised = (secret: string): RegExp =>
  new RegExp([...secret].map(anyWay).join(`${TORN}{0,4}`), 'g');

function anyWay(character: string): string {
  const code = character.codePointAt(0)!;
  const digits = [...code.toString(16)].map((digit) => `[${digit}${digit.toUpperCase()}]`).join('');
  const escapes = [
    `${SLASHES}[uU]00${digits}`,
    `${SLASHES}u\\{${ZEROS}${digits}\\}`,
    `${SLASHES}[xX]${digits}`,
    `${PERCENT}${digits}`,
    `&#[xX]${ZEROS}${digits};`,
    `&#${ZEROS}${code};`,
    ...(Object.hasOwn(NAMED, character) ? [`&${NAMED[character]};`] : []),
    ...(/["'/]/.test(character) ? [`${SLASHES}${character}`] : []),
  ];
  return `(?:${escaped(character)}|${escapes.join('|')})`;
}

/** A text as a regular expression that finds it. */
export const escaped = (text: string): string => text.replace(/[^\w]/g, String.raw`\$&`);
