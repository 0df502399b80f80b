import fc from 'fast-check';
import { createCustomer, idOf } from '../../lib/engine/customer.ts';
import type { CustomerObservation } from '../../lib/engine/customer.ts';
import { experiment } from '../../lib/engine/experiment.ts';
import type { Experiment } from '../../lib/engine/experiment.ts';
import { drawsUntilClash } from '../../lib/engine/few-values.ts';
import type { Observation } from '../../lib/engine/observation.ts';
import { issueToken } from '../../lib/engine/token.ts';
import type { TokenObservation } from '../../lib/engine/token.ts';
import { plainCustomer, shrinkCustomer } from '../../lib/inputs/customers.ts';
import type { CustomerInput } from '../../lib/inputs/customers.ts';
import { shrinkToken } from '../../lib/inputs/tokens.ts';
import type { TokenInput } from '../../lib/inputs/tokens.ts';
import { run } from '../run.ts';
import { plainCustomers, simultaneousCustomers, wideCustomers } from './customers.ts';
import { almostRefused, refusedCustomers, refusedTokens } from './refusals.ts';
import { encodedTokens, acceptedToken, simultaneousTokens, variedTokens } from './tokens.ts';

/** Requests at most that ids or tokens with few values are worth. */
const MOST_DRAWS = 500;

/** When all else that this run does, and that may wear a service out, is over. */
export const everythingElse = (): Promise<unknown> =>
  Promise.all([wideCustomers, refusedCustomers, refusedTokens].map(({ settled }) => settled()));

/** When all of that is over but the very last requests, which what comes late goes along with. */
const almostEverythingElse = (): Promise<unknown> => Promise.all([wideCustomers.settled(), almostRefused()]);

/**
 * How many more it takes until two of them are the same, where they look as if there were few to draw
 * from; nothing where more would settle nothing.
 */
async function draws<I, O extends Observation<I>>(
  experiments: readonly Experiment<I, O>[],
  valueOf: (observation: O) => unknown,
): Promise<number> {
  const explorations = await Promise.all(experiments.map(({ explore }) => explore()));
  const values = explorations.flatMap(({ observations }) => observations).map(valueOf);
  const left = drawsUntilClash(values.filter((value) => typeof value === 'string'));
  return left > 1.5 * MOST_DRAWS ? 0 : Math.min(MOST_DRAWS, left);
}

/**
 * Plain customers at the end: what was accepted at the start is accepted still. They are many only where ids
 * are short: a service that draws them by chance is then about to draw one twice.
 */
export const lateCustomers = experiment<CustomerInput, CustomerObservation>(run, {
  name: 'late customers',
  letter: 'z',
  shrinking: shrinkCustomer,
  plan: async ({ send }) => {
    await almostEverythingElse();
    const more = await draws([plainCustomers, wideCustomers, simultaneousCustomers], ({ exchange }) =>
      idOf(exchange.reply),
    );
    const plain = { category: 'plain', arbitrary: plainCustomer };
    await send(Array.from({ length: 2 + more }, () => plain));
  },
  perform: (trial) => createCustomer(trial, run),
});

/** A token request at the end, just like the one that was accepted at the start; more as for ids. */
export const lateTokens = experiment<TokenInput, TokenObservation>(run, {
  name: 'late tokens',
  letter: 'l',
  shrinking: shrinkToken,
  plan: async ({ send }) => {
    await almostEverythingElse();
    const input = (await acceptedToken())?.case.input;
    if (!input) return;
    await send([{ category: 'plain', arbitrary: fc.constant(input) }]);
    const more = await draws([variedTokens, simultaneousTokens, encodedTokens], ({ found }) => found?.text);
    const others = Array.from({ length: more }, (_, at) => ({
      ...input,
      expiresIn: input.expiresIn > more ? input.expiresIn - 1 - at : input.expiresIn + 1 + at,
    }));
    await send(others.map((other) => ({ category: 'many', arbitrary: fc.constant(other) })));
  },
  perform: (trial) => issueToken(trial, run),
});
