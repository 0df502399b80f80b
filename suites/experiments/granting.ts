import {
  encodedCustomers,
  plainCustomers,
  repeatedCustomers,
  simultaneousCustomers,
  wideCustomers,
} from './customers.ts';
import { lateCustomers, lateTokens } from './late.ts';
import { encodedTokens, plainTokens, simultaneousTokens, variedTokens } from './tokens.ts';

/** Every experiment that creates customers with the right key. */
export const customerExperiments = [
  plainCustomers,
  wideCustomers,
  simultaneousCustomers,
  repeatedCustomers,
  encodedCustomers,
  lateCustomers,
];

/** Every experiment that asks for tokens with the right key. */
export const tokenExperiments = [plainTokens, variedTokens, simultaneousTokens, encodedTokens, lateTokens];
