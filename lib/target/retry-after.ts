import type { Reply } from './reply.ts';

/**
 * Milliseconds that a reply asks to wait (RFC 9110, section 10.2.3: seconds or a date); undefined
 * when it does not say, or says nothing sensible.
 */
export function retryAfter(reply: Reply, now: number): number | undefined {
  const value = reply.fields['retry-after']?.trim();
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  if (!/^[A-Z][a-z]{2,8},? /.test(value)) return undefined;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
