import type { Request } from '../exchange.ts';

/** The outcome of a request that was accepted before, and may now be rejected as a duplicate. Undefined: none of these. */
export type OutcomeOfCheck = 'accepted' | 'rejected' | 'throttled' | undefined;

/** Sends a request alone. */
type Check = (request: Request) => Promise<OutcomeOfCheck>;

const isServed = (outcome: OutcomeOfCheck): boolean => outcome === 'accepted' || outcome === 'rejected';
// A service may look for duplicates before it counts the requests.
const isAccepted = (outcome: OutcomeOfCheck): boolean => outcome === 'accepted';

/** How often another request must be served, and this one throttled in between, to show that this one alone is. */
const MIN_ALTERNATIONS = 3;

/**
 * Whether a request is throttled and another one served, in turn: a limit of all requests may let one through now and
 * then. Before the last turn the other one is sent twice, as a limit may let every second request through.
 */
export async function isThrottledAlone(
  outcomeOf: Check,
  request: Request,
  other: Request,
  isOtherServed = isServed,
  times = MIN_ALTERNATIONS,
): Promise<boolean> {
  for (let time = 1; time <= times; time++) {
    if (time > 1 && time === times && !isOtherServed(await outcomeOf(other))) return false;
    if (!isOtherServed(await outcomeOf(other)) || (await outcomeOf(request)) !== 'throttled') return false;
  }
  return true;
}

/** How often a request must be throttled before its input may be the reason. */
const MIN_THROTTLED = 2;
/** Milliseconds of a wait so long that the input is checked at once. */
const WAIT_WORTH_A_CHECK = 10_000;
/**
 * Checks without a result after which there are no more, counted apart for those at once and the others: those at once
 * find nothing where the other request is a duplicate.
 */
const MAX_CHECKS_WITHOUT_RESULT = 3;

/**
 * Detects that the target throttles some input, and not the rate of requests, as a firewall may do that finds it
 * suspicious.
 * @returns a function that returns whether a request is throttled for its input; `lasts`: for how many
 * milliseconds it is to wait; `times`: how often it was throttled before; `known`: a request to the same path that was accepted
 */
export function detectInputLimits(
  outcomeOf: Check,
): (request: Request, limit: { lasts: number; times: number }, known: Request) => Promise<boolean> {
  let isKnown = false;
  const checksWithoutResult = { atOnce: 0, later: 0 };
  let current: Promise<boolean> | undefined;
  return async (request, { lasts, times }, known) => {
    const isAtOnce = times < MIN_THROTTLED;
    const kind = isAtOnce ? 'atOnce' : 'later';
    if (isAtOnce && !isKnown && lasts < WAIT_WORTH_A_CHECK) return false;
    // What was in flight together met the same limit.
    if (isAtOnce && current && !(await current)) return false;
    if (checksWithoutResult[kind] >= MAX_CHECKS_WITHOUT_RESULT) return false;
    const check = isKnown
      ? isThrottledAlone(outcomeOf, request, known, isServed, 1)
      : isThrottledAlone(outcomeOf, request, known, isAtOnce ? isAccepted : isServed);
    if (isAtOnce) current = check;
    const isForInput = await check;
    if (current === check) current = undefined;
    if (isForInput) isKnown = true;
    else checksWithoutResult[kind]++;
    return isForInput;
  };
}
