import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseJson, isObject } from '../schemas/json.ts';
import { listen } from './front.ts';

/** What a test changes in the service. */
export interface PlainBehaviour {
  readonly id?: (count: number) => string;
  readonly echo?: (text: string) => string;
  readonly isKey?: (authorization: string, key: string) => boolean;
  readonly token?: (request: { scopes: string[]; expires_in: number }) => unknown;
  /** Answers a JSON body at a path beyond the interface; undefined: the service answers. */
  readonly beyond?: (
    request: IncomingMessage,
    body: unknown,
  ) => { status: number; body: unknown } | undefined;
  /** Answers in place of the service; false: the service answers. */
  readonly instead?: (request: IncomingMessage, response: ServerResponse, count: number) => boolean;
}

export interface PlainService {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Every request that it received: method, path and body. */
  readonly received: string[];
  /** Every token it issued. */
  readonly issued: string[];
  readonly stop: () => Promise<void>;
}

/**
 * The interface on nothing but node:http, for the tests of the command: it shares no code with the
 * reference service or the client, and chooses differently from the reference service where the interface leaves a choice.
 */
export async function startPlainService(behaviour: PlainBehaviour = {}): Promise<PlainService> {
  const apiKey = `sk_test_${randomBytes(12).toString('hex')}`;
  const received: string[] = [];
  const issued: string[] = [];
  const isKey =
    behaviour.isKey ??
    ((authorization, right) => authorization.replace(/^bearer /i, 'Bearer ') === `Bearer ${right}`);
  let customers = 0;
  const reply = (response: ServerResponse, status: number, body: unknown): void => {
    response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' });
    response.end(JSON.stringify(body));
  };
  const answer = (request: IncomingMessage, response: ServerResponse, text: string): void => {
    if (behaviour.instead?.(request, response, received.length)) return;
    const beyond = text === '' ? undefined : behaviour.beyond?.(request, parseJson(text));
    if (beyond) return reply(response, beyond.status, beyond.body);
    if (!isKey(request.headers.authorization ?? '', apiKey)) return reply(response, 403, { problem: 'key' });
    const body = parseJson(text);
    if (body === undefined) return reply(response, 422, { problem: 'not JSON' });
    const { name, email, scopes, expires_in: lifetime } = isObject(body) ? body : {};
    if (request.url === '/api/v1/customers' && typeof name === 'string' && typeof email === 'string') {
      const id = behaviour.id?.(++customers) ?? `cus_${randomBytes(6).toString('hex')}`;
      const echoed = behaviour.echo?.(name) ?? name;
      return reply(response, 200, { created: 1, email, name: echoed, id });
    }
    if (request.url === '/api/v2/tokens' && Array.isArray(scopes) && Number.isInteger(lifetime)) {
      const token =
        behaviour.token?.({ scopes, expires_in: lifetime as number }) ?? randomBytes(20).toString('hex');
      if (typeof token === 'string') issued.push(token);
      return reply(response, 200, { data: { access: token, ttl: lifetime } });
    }
    return reply(response, 422, { problem: 'not understood' });
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      received.push(`${request.method} ${request.url} ${text}`);
      answer(request, response, text);
    });
  });
  const { baseUrl, stop } = await listen(server);
  return { baseUrl: `${baseUrl}/api`, apiKey, received, issued, stop };
}
