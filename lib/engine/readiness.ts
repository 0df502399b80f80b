import { plainCustomer } from '../inputs/customers.ts';
import { tokenInput } from '../inputs/tokens.ts';
import { NoReply, Stopped } from '../target/exchange.ts';
import { createCustomer } from './customer.ts';
import type { CustomerObservation } from './customer.ts';
import { diagnose } from './diagnosis.ts';
import type { Readiness } from './diagnosis.ts';
import { Inconclusive } from './observation.ts';
import { issueToken } from './token.ts';
import type { Run } from './run.ts';

/**
 * Sends one plain request to each operation, before anything else.
 * @param retag gives the run another tag
 */
export async function firstAnswers(run: Run, retag: () => void): Promise<Readiness> {
  const [customer, token] = await Promise.all([firstCustomer(run, retag), firstToken(run)]);
  return { customer, token };
}

/** Holds that a run can come to a verdict. @throws {Inconclusive} which says why not, and what to do */
export function assertReady(run: Run, first: Readiness): Readiness {
  if (first.customer instanceof Stopped) throw first.customer;
  const stop = diagnose(run.target.baseUrl, first).find(({ stops }) => stops);
  if (stop) throw new Inconclusive(`${stop.says}. ${stop.advice}`);
  return first;
}

/**
 * A run with the same seed sends the same addresses. A service that remembers those of an earlier run,
 * and takes none twice, is met with others.
 */
async function firstCustomer(run: Run, retag: () => void): Promise<Readiness['customer']> {
  const input = run.draw(plainCustomer, 'first');
  const trial = {
    case: { experiment: 'plain customers', index: 0, category: 'plain', input },
    mark: (tries: number) => `${run.tag}c0${tries > 0 ? `t${tries}` : ''}`,
  };
  const create = (): Promise<Readiness['customer']> => createCustomer(trial, run).catch(expected);
  const first = await create();
  if (first instanceof Error || first.accepted || !mayBeDuplicate(first)) return first;
  retag();
  return create();
}

function firstToken(run: Run): Promise<Readiness['token']> {
  const { tokenScopes, tokenExpiresIn } = run.settings;
  const input = tokenInput(tokenScopes, tokenExpiresIn);
  const trial = {
    case: { experiment: 'plain tokens', index: 0, category: 'plain', input },
    mark: () => '',
  };
  return issueToken(trial, run).catch(expected);
}

const mayBeDuplicate = ({ exchange: { reply } }: CustomerObservation): boolean =>
  (reply.status === 200 || (reply.status >= 400 && reply.status < 500)) &&
  ![401, 403, 404, 405, 415].includes(reply.status);

function expected(error: unknown): NoReply | Stopped {
  if (error instanceof NoReply || error instanceof Stopped) return error;
  throw error;
}
