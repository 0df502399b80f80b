import { Command } from 'commander';
import { entryOf } from '../engine/catalogue.ts';
import { questionOf } from '../engine/questions.ts';
import { outline } from '../engine/sections.ts';
import type { Section } from '../engine/sections.ts';
import { listText } from '../report/list-text.ts';
import { json } from '../report/write.ts';
import { selectIds } from './ids.ts';

const description = `Lists all requirements and open questions, by section of the interface.

The level of a requirement is must (stated by the interface), should
(recommended by an RFC that it builds on) or declared (tested if a profile says
how). A question is a point that the interface does not specify.`;

const examples = `
Examples:
  cts-conformance list
  cts-conformance list 'auth.*'
  cts-conformance list --json

Exit codes:
  0  listed
  2  wrong usage`;

export const command = new Command('list')
  .description(description)
  .argument('[ids]', 'only these ids, separated by commas; * matches any text', '*')
  .option('--json', 'for machines: ids, sections, levels and statements')
  .addHelpText('after', examples)
  .action((list: string, options: { readonly json?: true }) => {
    const { ids } = selectIds(list, 'IDS');
    const isSelected = (id: string): boolean => ids.includes(id);
    const sections = outline
      .map((section): Section => ({
        ...section,
        requirements: section.requirements.filter(isSelected),
        questions: section.questions.filter(isSelected),
      }))
      .filter(({ requirements, questions }) => requirements.length + questions.length > 0);
    process.stdout.write(options.json ? json(catalogueOf(sections)) : listText(sections, process.stdout));
  });

const catalogueOf = (sections: readonly Section[]): object => ({
  schemaVersion: 1,
  requirements: sections.flatMap(({ requirements }) => requirements.map((id) => ({ id, ...entryOf(id) }))),
  questions: sections.flatMap(({ questions }) => questions.map((id) => ({ id, ...questionOf(id) }))),
});
