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

/** One thing that a run rests on: whether it is there, what that means, and what to do. */
export interface Diagnosis {
  readonly about: string;
  /** `doubt`: a run is possible, but a person should know. */
  readonly state: 'good' | 'doubt' | 'bad';
  readonly says: string;
  /** What to do; where all is well there is nothing. */
  readonly advice?: string;
  /** Whether a run comes to no verdict because of it. */
  readonly stops?: true;
}

/**
 * What the first answers tell, to keep a target that is away or a key that is wrong apart from a service that
 * does not conform. What stops a run stands alone.
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
        `nothing of the interface is at ${baseUrl}: both operations answered ${statusOf(customer)}`,
        'Check TARGET_BASE_URL, its path above all, and that the service behind the gateway is up',
      ),
    ];
  }
  if (isDoubt(customer) && isDoubt(token)) {
    return [
      stop(
        'key',
        `both operations refused the key (${statusOf(customer)} and ${statusOf(token)})`,
        'Check TARGET_API_KEY: it must be a valid static key of this target',
      ),
    ];
  }
  return [keyIn(customer, token), customerIn(customer), tokenIn(token)];
}

/** Checks that a run can come to a verdict. @throws {Inconclusive} that says why not, and what to do */
export function assertReady(baseUrl: string, first: Readiness): Readiness {
  if (first.customer instanceof Stopped) throw first.customer;
  const stop = diagnose(baseUrl, first).find(({ stops }) => stops);
  if (stop) throw new Inconclusive(`${stop.says}. ${stop.advice}`);
  return first;
}

const OUT_OF_BUDGET = 'Give the run more with --max-requests or --time-budget';

const stop = (about: string, says: string, advice: string): Diagnosis => ({
  about,
  state: 'bad',
  says,
  advice,
  stops: true,
});

function keyIn(customer: Readiness['customer'], token: Readiness['token']): Diagnosis {
  const [refusing] = [
    ...(isDoubt(customer) ? ['creating a customer'] : []),
    ...(isDoubt(token) ? ['issuing a token'] : []),
  ];
  if (refusing === undefined) return { about: 'key', state: 'good', says: 'no operation refuses it' };
  return {
    about: 'key',
    state: 'bad',
    says: `one operation takes it, but ${refusing} refuses it: a run finds that statement broken`,
    advice: 'Use a key that may do both, if this one is restricted; otherwise the service is to mend',
  };
}

function customerIn(customer: Readiness['customer']): Diagnosis {
  const about = 'customer';
  if (customer instanceof Error) return lost(about, customer);
  const { accepted, exchange } = customer;
  const { status } = exchange.reply;
  const id = idOf(exchange.reply);
  if (accepted) {
    const named = typeof id === 'string' ? `id ${id}` : 'but without an id';
    return { about, state: 'good', says: `created with status ${status}, ${named}` };
  }
  return {
    about,
    state: 'bad',
    says: `a plain one was not created (status ${status}): a run finds customer.plain.accepted broken`,
    advice: 'See the log of the service: two ASCII words and an address at example.com were sent',
  };
}

function tokenIn(token: Readiness['token']): Diagnosis {
  const about = 'token';
  if (token instanceof Error) return lost(about, token);
  const { accepted, exchange, found, case: tried } = token;
  const { status } = exchange.reply;
  if (accepted)
    return { about, state: 'good', says: `issued with status ${status}, at ${found!.pointer || 'the top'}` };
  const asked = `scopes ${tried.input.scopes.join(' ')} and expires_in ${tried.input.expiresIn}`;
  const says = `none was issued for ${asked} (status ${status})`;
  if (status >= 500 || isDoubt(token))
    return {
      about,
      state: 'bad',
      says: `${says}: a run finds token.plain.accepted broken`,
      advice: 'See the log of the service',
    };
  return {
    about,
    state: 'doubt',
    says: `${says}; a run tries others`,
    advice: 'Say what it grants with TARGET_TOKEN_SCOPES and TARGET_TOKEN_EXPIRES_IN',
  };
}

const lost = (about: string, error: NoReply | Stopped): Diagnosis => ({
  about,
  state: 'bad',
  says: `no answer, while the other operation gave one: ${reasonOf(error)}`,
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
  ENOTFOUND:
    'Check the host in TARGET_BASE_URL; an internal name resolves only where its name server is known, as behind a VPN',
  EAI_AGAIN: 'The name server does not answer. Check the network of this machine, then try again',
  ECONNREFUSED: `${UP}, its port above all: nothing listens there`,
  EHOSTUNREACH: `${UP}, and that this machine is in a network, or a VPN, from which the host is reached`,
  ENETUNREACH: `${UP}, and that this machine is in a network, or a VPN, from which the host is reached`,
  ERR_SSL_WRONG_VERSION_NUMBER:
    'What answers there does not speak TLS: give its TLS port in TARGET_BASE_URL, or write http in place of https',
  CERT_HAS_EXPIRED: 'The certificate has ended: renew it, if the clock of this machine is right',
  CERT_NOT_YET_VALID: 'The certificate is not valid yet: set the clock of this machine, or wait',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'The certificate is for another name: give the one that it is for in TARGET_BASE_URL, or have it made for this one',
};

const OTHER_CERTIFICATE =
  'No authority that is known here signed the certificate: make a private one known with NODE_EXTRA_CA_CERTS=FILE';

/** What to do about what keeps a target from answering. */
export function adviceFor({ kind, code = '' }: Pick<Trouble, 'kind' | 'code'>): string {
  const known = Object.hasOwn(BY_CODE, code) ? BY_CODE[code] : undefined;
  if (known !== undefined) return known;
  if (isCertificate(code)) return OTHER_CERTIFICATE;
  switch (kind) {
    case 'throttled':
      return 'It turns everybody away, or this key: try later, with less (--rate, --concurrency), or with another key';
    case 'protocol':
    case 'misread':
      return 'Check that the service is up and that TARGET_BASE_URL has its port and scheme: what answers there is no such service';
    case 'timeout':
      return `${UP}; that no firewall swallows what is sent; and if it is only slow, give it more with --timeout`;
    case 'refused':
    case 'reset':
      return `${UP}, its port and scheme (http or https) too`;
  }
}
