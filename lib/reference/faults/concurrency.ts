import type { Customer, Behaviour } from '../behaviour.ts';
import { faultsOf } from '../fault-or-variant.ts';
import { pause, sleep } from '../time.ts';

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
    'concurrency-shared-response-object': () => {
      const shared = { id: '', name: '', email: '' };
      return {
        async customer(customer) {
          Object.assign(shared, customer);
          await pause(1);
          return shared;
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
          await sleep(3);
          inFlight.delete(customer.name);
          return customer;
        },
      };
    },
    'connection-keeps-first-name': () => {
      const names = new WeakMap<object, string>();
      return {
        name(submitted, { connection }) {
          if (!names.has(connection)) names.set(connection, submitted);
          return names.get(connection);
        },
      };
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
