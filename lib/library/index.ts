/**
 * The pieces of the suite, for tests of your own: what is checked, what is sent, what comes back, and a
 * client that keeps to its limits.
 */
export { catalogue } from '../../suites/catalogue.ts';
export { requirement } from '../engine/requirement.ts';
export type { Question, Requirement } from '../engine/requirement.ts';
export { scenario } from '../engine/scenario.ts';
export type { Scenario } from '../engine/scenario.ts';
export { sendRequest } from '../engine/send-request.ts';
export type { AnyRequest } from '../engine/send-request.ts';
export { customers, tokenRequests, invalidCredentials } from './arbitraries.ts';
export type { InvalidAuthorization } from './arbitraries.ts';
export { customerRequest, customerResponse, tokenRequest, tokenResponse } from '../schemas/interface.ts';
export type { CustomerRequest, CustomerResponse, TokenRequest, TokenResponse } from '../schemas/interface.ts';
export { defineTarget } from './target.ts';
export type { CustomerOutcome, DefinedTarget, RequestOptions, TokenOutcome } from './target.ts';
export type { TargetDefinition, TargetOptions } from './target-options.ts';
