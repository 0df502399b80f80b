import { Command, Option } from 'commander';
import { listText, sentencesText } from '../report/catalogue-text.ts';
import { json } from '../report/write.ts';
import { catalogue } from './catalogue.ts';
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
  cts-conformance list --by-sentence 'token.life.*'

Exit codes:
  0  listed
  2  wrong usage`;

export const command = new Command('list')
  .description(description)
  .argument('[ids]', 'only these ids, separated by commas; * matches any text', '*')
  .addOption(
    new Option(
      '--by-sentence',
      'each sentence of the interface, with its requirements and questions',
    ).conflicts('json'),
  )
  .option('--json', 'for machines: ids, sections, levels and statements')
  .addHelpText('after', examples)
  .action((list: string, options: { readonly json?: true; readonly bySentence?: true }) => {
    const { ids } = selectIds(list, 'IDS');
    const isSelected = (id: string): boolean => ids.includes(id);
    if (options.bySentence) {
      const about = catalogue.sentences.filter(
        ({ tested, asked }) => list === '*' || [...tested, ...asked].some(isSelected),
      );
      process.stdout.write(sentencesText(about, process.stdout));
      return;
    }
    const [requirements, questions] = [
      catalogue.requirements.filter(({ id }) => isSelected(id)),
      catalogue.questions.filter(({ id }) => isSelected(id)),
    ];
    process.stdout.write(
      options.json
        ? json({
            schemaVersion: 1,
            requirements: requirements.map(({ id, level, section, source, needs, statement }) => ({
              id,
              level,
              section,
              source,
              needs,
              statement,
            })),
            questions: questions.map(({ id, section, question, asked, answer }) => ({
              id,
              section,
              question,
              asked,
              answer,
            })),
          })
        : listText({ requirements, questions }, process.stdout),
    );
  });
