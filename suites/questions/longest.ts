import { Inconclusive } from '../../lib/engine/observation.ts';
import type { Probe } from '../../lib/engine/probe.ts';
import type { Answered } from '../../lib/engine/requirement.ts';
import type { Exchange } from '../../lib/target/exchange.ts';

/** What an answer of `longestAccepted` looks like. */
export const LONGEST = 'a number, "N or more" or "less than N"';

/**
 * Finds the greatest accepted length in few requests: a binary search over the usual limits, then, where the limit
 * is not one of them, between two of them. The exchanges are in reverse order: the one that settled it comes first.
 * @param usual lengths that services have as a limit, ascending
 * @throws {Inconclusive} where a rejected length is shorter than an accepted one
 */
export async function longestAccepted(
  usual: readonly number[],
  send: (length: number) => Promise<Probe>,
): Promise<Answered> {
  const exchanges: Exchange[] = [];
  const isAccepted = async (length: number): Promise<boolean> => {
    const { accepted, exchange } = await send(length);
    exchanges.push(exchange);
    return accepted;
  };
  const [shortest, longest] = [usual[0]!, usual.at(-1)!];
  if (await isAccepted(longest)) return { answer: `${longest} or more`, exchanges };
  if (!(await isAccepted(shortest)))
    return { answer: `less than ${shortest}`, exchanges: exchanges.toReversed() };
  const [low, high] = await bisect(0, usual.length - 1, (at) => isAccepted(usual[at]!));
  let [accepted, rejected] = [usual[low]!, usual[high]!];
  if (rejected - accepted > 1) {
    if (!(await isAccepted(accepted + 1))) rejected = accepted + 1;
    else if (rejected - accepted > 2) [accepted, rejected] = await bisect(accepted + 1, rejected, isAccepted);
    else accepted++;
  }
  if (rejected - accepted !== 1)
    throw new Inconclusive('a length was rejected that is shorter than an accepted one');
  return { answer: accepted, exchanges: exchanges.toReversed() };
}

/** Narrows an accepted and a rejected number down to neighbours. */
async function bisect(
  low: number,
  high: number,
  isAccepted: (at: number) => Promise<boolean>,
): Promise<[accepted: number, rejected: number]> {
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (await isAccepted(middle)) low = middle;
    else high = middle;
  }
  return [low, high];
}
