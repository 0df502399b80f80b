import { shrinkToken, tokenOf } from '../../inputs/tokens.ts';
import type { TokenInput } from '../../inputs/tokens.ts';
import type { Credential } from '../../target/credential.ts';
import type { Exchange, NoReply, Request, Stopped } from '../../target/exchange.ts';
import { isSuccess } from '../../target/reply.ts';
import type { Case, Observation } from '../observation.ts';
import { findCredential } from './credentials-in-reply.ts';
import type { FoundCredential } from './credentials-in-reply.ts';
import { paths, post } from './request.ts';
import type { Condition, OperationOptions } from './request.ts';
import { scenario } from '../scenario.ts';
import type { Run, Scenario, SentCase } from '../scenario.ts';

/** A token request and its outcome. */
export interface TokenObservation extends Observation<TokenInput> {
  readonly found: FoundCredential | undefined;
}

export const tokenRequestOf = (
  input: TokenInput,
  credential: Credential | undefined,
  condition?: Condition,
): Request => post(paths.tokens, tokenOf(input), input.style, credential, condition);

/** Requests one token with the right credential. */
export async function issueToken(
  run: Run,
  testCase: Case<TokenInput>,
  { condition, ...options }: OperationOptions = {},
): Promise<TokenObservation> {
  const request = tokenRequestOf(testCase.input, run.credential, condition);
  const exchange = await run.target.send(request, { queue: testCase.scenario, ...options });
  return observeToken(testCase, exchange);
}

type TokenScenario = Scenario<TokenInput, TokenObservation>;

/** A scenario that requests tokens, by default as each case says; `send` overrides this. */
export const tokenScenario = (
  definition: Omit<TokenScenario, 'shrinking' | 'send'> & Partial<Pick<TokenScenario, 'send'>>,
): TokenScenario =>
  scenario<TokenInput, TokenObservation>({
    kind: 'tokens',
    shrinking: shrinkToken,
    ...(!definition.send && { sendUses: [] }),
    send: (run) => (testCase) => issueToken(run, testCase),
    ...definition,
  });

/** Requests several tokens, complete at the target at the same instant. */
export async function issueTogether(
  run: Run,
  cases: readonly SentCase<TokenInput>[],
): Promise<(TokenObservation | NoReply | Stopped)[]> {
  const results = await run.target.together(
    cases.map(({ testCase: { input } }) => tokenRequestOf(input, run.credential)),
    cases[0]?.testCase.scenario ?? '',
  );
  return results.map((result, at) =>
    result instanceof Error ? result : observeToken(cases[at]!.testCase, result),
  );
}

function observeToken(testCase: Case<TokenInput>, exchange: Exchange): TokenObservation {
  const found = isSuccess(exchange.reply) ? findCredential(exchange.reply, testCase.input.scopes) : undefined;
  return { case: testCase, exchange, found, accepted: found !== undefined };
}
