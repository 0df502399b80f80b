import { writeJson } from '../inputs/json-styles.ts';
import type { JsonStyle } from '../inputs/json-styles.ts';
import type { Credential } from '../target/credential.ts';
import type { Request } from '../target/exchange.ts';
import { USER_AGENT } from '../target/channel.ts';

/** Paths of the two operations below the base URL (interface, sections 4.1 and 4.2). */
export const paths = { customers: '/v1/customers', tokens: '/v2/tokens' } as const;

/** Deviations from the usual request. */
export interface Deviation {
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
  /** Headers that replace those of the same name, or follow the others. */
  readonly fields?: readonly (readonly [name: string, value: string])[];
}

/** A POST with a JSON body (interface, section 4). */
export function post(
  path: string,
  body: unknown,
  style: JsonStyle,
  credential: Credential | undefined,
  deviation: Deviation = {},
): Request {
  return postText(path, writeJson(body, style), credential, deviation);
}

/** A POST with any text as its body. */
export function postText(
  path: string,
  body: string | Buffer,
  credential: Credential | undefined,
  {
    path: otherPath = path,
    query,
    credential: other,
    fields: others = [],
    without = [],
    close = false,
    chunked = false,
  }: Deviation = {},
): Request {
  const replaced = new Set([...others.map(([name]) => name), ...without].map((name) => name.toLowerCase()));
  const standard = [
    ['Content-Type', 'application/json'],
    ['Accept', 'application/json'],
    ['User-Agent', USER_AGENT],
  ] as const;
  return {
    method: 'POST',
    path: query === undefined ? otherPath : `${otherPath}?${query}`,
    credential: other ?? credential,
    fields: [...standard.filter(([name]) => !replaced.has(name.toLowerCase())), ...others],
    body: typeof body === 'string' ? Buffer.from(body) : body,
    close,
    chunked,
  };
}

/** A request without a body, which creates, changes and deletes nothing. */
export const withoutBody = (
  method: 'GET' | 'HEAD' | 'OPTIONS',
  path: string,
  credential: Credential | undefined,
): Request => ({
  method,
  path,
  credential,
  fields: [
    ['Accept', 'application/json'],
    ['User-Agent', USER_AGENT],
  ],
  body: undefined,
});
