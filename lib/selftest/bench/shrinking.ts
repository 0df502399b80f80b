import fc from 'fast-check';
import { customerScenario } from '../../engine/operations/customer.ts';
import type { CustomerObservation } from '../../engine/operations/customer.ts';
import type { Observation } from '../../engine/observation.ts';
import { reproduce } from '../../engine/judging/reproduce.ts';
import { openRun } from '../../engine/run.ts';
import type { Run } from '../../engine/scenario.ts';
import { phase } from '../../engine/scenario.ts';
import { plainAddress } from '../../inputs/addresses.ts';
import { shrinkCustomer } from '../../inputs/customers.ts';
import type { CustomerInput } from '../../inputs/customers.ts';
import { usualStyle } from '../../inputs/json-styles.ts';
import { readSettings } from '../../settings/sources.ts';
import type { ServiceProcess } from './service.ts';

/** The time and the requests that shrinking one case took. */
interface ShrinkingCost {
  /** Milliseconds. */
  readonly wall: number;
  readonly requests: number;
  readonly path: string;
}

const NAME = 'Kim "the \\ Wolf" Größe, Straße 12 -- İstanbul & Söhne <b>GmbH</b> 😀';

const input: CustomerInput = {
  name: NAME,
  address: { ...plainAddress, local: 'ada.b+news' },
  style: usualStyle,
};

const customers = customerScenario({ name: 'customers', cases: () => [] });

/** The fault of a service that folds case: it breaks names with a dotted capital I. */
const breaks = ({ submitted }: CustomerObservation): boolean => submitted.name.includes('İ');

/** Shrinks a broken case with fast-check itself, one request after the other. */
export const shrinkOneByOne = (service: ServiceProcess): Promise<ShrinkingCost> =>
  measured(service, 1, async (run, onFound) => {
    let isFirst = true;
    const property = fc.asyncProperty(shrinkCustomer, async (candidate) => {
      const observation = await run.repeat(customers, candidate, 'bench');
      if (isFirst) onFound();
      isFirst = false;
      return !breaks(observation);
    });
    const { counterexamplePath } = await fc.check(property, { numRuns: 1, examples: [[input]] });
    return counterexamplePath!;
  });

/** Shrinks a broken case as a run does. @param width requests in flight */
export const shrinkAhead = (service: ServiceProcess, width: number): Promise<ShrinkingCost> =>
  measured(service, width, async (run, onFound) => {
    const found = await run.repeat(customers, input, 'bench');
    onFound();
    const isBroken = (observation: Observation): boolean => breaks(observation as CustomerObservation);
    const { path } = await reproduce(run, customers, found, isBroken, {
      shrinking: shrinkCustomer,
      repeats: 3,
    });
    return path;
  });

/** Measures from the first broken case to the minimal one. */
async function measured(
  { baseUrl, apiKey }: ServiceProcess,
  concurrency: number,
  shrink: (run: Run, onFound: () => void) => Promise<string>,
): Promise<ShrinkingCost> {
  const settings = { ...readSettings({}), baseUrl, apiKey, concurrency, embedded: false, seed: 5 };
  const run = openRun({
    settings,
    requirements: [],
    plan: [phase('customers', { sends: [customers] })],
  });
  let startedAt = 0;
  const path = await shrink(run, () => (startedAt = performance.now()));
  const wall = performance.now() - startedAt;
  const { requests } = run.target.traffic;
  await run.target.close();
  return { wall, requests, path };
}
