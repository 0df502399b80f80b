import type { Json } from '../schemas/json.ts';
import type { ReadReport, ReadRequirement } from './read.ts';

/** One service of several that were checked. */
export interface Vendor {
  /** What tells it from the others. */
  readonly name: string;
  readonly report: ReadReport;
  /** Required and declared statements that hold, of those that there are. */
  readonly held: number;
  readonly required: number;
}

/** A statement, and what it came to at each vendor; undefined where a report does not have it. */
export interface Row {
  readonly id: string;
  readonly section: string;
  readonly level: ReadRequirement['level'];
  readonly statement: string;
  readonly cells: readonly (ReadRequirement | undefined)[];
}

/** An open question, and how each vendor answers it. */
export interface QuestionRow {
  readonly id: string;
  readonly question: string;
  readonly cells: readonly (Json | undefined)[];
}

/** Services beside each other. */
export interface Matrix {
  readonly vendors: readonly Vendor[];
  readonly rows: readonly Row[];
  /** Those that somebody answers. */
  readonly questions: readonly QuestionRow[];
}

/** Puts reports beside each other, in the order given; statements in the order of the first that has them. */
export function matrixOf(reports: readonly ReadReport[]): Matrix {
  const names = reports.map(({ target }) => target.name ?? target.baseUrl.replace(/^https?:\/\//, ''));
  const isAlone = (name: string): boolean => names.filter((other) => other === name).length === 1;
  const nameAt = (at: number): string => {
    const name = names[at]!;
    return isAlone(name)
      ? name
      : `${name} (${names.slice(0, at + 1).filter((other) => other === name).length})`;
  };
  const vendors = reports.map((report, at): Vendor => {
    const required = [...report.requirements.values()].filter(
      ({ level, optional = false }) => level !== 'should' && !optional,
    );
    return {
      name: nameAt(at),
      report,
      held: required.filter(({ verdict }) => verdict === 'pass').length,
      required: required.length,
    };
  });
  const questions = idsOf(reports.map((report) => report.questions)).map((id): QuestionRow => {
    const cells = reports.map((report) => report.questions.get(id)?.answer);
    return { id, question: reports.find((one) => one.questions.has(id))!.questions.get(id)!.question, cells };
  });
  return {
    vendors,
    rows: idsOf(reports.map(({ requirements }) => requirements)).map((id): Row => {
      const cells = reports.map(({ requirements }) => requirements.get(id));
      const { section, level, statement } = cells.find((one) => one !== undefined)!;
      return { id, section, level, statement, cells };
    }),
    questions: questions.filter(({ cells }) => cells.some((answer) => answer !== undefined)),
  };
}

const idsOf = (maps: readonly ReadonlyMap<string, unknown>[]): string[] => [
  ...new Set(maps.flatMap((map) => [...map.keys()])),
];

/** How a cell reads; one that no report has is empty. */
export const wordIn = (requirement: ReadRequirement | undefined): string => {
  if (requirement === undefined) return '–';
  const { verdict } = requirement;
  return { pass: 'pass', fail: 'FAIL', warn: 'warn', untested: 'none', inconclusive: '?', waived: 'waived' }[
    verdict
  ];
};

/** The outcome of all in a sentence. */
export function sentenceOf({ vendors }: Matrix): string {
  const conforming = vendors.filter(({ report }) => report.verdict === 'conforms').length;
  const services = vendors.length === 1 ? 'service conforms' : 'services conform';
  return `${conforming} of ${vendors.length} ${services}`;
}

/** What must be known before vendors are compared. */
export function caveats({ vendors }: Matrix): string[] {
  const versions = new Set(vendors.map(({ report }) => report.suite.version));
  const early = vendors.filter(({ report }) => report.run.stopped !== undefined).map(({ name }) => name);
  return [
    ...(versions.size > 1 ? ['The reports are of several versions of the suite: the rules may differ.'] : []),
    ...(early.length > 0 ? [`Runs that ended early: ${early.join(', ')}.`] : []),
  ];
}

/** Titles of the levels, the weightiest first. */
export const levelTitles = [
  ['must', 'Required by the interface'],
  ['should', 'Advised by the RFCs beneath it'],
  ['declared', 'Declared in a profile'],
] as const;

export const legend =
  'pass: tested, and it holds; FAIL: it is broken; warn: advice that is not followed; waived: a failure that the operator answers for; none: not tested; ?: no verdict; –: not in the report.';
