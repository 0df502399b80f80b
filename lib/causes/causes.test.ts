import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { credentialFrom } from '../inputs/invalid-credentials.ts';
import type { InvalidCredential } from '../inputs/invalid-credentials.ts';
import { addressText, emailSources } from '../inputs/emails.ts';
import { nameSources } from '../inputs/names.ts';
import { missing, nearMisses, otherSchemes } from '../inputs/near-misses.ts';
import type { Call } from '../reference/call.ts';
import { allFaults as faults } from '../reference/faults/faults.ts';
import type { Cause } from './cause.ts';
import { causeOfAccepted } from './credentials.ts';
import type { Presented } from './presented.ts';
import {
  causeOfBodies,
  causeOfIds,
  causeOfMissing,
  causeOfRejectedNames,
  causeOfSentIds,
} from './customers.ts';
import type { CreatedCustomer } from './customers.ts';
import { causeOfEchoes, isPartOf } from './texts.ts';

const KEY = 'sk_test_4eC39HqLyjWDarjtT1zdp7dc';

const first = <T>(arbitrary: fc.Arbitrary<T>): T => fc.sample(arbitrary, { seed: 7, numRuns: 1 })[0]!;
const unshuffled = <T>(items: readonly T[]): readonly T[] => items;

/** What a run submits. */
const { alone, combined } = nameSources(unshuffled);
const submitted = {
  name: ['Ada Berg', ...[...alone, ...combined].map(({ name }) => first(name))],
  email: emailSources(unshuffled).map(({ address }, at) => addressText(first(address), `q1x${at}`)),
};

/** The fault's change of each submitted text. */
function echoesOf(fault: string, member: 'name' | 'email'): { sent: string; got: unknown }[] {
  const change = faults.find(({ name }) => name === fault)!.behaviour()[member]!;
  return submitted[member].map((sent) => ({ sent, got: change(sent, {} as Call) }));
}

const namesOf = (category: string): string[] =>
  faults.filter((fault) => fault.category === category).map(({ name }) => name);

/** The causes of faults, in words, as far as there is one. */
const foundIn = (
  names: readonly string[],
  causeOf: (name: string) => Cause | undefined,
): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => [[name, causeOf(name)?.text ?? '']]).filter(([, text]) => text !== ''),
  );

describe('the likely cause of changed names', () => {
  it('is found where the catalogue has it, and nothing else is reported', () => {
    const faulty = [...namesOf('names'), ...namesOf('scripts')];
    expect(foundIn(faulty, (name) => causeOfEchoes(echoesOf(name, 'name')))).toMatchSnapshot();
  });

  it('is none of a service that changes nothing', () => {
    expect(causeOfEchoes(submitted.name.map((sent) => ({ sent, got: sent })))).toBeUndefined();
  });

  it.each(['&#99999999;', '&#x110000;', '&AMP;', '%', '%ff', '\ud83d', ''])(
    'is none of a text without a meaning that got another one: %j',
    (sent) => expect(causeOfEchoes([{ sent, got: `${sent}!` }])).toBeUndefined(),
  );

  it('is none if one response does not fit', () => {
    const echoes = echoesOf('name-trim', 'name');
    expect(causeOfEchoes(echoes)?.text).toBe('white space trimmed at both ends');
    const untouched = echoes.map((echo, at) => (at === 0 ? { ...echo, got: 'else' } : echo));
    expect(causeOfEchoes(untouched)).toBeUndefined();
  });

  it('is title case also for letters that have one of their own', () => {
    const returned = { "they'RE ǆON ᾳΣ ﬁN": "They'Re ǅon ᾼς Fin", 'აბგ ᲐᲑ': 'აბგ Აბ' };
    const echoes = Object.entries(returned).map(([sent, got]) => ({ sent, got }));
    expect(causeOfEchoes(echoes)?.text).toBe('words in title case');
  });

  // What Go's packages strings, html, net/url and unicode return, unless it says otherwise.
  it.each([
    ['lower-cased', { 'İnci ΣΑΣ': 'inci σασ', 'Ada ẞ Ǆ': 'ada ß ǆ' }],
    ['upper-cased', { 'straße ŉ': 'STRAßE ŉ', 'ada ß ǆ ﬁ': 'ADA ß Ǆ ﬁ' }],
    [
      'white space trimmed, and its runs replaced by one space',
      { '\u0085Ada  Berg\t': 'Ada Berg', '\ufeffAda': '\ufeffAda' },
    ],
    [
      'HTML entities decoded',
      { '&amp; &lt; &#65; &eacute; &copy &quot &apos; &apos x &nbsp;': '& < A é © " \' &apos x \u00a0' },
    ],
    // Java's String.strip, Ruby's String#strip and Python's str.capitalize.
    ['white space trimmed at both ends', { '\u3000Ada\x1c': 'Ada', '\u00a0Ada\u0085': '\u00a0Ada\u0085' }],
    [
      'ASCII white space and NUL trimmed at both ends',
      { '\fAda\0': 'Ada', '\u0001Ada\u0085': '\u0001Ada\u0085' },
    ],
    ['first letter in upper case, the others in lower case', { 'ǆon BERG': 'ǅon berg', '1A': '1a' }],
    // Python's str.splitlines.
    ['line breaks replaced by spaces', { 'a\u2028b\r\n\nc\n': 'a b  c' }],
    ['plus signs replaced by spaces, and percent-decoded', { 'a+b%41': 'a bA', 'a+b%zz': 'a+b%zz' }],
    ['characters that cannot be printed removed', { 'A\u00a0b\u200d\t😀 é\u0301': 'Ab😀 é\u0301' }],
    ['characters that cannot be printed removed', { 'A\u00a0b\u200d\t😀': 'A\u00a0b😀' }],
    [
      'cut after 8 bytes',
      { 'Ada Berg Hall': 'Ada Berg', 'Ada 山田x': 'Ada 山\ufffd', 'Ada Be😀': 'Ada Be\ufffd\ufffd' },
    ],
  ])('is found in the way of another language: %s', (text, returned) => {
    const echoes = Object.entries(returned).map(([sent, got]) => ({ sent, got }));
    expect(causeOfEchoes(echoes)?.text).toBe(text);
  });

  it('is a swap with the other text of the same request if each wrong text is that', () => {
    const echoes = submitted.name.map((sent, at) => {
      const other = `ada${at}@example.com`;
      return { sent, other, got: at % 3 === 0 ? other : sent };
    });
    expect(causeOfEchoes(echoes)?.id).toBe('swapped');
    expect(
      causeOfEchoes([...echoes, { sent: 'Ada', other: 'ada@example.com', got: 'else' }]),
    ).toBeUndefined();
  });

  it('is a boundary within a character if such characters are lost in places', () => {
    const inBlocks = (text: string, size: number): string => {
      const bytes = Buffer.from(text);
      const count = Math.ceil(bytes.length / size);
      return Array.from({ length: count }, (_, at) =>
        String(bytes.subarray(at * size, (at + 1) * size)),
      ).join('');
    };
    const echoes = submitted.name.map((sent) => ({ sent, got: inBlocks(sent, 64) }));
    expect(causeOfEchoes(echoes)?.id).toBe('split');
    const shorter = echoes.map(({ sent, got }) => ({ sent, got: got.replace(/\ufffd.*/s, '') }));
    expect(causeOfEchoes(shorter)?.id).not.toBe('split');
  });

  it('is no other request if the wrong text is the submitted one without its tag', () => {
    expect(isPartOf('ada1+news@example.com', 'ada1@example.com')).toBe(true);
    expect(isPartOf('ada1+news@example.com', 'ada2@example.com')).toBe(false);
  });

  it('is another request if each wrong text was submitted by one', () => {
    const shifted = submitted.name.map((sent, at, all) => ({
      sent,
      got: at % 9 === 8 ? 'Ada Berg' : all[at],
    }));
    expect(causeOfEchoes(shifted)?.id).toBe('crossed');
  });
});

describe('the likely cause of changed email addresses', () => {
  it('is found where the catalogue has it, and nothing else is reported', () => {
    const faulty = [...namesOf('emails'), ...namesOf('mailboxes')];
    expect(foundIn(faulty, (name) => causeOfEchoes(echoesOf(name, 'email')))).toMatchSnapshot();
  });
});

describe('the likely cause of accepted credentials', () => {
  const { common, rarer } = nearMisses(KEY);
  const credentials: InvalidCredential[] = [...missing, ...otherSchemes, ...[...common, ...rarer].map(first)];
  const conditions = [
    ['X-Forwarded-For: 127.0.0.1', 'X-Real-IP: 127.0.0.1'],
    ['X-Forwarded-For: 127.0.0.1'],
    ['X-Real-IP: 127.0.0.1'],
    ['Cookie: session=1'],
    ['X-Api-Key: {key}'],
  ];
  const usual = { conditions: [], isAfterAccepted: false, status: 401 };
  const requests: Omit<Presented, 'accepted'>[] = [
    ...credentials.map((one) => ({ ...usual, authorization: credentialFrom(one, KEY)?.value })),
    ...conditions.map((row) => ({ ...usual, authorization: undefined, conditions: row })),
    { ...usual, authorization: undefined, isAfterAccepted: true },
  ];

  /** What a service with the fault accepts. */
  async function acceptedBy(fault: string): Promise<Presented[]> {
    const { authenticate } = faults.find(({ name }) => name === fault)!.behaviour();
    return Promise.all(
      requests.map(async (request) => {
        const { authorization, conditions } = request;
        const header = (name: string): string | undefined =>
          name === 'Authorization'
            ? authorization?.trim()
            : conditions
                .find((condition) => condition.startsWith(`${name}: `))
                ?.slice(name.length + 2)
                .replace('{key}', KEY);
        const call = {
          key: KEY,
          credential: /^bearer (\S+)$/i.exec(authorization ?? '')?.[1],
          hasKey: false,
          url: new URL('http://localhost/v1/customers'),
          header,
        } as Partial<Call> as Call;
        return { ...request, accepted: await authenticate!(call) };
      }),
    );
  }

  it('is found where the catalogue has it, and nothing else is reported', async () => {
    const named = namesOf('authentication').filter((name) => !/-(?:skipped|state|cached)-/.test(name));
    const causes = new Map<string, Cause | undefined>();
    for (const name of named) {
      // Some depend on more of the request than is simulated here.
      const accepted = await acceptedBy(name).catch(() => []);
      causes.set(name, causeOfAccepted(accepted, KEY));
    }
    expect(foundIn(named, (name) => causes.get(name))).toMatchSnapshot();
  });

  it('is a condition that all accepted requests have in common, and no rejected one', () => {
    const exempt = requests.map((request) => ({
      ...request,
      accepted: request.conditions.includes('X-Forwarded-For: 127.0.0.1'),
    }));
    expect(causeOfAccepted(exempt, KEY)?.text).toBe('requests with X-Forwarded-For: 127.0.0.1 need no key');
    const rejected = { ...exempt.find(({ accepted }) => accepted)!, accepted: false };
    expect(causeOfAccepted([...exempt, rejected], KEY)).toBeUndefined();
    // With a 400, something else may be wrong with it.
    expect(causeOfAccepted([...exempt, { ...rejected, status: 400 }], KEY)).toBeDefined();
  });

  it('is a header of which each value is accepted', () => {
    const rows = [['Origin: null'], ['Origin: http://localhost', 'DNT: 1'], ['DNT: 1']];
    const exempt = rows.map((row) => ({
      ...usual,
      authorization: undefined,
      conditions: row,
      accepted: row[0] !== 'DNT: 1',
    }));
    expect(causeOfAccepted(exempt, KEY)?.text).toBe('requests with Origin need no key');
  });

  it('is the narrowest rule, as rejections without a response are not seen', () => {
    const folded = { ...usual, authorization: `Bearer ${KEY.toLowerCase()}`, accepted: true };
    expect(causeOfAccepted([folded], KEY)?.id).toBe('case');
    const other = { ...folded, authorization: 'Bearer wrong' };
    expect(causeOfAccepted([folded, other], KEY)?.id).toBe('any-bearer');
    // With another credential beside it, any of the two may be what was rejected.
    const rejected = { ...other, conditions: ['a second Authorization: Bearer wrong'], accepted: false };
    expect(causeOfAccepted([folded, other, rejected], KEY)?.id).toBe('any-bearer');
  });

  it('is a connection that stays authenticated', () => {
    const stateful = requests.map((request) => ({ ...request, accepted: request.isAfterAccepted }));
    expect(causeOfAccepted(stateful, KEY)?.text).toBe('a connection stays authenticated');
  });

  it('explains why the others were rejected for their credentials', () => {
    const accepted = { ...usual, authorization: undefined, accepted: true };
    const rejected = { ...accepted, conditions: ['Cookie: session=1'], accepted: false };
    expect(causeOfAccepted([accepted, rejected], KEY)).toBeUndefined();
    // With a 400, something else may be wrong with it.
    expect(causeOfAccepted([accepted, { ...rejected, status: 400 }], KEY)).toBeDefined();
  });

  it('is a form of the request target, if no rejected request had it', () => {
    const request = { authorization: undefined, isAfterAccepted: false, status: 401 };
    const withCondition = (condition: string, accepted: boolean): Presented => ({
      ...request,
      conditions: [condition],
      accepted,
    });
    const accepted = ['the path //v1/customers', 'a request target in absolute form'].map((one) =>
      withCondition(one, true),
    );
    const rejected = ['the path /V1/CUSTOMERS', 'X-Real-IP: 127.0.0.1'].map((one) =>
      withCondition(one, false),
    );
    expect(causeOfAccepted([...accepted, ...rejected], KEY)?.text).toBe(
      'requests with some forms of the request target need no key: the path //v1/customers, a request target in absolute form',
    );
    const absolute = [
      'a request target in absolute form',
      'a request target in absolute form, with {key}@',
    ].map((one) => withCondition(one, true));
    expect(causeOfAccepted([...absolute, ...rejected], KEY)?.text).toBe(
      'requests with a request target in absolute form need no key',
    );
    expect(causeOfAccepted([...accepted, absolute[1]!, ...rejected], KEY)?.text).toContain('with [key]@');
    const other = withCondition('Cookie: session=1', true);
    expect(causeOfAccepted([...accepted, ...rejected, other], KEY)).toBeUndefined();
  });

  it('is what all accepted requests had, without what a rejected one had too', () => {
    const row = (conditions: readonly string[], accepted: boolean): Presented => ({
      ...usual,
      authorization: undefined,
      conditions,
      accepted,
    });
    const [callback, next] = ['the query callback=x', 'the query next=/login'];
    const requests = [row([callback, next], true), row([callback], false), row(['Origin: x'], false)];
    expect(causeOfAccepted(requests, KEY)?.text).toBe(`requests with ${next} need no key`);
    const any = [row([callback], true), row([next], true), row(['Origin: x'], false)];
    expect(causeOfAccepted(any, KEY)?.text).toBe('requests with a query need no key');
  });

  it('is none if the key itself was presented, as a token that the service had issued', () => {
    const rejected = { ...usual, authorization: `Bearer ${KEY}x`, accepted: false };
    expect(
      causeOfAccepted([{ ...usual, authorization: `Bearer ${KEY}`, accepted: true }, rejected], KEY),
    ).toBeUndefined();
  });

  it('is none of a service that rejects them all', () => {
    expect(
      causeOfAccepted(
        requests.map((request) => ({ ...request, accepted: false })),
        KEY,
      ),
    ).toBeUndefined();
  });
});

describe('the likely cause of missing members', () => {
  const customer = { id: 'cus_1', name: 'Ada', email: 'ada@example.com' };

  it('is that the customer is a member of the body, in every response', () => {
    expect(causeOfBodies([{ data: customer }, { data: customer, meta: {} }])?.text).toBe(
      'the customer is not the body, but its member data',
    );
    expect(causeOfBodies([{ data: customer }, customer])).toBeUndefined();
    expect(causeOfBodies([customer, null, [customer]])).toBeUndefined();
  });

  it('is that a member has another name, the same in every response', () => {
    const bodies = [
      { Id: 'cus_1', Name: 'Ada', meta: null },
      { Id: 'cus_2', Name: 'Eve' },
    ];
    const values = ['Ada', 'Eve'];
    const ids = bodies.map((body) => ({ body }));
    const names = bodies.map((body, at) => ({ body, value: values[at]! }));
    expect(causeOfMissing('id', ids)?.text).toBe('id is returned as Id');
    expect(causeOfMissing('name', names)?.text).toBe('name is returned as Name');
    expect(causeOfMissing('Name', names)).toBeUndefined();
    expect(causeOfMissing('name', [...names, { body: { Name: 'Eva' }, value: 'Eve' }])).toBeUndefined();
    expect(causeOfMissing('id', [{ body: 'cus_1' }])).toBeUndefined();
  });
});

describe('the likely cause of ids that occur twice', () => {
  const people = Array.from({ length: 30 }, (_, at) => ({
    name: `N${at < 20 ? at : (at * 7) % 13}`,
    email: `e${at === 29 ? 3 : at}@example.com`,
  }));
  const withIds = (idOf: (at: number, name: string, email: string) => string) =>
    people.map((person, at) => ({ ...person, id: idOf(at, person.name, person.email), reply: String(at) }));

  it.each([
    ['every customer gets the same id', () => 'cus_1'],
    ['ids repeat after 7', (at: number) => `cus_${at % 7}`],
    ['the id depends on the name alone', (_: number, name: string) => `cus_${name}`],
    ['requests with the same email get the same customer', (_: number, __: string, email: string) => email],
    [undefined, (at: number) => `cus_${at}`],
    [undefined, (at: number) => `cus_${Math.floor(at / 2)}`],
  ])('is %s', (text, idOf) => {
    expect(causeOfIds(withIds(idOf))?.text).toBe(text);
  });

  it('says no more than the customers show: equal requests, where no two had the same email alone', () => {
    const ids = ['cus_1', 'cus_2', 'cus_1'];
    const created = [people[0]!, people[1]!, people[0]!].map((person, at) => ({
      ...person,
      id: ids[at]!,
      reply: String(at),
    }));
    const namesake = { ...people[0]!, email: 'other@example.com', id: 'cus_4', reply: '4' };
    expect(causeOfIds([...created, namesake])?.text).toBe(
      'requests with the same name and email get the same customer',
    );
  });

  it('is the reply of another request if the whole replies are equal', () => {
    const crossed = withIds((at) => `cus_${Math.floor(at / 2)}`).map((one) => ({ ...one, reply: one.id }));
    expect(causeOfIds(crossed)?.id).toBe('crossed');
  });

  it('is that an id of the request is taken over, if no other customer has a wrong one', () => {
    const customer = (id: string, sentId?: string): CreatedCustomer => ({
      id,
      sentId,
      name: 'a',
      email: 'b',
      reply: id,
    });
    const created = [customer('cus_1'), customer('mine', 'mine'), customer('cus_2')];
    expect(causeOfSentIds(created)?.id).toBe('ids-taken-over');
    expect(causeOfSentIds([...created, customer('cus_2')])).toBeUndefined();
    expect(causeOfSentIds([customer('cus_1'), customer('cus_3', 'mine')])).toBeUndefined();
  });
});

describe('the cause of rejected names', () => {
  const namesOf = (lengths: readonly number[], accepted: boolean) =>
    lengths.map((length) => ({ name: 'x'.repeat(length), accepted }));

  it('is their length, if all longer ones are rejected and enough were tried', () => {
    const tried = [...namesOf([7, 8, 12], true), ...namesOf([13, 15, 21], false)];
    expect(causeOfRejectedNames(tried)?.text).toBe(
      'names of 13 characters or more are rejected, those of up to 12 accepted',
    );
    expect(causeOfRejectedNames(tried.slice(1))).toBeUndefined();
    expect(causeOfRejectedNames([...tried, ...namesOf([30], true)])).toBeUndefined();
    expect(causeOfRejectedNames(namesOf([7, 8, 12], true))).toBeUndefined();
  });
});
