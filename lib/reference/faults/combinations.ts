import type { CustomerRequest } from '../../schemas/interface.ts';
import type { Customer } from '../behaviour.ts';
import { faultsOf } from '../fault-or-variant.ts';

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
