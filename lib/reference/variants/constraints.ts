import type { CustomerRequest } from '../../inputs/schemas.ts';
import type { Call } from '../call.ts';
import { takesLifetime, takesScopes } from '../hooks.ts';
import type { Reason } from '../hooks.ts';
import type { Behaviour } from '../behaviour.ts';
import { together } from './change.ts';
import { variantsOf } from './variant.ts';
import type { Variant } from './variant.ts';

type Taken = (submitted: CustomerRequest, call: Call) => boolean;

const taking = (takesCustomer: Taken) => (): Behaviour => ({ takesCustomer });
const names = (pattern: RegExp) => taking(({ name }) => pattern.test(name));
const emails = (pattern: RegExp) => taking(({ email }) => pattern.test(email));

/** Takes each value once. */
const once = (valueOf: (submitted: CustomerRequest) => string) => (): Behaviour => {
  const taken = new Set<string>();
  return {
    takesCustomer(submitted) {
      const value = valueOf(submitted);
      const isNew = !taken.has(value);
      taken.add(value);
      return isNew;
    },
    refuse: (reply, reason) => (reason === 'values' ? { ...reply, status: 409 } : reply),
  };
};

/** Turns a request away, whatever it asks for, unless it is put as this service wants it. */
const requiring =
  (status: number, isRight: (call: Call) => boolean): (() => Behaviour) =>
  () => {
    const isTaken = (_: unknown, call: Call): boolean => isRight(call);
    return {
      takesCustomer: isTaken,
      takesToken: (asked, call) =>
        isTaken(asked, call) && takesScopes(asked.scopes) && takesLifetime(asked.expires_in),
      refuse: (reply, reason: Reason, call) =>
        reason === 'values' && !isRight(call) ? { ...reply, status } : reply,
    };
  };

const bytes = (text: string): number => Buffer.byteLength(text);

/** The grammar that HTML gives to an email field, which is stricter than the RFCs'. */
const HTML_EMAIL =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+$/;

/** Which names, addresses and requests are taken. */
export const constraints: readonly Variant[] = [
  ...variantsOf(
    { category: 'constraints', open: '2: constraints on name are not shown' },
    {
      'names-of-30-characters': taking(({ name }) => [...name].length <= 30),
      'names-of-50-units': taking(({ name }) => name.length <= 50),
      'names-of-64-bytes': taking(({ name }) => bytes(name) <= 64),
      'names-of-100-characters': taking(({ name }) => [...name].length <= 100),
      'names-of-255-bytes': taking(({ name }) => bytes(name) <= 255),
      'names-not-empty': taking(({ name }) => name.trim() !== ''),
      'names-of-two-characters-at-least': taking(({ name }) => name.length >= 2),
      'names-of-two-words': names(/^\S+ \S+$/),
      'names-of-ascii': names(/^[ -~]*$/),
      'names-of-latin-1': names(/^[ -~\u00A0-\u00FF]*$/),
      'names-of-letters-and-spaces': names(/^[A-Za-z]+(?: [A-Za-z]+)*$/),
      'names-of-letters-of-any-script': names(/^[\p{L}\p{M}][\p{L}\p{M}'’.\- ]*$/u),
      'names-of-the-basic-plane': names(/^[^\u{10000}-\u{10FFFF}]*$/u),
      'names-without-controls': names(/^[^\p{Cc}\p{Cf}]*$/u),
      'names-without-markup': names(/^[^<>&]*$/),
      'names-without-quotes': names(/^[^"'`\\;]*$/),
      'names-trimmed-already': taking(({ name }) => name === name.trim()),
      'names-in-nfc': taking(({ name }) => name === name.normalize('NFC')),
      'names-without-digits': names(/^\D*$/),
      'names-not-of-code': names(/^(?!.*(?:[{}$%<>]|--|;|\b(?:select|union|drop|script|null)\b))/i),
      'names-without-links': names(/^(?!.*(?:https?:|www\.|@))/i),
    },
  ),
  ...variantsOf(
    { category: 'constraints', open: '2: constraints on email are not shown' },
    {
      'emails-of-html': emails(HTML_EMAIL),
      'emails-simple': emails(/^[\w.+-]+@[\w-]+\.[\w.-]+$/),
      'emails-of-lower-case': emails(/^[a-z0-9.]+@[a-z0-9.-]+\.[a-z]+$/),
      'emails-without-tags': emails(/^[A-Za-z0-9._-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,}$/),
      'emails-of-com': emails(/^\S+@\S+\.com$/),
      'emails-of-example-com-itself': emails(/^\w+@example\.com$/),
      'emails-of-40-characters': taking(({ email }) => email.length <= 40),
      'emails-of-64-and-255': taking(({ email }) => {
        const [local, domain] = [
          email.slice(0, email.lastIndexOf('@')),
          email.slice(email.lastIndexOf('@') + 1),
        ];
        return local.length > 0 && local.length <= 64 && domain.length > 0 && domain.length <= 255;
      }),
      'emails-of-ascii': emails(/^[!-~]+@[!-~]+$/),
    },
  ),
  ...variantsOf(
    { category: 'constraints', open: '2: uniqueness of name and email is not shown' },
    {
      'unique-emails': once(({ email }) => email),
      'unique-emails-in-any-case': once(({ email }) => email.trim().toLowerCase()),
      'unique-emails-without-tags': once(({ email }) => email.toLowerCase().replace(/\+[^@]*/, '')),
      'unique-pairs': once(({ name, email }) => JSON.stringify([name, email])),
    },
  ),
  ...variantsOf(
    {
      category: 'constraints',
      open: '4 and 8: what a request must look like beyond its members is not shown',
    },
    {
      'requires-accept': requiring(406, ({ header }) =>
        /\bapplication\/json\b|\*\/\*/.test(header('Accept') ?? ''),
      ),
      'requires-content-type': requiring(415, ({ header }) =>
        /^application\/json\b/i.test(header('Content-Type') ?? ''),
      ),
      'requires-content-type-alone': requiring(
        415,
        ({ header }) => header('Content-Type') === 'application/json',
      ),
      'requires-user-agent': requiring(403, ({ header }) => (header('User-Agent') ?? '').length > 3),
      'requires-content-length': requiring(411, ({ header }) => header('Content-Length') !== undefined),
      'bodies-of-one-kilobyte': requiring(413, ({ bytes }) => bytes.length <= 1024),
      'bodies-in-single-quotes': () => ({
        parse(text) {
          try {
            return JSON.parse(text) as unknown;
          } catch {
            return JSON.parse(text.replaceAll("'", '"')) as unknown;
          }
        },
      }),
      'bodies-without-nul': requiring(400, ({ text }) => !/\0|\\u0000/.test(text)),
      'bodies-in-utf-8-only': requiring(400, ({ text }) => !text.includes('\uFFFD')),
      'values-of-a-strict-shop': () =>
        together(
          names(/^[A-Za-z]+ [A-Za-z]+$/)(),
          emails(/^[a-z0-9]+@example\.com$/)(),
          once(({ email }) => email)(),
        ),
    },
  ),
];
