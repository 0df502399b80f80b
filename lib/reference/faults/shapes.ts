import type { ServiceReply } from '../behaviour.ts';
import { json, onAccepted, onCustomer, serialised } from '../changes.ts';
import { escapeHtml } from './text-changes.ts';
import { faultsOf } from '../fault-or-variant.ts';
import { closed, failingOn } from './recommendations.ts';

/** Changes the whole response to a customer creation. */
const response = (change: (reply: ServiceReply, location: string) => Partial<ServiceReply>) =>
  onAccepted((reply, { number }) => change(reply, `/v1/customers/${number}`), 'customer');

/** Encodes each UTF-16 code unit on its own as UTF-8, surrogates too. */
const cesu8 = (text: string): Buffer =>
  Buffer.concat(
    text.split('').map((unit) => {
      const code = unit.charCodeAt(0);
      const isSurrogate = code >= 0xd800 && code < 0xe000;
      return isSurrogate
        ? Buffer.from([0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63)])
        : Buffer.from(unit);
    }),
  );

const replacingAstral = (text: string, by: (hex: string) => string): string =>
  text.replace(/[\u{10000}-\u{10ffff}]/gu, (character) => by(character.codePointAt(0)!.toString(16)));

export const shapes = [
  ...faultsOf('4.1: the response carries the customer, whatever else the client sends', [
    'customer.body.object',
    'customer.name.echoed',
    'customer.email.echoed',
  ])({
    'shape-id-only-without-accept': onCustomer((customer, { header }) =>
      header('Accept') === undefined ? { id: customer.id } : customer,
    ),
    'shape-array-if-any-type-is-accepted': onCustomer((customer, { header }) =>
      header('Accept') === '*/*' ? [customer] : customer,
    ),
    'shape-xml-without-accept': onAccepted(
      (reply, { header, number }) =>
        header('Accept') === undefined
          ? {
              headers: { 'Content-Type': 'application/xml' },
              body: `<customer><id>cus_${number}</id></customer>`,
            }
          : reply,
      'customer',
    ),
    'shape-name-null-with-charset': onCustomer((customer, { header }) =>
      /charset/i.test(header('Content-Type') ?? '') ? { ...customer, name: null } : customer,
    ),
    'shape-email-lower-cased-in-turkish': onCustomer((customer, { header }) =>
      header('Accept-Language') === 'tr'
        ? { ...customer, email: customer.email.toLocaleLowerCase('tr') }
        : customer,
    ),
    'shape-email-upper-cased-in-german': onCustomer((customer, { header }) =>
      header('Accept-Language') === 'de' ? { ...customer, email: customer.email.toUpperCase() } : customer,
    ),
    'shape-page-for-browsers': onAccepted(
      (reply, { header, number }) =>
        header('User-Agent')?.startsWith('Mozilla')
          ? { headers: { 'Content-Type': 'text/html' }, body: `<p>cus_${number}</p>` }
          : reply,
      'customer',
    ),
  }),
  ...faultsOf('4.1: a valid request with valid credentials creates a customer', ['customer.plain.accepted'])({
    'shape-no-response-to-some-plain-names': failingOn(/^[K-Z][a-z]+ [A-Z][a-z]+$/, closed),
    'shape-500-for-any-language': () => ({
      id(fresh, _, { header }) {
        if (header('Accept-Language') === '*') throw new RangeError('Incorrect locale information provided');
        return fresh;
      },
    }),
  }),
  ...faultsOf('4.1: the body is a JSON object with id, name and email', [
    'customer.plain.accepted',
    'customer.body.object',
    'customer.id.form',
    'customer.name.echoed',
    'customer.email.echoed',
  ])({
    'shape-data-envelope': onCustomer((customer) => ({ data: customer })),
    'shape-customer-envelope-rails': onCustomer((customer) => ({ customer })),
    'shape-json-api': onCustomer(({ id, ...attributes }) => ({
      data: { type: 'customers', id, attributes },
    })),
    'shape-array': onCustomer((customer) => [customer]),
    'shape-success-flag-only': onCustomer(() => ({ success: true })),
    'shape-id-only': onCustomer(({ id }) => ({ id })),
    'shape-name-missing': onCustomer(({ id, email }) => ({ id, email })),
    'shape-email-missing': onCustomer(({ id, name }) => ({ id, name })),
    'shape-name-null': onCustomer((customer) => ({ ...customer, name: null })),
    'shape-email-null': onCustomer((customer) => ({ ...customer, email: null })),
    'shape-id-renamed': onCustomer(({ id, ...rest }) => ({ customer_id: id, ...rest })),
    'shape-mongo-id': onCustomer(({ id, ...rest }) => ({ _id: id, ...rest })),
    'shape-name-renamed': onCustomer(({ name, ...rest }) => ({ ...rest, full_name: name })),
    'shape-email-renamed': onCustomer(({ email, ...rest }) => ({ ...rest, emailAddress: email })),
    'shape-pascal-case': onCustomer(({ id, name, email }) => ({ Id: id, Name: name, Email: email })),
    'shape-name-split': onCustomer((customer) => {
      const [first, ...last] = customer.name.split(' ');
      return { ...customer, name: { first, last: last.join(' ') } };
    }),
    'shape-email-object': onCustomer((customer) => ({ ...customer, email: { address: customer.email } })),
    'shape-email-list': onCustomer((customer) => ({ ...customer, email: [customer.email] })),
    'shape-name-and-email-swapped': onCustomer(({ id, name, email }) => ({ id, name: email, email: name })),
    'shape-encoded-twice': onCustomer(json),
    'shape-null': onCustomer(() => null),
    'shape-true': onCustomer(() => true),
    'shape-name-lost-when-empty': onCustomer(({ id, name, email }) => ({
      id,
      name: name || undefined,
      email,
    })),
  }),
  ...faultsOf('1: the body is JSON', [
    'customer.body.object',
    'customer.plain.accepted',
    'customer.name.echoed',
  ])({
    'shape-html-page': serialised(({ id }) => `<html><body>Created ${id}</body></html>`),
    'shape-xml': serialised(
      ({ id, name, email }) =>
        `<customer><id>${id}</id><name>${escapeHtml(name)}</name><email>${escapeHtml(email)}</email></customer>`,
    ),
    'shape-form-encoded': serialised((customer) => new URLSearchParams({ ...customer }).toString()),
    'shape-trailing-comma': serialised((customer) => json(customer).replace(/}$/, ',}')),
    'shape-python-repr': serialised((customer) => json(customer).replaceAll('"', "'")),
    'shape-two-documents': serialised((customer) => `${json(customer)}\n{"ok":true}`),
    'shape-xssi-prefix': serialised((customer) => `)]}',\n${json(customer)}`),
    'shape-jsonp': serialised((customer) => `callback(${json(customer)})`),
    'shape-php-warning-before': serialised(
      (customer) => `Warning: Undefined index: phone in customer.php on line 12\n${json(customer)}`,
    ),
    'shape-utf16': serialised((customer) => Buffer.from(json(customer), 'utf16le')),
    'shape-latin1-bytes': serialised((customer) => Buffer.from(json(customer), 'latin1')),
    'shape-cut-by-character-count': serialised((customer) =>
      Buffer.from(json(customer)).subarray(0, json(customer).length),
    ),
    'shape-hand-built-json': serialised(
      ({ id, name, email }) => `{"id":"${id}","name":"${name}","email":"${email}"}`,
    ),
    'shape-hand-built-json-quotes-escaped': serialised(
      ({ id, name, email }) => `{"id":"${id}","name":"${name.replaceAll('"', '\\"')}","email":"${email}"}`,
    ),
    'shape-controls-not-escaped': serialised(
      ({ id, name, email }) =>
        `{"id":"${id}","name":"${name.replace(/["\\]/g, '\\$&')}","email":${JSON.stringify(email)}}`,
    ),
    'shape-apostrophe-escaped': serialised((customer) => json(customer).replaceAll("'", "\\'")),
    'shape-astral-as-python-escape': serialised((customer) =>
      replacingAstral(json(customer), (hex) => `\\U${hex.padStart(8, '0')}`),
    ),
    'shape-astral-as-five-hex': serialised((customer) =>
      replacingAstral(json(customer), (hex) => `\\u${hex}`),
    ),
    'shape-cesu-8': serialised((customer) => cesu8(json(customer))),
    'shape-cut-at-4096-bytes': serialised((customer) => Buffer.from(json(customer)).subarray(0, 4096)),
  }),
  ...faultsOf('4.1: the response to a valid request with valid credentials has the customer', [
    'customer.plain.accepted',
    'customer.body.object',
  ])({
    'shape-empty-201': response(() => ({ headers: {}, body: '' })),
    'shape-204': response(() => ({ status: 204, headers: {}, body: null })),
    'shape-202-location-only': response((_, location) => ({
      status: 202,
      headers: { Location: location, 'Content-Type': 'application/json' },
      body: '{}',
    })),
    'shape-303-redirect': response((_, location) => ({
      status: 303,
      headers: { Location: location },
      body: null,
    })),
    'shape-500-but-created': response(() => ({ status: 500 })),
    'shape-200-with-error-body': response(() => ({
      status: 200,
      body: '{"error":{"message":"Internal error"}}',
    })),
    'shape-gzip-unlabelled': response(() => ({
      body: new Uint8Array(Buffer.from('1f8b08000000000000', 'hex')),
    })),
    'shape-400-on-two-plain-words': () => ({
      parse(text) {
        const body = JSON.parse(text) as { name?: string };
        if (/^[A-Za-z]+ [A-Za-z]+$/.test(body.name ?? '')) throw new Error('no spaces in a name');
        return body;
      },
    }),
  }),
];
