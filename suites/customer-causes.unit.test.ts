import { describe, expect, it } from 'vitest';
import type { CustomerObservation } from '../lib/engine/operations/customer.ts';
import { plainAddress } from '../lib/inputs/addresses.ts';
import { usualStyle } from '../lib/inputs/json-styles.ts';
import { firstCustomer } from '../lib/engine/readiness/first-contact.ts';
import { customersAfterRejection, lateCustomers, simultaneousCustomers } from './scenarios/customers.ts';
import {
  causeOfForeignValues,
  causeOfWrongBodies,
  causeOfEcho,
  causeOfRejection,
} from './customer-causes.ts';

type Customer = Readonly<Record<'id' | 'name' | 'email', string>>;

/** Customers that were submitted, each with the one that came back. */
const observed = (...pairs: readonly (readonly [submitted: Omit<Customer, 'id'>, returned: Customer])[]) =>
  pairs.map(
    ([submitted, returned], at) =>
      ({
        case: {
          scenario: 'any',
          index: at,
          category: 'plain',
          input: { name: '', address: plainAddress, style: usualStyle },
        },
        accepted: true,
        submitted,
        exchange: { number: at, reply: { status: 200, json: returned, text: JSON.stringify(returned) } },
      }) as unknown as CustomerObservation,
  );

const ada = { id: 'cus_1', name: 'Ada Berg', email: 'ada1@example.com' };
const eve = { id: 'cus_2', name: 'Eve Holland', email: 'eve2@example.com' };

describe('a response with the name of another request', () => {
  it('comes from a customer that was looked up, if it has its id, too', () => {
    const found = observed([ada, ada], [eve, eve], [{ name: eve.name, email: ada.email }, ada]);
    for (const causeOf of [causeOfForeignValues, causeOfEcho('name')])
      expect(causeOf(found)?.text).toBe('requests with the same email get the same customer');
  });

  it('comes from a customer that was looked up by its email in another spelling', () => {
    const other = { name: eve.name, email: 'ADA1@example.com' };
    const found = observed([ada, ada], [eve, eve], [other, ada]);
    expect(causeOfEcho('email')(found)?.text).toBe(
      'requests with the same email in any case get the same customer',
    );
    // Its id is another one, so that nothing was looked up.
    expect(
      causeOfEcho('email')(observed([ada, ada], [eve, eve], [other, { ...ada, id: 'cus_3' }]))?.id,
    ).not.toBe('ids-found');
    // An email that nobody has sent is changed, too.
    const bob = { name: 'Bob Lee', email: 'Bob3@example.com' };
    const lowered = { ...bob, id: 'cus_3', email: 'bob3@example.com' };
    expect(causeOfEcho('email')([...found, ...observed([bob, lowered])])?.text).toBe('lower-cased');
  });

  it('comes from an earlier customer whose name is kept, if its email is the same', () => {
    const kept = observed(
      [ada, ada],
      [
        { name: 'Ada B', email: ada.email },
        { ...ada, id: 'cus_3' },
      ],
    );
    expect(causeOfForeignValues(kept)?.id).toBe('name-kept');
  });

  it('comes from a shared variable otherwise', () => {
    const crossed = observed([ada, { ...ada, name: eve.name }], [eve, { ...eve, name: ada.name }]);
    for (const causeOf of [causeOfForeignValues, causeOfEcho('name')])
      expect(causeOf(crossed)?.text).toBe('the value of another request');
  });
});

describe('server errors', () => {
  const one = (number: number, status: number): CustomerObservation =>
    ({
      case: { scenario: lateCustomers.name, category: number % 3 === 0 ? 'plain' : 'name: long' },
      accepted: status === 201,
      submitted: { name: 'Ada Berg', email: 'ada@example.com' },
      exchange: { number, reply: { status, text: '{}', fields: {}, json: {} } },
    }) as unknown as CustomerObservation;
  const causeOf = (statusOf: (number: number) => number): string | undefined =>
    causeOfRejection(Array.from({ length: 60 }, (_, at) => one(at + 1, statusOf(at + 1))))?.text;

  it('that all customers get since a moment come from something that was used up then', () => {
    const expected = 'every customer since exchange 40 gets status 500';
    expect(causeOf((number) => (number < 40 ? 201 : 500))).toBe(expected);
    // A response that overtook the first of them.
    expect(causeOf((number) => (number < 40 || number === 42 ? 201 : 500))).toBe(expected);
  });

  it.each([
    ['encoded-twice', { status: 201, json: '{"id":"cus_1"}' }],
    ['plain-without-customer', { status: 200, json: { status: 'ok' } }],
    ['plain-over-limit', { status: 403, text: 'Sandbox limit reached: 50 customers' }],
    ['plain-forbidden', { status: 403, text: 'This key lacks a permission' }],
    ['plain-rejected', { status: 422, text: 'no' }],
    ['plain-missing', { status: 404, text: 'no route' }],
    ['plain-missing', { status: 403, text: '{"message":"Missing Authentication Token"}' }],
    ['incomplete', { status: 201, isIncomplete: true }],
  ])('and other responses that all customers get have the cause %s', (id, reply) => {
    const all = Array.from({ length: 9 }, (_, at) => {
      const observation = one(at + 1, reply.status);
      const whole = { text: '', fields: {}, json: undefined, ...reply };
      return { ...observation, accepted: false, exchange: { ...observation.exchange, reply: whole } };
    });
    expect(causeOfRejection(all as unknown as CustomerObservation[])?.id).toBe(id);
  });

  it('that only plain customers get do not mean that the operation is missing', () => {
    const all = [1, 2, 3, 4].map((number) => one(number, number % 3 === 0 ? 404 : 201));
    expect(causeOfRejection(all)?.id).toBe('plain-rejected');
  });

  it('that all customers get come from something that the service lacks', () => {
    expect(causeOf(() => 500)).toBe('the service fails with 500 on every plain customer');
  });

  it.each([
    ['few of them', (number: number) => (number < 55 ? 201 : 500)],
    ['customers that are accepted later', (number: number) => (number < 20 || number > 50 ? 201 : 500)],
    ['another rejection since', (number: number) => (number < 40 ? 201 : number === 50 ? 400 : 500)],
    ['other input alone', (number: number) => (number % 3 === 0 ? 201 : 500)],
  ])('do not, with %s', (_, statusOf) => {
    expect(causeOf(statusOf)).toBeUndefined();
  });
});

describe('rejections with 401 of some valid customers', () => {
  const one = (scenario: string, number: number, status: number): CustomerObservation =>
    ({
      case: { scenario, category: 'plain' },
      accepted: status === 201,
      submitted: { name: 'Ada Berg', email: `ada${number}@example.com` },
      exchange: { number, reply: { status, text: '{}', fields: {}, json: {} } },
    }) as unknown as CustomerObservation;
  const causeWith = (...together: readonly number[]): string | undefined =>
    causeOfRejection([
      one(customersAfterRejection.name, 1, 401),
      ...together.map((status, at) => one(simultaneousCustomers.name, at + 2, status)),
      one(lateCustomers.name, 9, 401),
      one(lateCustomers.name, 10, 201),
    ])?.id;

  it('come from an earlier wrong key, but not if some that are sent at the same instant are accepted', () => {
    expect(causeWith(201, 201)).toBe('connection');
    expect(causeWith(201, 401)).toBeUndefined();
  });
});

describe('rejections of exactly the customers that are sent at the same instant', () => {
  const causeOf = (status: number): string | undefined => {
    const scenarios = [firstCustomer, simultaneousCustomers, simultaneousCustomers, lateCustomers];
    return causeOfRejection(
      scenarios.map(({ name }, at) => {
        const accepted = name !== simultaneousCustomers.name;
        const reply = { status: accepted ? 201 : status, text: '{}', fields: {}, json: {} };
        const submitted = { name: 'Ada Berg', email: `ada${at}@example.com` };
        const observation = { case: { scenario: name, category: 'plain' }, accepted, submitted };
        return { ...observation, exchange: { number: at + 1, reply } } as unknown as CustomerObservation;
      }),
    )?.id;
  };

  it.each([400, 408, 411, 422, 429])('come from how their bodies arrive, with status %i', (status) => {
    expect(causeOf(status)).toBe('together');
  });

  it.each([401, 403, 404, 415])('do not, with status %i', (status) => {
    expect(causeOf(status)).toBeUndefined();
  });
});

describe('bodies that are cut off', () => {
  const causeOf = (...bodies: readonly (readonly [text: string, isCut: boolean])[]): string | undefined =>
    causeOfWrongBodies(
      bodies.map(([text, isCut]) => {
        const reply = { status: 201, text, notJson: isCut ? 'unterminated' : undefined, fields: LENGTH };
        return { exchange: { reply } } as unknown as CustomerObservation;
      }),
    )?.id;
  const LENGTH = { 'content-length': '9' };
  const cut = ['{"name":"Zoë', true] as const;
  const whole = ['{"name":"Ada"}', false] as const;

  it('are those whose length was counted in characters, if they alone have some beyond ASCII', () => {
    expect(causeOf(cut, cut, cut, whole)).toBe('length-in-characters');
    expect(causeOf(cut, cut, cut, ['{"name":"Zoë"}', false])).toBeUndefined();
    expect(causeOf(cut, cut, cut, ['{"name":"Ad', true])).toBeUndefined();
    expect(causeOf(cut, whole)).toBeUndefined();
  });
});

describe('bodies that are no JSON', () => {
  const causeOf = (...bodies: readonly (readonly [name: string, text: string])[]): string | undefined =>
    causeOfWrongBodies(
      bodies.map(([name, text]) => {
        const reply = { status: 201, text, notJson: 'unexpected token', fields: {} };
        return { submitted: { ...ada, name }, exchange: { reply } } as unknown as CustomerObservation;
      }),
    )?.text;
  const joined = (name: string) => [name, `{"id":"cus_1","name":"${name}"}`] as const;

  it('are made by joining texts, if each has a submitted text without its escapes', () => {
    const text = 'texts are put into the JSON without escapes';
    expect(causeOf(joined('a"b'), joined('a\\b'), joined('a\nb'))).toBe(text);
    expect(causeOf(joined('a"b'), joined('a\\b'), joined('Ada'))).toBeUndefined();
    expect(causeOf(joined('a"b'), joined('a\\b'), ['a\nb', '{"name":"a\\nb"'])).toBeUndefined();
  });

  it('have controls without their escapes, if they would be JSON with these', () => {
    const text = 'control characters are put into the JSON without escapes';
    const quoted = ['"\t', '{"name":"\\"\t"}'] as const;
    expect(causeOf(quoted, quoted, ['\t"', '{"name":"\t\\""}'])).toBe(text);
    expect(causeOf(quoted, quoted, joined('a"b'))).toBeUndefined();
    expect(causeOf(quoted, quoted)).toBeUndefined();
    // In a content coding that its header does not name.
    expect(causeOf(...Array.from({ length: 3 }, () => joined('Ada')))).toBeUndefined();
  });

  it('have escapes of a programming language, if they would be JSON without these', () => {
    const text = 'there are escapes in the body that JSON does not have';
    const quoted = (name: string) => ['Ada', `{"id":"cus_1","name":"${name}"}`] as const;
    const [octal, apostrophe, hexadecimal] = [
      String.raw`\195\n`,
      String.raw`O\'Brien \u0041`,
      String.raw`\x41 \\`,
    ];
    expect(causeOf(quoted(octal), quoted(apostrophe), quoted(hexadecimal))).toBe(text);
    // Of a long body, the beginning.
    expect(causeOf(quoted(octal), quoted(apostrophe), ['Ada', `{"name":"${hexadecimal}`])).toBe(text);
    expect(causeOf(quoted(octal), quoted(apostrophe), quoted('a"b'))).toBeUndefined();
    expect(causeOf(quoted(octal), quoted(apostrophe), quoted(`${hexadecimal}"`))).toBeUndefined();
  });

  it.each([
    ['Warning: undefined index\n{"name":"Ada"}', 'before'],
    ['{"name":"Ada"}\n<!-- 3 ms -->', 'after'],
    ['callback({"name":"Ada"})', 'before and after'],
  ])('have other text beside the JSON: %j', (body, place) => {
    expect(causeOf(['Ada', body])).toBe(`there is other text ${place} the JSON`);
  });

  it('are explained by other text only if all have it in the same place', () => {
    expect(causeOf(['Ada', 'x{"name":"Ada"}'], ['Ada', '{"name":"Ada"'])).toBeUndefined();
    expect(causeOf(['Ada', '{"name":"Ada"}{"ok":true}'])).toBeUndefined();
  });

  it('are not explained by a line break after the JSON, as where the content coding is the reason', () => {
    expect(causeOf(['Ada', '{"name":"Ada"}\n'])).toBeUndefined();
  });
});

describe('a rejection only after the same request without a credential', () => {
  const causeWith = (text: string): string | undefined => {
    const one = (scenario: string, number: number, reply: object): CustomerObservation =>
      ({
        case: { scenario, category: 'plain' },
        accepted: reply === CREATED,
        exchange: { number, reply },
      }) as unknown as CustomerObservation;
    const rejection = { status: 400, text, fields: {}, json: undefined };
    return causeOfRejection([
      one(firstCustomer.name, 1, CREATED),
      one(customersAfterRejection.name, 2, rejection),
      one(lateCustomers.name, 3, CREATED),
    ])?.id;
  };
  const CREATED = { status: 201, text: '{}', fields: {}, json: {} };

  it.each([
    ['', 'unread'],
    ['400 Bad Request', 'unread'],
    ['<html><h1>400 Bad Request</h1></html>', 'unread'],
    ['Bad request syntax', 'unread'],
    ['Invalid HTTP request received.', 'unread'],
    ['bad request: email already exists', 'stored'],
    ['email already exists', 'stored'],
  ])('with the text %j comes from a body that was %s', (text, cause) => {
    expect(causeWith(text)).toBe(cause);
  });
});
