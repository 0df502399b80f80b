import type { CustomerRequest } from '../../schemas/interface.ts';
import { isObject } from '../../schemas/json.ts';
import type { Behaviour, Customer } from '../behaviour.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { acceptingOnly, asRandom, domainOf, firstByKey, localOf, pause } from '../changes.ts';
import { faultsOf } from '../fault-or-variant.ts';
import { oneTokenFor } from './tokens.ts';

/** Stores members in a variable that all requests share. */
const throughShared =
  (wait: () => Promise<void>, ...members: readonly (keyof Customer)[]) =>
  (): Behaviour => {
    const shared: Partial<Record<keyof Customer, string>> = {};
    return {
      async customer(customer) {
        for (const member of members) shared[member] = customer[member];
        await wait();
        return { ...customer, ...shared };
      },
    };
  };

/** Shows only when requests overlap or share a connection. */
export const concurrency = [
  ...faultsOf('4.1: the response has the name and email of its own request', [
    'customer.reply.own',
    'customer.name.echoed',
    'customer.email.echoed',
    'customer.id.new',
  ])({
    'concurrency-answers-crossed': throughShared(() => pause(2), 'id', 'name', 'email'),
    'concurrency-email-from-neighbour': throughShared(() => pause(2), 'email'),
    'concurrency-name-from-neighbour': throughShared(() => sleep(1), 'name'),
    'concurrency-shared-response-object': throughShared(() => pause(1), 'id', 'name', 'email'),
    // Requests in flight are found by their email.
    'concurrency-name-of-the-same-email': () => {
      const names = new Map<string, string>();
      return {
        async customer(customer) {
          names.set(customer.email, customer.name);
          await pause(20);
          return { ...customer, name: names.get(customer.email) };
        },
      };
    },
    'concurrency-shared-input-buffer': () => {
      let buffer: Uint8Array;
      return {
        async decode(bytes) {
          buffer = bytes;
          await pause(2);
          return new TextDecoder().decode(buffer);
        },
      };
    },
    'concurrency-shared-output-buffer': () => {
      const buffer = Buffer.alloc(1 << 21);
      return {
        async serialise(customer) {
          const length = buffer.write(JSON.stringify(customer));
          await pause(1);
          return new Uint8Array(buffer.subarray(0, length));
        },
      };
    },
    'concurrency-last-in-first-out': () => {
      const waiting: Customer[] = [];
      return {
        async customer(customer) {
          waiting.push(customer);
          await sleep(2);
          return waiting.pop();
        },
      };
    },
    'concurrency-only-above-4-in-flight': () => {
      const pool: Customer[] = [];
      return {
        async customer(customer, { inFlight }) {
          pool.push(customer);
          await sleep(2);
          const shown = inFlight() > 4 ? pool.at(-1) : customer;
          pool.splice(pool.indexOf(customer), 1);
          return shown;
        },
      };
    },
    'concurrency-crossed-1-in-10': () => {
      let current: Customer;
      return {
        async customer(customer) {
          current = customer;
          await pause(2);
          return Math.random() < 0.1 ? current : customer;
        },
      };
    },
    'concurrency-single-flight-by-name': () => {
      const inFlight = new Map<string, Customer>();
      return {
        async customer(customer) {
          const other = inFlight.get(customer.name);
          if (other) return other;
          inFlight.set(customer.name, customer);
          await sleep(20);
          inFlight.delete(customer.name);
          return customer;
        },
      };
    },
    'connection-keeps-first-name': () => {
      const first = firstByKey<string>();
      return { name: (submitted, { connection }) => first(connection, submitted) };
    },
    'connection-email-of-previous-every-11th': () => {
      const previous = new WeakMap<object, { count: number; email: string }>();
      return {
        email(submitted, { connection }) {
          const { count, email } = previous.get(connection) ?? { count: 0, email: submitted };
          previous.set(connection, { count: count + 1, email: submitted });
          return (count + 1) % 11 === 0 ? email : submitted;
        },
      };
    },
  }),
  ...faultsOf('4.1: each response has a new id', ['customer.id.new', 'customer.id.form'])({
    'concurrency-id-from-neighbour': throughShared(() => pause(2), 'id'),
    'concurrency-pool-exhausted-null-id': () => {
      let busy = 0;
      return {
        async id(fresh) {
          busy++;
          await sleep(2);
          return busy-- > 3 ? null : fresh;
        },
      };
    },
  }),
  ...faultsOf(
    '4.1: a valid request with valid credentials is accepted, whatever its connection carried before',
    ['customer.plain.accepted'],
  )({
    // It rejects without reading the body, which it then takes for the next request.
    'connection-broken-by-rejection': () => {
      const unread = new WeakSet<object>();
      return {
        around: (inner) => (request, response) => {
          if (!unread.delete(request.socket)) return inner(request, response);
          response.writeHead(400, { Connection: 'close' });
          return response.end('Bad request syntax');
        },
        reject(reply, reason, { connection }) {
          if (reason === 'credential') unread.add(connection);
          return reply;
        },
      };
    },
  }),
  ...faultsOf('4.1: a valid request with valid credentials is accepted, whatever was sent before', [
    'customer.plain.accepted',
  ])({
    'concurrency-500-while-same-body-in-flight': () => {
      const inFlight = new Set<string>();
      return {
        async acceptsCustomer(_, { text }) {
          if (inFlight.has(text)) throw new Error('the row is locked');
          inFlight.add(text);
          await sleep(20);
          return inFlight.delete(text);
        },
      };
    },
    'state-key-rejected-once-after-a-wrong-one': () => {
      let isEvicted = false;
      return {
        authenticate({ hasKey }) {
          const isAccepted = hasKey && !isEvicted;
          isEvicted = !hasKey;
          return isAccepted;
        },
      };
    },
    // As where one record without it breaks every search of the table.
    'state-all-rejected-after-one-without-email': () => {
      let isBroken = false;
      return {
        parse(text, { operation }) {
          const sent: unknown = JSON.parse(text);
          if (operation !== 'customer' || !isObject(sent)) return sent;
          isBroken ||= !('email' in sent);
          if (isBroken) throw new Error('cannot read the address of a record');
          return sent;
        },
        reject: (reply, reason) =>
          reason === 'body' ? { ...reply, body: '{"error":"Bad Request"}' } : reply,
      };
    },
    'state-customer-created-before-key-check': () => {
      const known = new Set<string>();
      return {
        authenticate({ hasKey, operation, text }) {
          if (operation === 'customer' && !hasKey) known.add(text);
          return hasKey;
        },
        ...acceptingOnly((_, { text }) => !known.has(text), 409)(),
      };
    },
  }),
  ...faultsOf('5.3: each token request is issued its own token', ['token.credential.distinct'])({
    'concurrency-token-crossed': () => {
      let current: string;
      return {
        async token(fresh) {
          current = fresh;
          await pause(2);
          return current;
        },
      };
    },
  }),
];

/** Gives later customers of a kind a member of the first one. */
const firstOf = (member: keyof CustomerRequest, kindOf: (customer: Customer) => string) => (): Behaviour => {
  const first = firstByKey<Customer>();
  return {
    customer: (customer) => ({ ...customer, [member]: first(kindOf(customer), customer)[member] }),
  };
};

/** Each domain keeps the spelling of its first use. */
const domainsInterned = (): Behaviour => {
  const first = firstByKey<string>();
  return {
    email(submitted) {
      const domain = domainOf(submitted);
      return `${localOf(submitted)}@${first(domain.toLowerCase(), domain)}`;
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
      last = Object.fromEntries(
        Object.entries(whole).filter(([name]) => name === 'name' || name === 'email'),
      );
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
    'state-id-of-16-random-bits': () => {
      const next = asRandom(16);
      return { id: () => `cus_${next().toString(16)}` };
    },
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
    'state-token-one-per-first-scope-and-lifetime': oneTokenFor(
      ({ scopes, expires_in: lifetime }) => `${scopes[0]} ${lifetime}`,
    ),
    'state-token-one-per-first-scope-which-is-not-reported': () => {
      const first = firstByKey<string>();
      return { tokenRecord: ({ token, scopes }) => ({ token: first(String(scopes[0]), token) }) };
    },
  }),
];
