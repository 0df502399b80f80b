import { isDeepStrictEqual } from 'node:util';
import type { FindingVerdict } from '../schemas/case.ts';
import { byId } from '../schemas/json.ts';
import type { Json } from '../schemas/json.ts';
import type { Latency, Report, ReportedRequirement } from '../schemas/report.ts';

/** A requirement in two reports; absent if a report does not contain it. */
export interface Changed {
  readonly id: string;
  readonly old?: ReportedRequirement;
  readonly new?: ReportedRequirement;
}

/** An open question whose answers differ. */
export interface ChangedAnswer {
  readonly id: string;
  readonly question: string;
  readonly old: Json;
  readonly new: Json;
  /** Whether the new answer contradicts the profile. */
  readonly contradictsProfile: boolean;
}

/** An operation that takes longer. */
interface Slower {
  readonly operation: string;
  readonly old: Latency;
  readonly new: Latency;
}

/** How a requirement may change from one report to the other, the worst first. */
export const changes = [
  'broken',
  'newlyWarned',
  'fixed',
  'newlyUntested',
  'newlyTested',
  'newlyWaived',
  'removed',
  'added',
] as const;
export type Change = (typeof changes)[number];

/** The differences between two reports. */
export interface Diff extends Readonly<Record<Change, readonly Changed[]>> {
  readonly old: Report;
  readonly new: Report;
  readonly drifted: readonly ChangedAnswer[];
  /** Questions that only the old report answers. */
  readonly unanswered: readonly string[];
  /** Questions that only the new report answers. */
  readonly answered: readonly string[];
  readonly slower: readonly Slower[];
  /** Whether something broke, or an answer drifted from the profile. */
  readonly isWorse: boolean;
}

export function diffOf(before: Report, after: Report): Diff {
  const drifted = changedAnswersIn(before, after);
  // Drift from the profile is a requirement too; it is shown once.
  const shown = new Set(drifted.filter(({ contradictsProfile }) => contradictsProfile).map(({ id }) => id));
  const [old, now] = [byId(before.requirements), byId(after.requirements)];
  const all = [...new Set([...now.keys(), ...old.keys()])]
    .filter((id) => !shown.has(id))
    .map((id): Changed => {
      const [one, other] = [old.get(id), now.get(id)];
      return { id, ...(one && { old: one }), ...(other && { new: other }) };
    });
  const byChange = Map.groupBy(all, changeOf);
  const requirements = Object.fromEntries(
    changes.map((change) => [change, byChange.get(change) ?? []]),
  ) as Record<Change, Changed[]>;
  return {
    old: before,
    new: after,
    ...requirements,
    drifted,
    unanswered: answeredOnlyIn(before, after),
    answered: answeredOnlyIn(after, before),
    slower: slowerIn(before, after),
    isWorse:
      requirements.broken.length > 0 ||
      drifted.some(({ contradictsProfile }) => contradictsProfile) ||
      (after.run.strict && requirements.newlyWarned.length > 0),
  };
}

/** What a verdict means for a comparison. */
const states = {
  pass: 'passing',
  fail: 'failing',
  known: 'failing',
  warn: 'failing',
  waived: 'waived',
  untested: 'open',
  inconclusive: 'open',
} as const;

export const stateOf = (
  requirement: Pick<ReportedRequirement, 'verdict'> | undefined,
): 'absent' | (typeof states)[FindingVerdict] =>
  requirement === undefined ? 'absent' : states[requirement.verdict];

function changeOf({ old: before, new: after }: Changed): Change | undefined {
  const [from, to] = [stateOf(before), stateOf(after)];
  if (from === to) return undefined;
  if (to === 'failing') return after!.level === 'should' ? 'newlyWarned' : 'broken';
  if (to === 'absent') return 'removed';
  if (to === 'waived') return 'newlyWaived';
  if (from === 'absent') return 'added';
  if (to === 'open') return 'newlyUntested';
  return from === 'open' ? 'newlyTested' : 'fixed';
}

function changedAnswersIn(before: Report, after: Report): ChangedAnswer[] {
  const [old, requirements] = [byId(before.questions), byId(after.requirements)];
  return after.questions.flatMap(({ id, question, answer, drift = false }) => {
    const former = old.get(id)?.answer;
    if (former === undefined || answer === undefined || isDeepStrictEqual(former, answer)) return [];
    const contradictsProfile = drift && requirements.get(id)?.verdict !== 'waived';
    return [{ id, question, old: former, new: answer, contradictsProfile }];
  });
}

function answeredOnlyIn({ questions }: Report, { questions: others }: Report): string[] {
  const other = byId(others);
  return questions
    .filter(({ id, answer }) => answer !== undefined && other.get(id)?.answer === undefined)
    .map(({ id }) => id);
}

const MIN_LATENCY_SAMPLE = 20;
const MIN_RATIO = 1.5;
const MIN_MS = 10;

/** Operations whose median is above the former p90, by at least half and by more than the noise of a busy machine. */
function slowerIn(before: Report, after: Report): Slower[] {
  return Object.entries(after.run.latency).flatMap(([operation, now]) => {
    if (!Object.hasOwn(before.run.latency, operation)) return [];
    const then = before.run.latency[operation]!;
    if (Math.min(then.count, now.count) < MIN_LATENCY_SAMPLE) return [];
    const isSlower = now.p50 > then.p90 && now.p50 >= MIN_RATIO * then.p50 && now.p50 - then.p50 >= MIN_MS;
    return isSlower ? [{ operation, old: then, new: now }] : [];
  });
}
