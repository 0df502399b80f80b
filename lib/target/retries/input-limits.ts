import type { Request } from '../exchange.ts';

/** How often a request is throttled before that may be for its input. */
const MIN_THROTTLED = 2;
/** How often in turn another request is accepted and this one throttled, which shows that it is. */
const MIN_ALTERNATIONS = 3;
/** Checks in vain after which there are no more. */
const MAX_IN_VAIN = 3;

/**
 * Detects that the target throttles some input, and not the rate of requests, as a firewall may do that finds it
 * suspicious.
 * @param outcomeOf sends a request alone
 * @returns a function that returns whether a request is throttled for its input; `times`: how often it was before;
 * `known`: a request to the same path that was accepted
 */
export function detectInputLimits(
  outcomeOf: (request: Request) => Promise<'accepted' | 'throttled' | undefined>,
): (request: Request, times: number, known: Request) => Promise<boolean> {
  let isKnown = false;
  let inVain = 0;
  return async (request, times, known) => {
    if (inVain >= MAX_IN_VAIN || (times < MIN_THROTTLED && !isKnown)) return false;
    for (let time = 0; time < (isKnown ? 1 : MIN_ALTERNATIONS); time++)
      if ((await outcomeOf(known)) !== 'accepted' || (await outcomeOf(request)) !== 'throttled') {
        inVain++;
        return false;
      }
    isKnown = true;
    return true;
  };
}
