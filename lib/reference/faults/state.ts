import { randomInt } from 'node:crypto';
import type { CustomerRequest } from '../../schemas/interface.ts';
import type { Behaviour, Customer } from '../behaviour.ts';
import { isObject } from '../../schemas/json.ts';
import { faultsOf } from '../fault-or-variant.ts';
import { oneTokenFor } from './tokens.ts';

/** Gives later customers of a kind a member of the first one. */
const firstOf = (member: keyof CustomerRequest, kindOf: (customer: Customer) => string) => (): Behaviour => {
  const known = new Map<string, Customer>();
  return {
    customer(customer) {
      const kind = kindOf(customer);
      const first = known.get(kind) ?? customer;
      known.set(kind, first);
      return { ...customer, [member]: first[member] };
    },
  };
};

const domainOf = (email: string): string => email.slice(email.lastIndexOf('@'));
const withoutDomain = (email: string): string => email.slice(0, email.length - domainOf(email).length);

/** Each domain keeps the spelling of its first use. */
const domainsInterned = (): Behaviour => {
  const spelling = new Map<string, string>();
  return {
    email(submitted) {
      const domain = domainOf(submitted);
      const key = domain.toLowerCase();
      if (!spelling.has(key)) spelling.set(key, domain);
      return withoutDomain(submitted) + spelling.get(key)!;
    },
  };
};

/** Members of a rejected body stay in the object into which the next request is read. */
const leftOver = (): Behaviour => {
  let left: unknown;
  return {
    parse(text, { operation }) {
      const sent = JSON.parse(text) as Partial<CustomerRequest> | null;
      if (operation !== 'customer' || typeof sent?.name !== 'string') return sent;
      if (typeof sent.email === 'string') return sent;
      left = sent.name;
      return sent;
    },
    name(submitted) {
      const shown = left ?? submitted;
      left = undefined;
      return shown;
    },
  };
};

/** A name or an email that a request lacks is that of the request before it, as in an object that is used again. */
const keptWhereMissing = (): Behaviour => {
  let last: Partial<CustomerRequest> = {};
  return {
    parse(text, { operation }) {
      const sent: unknown = JSON.parse(text);
      if (operation !== 'customer' || !isObject(sent)) return sent;
      const whole: Partial<CustomerRequest> = { ...last, ...sent };
      last = Object.fromEntries(Object.entries(whole).filter(([name]) => name !== 'id'));
      return whole;
    },
  };
};

/** Names fill a buffer of fixed size that is only terminated where there is room. */
const unterminated = (size: number) => (): Behaviour => {
  let buffer = '';
  return {
    name(submitted) {
      const isFull = Buffer.byteLength(submitted) === size;
      const shown = isFull ? submitted + buffer.slice(submitted.length) : submitted;
      buffer = submitted + buffer.slice(submitted.length);
      return shown;
    },
  };
};

/** Replies are cached by the start of their request. */
const cachedByStart = (bytes: number) => (): Behaviour => {
  const replies = new Map<string, unknown>();
  return {
    customer(customer, call) {
      const start = Buffer.from(call.bytes.subarray(0, bytes)).toString('latin1');
      const known = call.bytes.length > bytes ? replies.get(start) : undefined;
      replies.set(start, known ?? customer);
      return known ?? customer;
    },
  };
};

/** Replies depend on earlier requests that have something in common with theirs. */
export const state = [
  ...faultsOf('4.1: name equals the submitted name, not that of an earlier customer', [
    'customer.name.echoed',
    'customer.reply.own',
  ])({
    'state-name-of-first-with-same-email': firstOf('name', ({ email }) => email),
    'state-name-of-first-with-same-mailbox': firstOf('name', ({ email }) =>
      email.toLowerCase().replace(/\+[^@]*(?=@)/, ''),
    ),
    'state-name-spelled-as-first-in-any-case': firstOf('name', ({ name }) => name.toLowerCase()),
    'state-name-spelled-as-first-in-any-form': firstOf('name', ({ name }) => name.normalize('NFC')),
    'state-name-left-over-from-rejected': leftOver,
    'state-name-unterminated-at-32-bytes': unterminated(32),
  }),
  ...faultsOf('4.1: email equals the submitted email, not that of an earlier customer', [
    'customer.email.echoed',
    'customer.reply.own',
  ])({
    'state-email-of-first-with-same-name': firstOf('email', ({ name }) => name),
    'state-email-spelled-as-first-in-any-case': firstOf('email', ({ email }) => email.toLowerCase()),
    'state-domain-spelled-as-first': domainsInterned,
    'state-reply-cached-by-first-128-bytes': cachedByStart(128),
  }),
  ...faultsOf('4.1: the response carries the submitted name and email, not those of another request', [
    'customer.reply.own',
  ])({ 'state-members-kept-where-missing': keptWhereMissing }),
  ...faultsOf('4.1: each response has a new id', ['customer.id.new'])({
    'state-id-of-16-random-bits': () => ({ id: () => `cus_${randomInt(0x10000).toString(16)}` }),
    'state-id-of-third-identical': () => {
      const counts = new Map<string, { count: number; id: string }>();
      return {
        id(fresh, { name, email }) {
          const key = JSON.stringify([name, email]);
          const known = counts.get(key) ?? { count: 0, id: fresh };
          known.count++;
          counts.set(key, known);
          return known.count > 2 ? known.id : fresh;
        },
      };
    },
  }),
  ...faultsOf('5.3: tokens for different scopes or lifetimes differ', ['token.credential.distinct'])({
    'state-token-one-per-scopes-and-minute': oneTokenFor(
      ({ scopes, expires_in: lifetime }) => `${scopes.join()} ${Math.floor(lifetime / 60)}`,
    ),
    'state-token-one-per-first-scope-and-lifetime': oneTokenFor(
      ({ scopes, expires_in: lifetime }) => `${scopes[0]} ${lifetime}`,
    ),
  }),
];
