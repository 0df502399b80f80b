import { findCredential } from '../engine/operations/credentials-in-reply.ts';
import { redactTokens } from '../engine/operations/redact-tokens.ts';
import { carriesCustomer } from '../engine/operations/customer.ts';
import { paths, post } from '../engine/operations/request.ts';
import { usualStyle } from '../inputs/json-styles.ts';
import type { CustomerRequest, TokenRequest } from '../schemas/interface.ts';
import type { RecordedExchange } from '../schemas/exchange.ts';
import { bearer, credentialGiven } from '../target/credential.ts';
import type { Exchange } from '../target/exchange.ts';
import { record } from '../target/output/record.ts';
import { createRedactor } from '../target/output/redactor.ts';
import { Target } from '../target/target.ts';
import { readSettings } from '../settings/sources.ts';
import { proxyVariables } from '../settings/proxy.ts';
import { secretsOf } from '../settings/route.ts';
import type { Settings } from '../settings/run-settings.ts';
import { describeSetting, routeSettings } from '../settings/settings.ts';
import { UsageError } from '../settings/usage-error.ts';
import { isSuccess } from '../target/reply.ts';

/** The outcome of a customer creation. */
export interface CustomerOutcome {
  /** Whether the reply carries the result: the interface shows no statuses. */
  readonly accepted: boolean;
  readonly status: number;
  /** The parsed JSON body, for `customerResponse` to check; undefined if the body is not JSON. */
  readonly body: unknown;
  /** The request and the response without secrets, for messages and reports. */
  readonly exchange: RecordedExchange;
}

/** The outcome of a token request. */
export interface TokenOutcome extends CustomerOutcome {
  /** The issued token; undefined if the reply carries none. A secret: no exchange contains it. */
  readonly token: string | undefined;
}

/** How a request may differ from the usual one. */
export interface RequestOptions {
  /** Value of the `Authorization` header in place of the key; null: no such header. */
  readonly authorization?: string | null;
}

/** A client of one target, within limits. */
export interface DefinedTarget {
  /** Creates a customer (interface, section 4.1). @throws if no complete response arrived, or a limit is reached */
  readonly createCustomer: (request: CustomerRequest, options?: RequestOptions) => Promise<CustomerOutcome>;
  /** Issues a token (interface, section 4.2). @throws if no complete response arrived, or a limit is reached */
  readonly issueToken: (request: TokenRequest, options?: RequestOptions) => Promise<TokenOutcome>;
  /** Removes the key and all issued tokens from a text. */
  readonly redact: (text: string) => string;
  /** Closes the connections. */
  readonly close: () => Promise<void>;
}

/**
 * Opens a target for your own tests, through the client of the suite: it keeps to the limits, retries where the target
 * asks for it, and removes secrets from what it returns. The time budget begins with the first request.
 * @throws {UsageError} for an invalid option; the message never contains its value
 */
export function defineTarget(options: TargetOptions): DefinedTarget {
  const settings = checked(options);
  const { apiKey, baseUrl, route } = settings;
  const redactor = createRedactor();
  for (const { text, label } of secretsOf({ apiKey, route })) redactor.hide(text, label);
  /** Its time budget begins when it is made. */
  let target: Target | undefined;
  let isClosed = false;
  const send = async (path: string, body: object, { authorization }: RequestOptions): Promise<Exchange> => {
    if (isClosed) throw new Error('the target is closed; define a new one');
    target ??= new Target({ baseUrl, route }, settings, {}, redactor);
    const credential = credentialGiven(authorization, bearer(apiKey), redactor);
    return target.send(post(path, body, usualStyle, credential), { queue: path });
  };
  const outcomeOf = (accepted: boolean, exchange: Exchange): CustomerOutcome => ({
    accepted,
    status: exchange.reply.status,
    body: exchange.reply.json,
    exchange: record(exchange, redactor),
  });
  return {
    createCustomer: async (request, options = {}) => {
      const exchange = await send(paths.customers, request, options);
      return outcomeOf(carriesCustomer(exchange.reply, request), exchange);
    },
    issueToken: async (request, options = {}) => {
      const exchange = await send(paths.tokens, request, options);
      const { reply } = exchange;
      const found = findCredential(reply, request.scopes);
      redactTokens(redactor, exchange);
      // A rejection may contain long texts that are not a credential.
      const isIssued = found !== undefined && (isSuccess(reply) || found.isCertain);
      return { ...outcomeOf(isIssued, exchange), token: isIssued ? found.text : undefined };
    },
    redact: (text) => redactor.redact(text),
    close: async () => {
      isClosed = true;
      await target?.close();
    },
  };
}

/** A target, how requests reach it, and the limits of its client. */
export interface TargetOptions {
  /** URL of the service, with or without a path. */
  readonly baseUrl: string;
  /** Its static key. A secret: no exchange contains it. */
  readonly apiKey: string;
  /** Headers that a gateway demands of every request, by name. The values are secrets: no exchange contains them. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Path of the certificates of the authorities to trust, in PEM, in place of the built-in ones. */
  readonly ca?: string;
  /** Path of a client certificate, in PEM, or with its key in PKCS#12. */
  readonly clientCert?: string;
  /** Path of its private key, in PEM; default: in the file of the certificate. */
  readonly clientKey?: string;
  /** Passphrase of that key. A secret. */
  readonly clientKeyPassphrase?: string;
  /** Name to expect in the certificate of the target; default: the host in the URL. */
  readonly serverName?: string;
  /** Host and port to connect to, in place of those in the URL, which requests and TLS still name. */
  readonly connectTo?: string;
  /** Path of a Unix socket to connect to, in place of the host in the URL. */
  readonly unixSocket?: string;
  /** Version of HTTP to speak; default: 1.1. */
  readonly http?: '1.1' | '2';
  /** Whether the proxy that the environment names is used, as a run does; default: true. */
  readonly proxy?: boolean;
  /** Maximum number of requests in flight; default: 16. */
  readonly concurrency?: number;
  /** Maximum number of requests a second; default: 0, as fast as the target allows. */
  readonly rate?: number;
  /** Maximum number of requests, retries included; default: 1000. */
  readonly maxRequests?: number;
  /** Seconds from the first request after which nothing more is sent; default: 80. */
  readonly timeBudget?: number;
  /** Seconds for one response; default: 10. */
  readonly timeout?: number;
  /** Whether a key may be used that does not start with `sk_test_`; default: false. */
  readonly allowLiveKey?: boolean;
}

/** The options that are settings of a run, too. */
const names = [
  'baseUrl',
  'apiKey',
  'concurrency',
  'rate',
  'maxRequests',
  'timeBudget',
  'timeout',
  'allowLiveKey',
  ...routeSettings,
  'http',
] as const satisfies readonly (keyof TargetOptions)[];

type CheckedSettings = Settings & Pick<Required<TargetOptions>, 'baseUrl' | 'apiKey'>;

/** Checks options like the settings of a run. @throws {UsageError} which names the option, and shows no secret */
function checked(options: TargetOptions): CheckedSettings {
  if (typeof options !== 'object' || options === null)
    throw new UsageError('expected the options of a target, an object with baseUrl and apiKey');
  const known: readonly string[] = [...names, 'proxy'];
  if (Object.keys(options).some((name) => !known.includes(name)))
    throw new UsageError(`unknown option; expected ${known.join(', ')}`);
  for (const name of ['baseUrl', 'apiKey'] as const)
    if (!options[name]) throw new UsageError(`${name} is missing`);
  const { headers = {}, proxy = true } = options;
  const secrets = Object.entries(headers).map(
    ([name, value], at) =>
      [name, `HEADER_${at}_${name.toUpperCase().replaceAll(/\W/g, '_')}`, value] as const,
  );
  const given = {
    ...options,
    headers: secrets.map(([name, variable]) => `${name}: $${variable}`).join('\n'),
  };
  const variables = names.map((name) => [name, describeSetting(name).variable!] as const);
  try {
    return readSettings({
      environment: {
        ...Object.fromEntries(secrets.map(([, variable, value]) => [variable, value])),
        ...Object.fromEntries(
          variables.map(([name, variable]) => [variable, String(given[name] ?? '') || undefined]),
        ),
        // A run reads these, too.
        ...(proxy && proxyVariables(process.env)),
      },
    }) as CheckedSettings;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const message = variables.reduce(
      (text, [name, variable]) => text.replaceAll(new RegExp(`\\b${variable}\\b`, 'g'), name),
      error.message.replace('add --allow-live-key', 'set allowLiveKey'),
    );
    throw new UsageError(message);
  }
}
