import type { Report, ReportedRequirement, ReportedCause } from '../schemas/report.ts';
import { byLevel } from './vocabulary.ts';
import { failsRun } from '../verdict/verdict.ts';

/** The outline of the interface document: number and title of each section; 5.1 to 5.6 are the items of its list. */
export const sections = [
  { number: '1', title: 'What the service does' },
  { number: '2', title: 'Resources and their fields' },
  { number: '3', title: 'States and transitions' },
  { number: '4', title: 'Endpoints' },
  { number: '4.1', title: 'Create a customer' },
  { number: '4.2', title: 'Issue a scoped token' },
  { number: '4.3', title: 'Other operations' },
  { number: '5', title: 'Authentication' },
  { number: '5.1', title: 'The Bearer scheme' },
  { number: '5.2', title: 'The static key' },
  { number: '5.3', title: 'Tokens replace keys' },
  { number: '5.4', title: 'The unit of expires_in' },
  { number: '5.5', title: 'Scopes' },
  { number: '5.6', title: 'Presenting a token' },
  { number: '6', title: 'Events' },
  { number: '7', title: 'Errors' },
  { number: '8', title: 'Limits' },
  { number: '9', title: 'Versioning' },
] as const;

/** @param section its number; 0: before the first */
export const titleOfSection = (section: string): string =>
  sections.find(({ number }) => number === section)?.title ?? 'Before the first section';

/** What belongs to a section of the interface document, and has a level. */
type InSection = Pick<ReportedRequirement, 'section' | 'level'>;

/** A section of the interface document with its requirements. */
export interface Section<R extends InSection = ReportedRequirement> {
  readonly number: string;
  readonly title: string;
  readonly requirements: readonly R[];
}

/** Puts each requirement into its section; one that cites none belongs to the profile. */
export function sectionsOf<R extends InSection>(requirements: readonly R[]): Section<R>[] {
  const numbers = new Set<string>(sections.map(({ number }) => number));
  return [...sections, { number: '', title: 'The profile' }]
    .map(({ number, title }) => ({
      number,
      title,
      requirements: byLevel(
        requirements.filter(({ section }) => (numbers.has(section) ? section : '') === number),
      ).flatMap(([, own]) => own),
    }))
    .filter((section) => section.requirements.length > 0);
}

/** Prefixes of the ids of requirements, the most severe first: access, then mixed-up data, then lost data. */
const SEVEREST = ['auth.', 'customer.reply.', 'customer.id.', 'customer.', 'token.'] as const;

const severityOf = ({ id, level }: ReportedRequirement): number => {
  const rank = SEVEREST.findIndex((start) => id.startsWith(start));
  const ofLevel = level === 'should' ? 2 : level === 'declared' ? 1 : 0;
  return ofLevel * 10 + (rank === -1 ? SEVEREST.length : rank);
};

/** Failures in the order in which to look at them: the most severe first, and those of one cause together. */
export function inOrder(failures: readonly ReportedRequirement[]): ReportedRequirement[] {
  const bySeverity = failures.toSorted((one, other) => severityOf(one) - severityOf(other));
  return [...Map.groupBy(bySeverity, ({ id, cause }) => cause?.text ?? id).values()].flat();
}

/** What fails the run, in the order in which to look at it. */
export const failuresIn = ({ requirements, run }: Report): ReportedRequirement[] =>
  inOrder(requirements.filter((one) => failsRun(one, run.strict)));

/** The recommendations that are not followed, which do not fail the run, in the same order. */
export const warningsIn = ({ requirements, run }: Report): ReportedRequirement[] =>
  inOrder(requirements.filter((one) => one.verdict === 'warn' && !failsRun(one, run.strict)));

/** The likely causes of the failures, the most severe first. */
export const causesOf = (requirements: readonly ReportedRequirement[]): ReportedCause[] =>
  [...Map.groupBy(inOrder(requirements), ({ cause }) => cause?.text).values()].flatMap((all) => {
    const { cause } = all[0]!;
    return cause === undefined ? [] : [{ ...cause, requirements: all.map(({ id }) => id) }];
  });
