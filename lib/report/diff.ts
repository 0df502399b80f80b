import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../schemas/json.ts';
import type { ReadLatency, ReadQuestion, ReadReport, ReadRequirement } from './read.ts';

/** A requirement in two reports; absent where one of them does not have it. */
export interface Changed {
  readonly id: string;
  readonly old?: ReadRequirement;
  readonly new?: ReadRequirement;
}

/** An open question that was answered otherwise. */
export interface Drifted {
  readonly id: string;
  readonly question: string;
  readonly old: Json;
  readonly new: Json;
  /** Whether the operator has declared another answer than the new one. */
  readonly isDeclared: boolean;
}

/** An operation that takes longer. */
export interface Slower {
  readonly operation: string;
  readonly old: ReadLatency;
  readonly new: ReadLatency;
}

/** What became of a requirement from one report to the other. */
export const changes = [
  'broken',
  'unadvised',
  'fixed',
  'newlyUntested',
  'newlyTested',
  'newlyWaived',
  'vanished',
  'added',
] as const;
export type Change = (typeof changes)[number];

/** What differs between two reports. */
export interface Diff extends Readonly<Record<Change, readonly Changed[]>> {
  readonly drifted: readonly Drifted[];
  /** Questions that were answered before and are not now, and those answered now and not before. */
  readonly unanswered: readonly string[];
  readonly answered: readonly string[];
  readonly slower: readonly Slower[];
  /** Whether something broke, or an answer drifted away from the declared one. */
  readonly isWorse: boolean;
}

export function diffOf(before: ReadReport, after: ReadReport): Diff {
  const drifted = driftedIn(before, after);
  // A declared answer that has drifted is a requirement too; it is shown once.
  const shown = new Set(drifted.filter(({ isDeclared }) => isDeclared).map(({ id }) => id));
  const ids = [...new Set([...after.requirements.keys(), ...before.requirements.keys()])];
  const all = ids
    .filter((id) => !shown.has(id))
    .map((id): Changed => {
      const [one, other] = [before.requirements.get(id), after.requirements.get(id)];
      return { id, ...(one && { old: one }), ...(other && { new: other }) };
    });
  const byChange = Map.groupBy(all, changeOf);
  const requirements = Object.fromEntries(
    changes.map((change) => [change, byChange.get(change) ?? []]),
  ) as Record<Change, Changed[]>;
  return {
    ...requirements,
    drifted,
    unanswered: answeredOnlyIn(before, after),
    answered: answeredOnlyIn(after, before),
    slower: slowerIn(before, after),
    isWorse:
      requirements.broken.length > 0 ||
      drifted.some(({ isDeclared }) => isDeclared) ||
      (after.run.strict && requirements.unadvised.length > 0),
  };
}

/** `none`: it was not tested, or came to no verdict. */
type State = 'absent' | 'holds' | 'broken' | 'waived' | 'none';

function stateOf(requirement: ReadRequirement | undefined): State {
  if (requirement === undefined) return 'absent';
  const { verdict } = requirement;
  if (verdict === 'waived') return 'waived';
  if (verdict === 'pass') return 'holds';
  return verdict === 'fail' || verdict === 'warn' ? 'broken' : 'none';
}

function changeOf({ old: before, new: after }: Changed): Change | undefined {
  const [from, to] = [stateOf(before), stateOf(after)];
  if (from === to) return undefined;
  if (to === 'broken') return after!.level === 'should' ? 'unadvised' : 'broken';
  if (to === 'absent') return 'vanished';
  if (to === 'waived') return 'newlyWaived';
  if (from === 'absent') return 'added';
  if (to === 'none') return 'newlyUntested';
  return from === 'none' ? 'newlyTested' : 'fixed';
}

function driftedIn(before: ReadReport, after: ReadReport): Drifted[] {
  return [...after.questions.values()].flatMap(({ id, question, answer, drift = false }) => {
    const former = before.questions.get(id)?.answer;
    if (former === undefined || answer === undefined || isDeepStrictEqual(former, answer)) return [];
    const isDeclared = drift && after.requirements.get(id)?.verdict !== 'waived';
    return [{ id, question, old: former, new: answer, isDeclared }];
  });
}

const answeredOnlyIn = ({ questions }: ReadReport, { questions: others }: ReadReport): string[] =>
  [...questions.values()]
    .filter(({ id, answer }) => answer !== undefined && !isAnswered(others.get(id)))
    .map(({ id }) => id);

const isAnswered = (question: ReadQuestion | undefined): boolean => question?.answer !== undefined;

const FEWEST = 20;
const LEAST_RATIO = 1.5;
const LEAST_MS = 10;

/**
 * Clearly outside the noise: half of the requests take longer than nine in ten did before, half as long
 * again at least, and by more than what a busy machine adds.
 */
function slowerIn(before: ReadReport, after: ReadReport): Slower[] {
  return [...after.run.latency].flatMap(([operation, now]) => {
    const then = before.run.latency.get(operation);
    if (then === undefined || Math.min(then.count, now.count) < FEWEST) return [];
    const isSlower =
      now.p50 > then.p90 && now.p50 >= LEAST_RATIO * then.p50 && now.p50 - then.p50 >= LEAST_MS;
    return isSlower ? [{ operation, old: then, new: now }] : [];
  });
}
