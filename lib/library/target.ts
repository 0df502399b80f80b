import { credentialsIn, findCredential } from '../engine/credential-in-reply.ts';
import { carriesCustomer, isSuccess } from '../engine/customer.ts';
import { paths, post } from '../engine/request.ts';
import { usual } from '../inputs/json.ts';
import type { CustomerRequest, TokenRequest } from '../schemas/interface.ts';
import type { RecordedExchange } from '../schemas/exchange.ts';
import { bearer, givenCredential, secretOf } from '../target/credential.ts';
import type { Exchange } from '../target/exchange.ts';
import { record } from '../target/record.ts';
import { Target } from '../target/target.ts';
import { definitionOf } from './target-options.ts';
import type { TargetDefinition, TargetOptions } from './target-options.ts';

/** What came of a customer creation. */
export interface CustomerOutcome {
  /** Whether the reply carries the result. Statuses are not shown by the interface, so the result decides. */
  readonly accepted: boolean;
  readonly status: number;
  /** The body of the reply as JSON, as it came: for `customerResponse` to read. Undefined where it is none. */
  readonly body: unknown;
  /** What was sent and what came back, without secrets: for messages and reports. */
  readonly exchange: RecordedExchange;
}

/** What came of a token request. */
export interface TokenOutcome extends CustomerOutcome {
  /** The issued token; undefined where the reply carries none. A secret: it stands in no exchange. */
  readonly token: string | undefined;
}

/** How a request may differ from the usual one. */
export interface RequestOptions {
  /** Value of the `Authorization` field in place of the key's; null: no such field. */
  readonly authorization?: string | null;
}

/** A target that is asked within its limits; nothing is sent before the first request. */
export interface DefinedTarget {
  readonly definition: TargetDefinition;
  /** Creates a customer (interface, section 4.1). @throws where no complete response came, or the limits are spent */
  readonly createCustomer: (request: CustomerRequest, options?: RequestOptions) => Promise<CustomerOutcome>;
  /** Issues a token (interface, section 4.2). @throws where no complete response came, or the limits are spent */
  readonly issueToken: (request: TokenRequest, options?: RequestOptions) => Promise<TokenOutcome>;
  /** A text without the key and without every token that was issued. */
  readonly redact: (text: string) => string;
  /** Lets the connections go. */
  readonly close: () => Promise<void>;
}

/**
 * Defines a target for tests of your own: it is asked through the client of the suite, which keeps to
 * the limits, waits where the target asks for patience, and keeps secrets out of what it hands out.
 * The time budget begins with the first request.
 * @throws {Error} for an option that is not usable; its value is never shown
 */
export function defineTarget(options: TargetOptions): DefinedTarget {
  const definition = definitionOf(options);
  const { apiKey, baseUrl } = definition;
  let opened: Target | undefined;
  let isClosed = false;
  const open = (): Target => {
    if (opened) return opened;
    opened = new Target(baseUrl, definition);
    opened.redactor.hide(apiKey, 'key');
    return opened;
  };
  const send = async (path: string, body: object, { authorization }: RequestOptions): Promise<Exchange> => {
    if (isClosed) throw new Error('the target is closed; define another');
    const target = open();
    if (authorization === undefined)
      return target.send(post(path, body, usual, bearer(apiKey)), { queue: path });
    if (authorization === null) return target.send(post(path, body, usual, undefined), { queue: path });
    target.redactor.hide(secretOf(authorization), 'given credential');
    return target.send(post(path, body, usual, givenCredential(authorization)), { queue: path });
  };
  const outcomeOf = (accepted: boolean, exchange: Exchange): CustomerOutcome => ({
    accepted,
    status: exchange.reply.status,
    body: exchange.reply.json,
    exchange: record(exchange, open().redactor),
  });
  return {
    definition,
    createCustomer: async (request, options = {}) => {
      const exchange = await send(paths.customers, request, options);
      return outcomeOf(carriesCustomer(exchange.reply, request), exchange);
    },
    issueToken: async (request, options = {}) => {
      const exchange = await send(paths.tokens, request, options);
      const { reply, number } = exchange;
      const found = isSuccess(reply) ? findCredential(reply, request.scopes) : undefined;
      for (const text of [...credentialsIn(reply), ...(found ? [found.text] : [])])
        open().redactor.hide(text, `token ${number}`);
      return { ...outcomeOf(found !== undefined, exchange), token: found?.text };
    },
    redact: (text) => open().redactor.redact(text),
    close: async () => {
      isClosed = true;
      await opened?.close();
    },
  };
}
