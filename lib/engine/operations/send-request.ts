import { usualFields } from '../../target/connections/channel.ts';
import { credentialGiven } from '../../target/credential.ts';
import type { Request } from '../../target/exchange.ts';
import type { Reply } from '../../target/reply.ts';
import type { Observation } from '../observation.ts';
import type { Run, Scenario } from '../scenario.ts';
import { conceal } from './credentials-in-reply.ts';
import { isSuccess } from '../../target/reply.ts';

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
    conceal(run.target.redactor, exchange);
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
