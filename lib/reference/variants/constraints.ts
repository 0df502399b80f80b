import { parseJson } from '../../schemas/json.ts';
import type { Customer } from '../behaviour.ts';
import {
  acceptingOnly,
  combined,
  domainOf,
  everyNth,
  json,
  once,
  readingAlso,
  requiring,
} from '../changes.ts';
import { variantsOf } from '../fault-or-variant.ts';

const names = (pattern: RegExp) => acceptingOnly(({ name }) => pattern.test(name));
const emails = (pattern: RegExp) => acceptingOnly(({ email }) => pattern.test(email));

/** HTML's grammar of an email field, which is stricter than the RFCs. */
const HTML_EMAIL =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+$/;

/** Which names, email addresses and requests are accepted. */
export const constraints = [
  ...variantsOf('2: constraints on name are not shown')({
    'names-of-30-characters': acceptingOnly(({ name }) => [...name].length <= 30),
    'names-of-50-units': acceptingOnly(({ name }) => name.length <= 50),
    'names-of-64-bytes': acceptingOnly(({ name }) => Buffer.byteLength(name) <= 64),
    'names-of-100-characters': acceptingOnly(({ name }) => [...name].length <= 100),
    'names-of-255-bytes': acceptingOnly(({ name }) => Buffer.byteLength(name) <= 255),
    'names-not-empty': acceptingOnly(({ name }) => name.trim() !== ''),
    'names-of-two-characters-at-least': acceptingOnly(({ name }) => name.length >= 2),
    'names-of-two-words': names(/^\S+ \S+$/),
    'names-of-ascii': names(/^[ -~]*$/),
    'names-of-latin-1': names(/^[ -~\u00A0-\u00FF]*$/),
    'names-of-letters-and-spaces': names(/^[A-Za-z]+(?: [A-Za-z]+)*$/),
    'names-of-letters-of-any-script': names(/^[\p{L}\p{M}][\p{L}\p{M}'’.\- ]*$/u),
    'names-of-the-basic-plane': names(/^[^\u{10000}-\u{10FFFF}]*$/u),
    'names-without-controls': names(/^[^\p{Cc}\p{Cf}]*$/u),
    'names-without-markup': names(/^[^<>&]*$/),
    'names-without-quotes': names(/^[^"'`\\;]*$/),
    'names-trimmed-already': acceptingOnly(({ name }) => name === name.trim()),
    'names-in-nfc': acceptingOnly(({ name }) => name === name.normalize('NFC')),
    'names-without-digits': names(/^\D*$/),
    'names-not-of-code': names(/^(?!.*(?:[{}$%<>]|--|;|\b(?:select|union|drop|script|null)\b))/i),
    // As two instances with different rules do, or a filter by chance.
    'names-beyond-ascii-rejected-now-and-then': () => {
      const isThird = everyNth(3);
      return acceptingOnly(({ name }) => /^[ -~]*$/.test(name) || !isThird())();
    },
    'names-without-links': names(/^(?!.*(?:https?:|www\.|@))/i),
  }),
  ...variantsOf('2: constraints on email are not shown')({
    'emails-of-html': emails(HTML_EMAIL),
    'emails-simple': emails(/^[\w.+-]+@[\w-]+\.[\w.-]+$/),
    'emails-of-lower-case': emails(/^[a-z0-9.]+@[a-z0-9.-]+\.[a-z]+$/),
    'emails-without-tags': emails(/^[A-Za-z0-9._-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,}$/),
    'emails-of-com': emails(/^\S+@\S+\.com$/),
    'emails-of-example-com-itself': emails(/^\w+@example\.com$/),
    'emails-of-a-new-domain-rejected-at-first': () => {
      const known = new Set(['example.com']);
      return acceptingOnly(({ email }) => known.size === known.add(domainOf(email)).size)();
    },
    'emails-of-40-characters': acceptingOnly(({ email }) => email.length <= 40),
    'emails-of-64-and-255': emails(/^.{1,64}@[^@]{1,255}$/s),
    'emails-of-ascii': emails(/^[!-~]+@[!-~]+$/),
  }),
  ...variantsOf('2: uniqueness of name and email is not shown')({
    'unique-emails': once(({ email }) => email),
    'unique-emails-in-any-case': once(({ email }) => email.trim().toLowerCase()),
    'unique-emails-without-tags': once(({ email }) => email.toLowerCase().replace(/\+[^@]*/, '')),
    'unique-emails-200-with-the-other-id': () => {
      const ids = new Map<unknown, string>();
      return {
        acceptsCustomer: ({ email }) => !ids.has(email),
        customer(customer) {
          ids.set(customer.email, customer.id);
          return customer;
        },
        reject(reply, reason, { text }) {
          const other = ids.get((parseJson(text) as Partial<Customer> | undefined)?.email);
          const error = { code: 'email_taken', conflict_with: other };
          return reason === 'values' && other !== undefined
            ? { ...reply, status: 200, body: json({ success: false, error }) }
            : reply;
        },
      };
    },
    'unique-pairs': once(({ name, email }) => JSON.stringify([name, email])),
  }),
  ...variantsOf('4 and 8: requirements on a request beyond its members are not shown')({
    'requires-accept': requiring(406, ({ header }) =>
      /\bapplication\/json\b|\*\/\*/.test(header('Accept') ?? ''),
    ),
    'requires-content-type': requiring(415, ({ header }) =>
      /^application\/json\b/i.test(header('Content-Type') ?? ''),
    ),
    'tokens-require-content-type': requiring(
      415,
      ({ header, operation }) =>
        operation !== 'token' || /^application\/json\b/i.test(header('Content-Type') ?? ''),
    ),
    'requires-content-type-alone': requiring(
      415,
      ({ header }) => header('Content-Type') === 'application/json',
    ),
    'requires-user-agent': requiring(403, ({ header }) => (header('User-Agent') ?? '').length > 3),
    'requires-content-length': requiring(411, ({ header }) => header('Content-Length') !== undefined),
    'bodies-of-256-bytes': requiring(413, ({ bytes }) => bytes.length <= 256),
    'bodies-of-one-kilobyte': requiring(413, ({ bytes }) => bytes.length <= 1024),
    'bodies-in-single-quotes': readingAlso((text) => text.replaceAll("'", '"')),
    'bodies-without-nul': requiring(400, ({ text }) => !/\0|\\u0000/.test(text)),
    'bodies-in-utf-8-only': requiring(400, ({ text }) => !text.includes('\uFFFD')),
    'values-of-a-strict-shop': () =>
      combined(
        names(/^[A-Za-z]+ [A-Za-z]+$/)(),
        emails(/^[a-z0-9]+@example\.com$/)(),
        once(({ email }) => email)(),
      ),
  }),
];
