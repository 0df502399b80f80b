import { Inconclusive } from './observation.ts';
import type { Run } from './run.ts';
import type { ReplayedCase } from '../settings/settings.ts';
import { NoReply } from '../target/exchange.ts';
import type { RequirementId } from './catalogue.ts';
import type { Finding } from './finding.ts';
import { NotOurs } from './replay.ts';

/**
 * Sends the recorded cases of a requirement again, before it is explored: one that breaks is failure enough.
 * What holds, or is refused now, is noted beside the verdict of the exploration.
 * @throws {NotOurs} for a case that can't be judged: left alone, it would guard against nothing
 */
export async function afterCorpus(
  { settings }: Run,
  id: RequirementId,
  replay: (recorded: ReplayedCase) => Promise<Finding>,
  explore: () => Promise<Finding>,
): Promise<Finding> {
  const own = settings.corpus.filter(({ requirement }) => requirement === id);
  let held = 0;
  const notes: string[] = [];
  for (const recorded of own) {
    const { file } = recorded;
    const replayed = await replay(recorded).catch((error: unknown) => {
      const isToldOnly = error instanceof Inconclusive || error instanceof NoReply;
      if (!isToldOnly || error instanceof NotOurs) throw error;
      return { verdict: 'inconclusive' as const, reason: error.message, counterexample: undefined };
    });
    if (replayed.counterexample !== undefined)
      return {
        ...replayed,
        reason: `recorded in ${file}, and broken again`,
        counterexample: { ...replayed.counterexample, from: file },
      };
    if (replayed.verdict === 'pass') held++;
    else notes.push(`${file} could not be judged: ${replayed.reason}`);
  }
  if (held > 0) notes.unshift(`${held} recorded ${held === 1 ? 'case holds' : 'cases hold'}`);
  const found = await explore();
  const reason = [...(found.reason === undefined ? [] : [found.reason]), ...notes].join('; ');
  return reason === '' ? found : { ...found, reason };
}
