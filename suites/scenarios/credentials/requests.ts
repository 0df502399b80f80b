import type fc from 'fast-check';
import { withSuffix } from '../../../lib/engine/nonces.ts';
import {
  createCustomer,
  customerRequestOf,
  placeOfCustomer,
} from '../../../lib/engine/operations/customer.ts';
import { Inconclusive, unlessWithoutReply } from '../../../lib/engine/observation.ts';
import type { Case, CredentialResponse, Observation } from '../../../lib/engine/observation.ts';
import { hasRightKey, scenario } from '../../../lib/engine/scenario.ts';
import type { Nonce } from '../../../lib/engine/nonces.ts';
import type { Condition, OperationName, OperationOptions } from '../../../lib/engine/operations/request.ts';
import type { Observed, Run, Scenario } from '../../../lib/engine/scenario.ts';
import { isWording } from '../../../lib/engine/operations/credential-form.ts';
import { carriesCredential } from '../../../lib/engine/operations/credentials-in-reply.ts';
import { redactTokens } from '../../../lib/engine/operations/redact-tokens.ts';
import { stringsIn } from '../../../lib/schemas/json.ts';
import { isSuccess } from '../../../lib/target/reply.ts';
import { issueToken, tokenRequestOf } from '../../../lib/engine/operations/token.ts';
import { customerOf, shrinkCustomer } from '../../../lib/inputs/customers.ts';
import type { CustomerInput } from '../../../lib/inputs/customers.ts';
import { credentialFrom, invalidKey } from '../../../lib/inputs/invalid-credentials.ts';
import { isJwt, jsonInBase64url } from '../../../lib/inputs/jwt.ts';
import { shrinkToken } from '../../../lib/inputs/tokens.ts';
import type { TokenInput } from '../../../lib/inputs/tokens.ts';
import type { DedicatedConnection } from '../../../lib/target/connections/connections.ts';
import { paths, post } from '../../../lib/engine/operations/request.ts';
import { plainBody } from '../../../lib/engine/operations/probe.ts';
import { usualStyle } from '../../../lib/inputs/json-styles.ts';
import { presenting } from '../../../lib/engine/operations/presentation.ts';
import type { Credential } from '../../../lib/target/credential.ts';
import { responseText } from '../../../lib/target/output/response-text.ts';
import { NoReply, Stopped, pathOf } from '../../../lib/target/exchange.ts';
import type { Exchange, Request } from '../../../lib/target/exchange.ts';
import type { IfThrottled } from '../../../lib/target/retries/retry-policy.ts';
import { EACH_REQUEST, ruleOf, shrinkCredentialInput } from './cases.ts';
import type { CredentialInput } from './cases.ts';
import { combinedCondition, idOfToken, refreshTokenOf } from './filled-conditions.ts';
import type { Control } from './filled-conditions.ts';
import { acceptedIds, customerControl, plainCustomerScenarios } from '../customers.ts';
import { ENDING_SOON, plainTokenScenarios, tokenControl, tokenOf, variedTokens } from '../tokens.ts';
import type { TokenKind } from '../tokens.ts';

/** The response to a request with an invalid credential, and its accepted control. */
export interface CredentialObservation<B> extends Observation<CredentialInput<B>>, CredentialResponse {
  readonly control: Exchange;
  /** Whether the response is that to an earlier request with the right key, to the byte. */
  readonly isStored?: true;
}

/** How the requests of one operation are sent with invalid credentials. */
interface CredentialOperation<B> {
  readonly name: OperationName;
  /** The scenarios of the control. */
  readonly uses: readonly Scenario[];
  readonly shrinking: fc.Arbitrary<CredentialInput<B>>;
  /** A control that was sent earlier. @throws {Inconclusive} if there is none */
  readonly control: (observed: Observed) => Control;
  /** Sends a request with the right key. @throws {Inconclusive} if it is rejected */
  readonly sendAccepted: (
    run: Run,
    base: Case<B>,
    nonce: Nonce,
    options: OperationOptions,
  ) => Promise<Exchange>;
  readonly requestsFor: (run: Run, observed: Observed, base: B, nonce: string) => RequestsForInput;
}

/** The requests of an operation for one input, whatever their credential. */
interface RequestsForInput {
  readonly requestWith: (credential: Credential | undefined, condition: Condition) => Request;
  /** Where a response to one of them carries the result; undefined: nowhere. */
  readonly placeIn: (exchange: Exchange) => string | undefined | Promise<string | undefined>;
}

export const customerOperation: CredentialOperation<CustomerInput> = {
  name: 'customers',
  uses: plainCustomerScenarios,
  shrinking: shrinkCredentialInput(shrinkCustomer),
  control: customerControl,
  sendAccepted: (run, base, nonce, sending) =>
    acceptedOf(run, () => createCustomer(run, base, nonce, sending)),
  requestsFor(run, observed, base, nonce) {
    const customer = customerOf(base, nonce, run.settings.emailDomain);
    return {
      requestWith: (credential, condition) => customerRequestOf(customer, base, credential, condition),
      placeIn: ({ reply }) => placeOfCustomer(reply, customer, acceptedIds(observed)),
    };
  },
};

export const tokenOperation: CredentialOperation<TokenInput> = {
  name: 'tokens',
  uses: plainTokenScenarios,
  shrinking: shrinkCredentialInput(shrinkToken),
  control: tokenControl,
  sendAccepted: (run, base, _, sending) => acceptedOf(run, () => issueToken(run, base, sending)),
  requestsFor: (run, observed, base) => ({
    requestWith: (credential, condition) => tokenRequestOf(base, credential, condition),
    async placeIn(exchange) {
      const carried = carriesCredential(exchange, tokenControl(observed));
      if (carried) redactTokens(run.target.redactor, exchange, carried);
      return carried && !(await isInRejectedCustomers(run, exchange, carried.place))
        ? carried.place
        : undefined;
    },
  }),
};

/**
 * Whether a rejection has a text where those of customers have one, too: that is no token of the operation, but perhaps
 * a CSRF token, which the service adds to each page.
 */
async function isInRejectedCustomers(
  run: Run,
  { request: { credential }, reply: rejection, queue }: Exchange,
  place: string,
): Promise<boolean> {
  if (isSuccess(rejection)) return false;
  const rejected = (): Exchange[] =>
    run.exchanges.filter(
      ({ request, reply }) => reply.status === rejection.status && pathOf(request) === paths.customers,
    );
  if (rejected().length === 0) await sendCustomer(run, credential, queue);
  return rejected().some(({ reply }) =>
    stringsIn(reply.json).some(({ pointer, text }) => pointer === place && !isWording(text)),
  );
}

/** A scenario that sends requests with invalid credentials to one operation. */
export const withInvalidCredentials = <B>(
  operation: CredentialOperation<B>,
  {
    uses = [],
    ...definition
  }: Pick<Scenario<CredentialInput<B>, CredentialObservation<B>>, 'name' | 'uses' | 'cases'>,
): Scenario<CredentialInput<B>, CredentialObservation<B>> => {
  const all = [...new Set([...operation.uses, ...uses])];
  return scenario<CredentialInput<B>, CredentialObservation<B>>({
    kind: operation.name === 'customers' ? 'customer credentials' : 'token credentials',
    ...definition,
    uses: all,
    // The control, and the tokens that may be sent in place of the key.
    sendUses: all.filter((one) => [...operation.uses, ...plainTokenScenarios, variedTokens].includes(one)),
    shrinking: operation.shrinking,
    // If the connection matters, the control is the request that was accepted on it before.
    controlOf: ({ category, input }) =>
      category === EACH_REQUEST ? undefined : { ...input, credential: { kind: 'right key' } },
    send: (run, observed) => {
      const sendInvalid: SendCase<B> = async (testCase, nonce, connection) => {
        const { scenario: queue, input, category } = testCase;
        if (input.credential.kind === 'issued token' && input.credential.which === 'ended')
          await run.target.wait(Math.max(0, untilExpired(run, observed) ?? 0));
        // A service may keep what it has accepted for its other operation.
        if (input.credential.kind === 'issued token' && input.credential.which === 'widest')
          await sendCustomer(run, bearer(issuedToken(run, observed, 'widest')), queue);
        const { requestWith, placeIn } = operation.requestsFor(run, observed, input.base, nonce(0));
        const condition = combinedCondition(run, operation.control(observed), input, nonce(0));
        const request = requestWith(credentialOf(run, observed, input), condition);
        const send = (ifThrottled: IfThrottled): Promise<Exchange> =>
          run.target.send(request, { queue, ifThrottled, mayBeRejected: true, connection });
        const response = await run.sendInvalid(`${operation.name} ${category}`, send, placeIn);
        return {
          case: testCase,
          ...response,
          ...(response.accepted && isStored(run, response.exchange) && { isStored: true }),
        };
      };
      return async (testCase, nonce) => {
        if (testCase.category === EACH_REQUEST)
          return sendAfterControl(run, observed, operation, sendInvalid, testCase, nonce);
        const { exchange: control } = operation.control(observed);
        return { ...(await sendInvalid(testCase, nonce)), control };
      };
    },
  });
};

/** Sends the request of a case with its invalid credential. */
type SendCase<B> = (
  testCase: Case<CredentialInput<B>>,
  nonce: Nonce,
  connection?: DedicatedConnection,
) => Promise<Omit<CredentialObservation<B>, 'control'>>;

/** Sends a customer that the service may reject. */
const sendCustomer = (run: Run, credential: Credential | undefined, queue: string): Promise<unknown> => {
  const request = post(paths.customers, plainBody(run), usualStyle, credential);
  return unlessWithoutReply(run.target.send(request, { queue, ifThrottled: 'final', mayBeRejected: true }));
};

/** Whether a response repeats an earlier one to the right key, to the byte; an empty body shows nothing. */
const isStored = (run: Run, { number, reply }: Exchange): boolean =>
  reply.text !== '' &&
  run.exchanges.some((one) => one.number < number && hasRightKey(run, one) && one.reply.text === reply.text);

/** The exchange of a control. @throws {Inconclusive} if it is rejected */
async function acceptedOf(run: Run, send: () => Promise<Observation>): Promise<Exchange> {
  let observation = await send();
  if (!observation.accepted && (await isWorthRepeating(run, observation))) observation = await send();
  const { accepted, exchange } = observation;
  if (accepted) return exchange;
  const response = responseText(exchange, run.target.redactor);
  throw new Inconclusive(`the control, sent directly before it, was rejected with ${response}`);
}

/** Whether a rejection was due to an outage or a lockout that is over. */
async function isWorthRepeating(run: Run, observation: Observation): Promise<boolean> {
  if (await run.waitUntilServedAgain(observation.exchange)) return true;
  const limit = await run.checkForLimit(observation);
  if (limit instanceof Stopped) throw limit;
  return limit === 'again';
}

/**
 * Sends the control, with the headers of the conditions, and then, on the same connection, the request with the invalid
 * credential. If that is accepted, it is sent on a new connection: accepted there too, it breaks another rule, as the
 * control is not the cause.
 */
async function sendAfterControl<B>(
  run: Run,
  observed: Observed,
  operation: CredentialOperation<B>,
  sendInvalid: SendCase<B>,
  testCase: Case<CredentialInput<B>>,
  nonce: Nonce,
): Promise<CredentialObservation<B>> {
  const { input } = testCase;
  const { fields = [] } = combinedCondition(run, operation.control(observed), input, nonce(0));
  let control: Exchange | undefined;
  const sendBoth = async (connection?: DedicatedConnection): Promise<CredentialObservation<B>> => {
    // One control for both connections: a service may accept an address only once.
    control ??= await operation.sendAccepted(
      run,
      { ...testCase, input: input.base },
      withSuffix(nonce, 'c'),
      {
        connection,
        condition: { fields },
      },
    );
    const opened = connection?.connects();
    const observation = await sendInvalid(testCase, nonce, connection);
    return {
      ...observation,
      control,
      ...(connection ? { sameConnection: connection.connects() === opened } : {}),
    };
  };
  const used = await run.target.connections.withDedicated(sendBoth).catch((error: unknown) => {
    // A service may reject a header that the interface does not show.
    if (error instanceof Inconclusive && fields.length > 0) {
      const plain = { ...testCase, input: { ...input, conditions: [] } };
      return sendAfterControl(run, observed, operation, sendInvalid, plain, nonce);
    }
    // If the target allows no further connection, a shared one will do: it carries accepted requests as well.
    if (!(error instanceof NoReply)) throw error;
    return sendBoth();
  });
  if (!used.accepted) return used;
  const alone = await unlessWithoutReply(
    run.target.connections.withDedicated((connection) =>
      sendInvalid({ ...testCase, category: ruleOf(input.credential) }, withSuffix(nonce, 'n'), connection),
    ),
  );
  return alone?.accepted ? { ...alone, control: used.control } : used;
}

/** What tokens of each kind are called in output. */
const LABELS: Readonly<Record<TokenKind | 'refresh' | 'id', string>> = {
  widest: 'issued token for many scopes, presented at /v1/customers before',
  longest: 'issued token for a long time',
  shortest: 'issued token for a short time',
  ended: `issued token, after its lifetime of ${ENDING_SOON}`,
  refresh: 'refresh token',
  id: 'id of the issued token',
};

/** The invalid credential; hides near misses of the key from all output. */
function credentialOf<B>(
  run: Run,
  observed: Observed,
  { credential }: CredentialInput<B>,
): Credential | undefined {
  if (credential.kind === 'issued token') {
    const { which } = credential;
    const token = issuedToken(run, observed, which);
    // Evidence has labels only.
    if (token === run.settings.apiKey) return run.credential;
    const label = which === undefined ? 'issued token' : LABELS[which];
    return { ...bearer(token), label: `Bearer [${label}]` };
  }
  if (credential.kind === 'right key') return run.credential;
  if (credential.kind === 'form of a token') {
    const token = issuedToken(run, observed, 'widest');
    return credential.unsigned ? unsigned(token) : ofTheFormOf(token);
  }
  const { apiKey } = run.settings;
  if (credential.kind !== 'none' && credential.kind !== 'value' && credential.kind !== 'other') {
    const text = invalidKey(credential, apiKey);
    // A text that contains the key needs no label: the key in it is redacted.
    if (text.length >= apiKey.length / 2 && !text.includes(apiKey))
      run.target.redactor.hide(text, 'near miss of the key');
  }
  return credentialFrom(credential, apiKey);
}

/** Milliseconds after its lifetime by which a token has ended, also where only whole seconds count. */
const EXPIRED_AFTER = 500;

/** Milliseconds until the token that ends within the run has ended; undefined: there is none. */
export function untilExpired({ target }: Run, observed: Observed): number | undefined {
  const issued = tokenOf(observed(variedTokens), 'ended');
  if (!issued) return undefined;
  const { startedAt, duration } = issued.exchange;
  return startedAt + duration + ENDING_SOON * 1000 + EXPIRED_AFTER - target.now;
}

function issuedToken(run: Run, observed: Observed, which?: TokenKind | 'refresh' | 'id'): string {
  const control = tokenControl(observed);
  const ofControl = control.found!.text;
  if (which === undefined) return ofControl;
  if (which === 'refresh') return refreshTokenOf(control) ?? ofControl;
  if (which === 'id') return idOfToken(control, run.settings.apiKey) ?? ofControl;
  return tokenOf(observed(variedTokens), which)?.found!.text ?? ofControl;
}

/** A text of the same form as a token, which was never issued: letters and digits change, all else stays. */
function ofTheFormOf(token: string): Credential {
  // Only the signature of a JWT changes, as many services read the claims before they verify it.
  const start = isJwt(token) ? token.lastIndexOf('.') : token.length >> 2;
  const text = token.slice(start).replace(/[a-z0-9]/gi, (character) => {
    const alphabet = ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '0123456789'].find((one) =>
      one.includes(character),
    )!;
    return alphabet[(alphabet.indexOf(character) + 5) % alphabet.length]!;
  });
  return notIssued(token.slice(0, start) + text);
}

/** The claims of a JWT, without a signature (RFC 7519, section 6). */
function unsigned(token: string): Credential {
  const header = jsonInBase64url({ alg: 'none', typ: 'JWT' });
  return notIssued(`${header}.${token.split('.')[1]}.`);
}

const bearer = (token: string): Credential => presenting(['bearer'], token).credential;

const notIssued = (text: string): Credential => ({
  ...bearer(text),
  label: 'Bearer [text of the form of a token]',
});
