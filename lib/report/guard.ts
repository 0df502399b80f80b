/** Lets a text pass that holds no secret. @throws {WouldTell} otherwise; the message shows nothing of it */
export type Guard = (name: string, text: string) => string;

/** A text holds a secret. */
export class WouldTell extends Error {
  override readonly name = 'WouldTell';
}

/** Texts shorter than this, or made of letters alone, may stand in a report by chance. */
const SHORTEST = 12;

/**
 * The last gate before anything is written or printed. What it finds, the redactor should have taken out: it
 * is the suite's own fault.
 * @param secrets the key, what is nearly the key, and every token that was issued
 */
export function guardAgainst(secrets: Iterable<string>): Guard {
  const known = [...new Set(secrets)].filter((secret) => secret.length >= SHORTEST && /[\d_]/.test(secret));
  return (name, text) => {
    if (known.some((secret) => text.includes(secret))) {
      throw new WouldTell(`${name} would have held a secret, so it was not written`);
    }
    return text;
  };
}
