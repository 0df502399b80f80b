/** Replaces known secrets in text; header-secrets.ts masks what is a secret by its header. */
export interface Redactor {
  /**
   * From now on replaces a secret with `[label]`. Ignores texts under six characters, and the suite's own words: they
   * are not secrets, and occur in reports anyway.
   */
  hide(secret: string, label: string): void;
  /**
   * The same for a text that may turn out not to be a secret. It is not reported as one until `decideSuspects`; from then
   * on this is the same as `hide`, except for texts that are known to be public.
   */
  suspect(text: string, label: string): void;
  /** Whether a text is replaced already, or is known to be public. */
  knows(text: string): boolean;
  /**
   * From now on cuts a text at an index, with `[label]` in place of the rest, which has more possible secrets than can be
   * searched for.
   */
  cut(text: string, end: number, label: string): void;
  /** Whether it does. */
  cuts(text: string): boolean;
  /** Decides on the suspected texts so far: those that are public are replaced no longer, the others are secrets. */
  decideSuspects(isPublic: (text: string) => boolean): void;
  /** The text with every secret replaced, however it is encoded or escaped there. */
  redact(text: string): string;
}

const MIN_SECRET = 6;
/** Patterns contain only the beginning of longer secrets, as the size of regular expressions is limited. */
export const LONG_SECRET = 2000;

/**
 * @param onSecret called with each new secret
 * @param isOwnWord whether a text is one that the suite itself writes
 */
export function createRedactor(
  onSecret: (secret: string) => void = () => {},
  isOwnWord: (text: string) => boolean = () => false,
): Redactor {
  const labels = new Map<string, string>();
  /** By each encoding of a secret; if it contains what looks like an escape, also by the secret with that undone. */
  const labelByText = new Map<string, string>();
  /** Encodings that are too long for the pattern, which only finds a part of them. */
  const longEncodings = new Map<string, string>();
  let pattern: RegExp | undefined;
  /** Suspected secrets and their labels, until `decideSuspects`. */
  const suspects = new Map<string, string>();
  let isPublic: ((text: string) => boolean) | undefined;
  /** What is left of a text that is cut, by its outline. */
  const cutTexts = new Map<string, { readonly end: number; readonly label: string }>();
  const isHarmless = (text: string): boolean => text.length < MIN_SECRET || isOwnWord(text);
  const add = (secret: string, label: string): void => {
    labels.set(secret, label);
    const unescaped = unescape(secret, LINE_BREAKS);
    for (const text of [...encodingsOf(secret), unescaped].filter((text) => !isHarmless(text))) {
      const start = text.slice(0, LONG_SECRET);
      if (!labelByText.has(start)) labelByText.set(start, `[${label}]`);
      if (text.length > LONG_SECRET) longEncodings.set(text, `[${label}]`);
    }
    pattern = undefined;
  };
  const hide = (secret: string, label: string): void => {
    if (isHarmless(secret) || (labels.has(secret) && !suspects.has(secret))) return;
    suspects.delete(secret);
    if (!labels.has(secret)) add(secret, label);
    onSecret(secret);
  };
  const redact = (text: string): string => {
    const secrets = (pattern ??= anyOf(labelByText.keys()));
    const whole = [...longEncodings]
      .filter(([encoding]) => encoding.length <= text.length)
      .reduce((left, [encoding, label]) => left.replaceAll(encoding, () => label), text);
    let rest = whole.replace(secrets, (encoding) => labelByText.get(encoding)!);
    for (const breaks of SOFT_LINE_BREAK.test(text) ? [LINE_BREAKS, SOFT_LINE_BREAKS] : [LINE_BREAKS]) {
      const plain = unescape(rest, breaks);
      if (plain === rest || plain.search(secrets) < 0) continue;
      const { text, starts, ends } = unescapeTraced(rest, breaks);
      let left = '';
      let end = 0;
      for (const { 0: found, index } of text.matchAll(secrets)) {
        const label = labelByText.get(found)!;
        // Where the rest of such a secret ends is unknown.
        if (found.length === LONG_SECRET) return label;
        left += rest.slice(end, starts[index]) + label;
        end = ends[index + found.length - 1]!;
      }
      rest = left + rest.slice(end);
    }
    return rest;
  };
  return {
    hide,
    suspect(text, label) {
      if (isPublic) {
        if (!isPublic(text)) hide(text, label);
      } else if (!isHarmless(text) && !labels.has(text)) {
        suspects.set(text, label);
        add(text, label);
      }
    },
    decideSuspects(isKnownAsPublic) {
      isPublic ??= isKnownAsPublic;
      if (suspects.size === 0) return;
      const others = [...labels].filter(([secret]) => !suspects.has(secret));
      for (const known of [labels, labelByText, longEncodings]) known.clear();
      for (const [secret, label] of others) add(secret, label);
      const decided = [...suspects];
      suspects.clear();
      for (const [text, label] of decided) if (!isKnownAsPublic(text)) hide(text, label);
    },
    knows: (text) => labels.has(text) || isPublic?.(text) === true,
    cut: (text, end, label) => void cutTexts.set(outlineOf(text), { end, label }),
    cuts: (text) => cutTexts.has(outlineOf(text)),
    redact(text) {
      if (labels.size === 0 || text.length < MIN_SECRET) return text;
      const cut = cutTexts.get(outlineOf(text));
      return cut ? `${redact(text.slice(0, cut.end))}[${cut.label}]` : redact(text);
    },
  };
}

/** What a text is known by that is cut, as many may be; another one with the same outline is cut, too. */
const outlineOf = (text: string): string => `${text.length} ${text.slice(0, 200)}`;

/** Whether a text contains a secret, however it is encoded or escaped there. */
export function holdsSecret(text: string, secret: string): boolean {
  const redactor = createRedactor();
  redactor.hide(secret, 'secret');
  return text.includes(secret) || redactor.redact(text) !== text;
}

/** Matches any of some texts; where one is the beginning of another, the longer one. */
const anyOf = (texts: Iterable<string>): RegExp =>
  // Descending, so that the longer one comes first.
  new RegExp([...texts].toSorted().toReversed().map(escapeRegExp).join('|'), 'g');

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

// Secrets whose characters are escaped one by one, or any of these in lines

/** Backslashes before an escape: JSON within JSON doubles them. Matched from the first on, in linear time. */
const SLASHES = String.raw`(?<!\\)\\+`;
// Bounded, as a response of nothing but zeros would take quadratic time.
const ZEROS = '0{0,16}';
/** A percent sign, perhaps percent-encoded itself. */
const PERCENT = '%(?:25){0,16}';

const HEX = '([\\da-f]{2})';

/** HTML's names of characters (section 13.5) that services use. */
const NAMED_ENTITIES = { quot: '"', amp: '&', apos: "'", lt: '<', gt: '>' } as const;

/**
 * One character as JSON, JavaScript, URLs and HTML escape it. Groups: three codes in hexadecimal, the character itself,
 * two more codes, its code in decimal, its name.
 */
const ESCAPE = new RegExp(
  [
    `${SLASHES}(?:[uU]00${HEX}|[uU]\\{${ZEROS}${HEX}\\}|[xX]${HEX}|(["'/]))`,
    `${PERCENT}${HEX}`,
    `&(?:#[xX]${ZEROS}${HEX}|#${ZEROS}(\\d{2,3})|(${Object.keys(NAMED_ENTITIES).join('|')}));`,
  ].join('|'),
  'gi',
);

/** What may stand between two characters of a text in lines. */
const LINE_BREAK = `\\s|${SLASHES}[rnt]|%0[aAdD]`;
const LINE_BREAKS = new RegExp(LINE_BREAK, 'g');
/** In quoted-printable, an equals sign before a line break is not part of the text (RFC 2045, section 6.7). */
const SOFT_LINE_BREAK = /=\r?\n/;
/** All line breaks of quoted-printable. */
const SOFT_LINE_BREAKS = new RegExp(`${SOFT_LINE_BREAK.source}|${LINE_BREAK}`, 'g');

/** The character that an escape stands for; the escape itself if it is not printable ASCII. */
function characterOf(escape: string, ...groups: (string | undefined)[]): string {
  const [hex1, hex2, hex3, character, hex4, hex5, decimal, name] = groups;
  if (character !== undefined) return character;
  if (name !== undefined) return NAMED_ENTITIES[name.toLowerCase() as keyof typeof NAMED_ENTITIES];
  const hex = hex1 ?? hex2 ?? hex3 ?? hex4 ?? hex5;
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  return code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : escape;
}

/** A text with its line breaks removed and its escapes undone. */
const unescape = (text: string, breaks: RegExp): string =>
  text.replace(breaks, '').replace(ESCAPE, characterOf);

/** A text that another one was changed to, with the start and the end that each character has there. */
interface Traced {
  readonly text: string;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** As `unescape`, and where each character was before. */
function unescapeTraced(text: string, breaks: RegExp): Traced {
  const starts = Array.from({ length: text.length }, (_, at) => at);
  const given = { text, starts, ends: starts.map((at) => at + 1) };
  return replaceTraced(
    replaceTraced(given, breaks, () => ''),
    ESCAPE,
    characterOf,
  );
}

function replaceTraced(
  given: Traced,
  pattern: RegExp,
  replacementOf: (...found: readonly string[]) => string,
): Traced {
  const parts: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  const keep = (from: number, to: number): void => {
    parts.push(given.text.slice(from, to));
    for (let at = from; at < to; at++) {
      starts.push(given.starts[at]!);
      ends.push(given.ends[at]!);
    }
  };
  let kept = 0;
  for (const found of given.text.matchAll(pattern)) {
    const end = found.index + found[0].length;
    keep(kept, found.index);
    kept = end;
    const replacement = replacementOf(...found);
    if (replacement === found[0]) keep(found.index, end);
    else if (replacement !== '') {
      parts.push(replacement);
      starts.push(given.starts[found.index]!);
      ends.push(given.ends[end - 1]!);
    }
  }
  keep(kept, given.text.length);
  return { text: parts.join(''), starts, ends };
}
