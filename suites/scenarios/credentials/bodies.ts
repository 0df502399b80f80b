import { acceptedInputs } from '../../../lib/engine/observation.ts';
import type { Observed, Run } from '../../../lib/engine/scenario.ts';
import { plainCustomer } from '../../../lib/inputs/customers.ts';
import type { CustomerInput } from '../../../lib/inputs/customers.ts';
import type { TokenInput } from '../../../lib/inputs/tokens.ts';
import { wideAndSimplified } from '../simplified-customers.ts';
import { variedTokens } from '../tokens.ts';

/** Plain input for invalid credentials, by index. */
export const plainBodies =
  (run: Run) =>
  (at: number): CustomerInput =>
    run.generate(plainCustomer, `invalid credential ${at}`);

/** The accepted wide input for invalid credentials, as some services skip the check for some of it; what shows most comes first. */
export function customerBodies(run: Run, observed: Observed): CustomerInput[] {
  const accepted = acceptedInputs(wideAndSimplified(observed));
  const byLength = accepted.toSorted((a, b) => b.name.length - a.name.length);
  const trusted = accepted.filter(({ name }) => /^(?:admin|test|root|system)$/i.test(name));
  return [
    ...byLength.slice(-1),
    ...byLength.slice(0, 1),
    ...trusted,
    ...byLength.slice(1, 5),
    ...run.shuffle(accepted),
  ];
}

/** The accepted inputs of token requests for invalid credentials; what shows most comes first. */
export function tokenBodies(observed: Observed): TokenInput[] {
  const accepted = acceptedInputs(observed(variedTokens));
  const byLifetime = accepted.toSorted((a, b) => a.expiresIn - b.expiresIn);
  const byScopes = accepted.toSorted((a, b) => b.scopes.length - a.scopes.length);
  const [shortest] = byLifetime;
  const fewest = byScopes.at(-1);
  return [
    // Both at once, as few requests have no credential at all.
    ...(shortest && fewest ? [{ ...fewest, expiresIn: shortest.expiresIn }] : []),
    ...byLifetime.slice(0, 2),
    ...byScopes.slice(0, 2),
    ...byLifetime.slice(-1),
    ...accepted,
  ];
}

/** Maximum number of characters of an input that is sent with several invalid credentials. */
const MAX_SHARED_BODY = 20_000;

/** The inputs that are not too long, the shortest first. */
export const bySize = <I>(inputs: readonly I[]): I[] =>
  inputs
    .map((input) => [input, JSON.stringify(input).length] as const)
    .filter(([, length]) => length <= MAX_SHARED_BODY)
    .toSorted(([, one], [, other]) => one - other)
    .map(([input]) => input);

export const hasOtherThanAscii = (input: unknown): boolean => /[^\x20-\x7e]/.test(JSON.stringify(input));
