import { z } from 'zod';
import { evidenceLine } from '../schemas/evidence.ts';
import { report } from '../schemas/report.ts';
import type { Requirement } from './requirement.ts';
import type { Phase } from './scenario.ts';

/**
 * The words that every report contains: its members, their values, the ids of requirements, the names of scenarios. A
 * service may issue such a word as its token: hidden, it would leave no report that can be read.
 * @returns whether a text is one of these, or a part of one
 */
export function ownWordsOf(
  requirements: readonly Requirement[],
  plan: readonly Phase[],
): (text: string) => boolean {
  let words: string | undefined;
  return (text) => {
    if (!/^[a-z][a-z. ]*$/i.test(text)) return false;
    words ??= JSON.stringify([
      requirements.map(({ id }) => id),
      plan.flatMap(({ sends }) => sends.map(({ name }) => name)),
      ...[report, evidenceLine].map((schema) => z.toJSONSchema(schema, { io: 'input' })),
    ]);
    return words.includes(text);
  };
}
