import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tokenInput } from '../../lib/inputs/tokens.ts';
import type { TokenInput } from '../../lib/inputs/tokens.ts';
import { pairwiseTokens } from './pairwise-requests.ts';
import { firstToken } from '../../lib/engine/readiness/first-contact.ts';
import { variedTokens } from './tokens.ts';

const observed = (input: TokenInput, accepted = true) => ({
  case: { input, category: 'lifetime' },
  accepted,
  found: {},
});

/** What is sent to a service that accepts some requests. */
function sentTo(isAccepted: (input: TokenInput) => boolean, cases: number): TokenInput[] {
  const run = { cases };
  const plain = tokenInput(['customers:read'], 3600);
  const varied = [900, 60].map((lifetime) =>
    observed(tokenInput(['customers:read', 'customers:write'], lifetime)),
  );
  const found = (scenario: unknown) => {
    if (scenario === variedTokens) return varied;
    return scenario === firstToken ? [observed(plain)] : [];
  };
  const lists = pairwiseTokens.cases(run as never, found as never) as Generator<never, void, never>;
  const sent: TokenInput[] = [];
  for (let step = lists.next([] as never); step.done !== true;) {
    const inputs = (step.value as readonly { arbitrary: fc.Arbitrary<TokenInput> }[]).map(
      ({ arbitrary }) => fc.sample(arbitrary, { seed: 1, numRuns: 1 })[0]!,
    );
    sent.push(...inputs);
    step = lists.next(inputs.map((input) => observed(input, isAccepted(input))) as never);
  }
  return sent;
}

const isChunked = ({ style }: TokenInput): boolean => style.chunked;
const isPretty = ({ style }: TokenInput): boolean => style.space === '\n  ';
const isFor =
  (lifetime: number, ...scopes: readonly string[]) =>
  (input: TokenInput): boolean =>
    input.expiresIn === lifetime && input.scopes.join() === scopes.join();

describe('combined requests', () => {
  it('have every pair of values, as far as each is accepted on its own', () => {
    const sent = sentTo(() => true, 3000);
    expect(sent.filter((input) => isChunked(input) && isPretty(input))).not.toEqual([]);
    const repeated = isFor(60, 'customers:read', 'customers:read');
    expect(sent.filter((input) => repeated(input))).not.toEqual([]);
    const arabic = ['Accept-Language', 'ar'].join();
    const tried = sent.filter(
      (input) => isChunked(input) && input.style.fields.some((field) => field.join() === arabic),
    );
    expect(tried).not.toEqual([]);
    const toAnother = sentTo((input) => !isChunked(input), 3000);
    expect(toAnother.filter(isChunked)).toHaveLength(1);
  });

  it('are left out of shorter runs', () => {
    expect(sentTo(() => true, 170)).toEqual([]);
  });
});
