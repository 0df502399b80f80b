import { formsOf } from './secret-forms.ts';

/** Removes secrets from text. The one place that does. */
export interface Redactor {
  /** From now on this text stands as `[label]`. Texts under six characters are no secrets and would hide too much. */
  hide(secret: string, label: string): void;
  /** The text with every secret in it replaced, in whatever form it stands there. */
  redact(text: string): string;
}

const SHORTEST = 6;

/** @param onSecret hears of each secret when it is first hidden */
export function createRedactor(onSecret: (secret: string) => void = () => {}): Redactor {
  const labels = new Map<string, string>();
  let secrets: readonly (readonly [label: string, pattern: RegExp])[] | undefined;
  return {
    hide(secret, label) {
      if (secret.length < SHORTEST || labels.has(secret)) return;
      labels.set(secret, `[${label}]`);
      secrets = undefined;
      onSecret(secret);
    },
    redact(text) {
      // The longest first: a secret may be the beginning of another.
      secrets ??= [...labels]
        .toSorted(([one], [other]) => other.length - one.length)
        .map(([secret, label]) => [label, new RegExp(formsOf(secret).join('|'), 'g')]);
      return secrets.reduce((rest, [label, pattern]) => rest.replace(pattern, () => label), text);
    },
  };
}
