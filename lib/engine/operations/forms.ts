/** Whether two texts that a service made have the same form: about the same length, as many parts, and digits or none. */
export function haveSameForm(text: string, other: string): boolean {
  const ratio = text.length / other.length;
  const digits = /\d/.test(other) ? /\d/.test(text) : true;
  return digits && ratio > 0.5 && ratio < 2 && text.split('.').length === other.split('.').length;
}

/**
 * Whether a text may be one more of some ids: about as long as they are, with no kinds of characters that all of them lack,
 * and with a digit if each of them has one.
 */
export function hasFormOf(ids: readonly string[], text: string): boolean {
  const lengths = ids.map((id) => id.length);
  return (
    text.length >= Math.min(...lengths) - 1 &&
    text.length <= Math.max(...lengths) + 1 &&
    hasNoOtherCharacters(text, ids.join('')) &&
    (/\d/.test(text) || ids.some((id) => !/\d/.test(id)))
  );
}

/** Whether a text has no kinds of characters that another lacks: small letters, capitals, digits, others. */
export const hasNoOtherCharacters = (text: string, other: string): boolean =>
  [/[a-z]/, /[A-Z]/, /\d/, /[^a-z\d]/i].every((kind) => !kind.test(text) || kind.test(other));
