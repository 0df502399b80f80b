import fc from 'fast-check';
import { plainCustomer, shrinkCustomer } from '../inputs/customers.ts';
import type { CustomerInput } from '../inputs/customers.ts';
import { shrinkToken, tokenInput } from '../inputs/tokens.ts';
import type { TokenInput } from '../inputs/tokens.ts';
import { createCustomer } from './customer.ts';
import type { CustomerObservation } from './customer.ts';
import { phase, scenario } from './scenario.ts';
import { issueToken } from './token.ts';
import type { TokenObservation } from './token.ts';

/**
 * One plain customer, before anything else. A run with the same seed sends the same addresses: if the target accepts each
 * address only once, the run changes its id.
 */
export const firstCustomer = scenario<CustomerInput, CustomerObservation>({
  name: 'first customer',
  shrinking: shrinkCustomer,
  cases: () => [{ category: 'plain', arbitrary: plainCustomer }],
  send: (run) => async (testCase, nonce) => {
    const first = await createCustomer(run, testCase, nonce);
    if (first.accepted || testCase.index === -1 || !mayBeDuplicate(first)) return first;
    run.renewRunId();
    return createCustomer(run, testCase, nonce);
  },
});

/** One plain token request. Valid scopes and lifetimes are not shown: if it is rejected, others are tried. */
export const firstToken = scenario<TokenInput, TokenObservation>({
  name: 'first token',
  shrinking: shrinkToken,
  cases: ({ settings: { tokenScopes, tokenExpiresIn } }) => [
    { category: 'first contact', arbitrary: fc.constant(tokenInput(tokenScopes, tokenExpiresIn)) },
  ],
  send: (run) => (testCase) => issueToken(run, testCase),
});

/** The first phase of every run; all others wait for both responses. */
export const firstContact = phase('first contact', { sends: [firstCustomer, firstToken] });

const mayBeDuplicate = ({ exchange: { reply } }: CustomerObservation): boolean =>
  (reply.status === 200 || (reply.status >= 400 && reply.status < 500)) &&
  ![401, 403, 404, 405, 415].includes(reply.status);
