import { describe } from 'vitest';
import { distinct, shapeOf } from '../../lib/engine/classes.ts';
import { probeCustomer } from '../../lib/engine/probe.ts';
import type { Probe } from '../../lib/engine/probe.ts';
import { member } from '../../lib/target/reply.ts';
import { run } from '../run.ts';
import { outcomeOf, outcomes, plainBody, question } from './asking.ts';
import { longestTaken } from './longest.ts';
import { ofCustomers } from './seen.ts';

const create = (changes: object = {}): Promise<Probe> => probeCustomer(run, { ...plainBody(), ...changes });

/** Without a member. */
function without(...names: readonly string[]): Promise<Probe> {
  const members = Object.entries(plainBody()).filter(([name]) => !names.includes(name));
  return probeCustomer(run, Object.fromEntries(members));
}

/** One name of each class that services are known to refuse as one. */
const names: Readonly<Record<string, string>> = {
  empty: '',
  'one letter': 'A',
  'one word': 'Ada',
  'space at the end': 'Ada Berg ',
  'two spaces': 'Ada  Berg',
  digits: 'Ada 1815',
  punctuation: 'Berg, A. (Ada)!',
  apostrophe: "Ada O'Brien",
  'Latin with accents': 'Zoë Müller',
  'other scripts': 'Юлия 王',
  'astral planes': 'Ada 😀',
  'directional marks': 'Ada \u202EBerg',
  'line break': 'Ada\nBerg',
  control: 'Ada\u0001Berg',
  NUL: 'Ada\u0000Berg',
  markup: '<b>Ada</b>',
  quotes: '"Ada" \\ Berg',
  link: 'https://ada.example/',
  template: '{{7*7}} ${7*7}',
};

/**
 * One address of each class; `*` is where the mark of the request stands. None without a mark: it would be
 * taken once only where addresses are unique.
 */
const emails: Readonly<Record<string, string>> = {
  'no address': '*',
  capitals: 'Ada*@Example.COM',
  'plus tag': 'ada*+news@example.com',
  dots: 'a.d.a.*@example.com',
  apostrophe: "o'ada*@example.com",
  'other atext': 'a!b#c$%&*@example.com',
  quoted: '"ada *"@example.com',
  international: 'zoë*@example.com',
  'international domain': 'ada*@bücher.example.com',
  'other reserved domain': 'ada*@ada.test',
  'domain of one label': 'ada*@localhost',
  'address literal': 'ada*@[192.0.2.1]',
  'space around': ' ada*@example.com',
  'display name': 'Ada <ada*@example.com>',
};

describe('open questions about customers (interface, sections 2, 3 and 4.1)', () => {
  question('customer.create.status', () =>
    ofCustomers((found) => distinct(found.map(({ exchange }) => exchange.reply.status))),
  );

  question('customer.members', () =>
    ofCustomers((found) => shapeOf(found.map(({ exchange }) => exchange.reply.json))),
  );

  question('customer.state', () =>
    ofCustomers((found) =>
      distinct(
        found.map(({ exchange: { reply } }) => {
          const state = member(reply.json, 'state') ?? member(reply.json, 'status');
          if (typeof state !== 'string') return 'none';
          return /^[A-Za-z][A-Za-z_-]{0,30}$/.test(state) ? state : 'no single word';
        }),
      ),
    ),
  );

  question('customer.members.missing', () =>
    outcomes({
      name: () => without('name'),
      email: () => without('email'),
      both: () => without('name', 'email'),
    }),
  );

  question('customer.members.null', () =>
    outcomes({ name: () => create({ name: null }), email: () => create({ email: null }) }),
  );

  question('customer.members.typed', () =>
    outcomes({
      'name is a number': () => create({ name: 1815 }),
      'name is true': () => create({ name: true }),
      'name is an array': () => create({ name: ['Ada Berg'] }),
      'name is an object': () => create({ name: { first: 'Ada' } }),
      'email is a number': () => create({ email: 1815 }),
      'email is an array': () => create({ email: [plainBody().email] }),
    }),
  );

  question('customer.members.unknown', async () => {
    const probe = await create({ favourite_colour: 'green' });
    return { answer: outcomeOf(probe), exchanges: [probe.exchange] };
  });

  question('customer.name.classes', () =>
    outcomes(
      Object.fromEntries(Object.entries(names).map(([category, name]) => [category, () => create({ name })])),
    ),
  );

  question('customer.email.classes', () =>
    outcomes(
      Object.fromEntries(
        Object.entries(emails).map(([category, email], at) => [
          category,
          () => create({ email: email.replace('*', `${run.tag}d${at}`) }),
        ]),
      ),
    ),
  );

  question('customer.name.longest', () =>
    longestTaken(
      [
        24, 30, 32, 40, 50, 60, 64, 80, 100, 120, 127, 128, 150, 191, 200, 250, 255, 256, 500, 512, 1000,
        1024, 2000, 2048, 4000, 4096, 5000, 8192, 10_000,
      ],
      (length) => create({ name: `Ada B${'e'.repeat(length - 5)}` }),
    ),
  );

  question('customer.email.longest', () =>
    longestTaken(
      [32, 40, 50, 60, 64, 80, 100, 120, 128, 150, 191, 200, 250, 254, 255, 256, 300, 320, 500, 1000],
      (length) => create({ name: 'Ada Berg', email: addressOf(length) }),
    ),
  );

  const [twice, inCapitals, pair] = [
    repeated((email) => email),
    repeated((email) => email.toUpperCase()),
    repeated(),
  ];
  question('customer.email.twice', twice);
  question('customer.email.case', inCapitals);
  question('customer.pair.twice', pair);
});

/** A second customer like one just created. @param change of its email; none: the very same pair */
function repeated(change?: (email: string) => string) {
  return async () => {
    const body = plainBody();
    const first = await probeCustomer(run, body);
    const again = change ? { name: plainBody().name, email: change(body.email) } : body;
    const second = await probeCustomer(run, again);
    return { answer: outcomeOf(second), exchanges: [first.exchange, second.exchange] };
  };
}

/** An address of so many characters, its labels within the bounds of RFC 1035. */
function addressOf(length: number): string {
  const { email } = plainBody();
  const [local, domain] = email.split('@') as [string, string];
  let left = length - email.length;
  const labels: string[] = [];
  while (left > 0) {
    // A label and its dot; never a single character left over, which no label fits.
    const size = left <= 64 ? left : left === 65 ? 60 : 64;
    labels.push(`${'a'.repeat(size - 1)}.`);
    left -= size;
  }
  return left === 0 && labels.every((label) => label.length > 1)
    ? `${local}@${labels.join('')}${domain}`
    : `${local}${'a'.repeat(length - email.length)}@${domain}`;
}
