import type { ReportedCause, ReportedRequirement } from '../schemas/report.ts';

/** What begins the ids of requirements, the most severe first: who gets in, then whose data it is, then what is lost. */
const SEVEREST = ['auth.', 'customer.reply.', 'customer.id.', 'customer.', 'token.'] as const;

const severityOf = ({ id, level, verdict }: ReportedRequirement): number => {
  const place = SEVEREST.findIndex((start) => id.startsWith(start));
  const ofLevel = level === 'should' || verdict === 'warn' ? 2 : level === 'declared' ? 1 : 0;
  return ofLevel * 10 + (place === -1 ? SEVEREST.length : place);
};

/** Failures in the order in which to look at them: the most severe first, and those of one cause together. */
export function inOrder(failures: readonly ReportedRequirement[]): ReportedRequirement[] {
  const bySeverity = failures.toSorted((one, other) => severityOf(one) - severityOf(other));
  return [...Map.groupBy(bySeverity, ({ id, cause }) => cause?.text ?? id).values()].flat();
}

/** The likely causes of the failures, the most severe first. */
export const causesOf = (requirements: readonly ReportedRequirement[]): ReportedCause[] =>
  [...Map.groupBy(inOrder(requirements), ({ cause }) => cause?.text).values()].flatMap((all) => {
    const { cause } = all[0]!;
    if (cause === undefined) return [];
    const sum = (valueOf: (cause: NonNullable<ReportedRequirement['cause']>) => number): number =>
      all.reduce((total, one) => total + valueOf(one.cause!), 0);
    return [
      {
        ...cause,
        requirements: all.map(({ id }) => id),
        explains: sum(({ explains }) => explains),
        of: sum(({ of }) => of),
      },
    ];
  });
