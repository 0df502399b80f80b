import { gzipSync } from 'node:zlib';
import { fieldIn } from '../../settings/headers.ts';
import { usualStyle, writeJson } from '../../inputs/json-styles.ts';
import type { JsonStyle } from '../../inputs/json-styles.ts';
import type { Credential } from '../../target/credential.ts';
import type { Request } from '../../target/exchange.ts';
import { usualFields } from '../../target/connections/as-sent.ts';
import type { SendOptions } from '../../target/retries/retry-policy.ts';
import { credentialGiven } from '../../target/credential.ts';
import type { Reply } from '../../target/reply.ts';
import type { Observation } from '../observation.ts';
import type { Run, Scenario } from '../scenario.ts';
import { redactTokens } from './redact-tokens.ts';
import { isSuccess } from '../../target/reply.ts';

/** Paths of the two operations below the base URL (interface, sections 4.1 and 4.2). */
export const paths = { customers: '/v1/customers', tokens: '/v2/tokens' } as const;

export type OperationName = keyof typeof paths;

/** How a request differs from the usual one: a condition, or several combined. */
export interface Condition {
  readonly path?: string;
  /** Added to the path. */
  readonly query?: string;
  /** In place of the right credential. */
  readonly credential?: Credential;
  /** Whether the request asks to close the connection. */
  readonly close?: boolean;
  /** Whether the body is sent in chunks, without a Content-Length. */
  readonly chunked?: boolean;
  /** Names of headers that are left out. */
  readonly without?: readonly string[];
  /** The text before the host in a request target in absolute form; absent: it is in origin form. */
  readonly absolute?: string;
  /** Further members of the body. */
  readonly members?: Readonly<Record<string, string>>;
  /** How the body differs: it has only the first of its usual members, is a form (HTML, section 4.10.21.6), or is compressed. */
  readonly content?: 'first member' | 'form' | 'gzip';
  /** Headers that replace those of the same name, or follow the others. */
  readonly fields?: readonly (readonly [name: string, value: string])[];
}

/** How a request is sent, if not as usual. */
export interface OperationOptions extends Pick<SendOptions, 'connection' | 'ifThrottled' | 'mayBeRejected'> {
  readonly condition?: Condition;
}

/** Headers of every request with a body beside its credential, unless it replaces them. */
export const standardFields = [['Content-Type', 'application/json'] as const, ...usualFields];

/** A POST with a JSON body (interface, section 4). */
export function post(
  path: string,
  body: unknown,
  style: JsonStyle,
  credential: Credential | undefined,
  { members, content, ...given }: Condition = {},
): Request {
  const { accept, codings } = style;
  const { fields = [], without = [] } = given;
  const ofStyle = [
    ...(accept === usualStyle.accept || accept === '' ? [] : [['Accept', accept] as const]),
    ...(codings === '' ? [] : [['Accept-Encoding', codings] as const]),
    ...style.fields,
  ].filter(([name]) => fieldIn(fields, name) === undefined && !without.includes(name));
  const condition = {
    ...given,
    fields: [...ofStyle, ...fields],
    without: [...(accept === '' ? ['Accept'] : []), ...without],
    chunked: given.chunked ?? style.chunked,
  };
  const own = content === 'first member' ? firstMember(body as object) : body;
  const value = members === undefined ? own : { ...(own as object), ...members };
  const text =
    content === 'form'
      ? new URLSearchParams(value as Record<string, string>).toString()
      : writeJson(value, style);
  if (content !== 'gzip') return postText(path, text, credential, condition);
  const coded = { ...condition, fields: [...condition.fields, ['Content-Encoding', 'gzip'] as const] };
  const request = postText(path, gzipSync(text), credential, coded);
  return { ...request, uncoded: Buffer.from(text) };
}

const firstMember = (body: object): object => Object.fromEntries(Object.entries(body).slice(0, 1));

export function postText(
  path: string,
  body: string | Buffer,
  credential: Credential | undefined,
  {
    path: otherPath = path,
    query,
    absolute,
    credential: other,
    fields: others = [],
    without = [],
    close = false,
    chunked = false,
  }: Condition = {},
): Request {
  const replaced = new Set([...others.map(([name]) => name), ...without].map((name) => name.toLowerCase()));
  return {
    method: 'POST',
    path: query === undefined ? otherPath : `${otherPath}?${query}`,
    credential: other ?? credential,
    fields: [...standardFields.filter(([name]) => !replaced.has(name.toLowerCase())), ...others],
    body: typeof body === 'string' ? Buffer.from(body) : body,
    close,
    chunked,
    absolute,
  };
}

/** A request without a body, which creates, changes and deletes nothing. */
export const withoutBody = (
  method: 'GET' | 'HEAD' | 'OPTIONS',
  path: string,
  credential: Credential | undefined,
): Request => ({ method, path, credential, fields: usualFields, body: undefined });

/** A request to any endpoint below the base URL. */
export interface AnyRequest {
  readonly method: string;
  /** Path and query below the base URL, sent unchanged. */
  readonly path: string;
  /** The body; absent: no body. */
  readonly json?: unknown;
  /** Headers beside Content-Type, Accept and User-Agent. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** Value of the `Authorization` header in place of the key; null: no such header. */
  readonly authorization?: string | null;
}

/**
 * The `send` of a scenario whose cases are requests to any endpoint, with the right key.
 * @param make makes the request for an input; the nonce differs for each request
 * @param accepted whether a reply accepts the request; default: a status from 200 to 299
 * @throws {Error} for an invalid path
 */
export const sendRequest =
  <I>(
    make: (input: I, nonce: string) => AnyRequest,
    accepted: (reply: Reply) => boolean = isSuccess,
  ): Scenario<I, Observation<I>>['send'] =>
  (run) =>
  async (testCase, nonce) => {
    const exchange = await run.target.send((tries) => requestOf(run, make(testCase.input, nonce(tries))), {
      queue: testCase.scenario,
    });
    redactTokens(run.target.redactor, exchange);
    return { case: testCase, exchange, accepted: accepted(exchange.reply) };
  };

function requestOf(run: Run, { method, path, json, headers = [], authorization }: AnyRequest): Request {
  if (!/^\/[\x21-\x7e]*$/.test(path))
    throw new Error(`the path ${JSON.stringify(path)}: expected one that begins with /, percent-encoded`);
  return {
    method,
    path,
    credential: credentialGiven(authorization, run.credential, run.target.redactor),
    fields: [
      ...(json === undefined ? [] : [['Content-Type', 'application/json'] as const]),
      ...usualFields,
      ...headers,
    ],
    body: json === undefined ? undefined : Buffer.from(JSON.stringify(json)),
  };
}
