import type { Report, ReportedQuestion, ReportedRequirement } from '../../schemas/report.ts';

/** A heading of the interface document. */
export interface Heading {
  readonly number: string;
  readonly title: string;
}

/** The interface document's own outline; its numbered points (5.1 to 5.6) have no titles. */
export const outline: readonly Heading[] = [
  { number: '1', title: 'What the service does' },
  { number: '2', title: 'Resources and their fields' },
  { number: '3', title: 'States and transitions' },
  { number: '4', title: 'Endpoints' },
  { number: '4.1', title: 'Create a customer' },
  { number: '4.2', title: 'Issue a scoped token' },
  { number: '4.3', title: 'Other operations' },
  { number: '5', title: 'Authentication' },
  { number: '6', title: 'Events' },
  { number: '7', title: 'Errors' },
  { number: '8', title: 'Limits' },
  { number: '9', title: 'Versioning' },
];

/** Where entries go that cite no section of the document, such as a waiver that matches nothing. */
export const beyond: Heading = { number: '', title: 'The profile' };

/** An open question, with what came of the operator's answer to it. */
export interface PlacedQuestion extends ReportedQuestion {
  readonly held?: ReportedRequirement;
}

/** What stands under one heading. */
export interface Section extends Heading {
  readonly anchor: string;
  readonly requirements: readonly ReportedRequirement[];
  readonly questions: readonly PlacedQuestion[];
}

/** Puts every requirement and every question under its heading, each once. */
export function sectionsOf({ requirements, questions }: Report): Section[] {
  const asked = new Set<string>(questions.map(({ id }) => id));
  const held = new Map(requirements.filter(({ id }) => asked.has(id)).map((one) => [one.id, one]));
  const all = [...outline, beyond].map((heading) => ({
    ...heading,
    anchor: `section-${heading.number || 'profile'}`,
    requirements: requirements
      .filter(({ id, section }) => !asked.has(id) && headingOf(section) === heading)
      .toSorted(bySection),
    questions: questions
      .filter(({ section }) => headingOf(section) === heading)
      .toSorted(bySection)
      .map((question) => {
        const own = held.get(question.id);
        return own ? { ...question, held: own } : question;
      }),
  }));
  return all.filter(
    (section) => section.number !== '' || section.requirements.length + section.questions.length > 0,
  );
}

const bySection = (one: { readonly section: string }, other: { readonly section: string }): number =>
  one.section === other.section ? 0 : one.section < other.section ? -1 : 1;

const headingOf = (section: string): Heading =>
  outline.find(({ number }) => number === section) ??
  outline.find(({ number }) => number === section.split('.')[0]) ??
  beyond;
