import { asking } from '../../lib/engine/question.ts';
import type { Asked } from '../../lib/engine/question.ts';
import { Inconclusive } from '../../lib/engine/observation.ts';
import type { Probe } from '../../lib/engine/probe.ts';
import { plainName } from '../../lib/inputs/plain.ts';
import type { Json } from '../../lib/schemas/json.ts';
import type { Exchange } from '../../lib/target/exchange.ts';
import { run } from '../run.ts';

/** Binds a question to how it is asked. */
export const question = asking(run);

let probes = 0;

/** A plain name and an address that nothing else in this run has, always of the same length. */
export function plainBody(): { name: string; email: string } {
  const number = probes++;
  return {
    name: run.draw(plainName, `question ${number}`),
    email: `ada${run.tag}u${number.toString(36).padStart(2, '0')}@example.com`,
  };
}

export const outcomeOf = ({ accepted }: { readonly accepted: boolean }): string =>
  accepted ? 'accepted' : 'refused';

/** Asks about each kind, all at once, and says for each what came of it. */
export async function outcomes(kinds: Readonly<Record<string, () => Promise<Probe>>>): Promise<Asked> {
  const probes = await Promise.all(Object.values(kinds).map((probe) => probe()));
  return {
    answer: Object.fromEntries(Object.keys(kinds).map((kind, at) => [kind, outcomeOf(probes[at]!)])),
    exchanges: probes.map(({ exchange }) => exchange),
  };
}

/** Asks paths and says which status each answers. */
export async function statuses(paths: Readonly<Record<string, () => Promise<Exchange>>>): Promise<Asked> {
  const exchanges = await Promise.all(Object.values(paths).map((ask) => ask()));
  return {
    answer: Object.fromEntries(Object.keys(paths).map((path, at) => [path, exchanges[at]!.reply.status])),
    exchanges,
  };
}

/** An answer from what was seen. @throws {Inconclusive} where nothing was */
export function seenIn<T>(
  found: readonly T[],
  exchangeOf: (one: T) => Exchange,
  answer: (found: readonly T[]) => Json,
): Asked {
  if (found.length === 0) throw new Inconclusive('nothing was accepted or refused that tells');
  return { answer: answer(found), exchanges: found.map(exchangeOf) };
}
