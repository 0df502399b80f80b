import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { Json } from '../schemas/json.ts';
import type { Profile } from '../schemas/profile.ts';
import { openApiDocument } from './document.ts';
import type { Schema } from './document.ts';

interface Document {
  readonly info: { readonly description: string };
  readonly paths: Readonly<Record<string, { readonly post: OpenApiOperation }>>;
}

interface OpenApiOperation {
  readonly description: string;
  readonly requestBody: OpenApiBody;
  readonly responses: Readonly<Record<string, OpenApiBody>>;
}

interface OpenApiBody {
  readonly description: string;
  readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
}

const documentOf = (answers?: Profile['answers']): Document =>
  openApiDocument('1.2.3', answers && { name: 'Acme staging', answers, waivers: [] }) as Document;
const operations = (document: Document): [OpenApiOperation, OpenApiOperation] => [
  document.paths['/v1/customers']!.post,
  document.paths['/v2/tokens']!.post,
];
const schemaOf = ({ content }: OpenApiBody): Schema => content['application/json']!.schema;
const allows = (schema: Schema, value: unknown): boolean =>
  new Ajv2020({ strict: false }).validate(schema, value);

const declared: Profile['answers'] = {
  'customer.create.status': [200, 201],
  'token.issue.status': 201,
  'auth.rejection.status': { 'customers, missing': 401, 'customers, wrong': 403, 'tokens, missing': 401 },
  'error.status': [400, 422],
  'error.body': { type: 'application/problem+json', members: { '/title': 'string' } },
  'customer.members': {
    '/id': 'string',
    '/name': 'string',
    '/email': 'string',
    '/notes': 'array',
    '/notes/*': 'string or null',
    '/created': 'number or absent',
    '/a~1b': 'string or absent',
    '/labels': 'object or absent',
    '/labels/*': 'string',
  },
  'token.members': { '/data': 'object', '/data/token': 'string' },
  'token.response.credential': '/data/token',
  'token.expires_in.unit': 'minutes',
};

describe('the OpenAPI document', () => {
  it.each([
    ['of the interface', undefined],
    ['with a profile', declared],
    ['with a profile that answers nothing', {}],
    ['with answers that have no schema', { 'customer.members': ['string'], 'token.members': 'x' }],
    ['with a JSON Schema for an answer', { 'customer.members': { schema: { minProperties: 3 } } }],
  ])('%s is valid, by an independent validator', async (_, answers) => {
    const found = await new Validator().validate(documentOf(answers) as never);
    expect(found).toEqual({ valid: true });
  });

  it('with a mistake would not be valid', async () => {
    const { paths: _, ...broken } = documentOf();
    expect((await new Validator().validate({ ...broken, path: {} })).valid).toBe(false);
  });

  it('describes requests and responses as the interface does', () => {
    const [customers, tokens] = operations(documentOf());
    expect(allows(schemaOf(customers.requestBody), { name: 'Ada', email: 'a@example.com' })).toBe(true);
    expect(allows(schemaOf(customers.requestBody), { name: 1, email: 'a@example.com' })).toBe(false);
    expect(allows(schemaOf(tokens.requestBody), { scopes: ['customers:read'], expires_in: 60 })).toBe(true);
    expect(allows(schemaOf(tokens.requestBody), { scopes: 'customers:read', expires_in: 60 })).toBe(false);
    expect(allows(schemaOf(tokens.requestBody), { scopes: [], expires_in: 1.5 })).toBe(false);
    const created = schemaOf(customers.responses['2XX']!);
    expect(allows(created, { id: 'cus_1', name: 'Ada', email: 'a@example.com' })).toBe(true);
    expect(allows(created, { id: 'cus_', name: 'Ada', email: 'a@example.com' })).toBe(false);
    expect(allows(created, { id: 'cus_1', name: 'Ada' })).toBe(false);
  });

  it('leaves open what the interface does not show', () => {
    const [customers, tokens] = operations(documentOf());
    // Whether members are required, whether there are others, and how large a number may be.
    expect(allows(schemaOf(customers.requestBody), { phone: '1' })).toBe(true);
    expect(allows(schemaOf(tokens.requestBody), { expires_in: 2 ** 60 })).toBe(true);
    const created = { id: 'cus_1', name: 'Ada', email: 'a@example.com', live: false };
    expect(allows(schemaOf(customers.responses['2XX']!), created)).toBe(true);
    for (const token of ['tok', { anything: [1] }])
      expect(allows(schemaOf(tokens.responses['2XX']!), token)).toBe(true);
    for (const { responses } of [customers, tokens])
      expect(Object.keys(responses).toSorted()).toEqual(['2XX', 'default']);
  });

  it('contains what a profile declares', () => {
    const document = documentOf(declared);
    const [customers, tokens] = operations(document);
    expect(document.info.description).toContain('Acme staging');
    expect(Object.keys(customers.responses)).toEqual(['200', '201', '400', '401', '403', '422', 'default']);
    expect(Object.keys(tokens.responses)).toEqual(['201', '400', '401', '422', 'default']);
    expect(Object.keys(customers.responses['403']!.content)).toEqual(['application/problem+json']);
    expect(tokens.description).toContain('minutes');
    expect(tokens.responses['201']!.description).toContain('/data/token');
    const created = schemaOf(customers.responses['201']!);
    const customer = { id: 'cus_1', name: 'Ada', email: 'a@example.com', notes: ['x', null] };
    expect(allows(created, { ...customer, labels: { vip: 'yes' } })).toBe(true);
    const broken: Record<string, Json>[] = [
      { notes: [1] },
      { created: 'now' },
      { 'a/b': 1 },
      { labels: { a: 1 } },
    ];
    for (const change of broken) expect(allows(created, { ...customer, ...change })).toBe(false);
    const { notes: _, ...without } = customer;
    expect(allows(created, without)).toBe(false);
    expect(allows(schemaOf(tokens.responses['201']!), { data: {} })).toBe(false);
  });

  it('combines the schema of a profile with that of the interface', () => {
    const [customers] = operations(documentOf({ 'customer.members': { schema: { required: ['live'] } } }));
    const created = schemaOf(customers.responses['2XX']!);
    const customer = { id: 'cus_1', name: 'Ada', email: 'a@example.com' };
    expect([allows(created, customer), allows(created, { ...customer, live: 1 })]).toEqual([false, true]);
    expect(allows(created, { live: 1 })).toBe(false);
  });
});
