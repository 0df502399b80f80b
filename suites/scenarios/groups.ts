import { firstCustomer, firstToken } from '../../lib/engine/readiness/first-contact.ts';
import type { Scenario } from '../../lib/engine/scenario.ts';
import {
  customersAfterRejection,
  encodedCustomers,
  lateCustomers,
  plainCustomers,
  repeatedCustomers,
  simultaneousCustomers,
} from './customers.ts';
import {
  invalidCustomerCredentials,
  invalidTokenCredentials,
  lastCustomerCredentials,
  lastTokenCredentials,
  laterCustomerCredentials,
  laterTokenCredentials,
} from './credentials.ts';
import { pairwiseCustomerCredentials, pairwiseTokenCredentials } from './pairwise-credentials.ts';
import { pairwiseCustomers, pairwiseTokens } from './pairwise-requests.ts';
import { customersUnderConditions, tokensUnderConditions } from './credentials-under-conditions.ts';
import { malformedRequests, rewrittenCustomers, rewrittenTokens } from './http.ts';
import { largeCustomers } from './large-customers.ts';
import { relatedCustomers } from './related-customers.ts';
import { encodedTokens, lateTokens, plainTokens, simultaneousTokens, variedTokens } from './tokens.ts';
import { combinedCustomers } from './combined-customers.ts';
import { simplifiedCustomers } from './simplified-customers.ts';
import { wideCustomers } from './wide-customers.ts';

/** Every scenario that creates customers with the right key. */
export const allCustomers = [
  firstCustomer,
  plainCustomers,
  customersAfterRejection,
  wideCustomers,
  simplifiedCustomers,
  combinedCustomers,
  pairwiseCustomers,
  relatedCustomers,
  largeCustomers,
  simultaneousCustomers,
  repeatedCustomers,
  encodedCustomers,
  rewrittenCustomers,
  lateCustomers,
];

/** Every scenario that requests tokens with the right key. */
export const allTokens = [
  firstToken,
  plainTokens,
  variedTokens,
  pairwiseTokens,
  simultaneousTokens,
  encodedTokens,
  rewrittenTokens,
  lateTokens,
];

/** Every scenario with invalid credentials for creating customers. */
export const customerCredentials = [
  invalidCustomerCredentials,
  customersUnderConditions,
  laterCustomerCredentials,
  pairwiseCustomerCredentials,
  lastCustomerCredentials,
];

/** Every scenario with invalid credentials for issuing tokens. */
export const tokenCredentials = [
  invalidTokenCredentials,
  tokensUnderConditions,
  laterTokenCredentials,
  pairwiseTokenCredentials,
  lastTokenCredentials,
];

/** Every scenario with requests of both operations: with the right key, with invalid credentials, and malformed. */
export const allRequests: readonly Scenario[] = [
  ...allCustomers,
  ...allTokens,
  ...customerCredentials,
  ...tokenCredentials,
  malformedRequests,
];
