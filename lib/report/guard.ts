import { redactAll } from '../target/record.ts';
import { createRedactor, escapeRegExp } from '../target/redactor.ts';

/** Lets a text pass that holds no secret. @throws {WouldTell} otherwise; the message shows nothing of it */
export type Guard = (name: string, text: string) => string;

/** A text holds a secret. */
export class WouldTell extends Error {
  override readonly name = 'WouldTell';
}

/** Texts shorter than this, or made of letters alone, may stand in a report by chance. */
const SHORTEST = 12;

/** Those that can't stand in a report by chance. */
const telling = (secrets: Iterable<string>): string[] =>
  [...new Set(secrets)].filter((secret) => secret.length >= SHORTEST && /[\d_]/.test(secret));

/**
 * Takes out of a report what was learnt to be a secret only after it had been told: what one response shows as
 * an identifier may turn out in a later one to be of the kind of a token.
 * @param tokens what the target has issued, or may have
 */
export function withoutLate<T extends object>(report: T, tokens: Iterable<string>): T {
  const text = JSON.stringify(report);
  const late = telling(tokens).filter((token) => text.includes(token));
  if (late.length === 0) return report;
  const redactor = createRedactor();
  for (const token of late) redactor.hide(token, 'token');
  return redactAll(report, redactor);
}

/**
 * The last gate before anything is written or printed. What it finds, the redactor should have taken out: it
 * is the suite's own fault.
 * @param secrets the key, what is nearly the key, and every token that was issued
 */
export function guardAgainst(secrets: Iterable<string>): Guard {
  const known = telling(secrets);
  // All of them in one pass: there is much to look through, and they may be many.
  const pattern = known.length > 0 ? new RegExp(known.map(escapeRegExp).join('|')) : undefined;
  return (name, text) => {
    if (pattern?.test(text)) {
      throw new WouldTell(`${name} would have held a secret, so it was not written`);
    }
    return text;
  };
}
