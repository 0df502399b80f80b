import type { Cause } from './cause.ts';
import { correspond, patternOf } from './repeats.ts';

interface RequestedToken {
  readonly token: string;
  readonly scopes: readonly string[];
  /** In the unit of the service. */
  readonly expiresIn: number;
}

/** What equal tokens have in common. */
const TRAITS: readonly (readonly [text: string, of: (one: RequestedToken) => unknown])[] = [
  ['every request gets the same token', () => ''],
  ['requests for the same scopes get the same token', ({ scopes }) => scopes.join(' ')],
  ['requests for the same number of scopes get the same token', ({ scopes }) => scopes.length],
  ['requests for the same lifetime get the same token', ({ expiresIn }) => expiresIn],
];

/** The simplest rule that explains which requests got the same token. @param issued in the order of their responses */
export function causeOfEqualTokens(issued: readonly RequestedToken[]): Cause | undefined {
  const tokens = issued.map(({ token }) => token);
  if (new Set(tokens).size === tokens.length) return undefined;
  const cause = (text: string): Cause => ({
    id: 'tokens-repeat',
    text,
    next: 'Make each token at random, or from all that was requested; if a token is kept, look it up by scopes and lifetime.',
  });
  for (const [text, of] of TRAITS) if (correspond(tokens, issued.map(of))) return cause(text);
  const pattern = patternOf(tokens);
  return pattern === undefined ? undefined : cause(`tokens ${pattern}`);
}
