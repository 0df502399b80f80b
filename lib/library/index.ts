/**
 * The pieces of the suite, for tests of your own: what is checked, what is sent, what comes back, and a
 * client that keeps to its limits.
 */
export { requirements, questions } from './statements.ts';
export type { Requirement, OpenQuestion } from './statements.ts';
export { customers, tokenRequests, forgeries } from './arbitraries.ts';
export type { ForgedCredential } from './arbitraries.ts';
export { customerRequest, customerResponse, tokenRequest, tokenResponse } from '../inputs/schemas.ts';
export type { CustomerRequest, CustomerResponse, TokenRequest, TokenResponse } from '../inputs/schemas.ts';
export { experiment, requirement } from '../engine/own.ts';
export type { OwnDesign, OwnExperiment, OwnJudgement, OwnObservation, OwnRequest } from '../engine/own.ts';
export { defineTarget } from './target.ts';
export type { CustomerOutcome, DefinedTarget, RequestOptions, TokenOutcome } from './target.ts';
export type { TargetDefinition, TargetOptions } from './target-options.ts';
