import { describe, expect, it } from 'vitest';
import {
  causeOfBodies,
  causeOfIds,
  causeOfListed,
  causeOfMissing,
  causeOfRejectedNames,
  causeOfSentIds,
} from './customers.ts';
import type { CreatedCustomer } from './customers.ts';
import { patternOf } from './repeats.ts';

describe('the likely cause of missing members', () => {
  const customer = { id: 'cus_1', name: 'Ada', email: 'ada@example.com' };

  it('is that the customer is a member of the body, in every response', () => {
    expect(causeOfBodies([{ data: customer }, { data: customer, meta: {} }])?.text).toBe(
      'the customer is not the body, but its member data',
    );
    expect(causeOfBodies([[customer], [customer]])?.text).toBe(
      'the customer is not the body, but an item of an array',
    );
    expect(causeOfBodies([{ data: customer }, customer])).toBeUndefined();
    expect(causeOfBodies([customer, null, [customer]])).toBeUndefined();
  });

  it('is that a member is in an array, in every response', () => {
    const listed = [{ body: { id: ['cus_1'], name: ['Ada'] }, value: 'Ada' }];
    expect(causeOfListed('name', listed)?.text).toBe('name is returned in an array');
    expect(causeOfListed('id', [{ body: { id: ['cus_1'] } }])?.text).toBe('id is returned in an array');
    expect(causeOfListed('id', [{ body: { id: [7] } }])).toBeUndefined();
    expect(causeOfListed('name', [...listed, { body: { name: ['Eva'] }, value: 'Eve' }])).toBeUndefined();
    expect(causeOfListed('name', [...listed, { body: { name: 'Eve' }, value: 'Eve' }])).toBeUndefined();
    expect(causeOfListed('name', [])).toBeUndefined();
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
    email: `e${at === 29 ? 3 : at === 28 ? '4+x' : at}@example.com`,
  }));
  const withIds = (idOf: (at: number, name: string, email: string) => string) =>
    people.map((person, at) => ({ ...person, id: idOf(at, person.name, person.email), reply: String(at) }));

  it.each([
    ['every customer gets the same id', () => 'cus_1'],
    ['ids repeat after 7', (at: number) => `cus_${at % 7}`],
    ['ids repeat after about 7', (at: number) => `cus_${(at ^ 1) % 7}`],
    ['the id depends on the name alone', (_: number, name: string) => `cus_${name}`],
    ['requests with the same email get the same id', (_: number, __: string, email: string) => email],
    [
      'requests with the same email without its tag get the same id',
      (_: number, __: string, email: string) => email.replace(/\+.*@/, '@'),
    ],
    [undefined, (at: number) => `cus_${at}`],
    ['ids are the same for requests that follow each other closely', (at: number) => `cus_${at >> 1}`],
    ['ids repeat as if they were chosen from about 70', (at: number) => `cus_${at % 15 < 6 ? at % 15 : at}`],
  ])('is %s', (text, idOf) => {
    expect(causeOfIds(withIds(idOf))?.text).toBe(text);
  });

  it.each([
    ['name', (name: string) => name],
    ['name in any case, without white space at its ends', (name: string) => name.trim().toLowerCase()],
    ['email', (_: string, email: string) => email],
  ])('is a customer that is found again, if the whole response is the same: by the %s', (text, of) => {
    const names = [' Ada', 'ADA', 'ada', 'Bo', 'Cy', 'Bo'].slice(text === 'name' ? 3 : 0);
    const created = names.map((name, at) => {
      const email = `e${[1, 1, 2, 3, 1, 3][at]}@example.com`;
      const id = `cus_${of(name, email)}`;
      return { id, name, email, reply: id };
    });
    expect(causeOfIds(created)?.text).toBe(`requests with the same ${text} get the same customer`);
  });

  it('is the time of a quick run, of which few moments differ', () => {
    // Where one second ends, some responses overtake others.
    const seconds = Array.from({ length: 160 }, (_, at) => Number(at + ((at * 3) % 8) > 100));
    expect(textOf(seconds)).toBe('ids are the same for requests that follow each other closely');
    expect(textOf(Array.from({ length: 160 }, (_, at) => Number(at >= 80)))).toBe(
      'ids are the same for requests that follow each other closely',
    );
    const [late, ...others] = Array.from({ length: 160 }, (_, at) => at >> 1);
    expect(textOf([...others, late!])).toBe('ids are the same for requests that follow each other closely');
    const random = Array.from({ length: 160 }, (_, at) => Number((at * at) % 7 > 3));
    expect(textOf(random) ?? '').not.toContain('closely');
  });

  it('is a counter that starts over, also if other requests got some of its ids', () => {
    const created = Array.from({ length: 200 }, (_, at) => at)
      .filter((at) => ![75, 76, 77].includes(at))
      .map((at) => ({ id: `cus_${at % 64}`, name: 'Ada', email: `e${at}@example.com`, reply: String(at) }));
    expect(causeOfIds(created)?.text).toBe('ids repeat after about 64');
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
      'requests with the same name and email get the same id',
    );
  });

  it('is a customer that is looked up as databases compare texts', () => {
    const customer = (email: string, at: number) => ({
      id: `cus_${at >> 1}`,
      name: `Ada ${at}`,
      email,
      reply: String(at),
    });
    const emails = [
      'Zoé@example.com',
      'zoe@example.com',
      'bo@example.com',
      'BO@example.com ',
      'cy@example.com',
    ];
    expect(causeOfIds(emails.map(customer))?.text).toBe(
      'requests with the same email without case, accents and spaces at its end get the same id',
    );
  });

  /** The cause of customers whose ids have these numbers. */
  const textOf = (numbers: readonly (number | bigint)[]): string | undefined =>
    causeOfIds(
      numbers.map((number, at) => ({
        id: `cus_${number}`,
        name: `Ada ${at}`,
        email: `ada${at}@example.com`,
        reply: String(at),
      })),
    )?.text;

  it('is a counter that starts over, if ids repeat in the same order', () => {
    const upTo = (count: number): number[] => Array.from({ length: count }, (_, number) => number);
    // With two restarts, as there is no one period.
    expect(textOf([...upTo(50), ...upTo(80), ...upTo(40)])).toBe('ids start over in the same order');
    // One response took much longer than the others.
    const [late, ...others] = upTo(50);
    const withLate = others.toSpliced(30, 0, late!);
    expect(textOf([...withLate, ...upTo(80), ...upTo(40)])).toBe('ids start over in the same order');
    const inOtherOrder = upTo(40).map((number) => (number * 37) % 40);
    expect(textOf([...upTo(80), ...inOtherOrder])).not.toContain('start over');
  });

  it('is a counter of each process, if numbers next to each other occur equally often', () => {
    const counts = [0, 0, 0];
    // One in 16 customers is that of another scenario.
    const numbers = Array.from({ length: 200 }, (_, at) => counts[((at * at) % 7) % 3]!++).filter(
      (_, at) => at % 16 > 0,
    );
    const text = 'ids come from several counters, as if each process had one';
    expect(textOf(numbers)).toBe(text);
    const long = (number: number): bigint => 10n ** 18n + BigInt(number);
    expect(textOf(numbers.map(long))).toBe(text);
    const apart = numbers.map((number) => (number * 37) % 101);
    expect(textOf(apart)).toMatch(/^ids repeat as if they were chosen/);
    // As doubles, such numbers would equal their neighbours.
    expect(textOf(apart.map((number) => long(number * 1000)))).toMatch(/^ids repeat as if they were chosen/);
  });

  it('is found in linear time', () => {
    // In quadratic time, this takes longer than a test may.
    const ids = Array.from({ length: 40 }, (_, at) => `cus_${'1'.repeat(300_000)}x${'a'.repeat(at % 20)}`);
    expect(patternOf(ids)).toBe('repeat as if they were chosen from about 40');
  });

  it('is a lookup of what was created just before, if only equal requests share an id', () => {
    const at = (id: string, name: string) => ({ id, name, email: `${name}@a.example`, reply: id });
    const created = [
      at('cus_1', 'ada'),
      at('cus_1', 'ada'),
      at('cus_2', 'ada'),
      at('cus_3', 'bo'),
      at('cus_4', 'bo'),
    ];
    expect(causeOfIds(created)?.text).toBe(
      'some requests with the same name and email get the same customer',
    );
  });

  it('is the reply of another request if the whole replies are equal', () => {
    const crossed = withIds((at) => `cus_${Math.floor(at / 2)}`).map((one) => ({ ...one, reply: one.id }));
    expect(causeOfIds(crossed)?.id).toBe('crossed');
  });

  it('is that an id of the request is used, if no other customer has a wrong one', () => {
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
