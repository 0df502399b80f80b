/** Replaces known secrets in text; header-secrets.ts masks what is a secret by its header. */
export interface Redactor {
  /**
   * From now on replaces a secret with `[label]`. Ignores texts under six characters: they are no secrets, and too much
   * would be replaced.
   */
  hide(secret: string, label: string): void;
  /**
   * The same for a text that may turn out to be no secret. It is not reported as one until `decideSuspects`; from then on this is
   * the same as `hide`, except for texts that are known to be public.
   */
  suspect(text: string, label: string): void;
  /** Decides on the suspected texts so far: those that are public are replaced no longer, the others are secrets. */
  decideSuspects(isPublic: (text: string) => boolean): void;
  /** The text with every secret replaced, however it is encoded or escaped there. */
  redact(text: string): string;
}

const MIN_SECRET = 6;
/** Of longer secrets only the beginning goes into patterns, as the size of regular expressions is limited. */
export const LONG_SECRET = 2000;

/** How many redacted texts are cached, and how many characters each has at most. */
const CACHE_SIZE = 1000;
const LONGEST_CACHED = 200;

/** @param onSecret called with each new secret */
export function createRedactor(onSecret: (secret: string) => void = () => {}): Redactor {
  const secrets = new Map<string, { readonly label: string; readonly comparable: string }>();
  const labelByEncoding = new Map<string, string>();
  /** Encodings that are too long for the pattern, which only finds a part of them. */
  const longEncodings = new Map<string, string>();
  let pattern: RegExp | undefined;
  // The same field names and values recur, and the pattern of a long run has thousands of secrets.
  let cache = new Map<string, string>();
  /** Suspected secrets and their labels, until `decideSuspects`. */
  const suspects = new Map<string, string>();
  let isPublic: ((text: string) => boolean) | undefined;
  const add = (secret: string, label: string): void => {
    secrets.set(secret, { label: `[${label}]`, comparable: withoutEquals(unescape(secret)) });
    for (const encoding of encodingsOf(secret)) {
      const start = encoding.slice(0, LONG_SECRET);
      if (!labelByEncoding.has(start)) labelByEncoding.set(start, `[${label}]`);
      if (encoding.length > LONG_SECRET) longEncodings.set(encoding, `[${label}]`);
    }
    pattern = undefined;
    cache = new Map();
  };
  const hide = (secret: string, label: string): void => {
    if (secret.length < MIN_SECRET || (secrets.has(secret) && !suspects.has(secret))) return;
    suspects.delete(secret);
    if (!secrets.has(secret)) add(secret, label);
    onSecret(secret);
  };
  const redact = (text: string): string => {
    // Descending, so that the longer of two comes first where one is the beginning of the other.
    pattern ??= new RegExp(
      [...labelByEncoding.keys()].toSorted().toReversed().map(escapeRegExp).join('|'),
      'g',
    );
    const whole = [...longEncodings]
      .filter(([encoding]) => encoding.length <= text.length)
      .reduce((left, [encoding, label]) => left.replaceAll(encoding, () => label), text);
    const rest = whole.replace(pattern, (encoding) => labelByEncoding.get(encoding)!);
    const unescaped = unescape(rest);
    if (unescaped === rest) return rest;
    const comparable = withoutEquals(unescaped);
    return [...secrets]
      .filter(([, secret]) => comparable.includes(secret.comparable))
      .toSorted(([one], [other]) => other.length - one.length)
      .reduce(
        (left, [secret, { label }]) =>
          secret.length > LONG_SECRET ? label : left.replace(escapedPattern(secret), () => label),
        rest,
      );
  };
  return {
    hide,
    suspect(text, label) {
      if (isPublic) {
        if (!isPublic(text)) hide(text, label);
      } else if (text.length >= MIN_SECRET && !secrets.has(text)) {
        suspects.set(text, label);
        add(text, label);
      }
    },
    decideSuspects(isKnownAsPublic) {
      isPublic ??= isKnownAsPublic;
      if (suspects.size === 0) return;
      const others = [...secrets].filter(([secret]) => !suspects.has(secret));
      secrets.clear();
      labelByEncoding.clear();
      longEncodings.clear();
      cache = new Map();
      for (const [secret, { label }] of others) add(secret, label.slice(1, -1));
      const decided = [...suspects];
      suspects.clear();
      for (const [text, label] of decided) if (!isKnownAsPublic(text)) hide(text, label);
    },
    redact(text) {
      if (secrets.size === 0 || text.length < MIN_SECRET) return text;
      if (text.length > LONGEST_CACHED) return redact(text);
      if (cache.size >= CACHE_SIZE) cache = new Map();
      let redacted = cache.get(text);
      if (redacted === undefined) cache.set(text, (redacted = redact(text)));
      return redacted;
    },
  };
}

/** Whether a text contains a secret, however it is encoded or escaped there. */
export function holdsSecret(text: string, secret: string): boolean {
  const redactor = createRedactor();
  redactor.hide(secret, 'secret');
  return text.includes(secret) || redactor.redact(text) !== text;
}

/** An equals sign before a line break may belong to a secret or to quoted-printable: it is ignored in comparisons. */
const withoutEquals = (text: string): string => text.replaceAll('=', '');

/** A text as a regular expression that matches it. */
export const escapeRegExp = (text: string): string => text.replace(/[^\w]/g, String.raw`\$&`);

// Secrets that are encoded as a whole

/** Shorter secrets are not searched for reversed, in hexadecimal or in another case: that would match by chance. */
const SHORTEST_TRANSFORMED = 12;
/** Shorter parts of a Base64 text would match by chance. */
const SHORTEST_BASE64 = 8;

/**
 * A secret as a target may return it: verbatim, percent-encoded, in Base64 at any offset (RFC 4648), in hexadecimal,
 * reversed, in another case.
 */
function encodingsOf(secret: string): string[] {
  const encodings = [secret, encodeURIComponent(secret.toWellFormed()), ...base64Of(secret)];
  if (secret.length < SHORTEST_TRANSFORMED) return encodings;
  const hex = Buffer.from(secret).toString('hex');
  const reversed = [...secret].toReversed().join('');
  return [...encodings, hex, hex.toUpperCase(), reversed, secret.toUpperCase(), secret.toLowerCase()];
}

/** The Base64 of a text at any offset within a longer one, without the characters that depend on its neighbours. */
function base64Of(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const own = encoded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
    return own.length < SHORTEST_BASE64 ? [] : [own, own.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

// Secrets whose characters are escaped one by one, or that are broken into lines

/** Backslashes before an escape: JSON within JSON doubles them. Matched from the first on, in linear time. */
const SLASHES = String.raw`(?<!\\)\\+`;
// Bounded, as a response of nothing but zeros would take quadratic time.
const ZEROS = '0{0,16}';
/** A percent sign, perhaps percent-encoded itself. */
const PERCENT = '%(?:25){0,16}';

/** HTML's names of characters (section 13.5) that services use. */
const NAMED_ENTITIES = { quot: '"', amp: '&', apos: "'", lt: '<', gt: '>' } as const;

/** Regular expressions for a character as JSON, JavaScript, URLs and HTML escape it. */
const escapes = (hex: string, decimal: string, name: string, character: string): string[] => [
  `${SLASHES}(?:[uU]00${hex}|[uU]\\{${ZEROS}${hex}\\}|[xX]${hex}|${character})`,
  `${PERCENT}${hex}`,
  `&(?:#[xX]${ZEROS}${hex}|#${ZEROS}${decimal}|${name});`,
];

/**
 * One escaped character. Groups: three codes in hexadecimal, the character itself, two more codes, its code in decimal,
 * its name.
 */
const ESCAPE = new RegExp(
  escapes('([\\da-f]{2})', '(\\d{2,3})', `(${Object.keys(NAMED_ENTITIES).join('|')})`, '(["\'/])').join('|'),
  'gi',
);

/** What may stand between two characters of a text in lines (RFC 2045, section 6.7, among others). */
const LINE_BREAK = `(?:\\s|=\\r?\\n|${SLASHES}[rnt]|%0[aAdD])`;
const LINE_BREAKS = new RegExp(LINE_BREAK, 'g');

/** A text with its escapes undone and its line breaks removed. */
function unescape(text: string): string {
  return text.replace(LINE_BREAKS, '').replace(ESCAPE, (escape, ...groups: (string | undefined)[]) => {
    const [hex1, hex2, hex3, character, hex4, hex5, decimal, name] = groups;
    if (character !== undefined) return character;
    if (name !== undefined) return NAMED_ENTITIES[name.toLowerCase() as keyof typeof NAMED_ENTITIES];
    const hex = hex1 ?? hex2 ?? hex3 ?? hex4 ?? hex5;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : escape;
  });
}

/** Matches nothing. */
const NEVER = '(?!)';

/** Matches a secret with any of its characters escaped, and with line breaks in it. */
function escapedPattern(secret: string): RegExp {
  const characters = [...secret].map((character) => {
    const code = character.codePointAt(0)!;
    const name = Object.entries(NAMED_ENTITIES).find(([, named]) => named === character)?.[0];
    const ways = escapes(
      anyCase(code.toString(16)),
      String(code),
      name === undefined ? NEVER : anyCase(name),
      /["'/]/.test(character) ? character : NEVER,
    );
    return `(?:${[escapeRegExp(character), ...ways].join('|')})`;
  });
  return new RegExp(characters.join(`${LINE_BREAK}{0,4}`), 'g');
}

/** A regular expression for a text in capital or small letters. */
const anyCase = (text: string): string =>
  text.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
