import { randomInt, randomUUID } from 'node:crypto';
import type { Behaviour } from '../behaviour.ts';
import {
  bodies,
  fields,
  ignoringUnknown,
  json,
  onAccepted,
  onCustomer,
  onEvery,
  onToken,
  reading,
} from '../changes.ts';
import { variantsOf } from '../fault-or-variant.ts';

const status = (customer: number, token = customer) =>
  onAccepted((_, { operation }) => ({ status: operation === 'customer' ? customer : token }));

const contentType = (type: string) =>
  onEvery(({ headers }) => ({ headers: { ...headers, 'Content-Type': type } }));

export const responses = [
  ...variantsOf('4.1 and 4.2: the status of success is not shown')({
    'status-200': status(200),
    'status-200-and-201': status(200, 201),
    'status-201-and-200': status(201, 200),
    'status-202': status(202),
    'status-203': status(203),
    'status-207': status(207),
    'status-226': status(226),
    'status-299': status(299),
  }),
  ...variantsOf('1: HTTP with JSON bodies; the fields of a response are not shown')({
    'type-with-charset': contentType('application/json; charset=utf-8'),
    'type-with-upper-case-charset': contentType('Application/JSON;charset="UTF-8"'),
    'type-json-api': contentType('application/vnd.api+json'),
    'type-hal': contentType('application/hal+json; profile="customer"'),
    'fields-location-and-etag': onAccepted(({ headers }, { number }) => ({
      headers: { ...headers, Location: `/v1/customers/${number}`, ETag: `W/"${number}"` },
    })),
    'fields-of-a-gateway': fields({
      'X-Request-Id': '0f8fad5b-d9cb-469f-a165-70867728950e',
      'Strict-Transport-Security': 'max-age=63072000; includeSubDomains',
      'Set-Cookie': 'session=5f2b1c0d9e8a7766; Path=/; HttpOnly',
      'X-RateLimit-Remaining': '4999',
      'Server-Timing': 'db;dur=2.1, app;dur=5',
      'Alt-Svc': 'h3=":443"; ma=86400',
      'Cache-Control': 'no-store',
    }),
    'fields-many-and-long': fields(
      Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`X-Field-${at}`, 'v'.repeat(300)])),
    ),
  }),
];

const now = (): string => new Date().toISOString();

/** Members that are required or optional, and further ones in responses. */
export const members = [
  ...variantsOf('2: which members a request must and may have is not shown')({
    'members-may-be-missing': reading((sent) => ({ name: 'nobody', email: 'nobody@example.com', ...sent })),
    'members-may-be-null': reading((sent) => ({
      ...sent,
      name: sent['name'] ?? '',
      email: sent['email'] ?? '',
    })),
    'members-are-made-text': reading(({ name, email, ...sent }) => ({
      ...sent,
      ...(name === undefined ? {} : { name: typeof name === 'string' ? name : json(name) }),
      ...(email === undefined ? {} : { email: typeof email === 'string' ? email : json(email) }),
    })),
    'members-unknown-are-ignored': ignoringUnknown,
  }),
  ...variantsOf('3: states are not shown')({
    'members-state': onCustomer((made) => ({ ...made, status: 'active' })),
  }),
  ...variantsOf('2: customer fields beyond these three are not shown')({
    'members-errors-of-the-past': onCustomer((made) => ({
      ...made,
      errors: [{ level: 'info', text: 'rate limit was exceeded twice last month' }],
    })),
    'members-email-first': onCustomer(({ id, name, email }) => ({ email, name, id })),
    'members-timestamps': onCustomer((made) => ({
      object: 'customer',
      ...made,
      created_at: now(),
      updated_at: now(),
    })),
    'members-of-a-payment-provider': onCustomer((made) => ({
      object: 'customer',
      livemode: false,
      created: Math.floor(Date.now() / 1000),
      balance: 0,
      currency: null,
      metadata: {},
      sources: { object: 'list', data: [], has_more: false },
      ...made,
    })),
    'members-name-taken-apart': onCustomer((made) => ({
      ...made,
      first_name: made.name.split(' ')[0]!.toLowerCase(),
      last_name: made.name.split(' ').slice(1).join(' ').toUpperCase(),
      display_name: made.name.trim(),
      initials: [...made.name].slice(0, 1).join('').toUpperCase(),
    })),
    'members-normalised-email-beside': onCustomer((made) => ({
      normalized_email: made.email.trim().toLowerCase(),
      domain: made.email.split('@').at(-1),
      ...made,
    })),
    'members-search-text-beside': onCustomer((made) => ({
      ...made,
      slug: made.name.normalize('NFKD').replace(/\W+/g, '-').toLowerCase(),
      _search: `${made.name} ${made.email}`.toLowerCase(),
    })),
    'members-links': onCustomer((made) => ({
      ...made,
      _links: { self: { href: `/v1/customers/${made.id}` }, tokens: { href: '/v2/tokens' } },
    })),
    'members-request-beside': onCustomer((made, { text }) => ({ ...made, request: { body: text } })),
    'members-deeply-nested': onCustomer((made) => ({
      meta: Array.from({ length: 40 }).reduce<unknown>((inner) => ({ inner }), {
        id: 'cus_none',
        name: 'none',
      }),
      ...made,
    })),
    'members-big-numbers': onCustomer((made) => ({
      ...made,
      version: 12345678901234567000,
      ratio: 1e-7,
      count: -0,
    })),
    'members-hash-of-email': onCustomer((made) => ({
      ...made,
      avatar: `https://example.com/avatars/${Buffer.from(made.email).toString('hex').slice(0, 40)}`,
    })),
    'members-prototype': () => ({
      serialise: (made) => json(made).replace('{', '{"__proto__":{"id":1},"constructor":{"name":"x"},'),
    }),
    'members-kilobytes-more': onCustomer((made) => ({
      ...made,
      terms: 'Lorem ipsum dolor sit amet. '.repeat(700),
    })),
    'members-names-of-others': onCustomer((made) => ({
      ...made,
      created_by: { id: 'cus_operator', name: 'Operator', email: 'operator@example.com' },
    })),
  }),
  ...variantsOf('2: fields of a returned token record are not shown')({
    'members-token-only': onToken(({ token }) => ({ token })),
    'members-token-with-id': onToken((issued) => ({
      id: `tk_${issued.expires_at.length}`,
      object: 'token',
      ...issued,
    })),
  }),
];

const escaped = (unit: string): string => String.raw`\u` + unit.charCodeAt(0).toString(16).padStart(4, '0');

/** Serialises again with white space. */
const spaced = (space: string | number) =>
  bodies((text) => JSON.stringify(JSON.parse(text), undefined, space));

/** Changes the content of each JSON string, without its quotes. */
const insideStrings = (change: (content: string) => string): (() => Behaviour) =>
  bodies((text) => text.replace(/"(?:[^"\\]|\\.)*"/g, (string) => `"${change(string.slice(1, -1))}"`));

/** The same JSON in another notation (RFC 8259). */
export const serialisation = variantsOf('1: JSON bodies; their formatting is not shown')({
  'json-indented': spaced(2),
  'json-indented-with-tabs': spaced('\t'),
  'json-ends-with-a-line-break': bodies((text) => `${text}\n`),
  'json-among-white-space': bodies((text) => ` \r\n\t${text}\r\n\r\n  `),
  'json-spaces-after-separators': bodies((text) =>
    text.replace(/"(?:[^"\\]|\\.)*"|[,:]/g, (token) => (token.length === 1 ? `${token} ` : token)),
  ),
  'json-ascii-only': bodies((text) => text.replace(/[^\0-~]/g, escaped)),
  'json-ascii-only-in-upper-case': bodies((text) =>
    text.replace(/[^\0-~]/g, (unit) => escaped(unit).toUpperCase().replace('U', 'u')),
  ),
  'json-solidus-escaped': insideStrings((content) => content.replaceAll('/', String.raw`\/`)),
  'json-markup-escaped': bodies((text) => text.replace(/[<>&\u2028\u2029]/g, escaped)),
  'json-apostrophe-and-plus-escaped': bodies((text) => text.replace(/['+`]/g, escaped)),
  'json-everything-escaped': insideStrings((content) =>
    content.replace(/\\u[0-9a-f]{4}|\\.|[^\\]/gi, (unit) => (unit.length > 1 ? unit : escaped(unit))),
  ),
  'json-escapes-in-long-form': bodies((text) =>
    text.replace(/\\(["\\bfnrt])/g, (_, short: string) => escaped(JSON.parse(`"\\${short}"`) as string)),
  ),
  'json-members-sorted': bodies((text) => {
    const value = JSON.parse(text) as Record<string, unknown>;
    return json(
      Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))),
    );
  }),
});

const sequential = (write: (count: number) => string) => (): Behaviour => {
  let count = 0;
  return { id: () => `cus_${write(++count)}` };
};
const made = (write: (fresh: string) => string) => (): Behaviour => ({
  id: (fresh) => `cus_${write(fresh.slice(4))}`,
});

/** The identifier after the prefix of an id. */
export const ids = variantsOf('2: the form of the identifier after cus_ is not shown')({
  'ids-sequential-from-1': sequential(String),
  'ids-sequential-from-0': sequential((count) => String(count - 1)),
  'ids-sequential-with-zeros': sequential((count) => String(count).padStart(10, '0')),
  'ids-sequential-descending': sequential((count) => String(9_007_199_254_740_991 - count)),
  'ids-uuid': made(() => randomUUID()),
  'ids-uuid-in-braces': made(() => `{${randomUUID().toUpperCase()}}`),
  'ids-hex-of-a-counter': sequential((count) => (count * 7919).toString(16).toUpperCase()),
  'ids-that-differ-by-case': sequential((count) =>
    Array.from('abcdefghijklm', (letter, at) => ((count >> at) & 1 ? letter.toUpperCase() : letter)).join(''),
  ),
  'ids-of-one-character-more': sequential((count) => 'x'.repeat(count)),
  'ids-of-300-characters': made((fresh) => fresh.padEnd(300, 'x')),
  'ids-with-the-prefix-twice': made((fresh) => `cus_${fresh}`),
  'ids-with-punctuation': made((fresh) => `eu.west:1/${fresh}~=+!`),
  'ids-beyond-ascii': sequential((count) => String.fromCodePoint(0x4e00 + count)),
  'ids-by-time': sequential(
    (count) => `${Date.now().toString(36)}${String(count).padStart(6, '0')}${randomInt(1e6)}`,
  ),
  'ids-base64': made((fresh) => `${Buffer.from(fresh).toString('base64')}==`),
});
