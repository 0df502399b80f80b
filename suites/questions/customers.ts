import { plainAddress } from '../../lib/inputs/addresses.ts';
import { oneOrSorted, shapeOf } from '../../lib/engine/answers/answer-shape.ts';
import { probeCustomer, plainBody } from '../../lib/engine/operations/probe.ts';
import type { Probe } from '../../lib/engine/operations/probe.ts';
import type { Question } from '../../lib/engine/question.ts';
import type { Run } from '../../lib/engine/scenario.ts';
import { member } from '../../lib/schemas/json.ts';
import { withMembers, acceptedOrRejected, LONGEST_FORM, longestAccepted, whichAccepted } from './ask.ts';
import { lengthForm, statusForm } from './declarable.ts';
import { fromAcceptedCustomers } from './observed.ts';

/** Requests a plain customer with these members changed. */
const create = (run: Run, changes: Readonly<Record<string, unknown>>): Promise<Probe> =>
  probeCustomer(run, () => withMembers(plainBody(run), changes));

/** Letters that no other request has, as names may be unique. */
const uniqueLetters = (run: Run): string =>
  `${run.runId()}${run.unique()}`.replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)]!);

/** An address of this many characters, more than a plain one has, each label within the limits of RFC 1035. */
function addressOf(run: Run, length: number): string {
  const { email } = plainBody(run);
  const [local, domain] = email.split('@') as [string, string];
  let left = length - email.length;
  const labels: string[] = [];
  while (left > 0) {
    // A label and its dot, which need two characters: a single one must not be left.
    const size = left <= 64 ? left : left === 65 ? 60 : 64;
    labels.push(`${'a'.repeat(size - 1)}.`);
    left -= size;
  }
  return labels.every((label) => label.length > 1)
    ? `${local}@${labels.join('')}${domain}`
    : `${local}${'a'.repeat(length - email.length)}@${domain}`;
}

/** Whether another customer is created after a first one. @param second the second body, made from the first */
const isCreatedAgain = (
  second: (first: ReturnType<typeof plainBody>, run: Run) => object,
): Pick<Question, 'answer' | 'asked' | 'ask'> => ({
  answer: 'accepted or rejected',
  asked: 'probed',
  ask: async (run) => {
    const body = plainBody(run);
    const first = await probeCustomer(run, () => body);
    const again = await probeCustomer(run, () => second(body, run));
    return { answer: acceptedOrRejected(again), exchanges: [first.exchange, again.exchange] };
  },
});

export const customerQuestions: readonly Question[] = [
  {
    id: 'customer.members',
    section: '2',
    question: 'Which members does a customer have, and of which types?',
    answer: 'types by JSON pointer',
    ...fromAcceptedCustomers((all) => shapeOf(all.map(({ exchange }) => exchange.reply.json))),
  },
  {
    id: 'customer.members.missing',
    section: '2',
    question: 'Is a customer created when name or email is missing?',
    ...whichAccepted([], (run) => ({
      name: create(run, { name: undefined }),
      email: create(run, { email: undefined }),
      both: create(run, { name: undefined, email: undefined }),
    })),
  },
  {
    id: 'customer.members.null',
    section: '2',
    question: 'Is a customer created when name or email is null?',
    ...whichAccepted([], (run) => ({
      name: create(run, { name: null }),
      email: create(run, { email: null }),
    })),
  },
  {
    id: 'customer.members.typed',
    section: '2',
    question: 'Is a customer created when name or email is not a string?',
    ...whichAccepted([], (run) => ({
      'name is a number': create(run, { name: 1815 }),
      'name is true': create(run, { name: true }),
      'name is an array': create(run, { name: ['Ada Berg'] }),
      'name is an object': create(run, { name: { first: 'Ada' } }),
      // Another one in each run, as a service may accept each only once.
      'email is a number': create(run, { email: Number.parseInt(run.runId() + run.unique(), 36) }),
      'email is an array': create(run, { email: [plainBody(run).email] }),
    })),
  },
  {
    id: 'customer.members.unknown',
    section: '2',
    question: 'Is a customer created when the request has an unknown member?',
    answer: 'accepted or rejected',
    asked: 'probed',
    ask: async (run) => {
      const probe = await create(run, { favourite_colour: 'green' });
      return { answer: acceptedOrRejected(probe), exchanges: [probe.exchange] };
    },
  },
  {
    id: 'customer.name.longest',
    section: '2',
    question: 'How long may a name be, in ASCII letters?',
    answer: LONGEST_FORM,
    declarable: lengthForm,
    asked: 'probed',
    ask: (run) =>
      longestAccepted(
        [
          24, 30, 32, 40, 50, 60, 64, 80, 100, 120, 127, 128, 150, 191, 200, 250, 255, 256, 500, 512, 1000,
          1024, 2000, 2048, 4000, 4096, 5000, 8192, 10_000,
        ],
        (length) => create(run, { name: `Ada B${uniqueLetters(run)}`.padEnd(length, 'e') }),
      ),
  },
  {
    id: 'customer.email.longest',
    section: '2',
    question: 'How long may an email address be, in ASCII characters?',
    answer: LONGEST_FORM,
    declarable: lengthForm,
    asked: 'probed',
    ask: (run) => {
      const shortest = plainBody(run).email.length;
      return longestAccepted(
        [
          32, 40, 50, 60, 64, 80, 100, 120, 128, 150, 191, 200, 250, 254, 255, 256, 300, 320, 500, 1000,
        ].filter((length) => length > shortest),
        (length) => create(run, { name: 'Ada Berg', email: addressOf(run, length) }),
      );
    },
  },
  {
    id: 'customer.name.classes',
    section: '2',
    question: 'Which kinds of names are accepted?',
    ...whichAccepted([], (run) => {
      const name = (text: string): Promise<Probe> => create(run, { name: text });
      return {
        empty: name(''),
        'one letter': name('A'),
        'one word': name('Ada'),
        'space at the end': name('Ada Berg '),
        'two spaces': name('Ada  Berg'),
        digits: name('Ada 1815'),
        punctuation: name('Berg, A. (Ada)!'),
        apostrophe: name("Ada O'Brien"),
        'Latin with accents': name('Zoë Müller'),
        'other scripts': name('Юлия 王'),
        'astral planes': name('Ada 😀'),
        'directional marks': name('Ada \u202EBerg'),
        'line break': name('Ada\nBerg'),
        control: name('Ada\u0001Berg'),
        NUL: name('Ada\u0000Berg'),
        markup: name('<b>Ada</b>'),
        quotes: name('"Ada" \\ Berg'),
        link: name('https://ada.example/'),
        template: name('{{7*7}} ${7*7}'),
      };
    }),
  },
  {
    id: 'customer.email.classes',
    section: '2',
    question: 'Which kinds of email addresses are accepted?',
    ...whichAccepted([], (run) => {
      const { emailDomain: domain = plainAddress.domain } = run.settings;
      // Each is unique: a service may accept an address only once.
      const email = (write: (unique: string) => string): Promise<Probe> =>
        create(run, { email: write(`${run.runId()}${run.unique()}`) });
      return {
        'no address': email((unique) => unique),
        capitals: email((unique) => `Ada${unique}@${domain.toUpperCase()}`),
        'plus tag': email((unique) => `ada${unique}+news@${domain}`),
        dots: email((unique) => `a.d.a.${unique}@${domain}`),
        apostrophe: email((unique) => `o'ada${unique}@${domain}`),
        'other atext': email((unique) => `a!b#c$%&${unique}@${domain}`),
        quoted: email((unique) => `"ada ${unique}"@${domain}`),
        international: email((unique) => `zoë${unique}@${domain}`),
        'international domain': email((unique) => `ada${unique}@bücher.${domain}`),
        'other reserved domain': email((unique) => `ada${unique}@ada.test`),
        'domain of one label': email((unique) => `ada${unique}@localhost`),
        'address literal': email((unique) => `ada${unique}@[192.0.2.1]`),
        'space around': email((unique) => ` ada${unique}@${domain}`),
        'display name': email((unique) => `Ada <ada${unique}@${domain}>`),
      };
    }),
  },
  {
    id: 'customer.email.twice',
    section: '2',
    question: 'Is a second customer created with the same email and another name?',
    ...isCreatedAgain(({ email }, run) => ({ name: plainBody(run).name, email })),
  },
  {
    id: 'customer.email.case',
    section: '2',
    question: 'Is a second customer created with the same email in capitals and another name?',
    ...isCreatedAgain(({ email }, run) => ({ name: plainBody(run).name, email: email.toUpperCase() })),
  },
  {
    id: 'customer.pair.twice',
    section: '2',
    question: 'Is a second customer created with the same name and email?',
    ...isCreatedAgain((body) => body),
  },
  {
    id: 'customer.state',
    section: '3',
    question: 'Which state does a new customer have?',
    answer: 'the value of its member state or status, or none',
    ...fromAcceptedCustomers((all) =>
      oneOrSorted(
        all.map(({ exchange: { reply } }) => {
          const state = member(reply.json, 'state') ?? member(reply.json, 'status');
          if (typeof state !== 'string') return 'none';
          // Another text may change from run to run.
          return /^[A-Za-z][A-Za-z_-]{0,30}$/.test(state) ? state : 'not a single word';
        }),
      ),
    ),
  },
  {
    id: 'customer.create.status',
    section: '4.1',
    question: 'Which status does the response have when a customer is created?',
    answer: 'a status, or several',
    declarable: statusForm,
    ...fromAcceptedCustomers((all) => oneOrSorted(all.map(({ exchange }) => exchange.reply.status))),
  },
];
