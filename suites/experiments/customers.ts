import fc from 'fast-check';
import { createCustomer, customerRequestOf, observeCustomer } from '../../lib/experiment/customer.ts';
import type { CustomerObservation } from '../../lib/experiment/customer.ts';
import { experiment } from '../../lib/experiment/experiment.ts';
import type { Slot } from '../../lib/experiment/experiment.ts';
import { plainAddress } from '../../lib/inputs/address.ts';
import { customerOf, plainCustomer, shrinkCustomer } from '../../lib/inputs/customers.ts';
import type { CustomerInput } from '../../lib/inputs/customers.ts';
import { styles, usual } from '../../lib/inputs/json.ts';
import { NoReply, Stopped } from '../../lib/target/exchange.ts';
import { run } from '../run.ts';
import { nextWave, widestWave } from './wide-plan.ts';

const plain: Slot<CustomerInput> = { family: 'plain', arbitrary: plainCustomer };
const times = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);

/** Plain customers, as anybody would create them. */
export const plainCustomers = experiment<CustomerInput, CustomerObservation>(run, {
  name: 'plain customers',
  letter: 'p',
  shrinking: shrinkCustomer,
  plan: async ({ add, send }, _, { customer }) => {
    add(customer);
    await send(times(Math.min(4, run.settings.cases), plain));
  },
  perform: (trial) => createCustomer(trial, run),
});

/** Names and addresses of every kind, then combinations of the kinds that were taken. */
export const wideCustomers = experiment<CustomerInput, CustomerObservation>(run, {
  name: 'wide customers',
  letter: 'w',
  shrinking: shrinkCustomer,
  plan: async ({ send }) => {
    const { cases } = run.settings;
    const first = await send(widestWave(run).slice(0, cases));
    await send(nextWave(run, first, Math.max(Math.ceil(cases / 12), cases - first.length)));
  },
  perform: (trial) => createCustomer(trial, run),
});

/** Plain customers whose requests are complete at the target at the same instant. */
export const simultaneousCustomers = experiment<CustomerInput, CustomerObservation>(run, {
  name: 'simultaneous customers',
  letter: 's',
  shrinking: shrinkCustomer,
  plan: async ({ send }) => {
    await send(times(run.settings.concurrency, plain));
  },
  perform: (trial) => createCustomer(trial, run),
  performTogether: async (trials) => {
    const sent = trials.map((trial) => {
      const { input } = trial.case;
      const state = { submitted: customerOf(input, trial.mark(0)) };
      const make = (tries: number): ReturnType<typeof customerRequestOf> => {
        state.submitted = customerOf(input, trial.mark(tries));
        return customerRequestOf(state.submitted, input, run.credential);
      };
      return { trial, state, make };
    });
    const results = await run.target.together(
      sent.map(({ make }) => make),
      'simultaneous customers',
    );
    return results.map((result, at) =>
      result instanceof NoReply || result instanceof Stopped
        ? result
        : observeCustomer(sent[at]!.trial, result, sent[at]!.state.submitted),
    );
  },
});

/** The very same body twice and thrice: refused as a duplicate, or a new customer each time. */
export const repeatedCustomers = experiment<CustomerInput, CustomerObservation>(run, {
  name: 'repeated customers',
  letter: 'r',
  shrinking: shrinkCustomer,
  plan: async ({ send }) => {
    const [first] = await send([plain]);
    if (!first?.granted) return;
    const again = fc.constant(first.case.input);
    await send([{ family: 'identical', arbitrary: again }]);
    await send(times(2, { family: 'identical, at once', arbitrary: again }));
    const sameName = fc.constant({ ...first.case.input, address: { ...plainAddress, local: 'eve' } });
    await send([{ family: 'same name, other address', arbitrary: sameName }]);
  },
  perform: (trial) =>
    createCustomer(
      trial.case.family.startsWith('identical') ? { ...trial, mark: () => `${run.tag}r0` } : trial,
      run,
    ),
});

/** The same kind of object in other JSON encodings. */
export const encodedCustomers = experiment<CustomerInput, CustomerObservation>(run, {
  name: 'encoded customers',
  letter: 'e',
  shrinking: shrinkCustomer,
  plan: async ({ send }) => {
    await send(
      styles.map((style) => ({
        family: 'plain, other encoding',
        arbitrary: plainCustomer.map((input) => ({ ...input, style })),
      })),
    );
    // What a service may refuse is sent as everybody sends it first; only if that was taken, otherwise.
    const delicate = [
      { name: 'Zoë Weber', style: { ...usual, escape: 'non-ascii' } },
      { name: 'Ada 😀 Berg', style: { ...usual, escape: 'non-ascii' } },
      { name: 'Ada / Berg', style: { ...usual, escape: 'solidus' } },
      { name: 'Ada "Q" \\ Ωß', style: { ...usual, escape: 'all', hex: 'upper' } },
    ] as const;
    const controls = await send(
      delicate.map(({ name }) => ({
        family: 'usual encoding',
        arbitrary: fc.constant({ name, address: plainAddress, style: usual }),
      })),
    );
    const taken = controls.filter(({ granted }) => granted).map((control) => control.case.input.name);
    await send(
      delicate
        .filter(({ name }) => taken.includes(name))
        .map(({ name, style }) => ({
          family: 'other encoding',
          arbitrary: fc.constant({ name, address: plainAddress, style }),
        })),
    );
  },
  perform: (trial) => createCustomer(trial, run),
});

/** Every experiment that creates customers with the right key. */
export const customerExperiments = [
  plainCustomers,
  wideCustomers,
  simultaneousCustomers,
  repeatedCustomers,
  encodedCustomers,
];
