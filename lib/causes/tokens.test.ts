import { describe, expect, it } from 'vitest';
import { causeOfEqualTokens } from './tokens.ts';

describe('the likely cause of equal tokens', () => {
  const requests = Array.from({ length: 40 }, (_, at) => ({
    scopes: ['a:read', 'b:read', 'c:read'].slice(0, 1 + (at % 3)),
    expiresIn: at,
  }));

  it.each([
    ['every request gets the same token', () => 't'],
    ['requests for the same scopes get the same token', (at: number) => `t${requests[at]!.scopes.length}`],
    ['tokens are the same for requests that follow each other closely', (at: number) => `t${at >> 1}`],
    [undefined, (at: number) => `t${at}`],
    [undefined, (at: number) => `t${at === 30 ? 2 : at}`],
  ])('is %s', (text, tokenOf) => {
    const issued = requests.map((request, at) => ({ ...request, token: tokenOf(at) }));
    expect(causeOfEqualTokens(issued)?.text).toBe(text);
  });
});
