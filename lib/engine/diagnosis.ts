import { NoReply, Stopped } from '../target/exchange.ts';
import { idOf } from './customer.ts';
import type { CustomerObservation } from './customer.ts';
import { Inconclusive } from './observation.ts';
import type { TokenObservation } from './token.ts';
import type { Trouble } from '../target/exchange.ts';
import { isCertificate } from '../target/trouble.ts';

/** The first response of each operation to a plain request, or why there is none. */
export interface Readiness {
  readonly customer: CustomerObservation | NoReply | Stopped;
  readonly token: TokenObservation | NoReply | Stopped;
}

/** The state of one prerequisite of a run, and what to do about it. */
export interface Diagnosis {
  readonly about: string;
  /** `doubt`: a run is possible, but the user should know. */
  readonly state: 'good' | 'doubt' | 'bad';
  readonly says: string;
  /** What to do; absent if the state is `good`. */
  readonly advice?: string;
  /** Whether a run can reach no verdict because of it. */
  readonly stops?: true;
}

/**
 * Diagnoses by the first responses, to distinguish a target that is down or a wrong key from a service that does not
 * conform. A diagnosis that stops a run is the only one.
 */
export function diagnose(baseUrl: string, { customer, token }: Readiness): Diagnosis[] {
  if (customer instanceof Error && token instanceof Error) {
    const advice = customer instanceof NoReply ? adviceFor(customer.troubles.at(-1)!) : OUT_OF_BUDGET;
    return [stop('answer', `${baseUrl} gave no answer: ${reasonOf(customer)}`, advice)];
  }
  if (isElsewhere(customer) && isElsewhere(token)) {
    return [
      stop(
        'interface',
        `neither operation is at ${baseUrl}: both answered ${statusOf(customer)}`,
        'Check TARGET_BASE_URL, in particular its path, and that the service behind the gateway is up',
      ),
    ];
  }
  if (isDoubt(customer) && isDoubt(token)) {
    return [
      stop(
        'key',
        `both operations rejected the key (${statusOf(customer)} and ${statusOf(token)})`,
        'Check TARGET_API_KEY: it must be a valid static key of this target',
      ),
    ];
  }
  return [keyIn(customer, token), customerIn(customer), tokenIn(token)];
}

/** Checks that a run can reach a verdict. @throws {Inconclusive} which states why not, and what to do */
export function assertReady(baseUrl: string, first: Readiness): Readiness {
  if (first.customer instanceof Stopped) throw first.customer;
  const stop = diagnose(baseUrl, first).find(({ stops }) => stops);
  if (stop) throw new Inconclusive(`${stop.says}. ${stop.advice}`);
  return first;
}

const OUT_OF_BUDGET = 'Increase --max-requests or --time-budget';

const stop = (about: string, says: string, advice: string): Diagnosis => ({
  about,
  state: 'bad',
  says,
  advice,
  stops: true,
});

function keyIn(customer: Readiness['customer'], token: Readiness['token']): Diagnosis {
  const [rejecting] = [
    ...(isDoubt(customer) ? ['creating a customer'] : []),
    ...(isDoubt(token) ? ['issuing a token'] : []),
  ];
  if (rejecting === undefined) return { about: 'key', state: 'good', says: 'accepted by both operations' };
  return {
    about: 'key',
    state: 'bad',
    says: `accepted for one operation, but rejected for ${rejecting}: that requirement will fail`,
    advice: 'Use a key that is allowed to do both, if this one is restricted; otherwise fix the service',
  };
}

function customerIn(customer: Readiness['customer']): Diagnosis {
  const about = 'customer';
  if (customer instanceof Error) return lost(about, customer);
  const { accepted, exchange } = customer;
  const { status } = exchange.reply;
  const id = idOf(exchange.reply);
  if (accepted) {
    const withId = typeof id === 'string' ? `id ${id}` : 'but without an id';
    return { about, state: 'good', says: `created with status ${status}, ${withId}` };
  }
  return {
    about,
    state: 'bad',
    says: `a plain one was not created (status ${status}): customer.plain.accepted will fail`,
    advice: 'See the log of the service: two ASCII words and an address at example.com were sent',
  };
}

function tokenIn(token: Readiness['token']): Diagnosis {
  const about = 'token';
  if (token instanceof Error) return lost(about, token);
  const { accepted, exchange, found, case: tried } = token;
  const { status } = exchange.reply;
  if (accepted)
    return { about, state: 'good', says: `issued with status ${status}, at ${found!.pointer || 'the root'}` };
  const requested = `scopes ${tried.input.scopes.join(' ')} and expires_in ${tried.input.expiresIn}`;
  const says = `none was issued for ${requested} (status ${status})`;
  if (status >= 500 || isDoubt(token))
    return {
      about,
      state: 'bad',
      says: `${says}: token.plain.accepted will fail`,
      advice: 'See the log of the service',
    };
  return {
    about,
    state: 'doubt',
    says: `${says}; a run will try others`,
    advice: 'Set TARGET_TOKEN_SCOPES and TARGET_TOKEN_EXPIRES_IN to values that it accepts',
  };
}

const lost = (about: string, error: NoReply | Stopped): Diagnosis => ({
  about,
  state: 'bad',
  says: `no answer, although the other operation answered: ${reasonOf(error)}`,
  advice: error instanceof NoReply ? adviceFor(error.troubles.at(-1)!) : OUT_OF_BUDGET,
});

/** Statuses of a wrong address or of a gateway without its service, not of the service itself. */
const isElsewhere = (first: CustomerObservation | TokenObservation | Error): boolean =>
  [301, 302, 303, 307, 308, 404, 405, 410, 502, 503, 504].includes(statusOf(first));

const isDoubt = (first: CustomerObservation | TokenObservation | Error): boolean =>
  !(first instanceof Error) && [401, 403].includes(first.exchange.reply.status);

const statusOf = (first: CustomerObservation | TokenObservation | Error): number =>
  first instanceof Error ? 0 : first.exchange.reply.status;

const reasonOf = (error: NoReply | Stopped): string =>
  error instanceof NoReply ? error.troubles.at(-1)!.detail : error.message;

const UP = 'Check that the service is up and that TARGET_BASE_URL is right';

const BY_CODE: Readonly<Record<string, string>> = {
  ENOTFOUND: 'Check the host in TARGET_BASE_URL; an internal name may resolve only in a VPN',
  EAI_AGAIN: 'The name server does not answer. Check the network of this machine, then try again',
  ECONNREFUSED: `${UP}; nothing is listening on that port`,
  EHOSTUNREACH: `${UP}, and that this machine has a route to the host, perhaps by a VPN`,
  ENETUNREACH: `${UP}, and that this machine has a route to the host, perhaps by a VPN`,
  ERR_SSL_WRONG_VERSION_NUMBER:
    'The port does not speak TLS: use the TLS port in TARGET_BASE_URL, or write http in place of https',
  CERT_HAS_EXPIRED: 'The certificate has expired: renew it, or correct the clock of this machine',
  CERT_NOT_YET_VALID: 'The certificate is not valid yet: wait, or correct the clock of this machine',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'The certificate is for another name: use that name in TARGET_BASE_URL, or issue a certificate for this one',
};

const OTHER_CERTIFICATE =
  'No trusted CA signed the certificate: to trust a private CA, set NODE_EXTRA_CA_CERTS=FILE';

/** What to do about a target that does not answer. */
export function adviceFor({ kind, code = '' }: Pick<Trouble, 'kind' | 'code'>): string {
  const known = Object.hasOwn(BY_CODE, code) ? BY_CODE[code] : undefined;
  if (known !== undefined) return known;
  if (isCertificate(code)) return OTHER_CERTIFICATE;
  switch (kind) {
    case 'throttled':
      return 'It rejects every client, or this key: try later, with a lower --rate and --concurrency, or with another key';
    case 'protocol':
    case 'misread':
      return 'Check that the service is up, and the port and scheme in TARGET_BASE_URL: something else is answering there';
    case 'timeout':
      return `${UP}, and that no firewall drops the requests; if the service is slow, increase --timeout`;
    case 'refused':
    case 'reset':
      return `${UP}, including its port and scheme (http or https)`;
  }
}
