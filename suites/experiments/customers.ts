import fc from 'fast-check';
import { affordable, isAmple } from '../../lib/engine/affordable.ts';
import { createCustomer, createTogether } from '../../lib/engine/customer.ts';
import type { CustomerObservation } from '../../lib/engine/customer.ts';
import { experiment } from '../../lib/engine/experiment.ts';
import type { Slot } from '../../lib/engine/experiment.ts';
import { plainAddress } from '../../lib/inputs/address.ts';
import { plainCustomer, shrinkCustomer } from '../../lib/inputs/customers.ts';
import type { CustomerInput } from '../../lib/inputs/customers.ts';
import { styles, usual } from '../../lib/inputs/json.ts';
import { isPlainName } from '../../lib/inputs/plain.ts';
import type { Exchange } from '../../lib/target/exchange.ts';
import { run } from '../run.ts';
import {
  MOST_COMBINED,
  combiningWave,
  furtherWave,
  plainerWave,
  unluckySlots,
  widestWave,
} from './wide-plan.ts';

const WIDE = 'wide customers';

const plain: Slot<CustomerInput> = { category: 'plain', arbitrary: plainCustomer };
const times = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);

/** Plain customers, as anybody would create them. */
export const plainCustomers = experiment<CustomerInput, CustomerObservation>(run, {
  name: 'plain customers',
  letter: 'p',
  shrinking: shrinkCustomer,
  plan: async ({ add, send }, _, { customer }) => {
    add(customer);
    await send(times(Math.min(2, run.settings.cases), plain));
  },
  perform: (trial) => createCustomer(trial, run),
});

/** What was refused, by its input: the same input has the same outcome when it is sent again. */
const refusedBefore = new Map<CustomerInput, Exchange>();

const each = Promise.withResolvers<readonly CustomerObservation[]>();

/** What is seen of each kind of name and address; nobody need wait for their combinations to build on it. */
export const eachKind = (): Promise<readonly CustomerObservation[]> =>
  Promise.race([each.promise, wideCustomers.explore().then(({ observations }) => observations)]);

/** Names and addresses of every kind, then combinations of the kinds that were taken. */
export const wideCustomers = experiment<CustomerInput, CustomerObservation>(run, {
  name: WIDE,
  letter: 'w',
  shrinking: shrinkCustomer,
  plan: async ({ send, isOver }, _, readiness) => {
    const { cases } = run.settings;
    // Much waits for what this wave finds.
    if (isAmple(run, readiness)) run.target.prioritise(WIDE);
    const first = await send(widestWave(run).slice(0, cases));
    run.target.prioritise(undefined);
    const refused = first.filter(({ accepted }) => !accepted);
    for (const observation of refused) refusedBefore.set(observation.case.input, observation.exchange);
    const second = await send([
      ...refused
        .slice(0, 8)
        .map(({ case: { category, input } }) => ({ category, arbitrary: fc.constant(input) })),
      ...plainerWave(run, first, Math.ceil(cases * 0.38)),
    ]);
    const seen = [...first, ...second];
    each.resolve(seen);
    let left = Math.max(Math.ceil(cases / 12), cases - first.length);
    const third = combiningWave(run, seen, Math.min(left, MOST_COMBINED));
    await send(third, true);
    left -= third.length;
    for (let round = 1; left > 0 && !isOver(); round++) {
      const further = furtherWave(run, seen, round, left);
      await send(further, true);
      left -= further.length;
    }
  },
  perform: async (trial) => {
    const control = refusedBefore.get(trial.case.input);
    const observation = await createCustomer(trial, run);
    return control ? { ...observation, control, controlAccepted: false } : observation;
  },
});

/** Customers, half of them plain, whose requests are complete at the target at the same instant. */
export const simultaneousCustomers = experiment<CustomerInput, CustomerObservation>(run, {
  name: 'simultaneous customers',
  letter: 's',
  shrinking: shrinkCustomer,
  plan: async ({ send }, _, first) => {
    const most = Math.max(2, Math.floor(affordable(run, first) / 10));
    const together = Math.min(run.settings.concurrency, most);
    const half = Math.ceil(together / 2);
    await send([...times(half, plain), ...unluckySlots(run).slice(0, together - half)]);
  },
  perform: (trial) => createCustomer(trial, run),
  performTogether: (trials) => createTogether(trials, run),
});

/** The very same body again, once and at the same instant: refused, or a new customer each time. */
export const repeatedCustomers = experiment<CustomerInput, CustomerObservation>(run, {
  name: 'repeated customers',
  letter: 'r',
  shrinking: shrinkCustomer,
  plan: async ({ send }) => {
    const [first] = await send([plain]);
    if (!first?.accepted) return;
    const again = fc.constant(first.case.input);
    await send(times(3, { category: 'identical', arbitrary: again }));
    const sameName = fc.constant({ ...first.case.input, address: { ...plainAddress, local: 'eve' } });
    await send([{ category: 'same name, other address', arbitrary: sameName }]);
  },
  perform: (trial) => createCustomer(trial, run),
  performTogether: (trials) =>
    createTogether(
      trials.map((trial) =>
        trial.case.category === 'identical' ? { ...trial, mark: () => `${run.tag}r0` } : trial,
      ),
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
        category: 'plain, other encoding',
        arbitrary: plainCustomer.map((input) => ({ ...input, style })),
      })),
    );
    const delicate = [
      { name: 'Zoë Weber', style: { ...usual, escape: 'non-ascii' } },
      { name: 'Ada 😀 Berg', style: { ...usual, escape: 'non-ascii' } },
      { name: 'Ada / Berg', style: { ...usual, escape: 'solidus' } },
      { name: 'Ada "Q" \\ Ωß', style: { ...usual, escape: 'all', hex: 'upper' } },
    ] as const;
    await send(
      delicate.map((input) => ({
        category: 'delicate, other encoding',
        arbitrary: fc.constant({ ...input, address: plainAddress }),
      })),
    );
  },
  // What is accepted in its usual encoding is accepted in any. Plain input is known to be accepted, unless
  // the target has turned away from us in the meantime: a refusal is held against its control.
  perform: async (trial) => {
    const { input } = trial.case;
    const control = async (): Promise<CustomerObservation> => {
      const mark = (tries: number): string => `${trial.mark(tries)}u`;
      // One letter more: a service may take each name once.
      const usually = { ...input, name: `${input.name}n`, style: usual };
      return createCustomer({ ...trial, mark, case: { ...trial.case, input: usually } }, run);
    };
    const before = isPlainName(input.name) ? undefined : await control();
    const observation = await createCustomer(trial, run);
    const held = before ?? (observation.accepted ? undefined : await control());
    return held ? { ...observation, control: held.exchange, controlAccepted: held.accepted } : observation;
  },
});
