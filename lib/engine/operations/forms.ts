/** Whether two texts that a service made have the same form: about the same length, as many parts, and digits or none. */
export function haveSameForm(text: string, other: string): boolean {
  const ratio = text.length / other.length;
  const digits = /\d/.test(other) ? /\d/.test(text) : true;
  return digits && ratio > 0.5 && ratio < 2 && text.split('.').length === other.split('.').length;
}

/** Whether a text has no kinds of characters that another lacks: small letters, capitals, digits, others. */
export const hasNoOtherCharacters = (text: string, other: string): boolean =>
  [/[a-z]/, /[A-Z]/, /\d/, /[^a-z\d]/i].every((kind) => !kind.test(text) || kind.test(other));
