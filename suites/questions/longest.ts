import { Inconclusive } from '../../lib/engine/observation.ts';
import type { Probe } from '../../lib/engine/probe.ts';
import type { Asked } from '../../lib/engine/question.ts';
import type { Exchange } from '../../lib/target/exchange.ts';

/**
 * The greatest length that is taken, in few requests: the usual limits are halved first, and where one is
 * taken but not one more, it is found. The request that settles it comes last.
 * @param usual lengths at which services end, ascending
 */
export async function longestTaken(
  usual: readonly number[],
  send: (length: number) => Promise<Probe>,
): Promise<Asked> {
  const exchanges: Exchange[] = [];
  const isTaken = async (length: number): Promise<boolean> => {
    const { accepted, exchange } = await send(length);
    exchanges.push(exchange);
    return accepted;
  };
  const [shortest, longest] = [usual[0]!, usual.at(-1)!];
  if (await isTaken(longest)) return { answer: `${longest} or more`, exchanges };
  if (!(await isTaken(shortest))) return { answer: `less than ${shortest}`, exchanges };
  const [low, high] = await between(0, usual.length - 1, (at) => isTaken(usual[at]!));
  let [taken, refused] = [usual[low]!, usual[high]!];
  if (refused - taken > 1) {
    if (!(await isTaken(taken + 1))) refused = taken + 1;
    else if (refused - taken > 2) [taken, refused] = await between(taken + 1, refused, isTaken);
    else taken++;
  }
  if (refused - taken !== 1) throw new Inconclusive('lengths are taken and refused by turns');
  return { answer: taken, exchanges: exchanges.toReversed() };
}

/** Halves the span between one that is taken and one that is refused until they are neighbours. */
async function between(
  low: number,
  high: number,
  isTaken: (at: number) => Promise<boolean>,
): Promise<[taken: number, refused: number]> {
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (await isTaken(middle)) low = middle;
    else high = middle;
  }
  return [low, high];
}
