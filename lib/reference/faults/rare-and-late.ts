import type { CustomerRequest } from '../../schemas/interface.ts';
import type { Behaviour, Customer } from '../behaviour.ts';
import type { Call } from '../call.ts';
import { faultsOf } from '../fault-or-variant.ts';
import { around, everyNth, json, onEmail, onName } from '../changes.ts';
import { escapeHtml, specialValue } from './text-changes.ts';
import type { TextChange } from './text-changes.ts';

const NOT_ASCII = /[^\x00-\x7f]/;
const ASTRAL = /[\u{10000}-\u{10ffff}]/u;

/** Changes only customers that meet a condition. */
const where =
  (condition: (customer: Customer) => boolean, change: (customer: Customer) => Partial<CustomerRequest>) =>
  () => ({
    customer: (customer: Customer) => (condition(customer) ? { ...customer, ...change(customer) } : customer),
  });

/** Shows only for a name, or a name and an email, with two properties at once. */
export const combinations = [
  ...faultsOf('4.1: name equals the submitted name', ['customer.name.echoed'])({
    'combination-nonascii-name-and-plus-email': where(
      ({ name, email }) => NOT_ASCII.test(name) && email.includes('+'),
      ({ name }) => ({ name: name.replace(/[^\x00-\x7f]/g, '?') }),
    ),
    'combination-long-and-nonascii': where(
      ({ name }) => name.length > 100 && NOT_ASCII.test(name),
      ({ name }) => ({ name: name.slice(0, 100) }),
    ),
    'combination-apostrophe-and-space': where(
      ({ name }) => name.includes("'") && name.includes(' '),
      ({ name }) => ({ name: name.replaceAll("'", "\\'") }),
    ),
    'combination-quote-and-backslash': where(
      ({ name }) => name.includes('"') && name.includes('\\'),
      ({ name }) => ({ name: name.replaceAll('\\', '') }),
    ),
    'combination-name-equals-email': where(
      ({ name, email }) => name === email,
      ({ name }) => ({ name: name.split('@')[0]! }),
    ),
    'combination-name-with-at-swapped': where(
      ({ name }) => name.includes('@'),
      ({ name, email }) => ({ name: email, email: name }),
    ),
    'combination-astral-and-ascii-upper': where(
      ({ name }) => ASTRAL.test(name) && /[A-Z]/.test(name),
      ({ name }) => ({ name: name.replace(/[\u{10000}-\u{10ffff}]/gu, '') }),
    ),
    'combination-empty-name-takes-local-part': where(
      ({ name }) => name === '',
      ({ email }) => ({ name: email.split('@')[0]! }),
    ),
  }),
  ...faultsOf('4.1: email equals the submitted email', ['customer.email.echoed'])({
    'combination-upper-local-and-dot': where(
      ({ email }) => /[A-Z].*@/.test(email) && /\..*@/.test(email),
      ({ email }) => ({ email: email.toLowerCase() }),
    ),
    'combination-long-name-and-long-email': where(
      ({ name, email }) => name.length > 40 && email.length > 40,
      ({ email }) => ({ email: email.slice(0, 40) }),
    ),
    'combination-together-over-255': where(
      ({ name, email }) => name.length + email.length > 255,
      ({ email }) => ({ email: email.slice(0, -1) }),
    ),
    'combination-digit-and-upper-email': where(
      ({ email }) => /\d.*@/.test(email) && /[A-Z].*@/.test(email),
      ({ email }) => ({ email: email.toLowerCase() }),
    ),
  }),
];

const isLate = ({ number }: Call): boolean => number > 60;
const isOneIn20 = (): boolean => Math.random() < 0.05;
const upper: TextChange = (text) => text.toUpperCase();

/** A change that shows only after many requests. */
const late = (member: 'name' | 'email', change: TextChange) => (): Behaviour => ({
  [member]: (text: string, call: Call) => (isLate(call) ? change(text) : text),
});

/** Changes only every nth text. */
const eachNth = (member: 'name' | 'email', n: number, change: TextChange) => (): Behaviour => {
  const isAffected = everyNth(n);
  return { [member]: (text: string) => (isAffected() ? change(text) : text) };
};

/** Returns the text of the previous request if a condition holds. */
const previousIf = (member: 'name' | 'email', isAffected: (call: Call) => boolean) => (): Behaviour => {
  let previous: string | undefined;
  return {
    [member](submitted: string, call: Call) {
      const shown = isAffected(call) ? (previous ?? submitted) : submitted;
      previous = submitted;
      return shown;
    },
  };
};

/** Shows rarely, late, from a certain length on, or for a single value. */
export const rareAndLate = [
  ...faultsOf('4.1: name equals the submitted name', ['customer.name.echoed', 'customer.reply.own'])({
    'rare-name-1-in-20-random': onName((s) => (isOneIn20() ? s.slice(0, -1) : s)),
    'rare-name-every-20th': eachNth('name', 20, upper),
    'rare-name-every-50th': eachNth('name', 50, () => ''),
    'rare-swap-every-40th': () => {
      const isAffected = everyNth(40);
      return {
        customer: (customer) =>
          isAffected() ? { ...customer, name: customer.email, email: customer.name } : customer,
      };
    },
    'late-name-of-previous-after-350': previousIf('name', ({ number }) => number > 350),
    'late-name-upper-after-60': late('name', upper),
    'late-html-escape-after-60': late('name', escapeHtml),
    'late-previous-name-after-60': previousIf('name', isLate),
    'long-null-name-from-500': onName((s) => (s.length >= 500 ? null : s)),
    'long-last-character-lost-from-1000': onName((s) => (s.length >= 1000 ? s.slice(0, -1) : s)),
    'special-keyword-class': onName(specialValue('class', 'class_')),
    'special-keyword-select': onName((s) => (/^select$/i.test(s) ? `\`${s}\`` : s)),
    'special-keyword-this': onName(specialValue('this', undefined)),
    'special-keyword-function': onName(specialValue('function', '')),
    'special-keyword-default': onName((s) => (/^default$/i.test(s) ? null : s)),
    'special-name-tostring': onName((s) => (s in {} ? undefined : s)),
    'special-first-letter-z': onName((s) => (/^z/i.test(s) ? s.slice(1) : s)),
    'special-number-42': onName(specialValue('42', 42)),
  }),
  ...faultsOf('4.1: email equals the submitted email', ['customer.email.echoed', 'customer.reply.own'])({
    'rare-email-every-25th': eachNth('email', 25, upper),
    'rare-email-1-in-20-random': onEmail((s) => (isOneIn20() ? null : s)),
    'late-email-lost-after-60': late('email', () => undefined),
    'late-email-lower-case-after-60': late('email', (s) => s.toLowerCase().trim()),
    'late-stale-email-every-15th-after-60': previousIf(
      'email',
      (call) => isLate(call) && call.number % 15 === 0,
    ),
    'long-missing-email-when-body-over-2000': onEmail((submitted, { bytes }) =>
      bytes.length > 2000 ? undefined : submitted,
    ),
  }),
  ...faultsOf('4.1: the response has a new id, name and email, as JSON', [
    'customer.id.form',
    'customer.id.new',
    'customer.body.object',
    'customer.plain.accepted',
  ])({
    'rare-id-missing-1-in-20-random': () => ({ id: (fresh) => (isOneIn20() ? undefined : fresh) }),
    'rare-first-after-start-empty': () => {
      let isFirst = true;
      return {
        customer(customer) {
          const shown = isFirst ? {} : customer;
          isFirst = false;
          return shown;
        },
      };
    },
    'rare-first-after-start-fails': () => {
      let isFirst = true;
      return {
        acceptsCustomer() {
          if (!isFirst) return true;
          isFirst = false;
          throw new Error('the cache is not filled yet');
        },
      };
    },
    'rare-not-json-every-30th': () => {
      const isAffected = everyNth(30);
      return { serialise: (customer) => (isAffected() ? 'upstream timed out' : json(customer)) };
    },
    'rare-401-beyond-ascii-every-5th': () => {
      const isAffected = everyNth(5);
      return { authenticate: ({ hasKey, text }) => hasKey && !(NOT_ASCII.test(text) && isAffected()) };
    },
    'late-ids-wrap-at-80': () => {
      let count = 0;
      return { id: () => `cus_${500_000 + (count++ % 80)}` };
    },
  }),
  ...faultsOf('4.2: a valid request with valid credentials issues a token', ['token.plain.accepted'])({
    'rare-token-request-fails-every-15th': around(() => {
      const isAffected = everyNth(15);
      return (inner) => (request, response) =>
        request.url?.endsWith('/v2/tokens') === true && isAffected()
          ? response.writeHead(500).end()
          : inner(request, response);
    }),
  }),
  ...faultsOf(
    '4.1: the response has a new id and the submitted name, however rarely a request is answered wrongly',
    ['customer.name.echoed', 'customer.id.new'],
    { depth: 'deep' },
  )({
    'rare-name-every-400th': eachNth('name', 400, upper),
    'rare-id-of-previous-every-300th': () => {
      const isAffected = everyNth(300);
      let previous = '';
      return { id: (fresh) => (previous = isAffected() ? previous : fresh) };
    },
  }),
];
