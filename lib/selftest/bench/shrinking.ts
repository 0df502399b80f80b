import fc from 'fast-check';
import { reduce } from '../../engine/reduce.ts';
import { createCustomer } from '../../engine/customer.ts';
import type { CustomerObservation } from '../../engine/customer.ts';
import { experiment } from '../../engine/experiment.ts';
import type { Experiment } from '../../engine/experiment.ts';
import { openRun } from '../../engine/run.ts';
import { plainAddress } from '../../inputs/address.ts';
import { shrinkCustomer } from '../../inputs/customers.ts';
import type { CustomerInput } from '../../inputs/customers.ts';
import { usual } from '../../inputs/json.ts';
import { readSettings } from '../../settings/sources.ts';
import type { Service } from './service.ts';

/** What shrinking one case took. */
export interface Shrinking {
  /** Milliseconds. */
  readonly wall: number;
  readonly requests: number;
  readonly path: string;
}

const NAME = 'Kim "the \\ Wolf" Größe, Straße 12 -- İstanbul & Söhne <b>GmbH</b> 😀';

type Customers = Experiment<CustomerInput, CustomerObservation>;

const input: CustomerInput = {
  name: NAME,
  address: { ...plainAddress, local: 'ada.b+news' },
  style: usual,
};

/** The fault of a service that folds case: it breaks names with a dotted capital I. */
const breaks = ({ submitted }: CustomerObservation): boolean => submitted.name.includes('İ');

/** Shrinks a broken case with fast-check itself, one request after the other. */
export const shrinkOneByOne = (service: Service): Promise<Shrinking> =>
  measured(service, async (customers, onFound) => {
    let isFirst = true;
    const property = fc.asyncProperty(shrinkCustomer, async (candidate) => {
      const observation = await customers.repeat(candidate, 'bench');
      if (isFirst) onFound();
      isFirst = false;
      return !breaks(observation);
    });
    const { counterexamplePath } = await fc.check(property, { numRuns: 1, examples: [[input]] });
    return counterexamplePath!;
  });

/** Shrinks a broken case as a run does. @param width requests in flight */
export const shrinkAhead = (service: Service, width: number): Promise<Shrinking> =>
  measured(service, async (customers, onFound) => {
    const found = await customers.repeat(input, 'bench');
    onFound();
    const { path } = await reduce(customers, found, breaks, shrinkCustomer, width);
    return path;
  });

/** Measures from the first broken case to the minimal one. */
async function measured(
  { baseUrl, apiKey }: Service,
  shrink: (customers: Customers, onFound: () => void) => Promise<string>,
): Promise<Shrinking> {
  const settings = { ...readSettings({}), baseUrl, apiKey, embedded: false, seed: 5 };
  const silent = { progress: () => {}, say: () => {}, secret: () => {} };
  const run = openRun(settings, silent);
  const customers = experiment<CustomerInput, CustomerObservation>(run, {
    name: 'customers',
    letter: 'b',
    shrinking: shrinkCustomer,
    plan: async () => {},
    perform: (candidate) => createCustomer(candidate, run),
  });
  let startedAt = 0;
  const path = await shrink(customers, () => (startedAt = performance.now()));
  const wall = performance.now() - startedAt;
  const { requests } = run.target.traffic;
  await run.target.close();
  return { wall, requests, path };
}
