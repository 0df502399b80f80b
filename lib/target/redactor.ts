import { disguised, escaped, literalForms, undisguise } from './secret-forms.ts';

/** Removes secrets from text. The one place that does. */
export interface Redactor {
  /** From now on this text stands as `[label]`. Texts under six characters are no secrets and would hide too much. */
  hide(secret: string, label: string): void;
  /** The text with every secret in it replaced, in whatever form it stands there. */
  redact(text: string): string;
}

const SHORTEST = 6;

/** How many redacted texts are remembered, and how many characters each has at most. */
const MOST_KNOWN = 1000;
const LONGEST_KNOWN = 200;

/** @param onSecret hears of each secret when it is first hidden */
export function createRedactor(onSecret: (secret: string) => void = () => {}): Redactor {
  const secrets = new Map<string, { readonly label: string; readonly bare: string }>();
  const forms = new Map<string, string>();
  let pattern: RegExp | undefined;
  // The same field names and values come again and again.
  let known = new Map<string, string>();
  const redact = (text: string): string => {
    // Of two that begin alike the longer first: a secret may be the beginning of another.
    pattern ??= new RegExp([...forms.keys()].toSorted().toReversed().map(escaped).join('|'), 'g');
    const rest = text.replace(pattern, (form) => forms.get(form)!);
    const plain = undisguise(rest);
    if (plain === rest) return rest;
    // An equals sign at the end of a line may be the line's or the secret's.
    const loose = withoutEquals(plain);
    return [...secrets]
      .filter(([, { bare }]) => loose.includes(bare))
      .toSorted(([one], [other]) => other.length - one.length)
      .reduce((left, [secret, { label }]) => left.replace(disguised(secret), () => label), rest);
  };
  return {
    hide(secret, label) {
      if (secret.length < SHORTEST || secrets.has(secret)) return;
      secrets.set(secret, { label: `[${label}]`, bare: withoutEquals(undisguise(secret)) });
      for (const form of literalForms(secret)) if (!forms.has(form)) forms.set(form, `[${label}]`);
      pattern = undefined;
      known = new Map();
      onSecret(secret);
    },
    redact(text) {
      if (secrets.size === 0) return text;
      if (text.length > LONGEST_KNOWN) return redact(text);
      if (known.size >= MOST_KNOWN) known = new Map();
      let redacted = known.get(text);
      if (redacted === undefined) known.set(text, (redacted = redact(text)));
      return redacted;
    },
  };
}

const withoutEquals = (text: string): string => text.replaceAll('=', '');
