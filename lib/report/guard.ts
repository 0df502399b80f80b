import { redactAll } from '../target/output/record.ts';
import { LONG_SECRET, createRedactor, escapeRegExp } from '../target/output/redactor.ts';

/** Checks that a text contains no secret, and returns the text. @throws {SecretFound} whose message does not show the secret */
export type Guard = (name: string, text: string) => string;

/** A text contains a secret. */
export class SecretFound extends Error {
  override readonly name = 'SecretFound';
}

/** Shorter secrets, and those of letters alone, may occur in a report by chance. */
const SHORTEST = 12;

/** The secrets that cannot occur in a report by chance. */
const distinctive = (secrets: Iterable<string>): string[] =>
  [...new Set(secrets)].filter((secret) => secret.length >= SHORTEST && /[\d_]/.test(secret));

/**
 * Redacts tokens that were recognised too late: a later response may show that the id in an earlier one is a token.
 * @param tokens what the target has issued, or may have
 */
export function redactLateTokens<T extends object>(report: T, tokens: Iterable<string>): T {
  const text = JSON.stringify(report);
  const late = distinctive(tokens).filter((token) => text.includes(token));
  if (late.length === 0) return report;
  const redactor = createRedactor();
  for (const token of late) redactor.hide(token, 'token');
  return redactAll(report, redactor);
}

/**
 * The last check before anything is written or printed. A secret found here is a defect of the redactor.
 * @param secrets the key, texts that contain almost all of it, and every issued token
 */
export function guardAgainst(secrets: Iterable<string>): Guard {
  const known = distinctive(secrets);
  // One pattern, because the texts are long and the tokens may be many.
  const starts = known.map((secret) => escapeRegExp(secret.slice(0, LONG_SECRET)));
  const pattern = starts.length > 0 ? new RegExp(starts.join('|')) : undefined;
  return (name, text) => {
    if (pattern?.test(text))
      throw new SecretFound(`${name} would have contained a secret, so it was not written`);
    return text;
  };
}
