import { allFaults } from '../reference/faults/faults.ts';
import { questionText, requirementText } from '../report/explain-text.ts';
import { requirementIds } from '../engine/catalogue.ts';
import type { RequirementId } from '../engine/catalogue.ts';
import type { QuestionId } from '../engine/questions.ts';
import { UsageError } from '../settings/settings.ts';
import { readFlags } from './flags.ts';
import { idsMeant } from './ids.ts';

const help = `cts explain: what a requirement or an open question is about

Usage: cts explain IDS

IDS are ids separated by commas, * for any text; cts list prints them all.

It says what is required and where that is stated, why, how it is tested, what
a failure looks like, and which faults of the reference service prove that it
can fail.

Examples:
  cts explain customer.name.echoed
  cts explain 'auth.tokens.*'

Exit codes:
  0  explained
  2  wrong usage, or an id that there is not; near ones are named
`;

/** The command `cts explain`. */
export async function explain(args: readonly string[]): Promise<void> {
  const flags = readFlags(args, [], { mostPositionals: 1 });
  if (flags.help) {
    process.stdout.write(help);
    return;
  }
  const [named] = flags.positionals;
  if (named === undefined) throw new UsageError('explain needs an id; cts list prints them all');
  const texts = idsMeant(named, 'explain').ids.map((id) => {
    const faults = allFaults.filter(({ caughtBy }) => caughtBy.includes(id));
    return (requirementIds as readonly string[]).includes(id)
      ? requirementText(id as RequirementId, faults, process.stdout)
      : questionText(id as QuestionId, faults, process.stdout);
  });
  process.stdout.write(texts.join('\n\n'));
}
