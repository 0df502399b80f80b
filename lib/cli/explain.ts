import { Command } from 'commander';
import { entryOf, requirementIds } from '../engine/catalogue.ts';
import { askedIn, explanationOf } from '../engine/explanations.ts';
import { openPoints, questionOf } from '../engine/questions.ts';
import type { QuestionId } from '../engine/questions.ts';
import { allFaults } from '../reference/faults/faults.ts';
import { questionText, requirementText } from '../report/catalogue-text.ts';
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
      const requirementId = requirementIds.find((one) => one === id);
      if (requirementId !== undefined)
        return requirementText(
          { id, ...entryOf(requirementId), ...explanationOf(requirementId) },
          faults,
          process.stdout,
        );
      const question = questionOf(id as QuestionId);
      const points = openPoints.filter(([section]) => section === question.section).map(([, point]) => point);
      return questionText(
        { id, ...question, openPoints: points, howAsked: askedIn[question.asked] },
        faults,
        process.stdout,
      );
    });
    process.stdout.write(texts.join('\n\n'));
  });
