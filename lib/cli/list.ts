import { listText } from '../report/list-text.ts';
import { json } from '../report/write.ts';
import { entryOf } from '../engine/catalogue.ts';
import { questionOf } from '../engine/questions.ts';
import { outline } from '../engine/sections.ts';
import type { Section } from '../engine/sections.ts';
import { readFlags } from './flags.ts';
import { idsMeant } from './ids.ts';

const help = `cts list: all requirements and open questions, by section of the interface

Usage: cts list [IDS] [--json]

IDS are ids separated by commas, * for any text; all by default.

  --json  for machines: ids, sections, levels and statements

A requirement is a must, which the interface states; a should, which an RFC
beneath it advises; or declared, which is tested where a profile says how. A
question is what the interface leaves open.

Examples:
  cts list
  cts list 'auth.*'
  cts list --json

Exit codes:
  0  listed
  2  wrong usage
`;

/** The command `cts list`. */
export async function list(args: readonly string[]): Promise<void> {
  const flags = readFlags(args, [], { mostPositionals: 1, switches: ['json'] });
  if (flags.help) {
    process.stdout.write(help);
    return;
  }
  const { ids } = idsMeant(flags.positionals[0] ?? '*', 'IDS');
  const isMeant = (id: string): boolean => ids.includes(id);
  const sections = outline
    .map((section): Section => ({
      ...section,
      requirements: section.requirements.filter(isMeant),
      questions: section.questions.filter(isMeant),
    }))
    .filter(({ requirements, questions }) => requirements.length + questions.length > 0);
  const text =
    flags.values['json'] === undefined ? listText(sections, process.stdout) : json(catalogueOf(sections));
  process.stdout.write(text);
}

const catalogueOf = (sections: readonly Section[]): object => ({
  schemaVersion: 1,
  requirements: sections.flatMap(({ requirements }) => requirements.map((id) => ({ id, ...entryOf(id) }))),
  questions: sections.flatMap(({ questions }) => questions.map((id) => ({ id, ...questionOf(id) }))),
});
