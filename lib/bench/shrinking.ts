import { reduce } from '../experiment/counterexample.ts';
import { createCustomer } from '../experiment/customer.ts';
import type { CustomerObservation } from '../experiment/customer.ts';
import { experiment } from '../experiment/experiment.ts';
import { openRun } from '../experiment/run.ts';
import { plainAddress } from '../inputs/address.ts';
import { shrinkCustomer } from '../inputs/customers.ts';
import type { CustomerInput } from '../inputs/customers.ts';
import { usual } from '../inputs/json.ts';
import { resolveSettings } from '../settings/resolve.ts';
import type { Service } from './service.ts';

/** What making a case small took. */
export interface Shrinking {
  /** Milliseconds. */
  readonly wall: number;
  readonly requests: number;
  readonly path: string;
}

const NAME = 'Kim "the \\ Wolf" Größe, Straße 12 -- İstanbul & Söhne <b>GmbH</b> 😀';

/**
 * Makes a case small that breaks where a name holds a dotted capital I, as services are which fold case.
 * @param width smaller cases that are sent at once; 1: one after the other
 */
export async function shrinkOnce({ baseUrl, apiKey }: Service, width: number): Promise<Shrinking> {
  const settings = { ...resolveSettings({}), baseUrl, apiKey, embedded: false, seed: 5 };
  const nobody = { progress: () => {}, say: () => {}, secret: () => {} };
  const run = openRun(settings, nobody);
  const customers = experiment<CustomerInput, CustomerObservation>(run, {
    name: 'customers',
    letter: 'b',
    shrinking: shrinkCustomer,
    plan: async () => {},
    perform: (trial) => createCustomer(trial, run),
  });
  const input: CustomerInput = {
    name: NAME,
    address: { ...plainAddress, local: 'ada.b+news' },
    style: usual,
  };
  const found = await customers.repeat(input, 'bench');
  const before = run.target.traffic.requests;
  const startedAt = performance.now();
  const { path } = await reduce(
    customers,
    found,
    ({ submitted }) => submitted.name.includes('İ'),
    shrinkCustomer,
    width,
  );
  const wall = performance.now() - startedAt;
  const { requests } = run.target.traffic;
  await run.target.close();
  return { wall, requests: requests - before, path };
}
