import type { Json } from '../schemas/json.ts';
import type { Level, Report, ReportedRequirement } from '../schemas/report.ts';
import { isRequired } from '../verdict/verdict.ts';
import { byId } from './diff.ts';

/** One of several services. */
export interface ComparedService {
  /** A name that no other service has. */
  readonly name: string;
  readonly report: Report;
  /** Required and declared requirements that pass, of how many. */
  readonly passed: number;
  readonly required: number;
}

/** A requirement with its result for each service; undefined if a report does not contain it. */
export interface RequirementRow {
  readonly id: string;
  readonly section: string;
  readonly level: Level;
  readonly statement: string;
  readonly cells: readonly (ReportedRequirement | undefined)[];
}

/** An open question with the answer of each service. */
export interface QuestionRow {
  readonly id: string;
  readonly question: string;
  readonly cells: readonly (Json | undefined)[];
}

/** Several services side by side. */
export interface Matrix {
  readonly services: readonly ComparedService[];
  readonly rows: readonly RequirementRow[];
  /** Questions with at least one answer. */
  readonly questions: readonly QuestionRow[];
}

/** Compares reports, in the given order; requirements are in the order of the first report that contains them. */
export function matrixOf(reports: readonly Report[]): Matrix {
  const names = reports.map(({ target }) => target.name ?? target.baseUrl.replace(/^https?:\/\//, ''));
  const isUnique = (name: string): boolean => names.indexOf(name) === names.lastIndexOf(name);
  const requirements = reports.map((report) => byId(report.requirements));
  const questions = reports.map((report) => byId(report.questions));
  return {
    services: reports.map((report, at) => {
      const required = report.requirements.filter(isRequired);
      const name = names[at]!;
      const occurrence = names.slice(0, at + 1).filter((other) => other === name).length;
      return {
        name: isUnique(name) ? name : `${name} (${occurrence})`,
        report,
        passed: required.filter(({ verdict }) => verdict === 'pass').length,
        required: required.length,
      };
    }),
    rows: idsOf(requirements).map((id) => {
      const cells = requirements.map((all) => all.get(id));
      const { section, level, statement } = cells.find((one) => one !== undefined)!;
      return { id, section, level, statement, cells };
    }),
    questions: idsOf(questions)
      .map((id) => {
        const asked = questions.map((all) => all.get(id));
        const { question } = asked.find((one) => one !== undefined)!;
        return { id, question, cells: asked.map((one) => one?.answer) };
      })
      .filter(({ cells }) => cells.some((answer) => answer !== undefined)),
  };
}

const idsOf = (maps: readonly ReadonlyMap<string, unknown>[]): string[] => [
  ...new Set(maps.flatMap((map) => [...map.keys()])),
];
