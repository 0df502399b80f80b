import { plainCustomer } from '../inputs/customers.ts';
import { tokenInput } from '../inputs/tokens.ts';
import { NoReply, Stopped } from '../target/exchange.ts';
import { createCustomer } from './customer.ts';
import type { CustomerObservation } from './customer.ts';
import { Inconclusive } from './observation.ts';
import { issueToken } from './token.ts';
import type { TokenObservation } from './token.ts';
import type { Run } from './run.ts';

/** The first answer to a plain request of each operation; what did not come is left out. */
export interface Readiness {
  readonly customer: CustomerObservation | NoReply | Stopped;
  readonly token: TokenObservation | NoReply | Stopped;
}

/**
 * Sends one plain request to each operation before anything else, to tell a target that is away or
 * a key that is wrong from a service that does not conform.
 * @param retag gives the run another tag
 * @throws {Inconclusive}
 */
export async function prepare(run: Run, retag: () => void): Promise<Readiness> {
  const [customer, token] = await Promise.all([firstCustomer(run, retag), firstToken(run)]);
  if (customer instanceof Stopped) throw customer;
  if (customer instanceof Error && token instanceof Error) {
    throw new Inconclusive(
      `${run.target.baseUrl} gave no answer: ${reasonOf(customer)}. ${hintFor(customer)}`,
    );
  }
  if (isElsewhere(customer) && isElsewhere(token)) {
    throw new Inconclusive(
      `nothing of the interface is at ${run.target.baseUrl}: both operations answered ${statusOf(customer)}. Check TARGET_BASE_URL, its path above all, and that the service behind the gateway is up`,
    );
  }
  if (isDoubt(customer) && isDoubt(token)) {
    throw new Inconclusive(
      `both operations refused the key (${statusOf(customer)} and ${statusOf(token)}). Check TARGET_API_KEY: it must be a valid static key of this target`,
    );
  }
  return { customer, token };
}

/** What to try, by what went wrong. */
function hintFor(error: NoReply | Stopped): string {
  const kind = error instanceof NoReply ? error.troubles.at(-1)!.kind : undefined;
  if (kind === 'throttled')
    return 'It turns everybody away, or this key: try later, with less (--rate, --concurrency), or with another key';
  if (kind === 'protocol' || kind === 'misread')
    return 'Check that the service is up and that TARGET_BASE_URL has its port and scheme: what answers there is no such service';
  return 'Check that the service is up and that TARGET_BASE_URL is right, its port and scheme (http or https) too';
}

/**
 * A run with the same seed sends the same addresses. A service that remembers those of an earlier run,
 * and takes none twice, is met with others.
 */
async function firstCustomer(run: Run, retag: () => void): Promise<Readiness['customer']> {
  const input = run.draw(plainCustomer, 'first');
  const trial = {
    case: { experiment: 'plain customers', index: 0, family: 'plain', input },
    mark: (tries: number) => `${run.tag}c0${tries > 0 ? `t${tries}` : ''}`,
  };
  const create = (): Promise<Readiness['customer']> => createCustomer(trial, run).catch(expected);
  const first = await create();
  if (first instanceof Error || first.granted || !mayBeDuplicate(first)) return first;
  retag();
  return create();
}

function firstToken(run: Run): Promise<Readiness['token']> {
  const { tokenScopes, tokenExpiresIn } = run.settings;
  const input = tokenInput(tokenScopes, tokenExpiresIn);
  const trial = {
    case: { experiment: 'plain tokens', index: 0, family: 'plain', input },
    mark: () => '',
  };
  return issueToken(trial, run).catch(expected);
}

const mayBeDuplicate = ({ exchange: { reply } }: CustomerObservation): boolean =>
  (reply.status === 200 || (reply.status >= 400 && reply.status < 500)) &&
  ![401, 403, 404, 405, 415].includes(reply.status);

/** Statuses of a wrong address or of a gateway without its service, not of the service itself. */
const isElsewhere = (first: CustomerObservation | TokenObservation | Error): boolean =>
  [301, 302, 303, 307, 308, 404, 405, 410, 502, 503, 504].includes(statusOf(first));

const isDoubt = (first: CustomerObservation | TokenObservation | Error): boolean =>
  !(first instanceof Error) && [401, 403].includes(first.exchange.reply.status);

const statusOf = (first: CustomerObservation | TokenObservation | Error): number =>
  first instanceof Error ? 0 : first.exchange.reply.status;

const reasonOf = (error: NoReply | Stopped): string =>
  error instanceof NoReply ? error.troubles.at(-1)!.detail : error.message;

function expected(error: unknown): NoReply | Stopped {
  if (error instanceof NoReply || error instanceof Stopped) return error;
  throw error;
}
