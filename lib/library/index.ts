/**
 * The parts of the suite for your own tests: the catalogue, arbitraries, schemas, and a client with limits.
 */
export { catalogue } from '../../suites/catalogue.ts';
export { requirement } from '../engine/requirement.ts';
export type { Declarable, Question } from '../engine/question.ts';
export type { Requirement } from '../engine/requirement.ts';
export { scenario } from '../engine/scenario.ts';
export type { Scenario } from '../engine/scenario.ts';
export { sendRequest } from '../engine/operations/request.ts';
export type { AnyRequest } from '../engine/operations/request.ts';
export { customers, tokenRequests, invalidCredentials } from './arbitraries.ts';
export type { InvalidAuthorization } from './arbitraries.ts';
export { customerRequest, customerResponse, tokenRequest, tokenResponse } from '../schemas/interface.ts';
export type { CustomerRequest, CustomerResponse, TokenRequest, TokenResponse } from '../schemas/interface.ts';
export { defineTarget } from './define-target.ts';
export type {
  CustomerOutcome,
  DefinedTarget,
  RequestOptions,
  TargetOptions,
  TokenOutcome,
} from './define-target.ts';
