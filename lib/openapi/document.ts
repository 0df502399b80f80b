import { paths } from '../engine/request.ts';
import { customerRequest, customerResponse, tokenRequest } from '../schemas/interface.ts';
import type { Json } from '../schemas/json.ts';
import type { Profile } from '../schemas/profile.ts';
import { isObject } from '../target/reply.ts';
import { requestSchema, responseSchema } from './schemas.ts';
import type { Schema } from './schemas.ts';
import { schemaOfShape, statusesIn } from './shapes.ts';

/** A response, as OpenAPI has it. */
interface Response {
  readonly description: string;
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

/** What distinguishes the two operations. */
interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly body: Schema;
  readonly accepted: Response;
  /** Questions whose declared answer is the status of a grant, and of refused credentials by kind. */
  readonly status: 'customer.create.status' | 'token.issue.status';
  readonly kinds: 'customers' | 'tokens';
}

type Answers = Readonly<Record<string, Json>>;

/**
 * The interface as an OpenAPI 3.1 document: what it says, and no more. A status that it does not show is
 * none here either; `2XX` is HTTP's own word for success.
 * @param version of the suite that makes it
 * @param profile what an operator has declared is said of their service too: statuses and members
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
        ? `What the interface says, and what the operator has declared of ${name}. Paths are below the base URL.`
        : 'What the interface says, and no more. Paths are below the base URL.',
    },
    paths: {
      [paths.customers]: { post: operationOf(customerOperation(answers), answers) },
      [paths.tokens]: { post: operationOf(tokenOperation(answers), answers) },
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

const customerOperation = (answers: Answers): Operation => ({
  operationId: 'createCustomer',
  summary: 'Create a customer',
  description: 'Section 4.1. Constraints on name and email are not shown.',
  body: requestSchema(customerRequest),
  accepted: {
    description:
      'The customer: a new id, and the submitted name and email. Members beyond these three are not shown.',
    content: json(withDeclared(responseSchema(customerResponse), answers['customer.members'])),
  },
  status: 'customer.create.status',
  kinds: 'customers',
});

function tokenOperation(answers: Answers): Operation {
  const unit = answers['token.expires_in.unit'];
  const pointer = answers['token.response.credential'];
  const members = schemaOfShape(answers['token.members']);
  return {
    operationId: 'issueToken',
    summary: 'Issue a scoped token',
    description: `Section 4.2. Valid scopes are not shown. ${typeof unit === 'string' ? `Unit of expires_in: ${unit}.` : 'The unit of expires_in is not shown.'}`,
    body: requestSchema(tokenRequest),
    accepted: {
      description: `The issued token. ${typeof pointer === 'string' ? `It is at ${pointer}.` : 'The shape of the response is not shown.'}`,
      content: json(members ?? {}),
    },
    status: 'token.issue.status',
    kinds: 'tokens',
  };
}

function operationOf({ body, accepted, status, kinds, ...operation }: Operation, answers: Answers): object {
  const refusals = refusalsOf(kinds, answers);
  const statuses = statusesIn(answers[status]);
  return {
    ...operation,
    requestBody: { required: true, content: json(body) },
    responses: {
      ...refusals,
      ...(statuses.length === 0
        ? { '2XX': accepted }
        : Object.fromEntries(statuses.map((one) => [one, accepted]))),
      default: { description: 'A refusal. Errors and their statuses are not shown.' },
    },
  };
}

/** Refusals whose statuses are declared. */
function refusalsOf(kinds: Operation['kinds'], answers: Answers): Record<string, Response> {
  const content = refusalContent(answers['error.body']);
  const responses = (question: string, description: string): [string, Response][] =>
    statusesIn(ofKind(answers[question], kinds)).map((status) => [
      String(status),
      { description, ...content },
    ]);
  return Object.fromEntries([
    ...responses('error.status', 'The body of the request is refused.'),
    ...responses('auth.refusal.status', 'The credentials are refused.'),
  ]);
}

/** Of an answer for each kind of request, those of one operation. */
function ofKind(declared: Json | undefined, kinds: Operation['kinds']): Json | undefined {
  if (!isObject(declared)) return declared;
  const other = kinds === 'customers' ? 'tokens' : 'customers';
  return Object.fromEntries(Object.entries(declared).filter(([kind]) => !kind.startsWith(`${other},`)));
}

/** The content of a refusal, where it is declared to be the same everywhere. */
function refusalContent(declared: Json | undefined): Pick<Response, 'content'> {
  if (!isObject(declared) || typeof declared['type'] !== 'string') return {};
  if (!declared['type'].includes('/')) return {};
  const schema = schemaOfShape(declared['members']);
  return { content: { [declared['type']]: schema ? { schema } : {} } };
}

const json = (schema: Schema): Response['content'] & object => ({ 'application/json': { schema } });

/** A schema of the interface with the members that are declared beside its own. */
function withDeclared(said: Schema, declared: Json | undefined): Schema {
  const shape = schemaOfShape(declared);
  if (shape === undefined) return said;
  if (shape.properties === undefined) return { allOf: [said, shape] };
  return {
    ...said,
    properties: { ...said.properties, ...without(shape.properties, Object.keys(said.properties ?? {})) },
    required: [...new Set([...(said.required ?? []), ...(shape.required ?? [])])],
  };
}

const without = (properties: Readonly<Record<string, Schema>>, names: readonly string[]): typeof properties =>
  Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name)));
