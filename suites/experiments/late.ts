import { createCustomer } from '../../lib/experiment/customer.ts';
import type { CustomerObservation } from '../../lib/experiment/customer.ts';
import { experiment } from '../../lib/experiment/experiment.ts';
import { issueToken } from '../../lib/experiment/token.ts';
import type { TokenObservation } from '../../lib/experiment/token.ts';
import fc from 'fast-check';
import { plainCustomer, shrinkCustomer } from '../../lib/inputs/customers.ts';
import type { CustomerInput } from '../../lib/inputs/customers.ts';
import { shrinkToken } from '../../lib/inputs/tokens.ts';
import type { TokenInput } from '../../lib/inputs/tokens.ts';
import { run } from '../run.ts';
import { wideCustomers } from './customers.ts';
import { refusedCustomers, refusedTokens } from './refusals.ts';
import { grantedToken } from './tokens.ts';

/** When all else that this run does, and that may wear a service out, is over. */
const everythingElse = (): Promise<unknown> =>
  Promise.all([wideCustomers, refusedCustomers, refusedTokens].map(({ settled }) => settled()));

/** Plain customers at the end: what was granted at the start is granted still. */
export const lateCustomers = experiment<CustomerInput, CustomerObservation>(run, {
  name: 'late customers',
  letter: 'z',
  shrinking: shrinkCustomer,
  plan: async ({ send }) => {
    await everythingElse();
    const plain = { family: 'plain', arbitrary: plainCustomer };
    await send([plain, plain]);
  },
  perform: (trial) => createCustomer(trial, run),
});

/** A token request at the end, just like the one that was granted at the start. */
export const lateTokens = experiment<TokenInput, TokenObservation>(run, {
  name: 'late tokens',
  letter: 'l',
  shrinking: shrinkToken,
  plan: async ({ send }) => {
    await everythingElse();
    const input = (await grantedToken())?.case.input;
    if (input) await send([{ family: 'plain', arbitrary: fc.constant(input) }]);
  },
  perform: (trial) => issueToken(trial, run),
});
