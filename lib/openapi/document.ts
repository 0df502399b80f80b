import { z } from 'zod';
import { paths } from '../engine/operations/request.ts';
import type { OperationName } from '../engine/operations/request.ts';
import { customerRequest, customerResponse, tokenRequest } from '../schemas/interface.ts';
import { isObject, stepsIn } from '../schemas/json.ts';
import type { Json } from '../schemas/json.ts';
import type { Profile } from '../schemas/profile.ts';

/** A JSON Schema in the dialect of OpenAPI 3.1 (draft 2020-12). */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
}

/** A Response Object of OpenAPI. */
interface Response {
  readonly description: string;
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

type Answers = Readonly<Record<string, Json>>;

/**
 * The interface as an OpenAPI 3.1 document, with no more than it states: `2XX` where it shows no status.
 * @param version of the suite
 * @param profile adds the statuses and members that it declares
 */
export function openApiDocument(version: string, profile?: Profile): object {
  const answers: Answers = profile?.answers ?? {};
  const { name = 'the service' } = profile ?? {};
  return {
    openapi: '3.1.1',
    info: {
      title: 'Customer and Token Service Interface',
      version,
      description: profile
        ? `What the interface states, and what the operator of ${name} has declared. Paths are below the base URL.`
        : 'What the interface states, and no more. Paths are below the base URL.',
    },
    paths: {
      [paths.customers]: { post: customerOperation(answers) },
      [paths.tokens]: { post: tokenOperation(answers) },
    },
    components: {
      securitySchemes: {
        key: {
          type: 'http',
          scheme: 'bearer',
          description: 'A static secret key. One in test mode has the prefix sk_test_ (section 5).',
        },
      },
    },
    security: [{ key: [] }],
  };
}

const customerOperation = (answers: Answers): object => ({
  operationId: 'createCustomer',
  summary: 'Create a customer',
  description: 'Section 4.1. Constraints on name and email are not shown.',
  requestBody: { required: true, content: json(requestSchema(customerRequest)) },
  responses: responsesOf('customers', answers, answers['customer.create.status'], {
    description:
      'The customer: a new id, and the submitted name and email. Members beyond these three are not shown.',
    content: json(withDeclared(responseSchema(customerResponse), answers['customer.members'])),
  }),
});

function tokenOperation(answers: Answers): object {
  const unit = answers['token.expires_in.unit'];
  const place = answers['token.response.credential'];
  const members = schemaOfShape(answers['token.members']);
  return {
    operationId: 'issueToken',
    summary: 'Issue a scoped token',
    description: `Section 4.2. Valid scopes are not shown. ${typeof unit === 'string' ? `Unit of expires_in: ${unit}.` : 'The unit of expires_in is not shown.'}`,
    requestBody: { required: true, content: json(requestSchema(tokenRequest)) },
    responses: responsesOf('tokens', answers, answers['token.issue.status'], {
      description: `The issued token. ${typeof place === 'string' ? `It is ${place.startsWith('/') ? 'at' : 'in the'} ${place}.` : 'The shape of the response is not shown.'}`,
      content: json(members ?? {}),
    }),
  };
}

/** @param declared the status of an accepted request */
function responsesOf(
  operation: OperationName,
  answers: Answers,
  declared: Json | undefined,
  accepted: Response,
): Record<string, Response> {
  const statuses = statusesIn(declared);
  return {
    ...rejectionsOf(operation, answers),
    ...(statuses.length === 0
      ? { '2XX': accepted }
      : Object.fromEntries(statuses.map((one) => [one, accepted]))),
    default: { description: 'A rejection. Errors and their statuses are not shown.' },
  };
}

/** Rejections whose statuses are declared. */
function rejectionsOf(operation: OperationName, answers: Answers): Record<string, Response> {
  const content = rejectionContent(answers['error.body']);
  const responses = (question: string, description: string): [string, Response][] =>
    statusesIn(aboutOperation(answers[question], operation)).map((status) => [
      String(status),
      { description, ...content },
    ]);
  return Object.fromEntries([
    ...responses('error.status', 'The body of the request is rejected.'),
    ...responses('auth.rejection.status', 'The credentials are rejected.'),
  ]);
}

/** The part of an answer that is about the requests of one operation: kinds of requests begin with its name. */
function aboutOperation(declared: Json | undefined, operation: OperationName): Json | undefined {
  if (!isObject(declared)) return declared;
  const other: OperationName = operation === 'customers' ? 'tokens' : 'customers';
  return Object.fromEntries(Object.entries(declared).filter(([kind]) => !kind.startsWith(`${other},`)));
}

/** The content of a rejection, if all rejections are declared to have the same. */
function rejectionContent(declared: Json | undefined): Pick<Response, 'content'> {
  if (!isObject(declared) || typeof declared['type'] !== 'string') return {};
  if (!declared['type'].includes('/')) return {};
  const schema = schemaOfShape(declared['members']);
  return { content: { [declared['type']]: schema ? { schema } : {} } };
}

const json = (schema: Schema): Response['content'] & object => ({ 'application/json': { schema } });

/** A schema of the interface with further, declared members. */
function withDeclared(stated: Schema, declared: Json | undefined): Schema {
  const shape = schemaOfShape(declared);
  if (shape === undefined) return stated;
  if (shape.properties === undefined) return { allOf: [stated, shape] };
  return {
    ...stated,
    // What the interface states comes first, unchanged.
    properties: { ...stated.properties, ...shape.properties, ...stated.properties },
    required: [...new Set([...(stated.required ?? []), ...(shape.required ?? [])])],
  };
}

/**
 * The schema of a request's body. The interface does not show which members are required, which others are allowed,
 * and how large a number may be.
 */
const requestSchema = (schema: z.ZodType): Schema =>
  jsonSchema(schema, ['required', 'additionalProperties', 'minimum', 'maximum']);

/** The schema of a response's body, which may have further members. */
const responseSchema = (schema: z.ZodType): Schema => jsonSchema(schema, ['additionalProperties']);

/** @param unstated keywords for what the interface does not show */
function jsonSchema(schema: z.ZodType, unstated: readonly string[]): Schema {
  const generated = z.toJSONSchema(schema, {
    override: ({ jsonSchema }) => {
      for (const keyword of unstated) delete jsonSchema[keyword];
    },
  });
  // The dialect is that of OpenAPI 3.1.
  delete generated.$schema;
  return generated as Schema;
}

const TYPES = ['string', 'number', 'boolean', 'null', 'array', 'object'];

/** A node of a shape: the declared types, and the nodes within. */
interface ShapeNode {
  readonly types: string[];
  readonly within: Map<string, ShapeNode>;
}

/**
 * The JSON Schema of members that a profile declares: types by JSON pointer, `*` for the items of an array or the
 * members of a map, `absent` for a member that may be missing.
 * @returns undefined for a declaration that has no such form
 */
function schemaOfShape(declared: Json | undefined): Schema | undefined {
  if (!isObject(declared)) return undefined;
  if (isObject(declared['schema']) && Object.keys(declared).length === 1) return declared['schema'];
  const root: ShapeNode = { types: [], within: new Map() };
  for (const [pointer, types] of Object.entries(declared)) {
    if (pointer !== '' && !pointer.startsWith('/')) return undefined;
    if (typeof types !== 'string') return undefined;
    nodeAt(root, pointer).types.push(...types.split(' or '));
  }
  if (root.types.length === 0) root.types.push('object');
  return schemaOf(root);
}

function nodeAt(root: ShapeNode, pointer: string): ShapeNode {
  let node = root;
  for (const name of stepsIn(pointer)) {
    if (!node.within.has(name)) node.within.set(name, { types: [], within: new Map() });
    node = node.within.get(name)!;
  }
  return node;
}

function schemaOf({ types, within }: ShapeNode): Schema {
  const known = types.filter((type) => TYPES.includes(type));
  const items = within.get('*');
  const members = [...within].filter(([name]) => name !== '*');
  const required = members.filter(([, { types }]) => !types.includes('absent')).map(([name]) => name);
  return {
    ...(known.length > 0 && { type: known.length === 1 ? known[0]! : known }),
    ...(members.length > 0 && {
      properties: Object.fromEntries(members.map(([name, node]) => [name, schemaOf(node)])),
    }),
    ...(required.length > 0 && { required }),
    ...(items && known.includes('array') && { items: schemaOf(items) }),
    ...(items && known.includes('object') && { additionalProperties: schemaOf(items) }),
  };
}

/** The statuses that a profile declares: one, several, or one for each kind; none for a range. */
function statusesIn(declared: Json | undefined): number[] {
  if (typeof declared === 'number') return declared >= 100 && declared <= 599 ? [declared] : [];
  if (Array.isArray(declared)) return [...new Set(declared.flatMap((one) => statusesIn(one as Json)))];
  if (!isObject(declared) || 'min' in declared || 'max' in declared || 'schema' in declared) return [];
  return statusesIn(Object.values(declared));
}
