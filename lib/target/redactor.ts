/** Removes secrets from text. The one place that does. */
export interface Redactor {
  /** From now on this text stands as `[label]`. Texts under six characters are no secrets and would hide too much. */
  hide(secret: string, label: string): void;
  /** The text with every secret in it replaced, also where it is percent- or Base64-encoded. */
  redact(text: string): string;
}

const SHORTEST = 6;

export function createRedactor(): Redactor {
  const labels = new Map<string, string>();
  let pattern: RegExp | undefined;
  const add = (form: string, label: string): void => {
    if (form.length >= SHORTEST && !labels.has(form)) labels.set(form, `[${label}]`);
  };
  return {
    hide(secret, label) {
      if (labels.has(secret)) return;
      add(secret, label);
      add(encodeURIComponent(secret), label);
      add(Buffer.from(secret).toString('base64').replace(/=+$/, ''), label);
      add(Buffer.from(`${secret}:`).toString('base64').replace(/=+$/, ''), label);
      pattern = undefined;
    },
    redact(text) {
      if (labels.size === 0) return text;
      // The longest first: a secret may be the beginning of another.
      pattern ??= new RegExp(
        [...labels.keys()]
          .toSorted((a, b) => b.length - a.length)
          .map((form) => form.replace(/[^\w]/g, String.raw`\$&`))
          .join('|'),
        'g',
      );
      return text.replace(pattern, (form) => labels.get(form)!);
    },
  };
}
