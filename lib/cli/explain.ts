import { Command } from 'commander';
import { allFaults } from '../reference/faults/faults.ts';
import { questionText, requirementText } from '../report/catalogue-text.ts';
import { openPoints, questionOf, requirementIds, requirementOf } from './catalogue.ts';
import { selectIds } from './ids.ts';

const description = `Explains a requirement or an open question.

Shows what is required and where the interface states it, why, how it is tested,
what a failure looks like, and which faults of the reference service prove that
the requirement can fail.`;

const examples = `
Examples:
  cts-conformance explain customer.name.echoed
  cts-conformance explain 'auth.tokens.*'

Exit codes:
  0  explained
  2  wrong usage, or an unknown id; similar ids are suggested`;

export const command = new Command('explain')
  .description(description)
  .argument('<ids>', 'ids, separated by commas; * matches any text; cts-conformance list prints all')
  .addHelpText('after', examples)
  .action((ids: string) => {
    const texts = selectIds(ids, 'explain').ids.map((id) => {
      const faults = allFaults.filter(({ caughtBy }) => caughtBy.includes(id)).map(({ name }) => name);
      if (requirementIds.includes(id)) return requirementText(requirementOf(id), faults, process.stdout);
      const question = questionOf(id);
      const points = openPoints.filter(([section]) => section === question.section).map(([, point]) => point);
      return questionText({ ...question, openPoints: points }, faults, process.stdout);
    });
    process.stdout.write(texts.join('\n\n'));
  });
