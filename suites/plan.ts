import { firstContact } from '../lib/engine/readiness/first-contact.ts';
import type { Observation } from '../lib/engine/observation.ts';
import type { CustomerObservation } from '../lib/engine/operations/customer.ts';
import type { TokenObservation } from '../lib/engine/operations/token.ts';
import type { CustomerInput } from '../lib/inputs/customers.ts';
import type { TokenInput } from '../lib/inputs/tokens.ts';
import type { CredentialObservation } from './scenarios/credentials/requests.ts';
import { phase } from '../lib/engine/scenario.ts';
import type { Scenario } from '../lib/engine/scenario.ts';
import {
  invalidCustomerCredentials,
  invalidTokenCredentials,
  lastCustomerCredentials,
  lastTokenCredentials,
  laterCustomerCredentials,
  laterTokenCredentials,
} from './scenarios/credentials/credentials.ts';
import { customersUnderConditions, tokensUnderConditions } from './scenarios/credentials/under-conditions.ts';
import { pairwiseCustomerCredentials, pairwiseTokenCredentials } from './scenarios/credentials/pairwise.ts';
import { pairwiseCustomers, pairwiseTokens } from './scenarios/pairwise-requests.ts';
import {
  customersAfterRejection,
  encodedCustomers,
  lateCustomers,
  plainCustomers,
  repeatedCustomers,
  simultaneousCustomers,
} from './scenarios/customers.ts';
import { largeCustomers } from './scenarios/large-customers.ts';
import { relatedCustomers } from './scenarios/related-customers.ts';
import { malformedRequests, otherMethods, rewrittenCustomers, rewrittenTokens } from './scenarios/http.ts';
import { presentedTokens } from './scenarios/presented-tokens.ts';
import { tokenLife, tokenLifeAlone } from './scenarios/token-life.ts';
import {
  encodedTokens,
  lateTokens,
  plainTokens,
  simultaneousTokens,
  variedTokens,
} from './scenarios/tokens.ts';
import { combinedCustomers } from './scenarios/combined-customers.ts';
import { simplifiedCustomers } from './scenarios/simplified-customers.ts';
import { wideCustomers } from './scenarios/wide-customers.ts';

/**
 * The phases of a run, in order. A phase begins when the phases in `after` are over, and is left out if no selected
 * requirement needs it. Open questions send further requests at any time.
 */
export const plan = [
  firstContact,
  phase('plain requests', {
    sends: [plainCustomers, customersAfterRejection, plainTokens],
    after: ['first contact'],
  }),
  phase('at the same instant', {
    sends: [simultaneousCustomers, repeatedCustomers],
    after: ['first contact'],
  }),
  phase('wide input', { sends: [wideCustomers], after: ['first contact'] }),
  phase('other encodings', { sends: [encodedCustomers], after: ['first contact'] }),
  phase('other tokens', {
    sends: [variedTokens, encodedTokens],
    after: ['plain requests'],
  }),
  phase('invalid credentials', {
    sends: [invalidCustomerCredentials, invalidTokenCredentials],
    after: ['plain requests'],
  }),
  // While other customers are created and judged: none of them may contain a part of a rejected body.
  phase('malformed input', { sends: [malformedRequests], after: ['first contact'] }),
  phase('other spellings and methods', {
    sends: [rewrittenCustomers, rewrittenTokens, otherMethods],
    after: ['plain requests'],
  }),
  phase('rejected input again', {
    sends: [simplifiedCustomers],
    after: ['at the same instant', 'wide input'],
  }),
  phase('large and related input', {
    sends: [relatedCustomers, largeCustomers],
    after: ['plain requests', 'wide input'],
  }),
  phase('tokens at the same instant', { sends: [simultaneousTokens], after: ['other tokens'] }),
  phase('combined input', {
    sends: [combinedCustomers, pairwiseCustomers],
    after: ['rejected input again'],
  }),
  // Not while tokens are presented: a service may end a token when it issues the next.
  phase('combined token requests', {
    sends: [pairwiseTokens],
    after: ['other tokens', 'presented tokens'],
  }),
  phase('later credentials', {
    sends: [laterCustomerCredentials, laterTokenCredentials, customersUnderConditions, tokensUnderConditions],
    after: ['invalid credentials', 'rejected input again', 'other tokens'],
  }),
  phase('combined credentials', {
    sends: [pairwiseCustomerCredentials, pairwiseTokenCredentials],
    after: ['later credentials'],
  }),
  phase('end of the run', {
    sends: [lastCustomerCredentials, lastTokenCredentials, lateCustomers, lateTokens],
    after: [
      'at the same instant',
      'tokens at the same instant',
      'combined input',
      'combined token requests',
      'large and related input',
      'combined credentials',
    ],
  }),
  phase('life of a token', { sends: [tokenLife], after: ['plain requests'] }),
  phase('life of a token, alone', { sends: [tokenLifeAlone], after: ['end of the run', 'life of a token'] }),
  phase('presented tokens', { sends: [presentedTokens], after: ['plain requests'] }),
];

type CredentialScenario = Scenario<unknown, CredentialObservation<unknown>>;

const ofKind = <I, O extends Observation<I>>(kind: Scenario['kind']): readonly Scenario<I, O>[] =>
  plan.flatMap(({ sends }) => sends).filter((one: Scenario): one is Scenario<I, O> => one.kind === kind);

/** Every scenario that creates customers with the right key. */
export const allCustomers = ofKind<CustomerInput, CustomerObservation>('customers');
/** Every scenario that requests tokens with the right key. */
export const allTokens = ofKind<TokenInput, TokenObservation>('tokens');
/** Every scenario with invalid credentials for creating customers. */
export const customerCredentials: readonly CredentialScenario[] = ofKind('customer credentials');
/** Every scenario with invalid credentials for issuing tokens. */
export const tokenCredentials: readonly CredentialScenario[] = ofKind('token credentials');

/** Every scenario with requests of both operations: with the right key, with invalid credentials, and malformed. */
export const allRequests: readonly Scenario[] = [
  ...allCustomers,
  ...allTokens,
  ...customerCredentials,
  ...tokenCredentials,
  malformedRequests,
];
