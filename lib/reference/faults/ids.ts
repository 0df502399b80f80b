import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { member, parseJson } from '../../schemas/json.ts';
import type { Behaviour } from '../behaviour.ts';
import { firstByKey, ignoringUnknown, pause } from '../changes.ts';
import { faultsOf } from '../fault-or-variant.ts';

type Id = NonNullable<Behaviour['id']>;

/** Makes ids without state. */
const always = (id: Id) => (): Behaviour => ({ id });

/** Makes ids with state. */
const stateful = (makeId: () => Id) => (): Behaviour => ({ id: makeId() });

const numbered = (make: (count: number) => string): (() => Behaviour) =>
  stateful(() => {
    let count = 0;
    return () => `cus_${make(count++)}`;
  });

/** One id for all customers with the same trait. */
const oneFor = (trait: (...args: Parameters<Id>) => unknown): (() => Behaviour) =>
  stateful(() => {
    const first = firstByKey<string>();
    return (fresh, ...rest) => first(trait(fresh, ...rest), fresh);
  });

const repeatingLast = (isTime: (count: number) => boolean): (() => Behaviour) =>
  stateful(() => {
    let count = 0;
    let last: string | undefined;
    return (fresh) => (last = last !== undefined && isTime(++count) ? last : fresh);
  });

/** The id is a member that the request sends, where it has the right form. @param idOf undefined: there is none */
const takenFrom =
  (name: string, form = /^/, idOf = (given: string | undefined, fresh: string) => given ?? fresh) =>
  (): Behaviour => ({
    ...ignoringUnknown(),
    id(fresh, _, { text }) {
      const given = member(parseJson(text), name);
      return idOf(typeof given === 'string' && form.test(given) ? given : undefined, fresh);
    },
  });

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

export const ids = [
  ...faultsOf('2: id is a string: cus_ followed by an identifier', ['customer.id.form'])({
    'id-missing': always(() => undefined),
    'id-of-the-request': takenFrom('id'),
    'id-of-the-request-as-customer-id': takenFrom('customer_id'),
    'id-of-the-request-if-it-has-the-form': takenFrom('id', /^cus_/),
    'id-uuid-of-the-request': takenFrom(
      '_id',
      /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/,
      (given = randomUUID()) => `cus_${given}`,
    ),
    'id-null': always(() => null),
    'id-number': stateful(() => {
      let serial = 1000;
      return () => ++serial;
    }),
    'id-uuid-without-prefix': always(() => randomUUID()),
    'id-prefix-cust': always((fresh) => fresh.replace('cus_', 'cust_')),
    'id-prefix-upper': always((fresh) => fresh.replace('cus_', 'CUS_')),
    'id-prefix-dash': always((fresh) => fresh.replace('cus_', 'cus-')),
    'id-prefix-only': always(() => 'cus_'),
    'id-leading-space': always((fresh) => ` ${fresh}`),
    'id-with-a-line-feed': always((fresh) => `${fresh}\n`),
    'id-in-object': always((fresh) => ({ value: fresh })),
    'id-in-array': always((fresh) => [fresh]),
    'id-prefixed-by-url': always((fresh) => `/v1/customers/${fresh}`),
    'id-empty-string': always(() => ''),
    'id-lost-for-long-name': always((fresh, { name }) => (name.length > 500 ? null : fresh)),
    'id-slug-of-name': always((_, { name }) => `cus_${name.toLowerCase().replace(/[^a-z0-9]/g, '')}`),
    'id-number-1-in-25': stateful(() => {
      let count = 0;
      return (fresh) => (++count % 25 === 0 ? count : fresh);
    }),
  }),
  ...faultsOf('4.1: the response has a new id', ['customer.id.new'])({
    'id-object-object': always(() => 'cus_[object Object]'),
    'id-undefined-text': always(() => 'cus_undefined'),
    'id-constant': always(() => 'cus_1'),
    'id-per-process': oneFor(() => 'this process'),
    'id-reused-every-20th': repeatingLast((count) => count % 20 === 0),
    'id-reused-1-in-20-random': repeatingLast(() => Math.random() < 0.05),
    'id-reused-old-1-in-30': stateful(() => {
      const old: string[] = [];
      return (fresh) => (old.length > 10 && Math.random() < 1 / 30 ? old[0] : (old.push(fresh), fresh));
    }),
    'id-three-digits': always(() => `cus_${String(Math.floor(Math.random() * 1000)).padStart(3, '0')}`),
    'id-four-digits': always(() => `cus_${Math.floor(Math.random() * 10_000)}`),
    'id-one-byte': always(() => `cus_${randomBytes(1).toString('hex')}`),
    'id-wraps-at-64': numbered((count) => String(count % 64)),
    'id-wraps-at-100': numbered((count) => String(count % 100).padStart(2, '0')),
    'id-date-now': always(() => `cus_${Date.now()}`),
    'id-unix-seconds': always(() => `cus_${Math.floor(Date.now() / 1000)}`),
    'id-constant-after-60': always((fresh, _, { number }) => (number > 60 ? 'cus_overflow' : fresh)),
    'id-counted-by-each-process': stateful(() => {
      const counts = [1000, 1000, 1000];
      return () => `cus_${counts[Math.floor(Math.random() * counts.length)]!++}`;
    }),
    'id-restarts-after-60': numbered((count) => String((count % 61) + 100_000)),
    'id-same-for-same-input': oneFor((_, { name, email }) => JSON.stringify([name, email])),
    'id-same-for-same-email': oneFor((_, { email }) => email),
    'id-md5-of-email': always((_, { email }) => `cus_${md5(email).slice(0, 24)}`),
    'id-md5-of-email-without-prefix': always((_, { email }) => md5(email)),
    'id-md5-of-name': always((_, { name }) => `cus_${md5(name).slice(0, 24)}`),
    'id-same-as-previous-for-repeat': stateful(() => {
      let previous = { input: '', id: '' };
      return (fresh, { name, email }) => {
        const input = name + email;
        previous = { input, id: input === previous.input ? previous.id : fresh };
        return previous.id;
      };
    }),
    'id-from-name-hash-8-bit': always((_, { name }) => `cus_${parseInt(md5(name).slice(0, 2), 16)}`),
    'id-per-connection': oneFor((_, __, { connection }) => connection),
    'id-snowflake-as-float': stateful(() => {
      let serial = 1_234_567_890_123_456_000n;
      return () => `cus_${Number((serial += 7n))}`;
    }),
    'id-shared-when-simultaneous-same-input': stateful(() => {
      const inFlight = new Map<string, string>();
      return async (fresh, { name, email }) => {
        const input = name + email;
        const other = inFlight.get(input);
        if (other !== undefined) return other;
        inFlight.set(input, fresh);
        await sleep(3);
        inFlight.delete(input);
        return fresh;
      };
    }),
    // Members that it does not know are ignored, so that the first customer of the scenario exists already.
    'id-shared-when-simultaneous-new-email': () => {
      const ids = new Map<string, string>();
      const stored = new Set<string>();
      return {
        ...ignoringUnknown(),
        acceptsCustomer: ({ email }) => !stored.has(email),
        async customer(customer) {
          await sleep(3);
          const id = ids.get(customer.email) ?? customer.id;
          ids.set(customer.email, id);
          await sleep(3);
          stored.add(customer.email);
          return { ...customer, id };
        },
      };
    },
    'id-racing-counter': stateful(() => {
      let next = 7000;
      return async () => {
        const mine = next;
        await pause(2);
        next = mine + 1;
        return `cus_${mine}`;
      };
    }),
    'id-timestamp-plus-broken-sequence': stateful(() => {
      let sequence = 0;
      let time = 0;
      return async () => {
        const now = Date.now();
        if (now !== time) [time, sequence] = [now, 0];
        const mine = sequence;
        await pause(1);
        sequence = mine + 1;
        return `cus_${now}${mine}`;
      };
    }),
  }),
];
