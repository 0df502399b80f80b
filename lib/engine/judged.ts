import { eachOf, exampleOf } from './counted.ts';
import type { Counted } from './counted.ts';
import type { Experiment } from './experiment.ts';
import { Inconclusive } from './observation.ts';
import type { Exploration, Observation } from './observation.ts';
import { entryOf, requirementIds } from './catalogue.ts';
import type { RequirementId } from './catalogue.ts';
import type { Finding } from './finding.ts';

/** What a requirement is judged by: observations, and what was only counted. */
export interface Judged<O> {
  readonly whole: readonly O[];
  readonly counted: readonly Counted[];
}

export function judgedIn<O extends Observation>(
  explorations: readonly Exploration<O>[],
  only: (observation: O) => boolean,
  hasCounted = true,
): Judged<O> {
  const counted = hasCounted ? explorations.flatMap((exploration) => exploration.counted) : [];
  return {
    whole: explorations.flatMap(({ observations }) => observations).filter(only),
    counted: counted.filter((one) => only(exampleOf(one) as O)),
  };
}

export function* allOf<O extends Observation>({ whole, counted }: Judged<O>): Generator<O> {
  yield* whole;
  for (const one of counted) yield* eachOf(one) as Generator<O>;
}

export const sizeOf = (counted: readonly Counted[]): number =>
  counted.reduce((sum, { given }) => sum + given.length, 0);

export function summarise<O extends Observation>(
  id: RequirementId,
  explorations: readonly Exploration<O>[],
  { whole, counted }: Judged<O>,
  broken: number,
  note?: string,
): Finding {
  const cases = whole.length + sizeOf(counted);
  const isAccepted = ({ accepted }: { readonly accepted: boolean }): boolean => accepted;
  const base = {
    id,
    cases,
    accepted: whole.filter(isAccepted).length + sizeOf(counted.filter(isAccepted)),
    broken,
    inFlight: Math.max(
      0,
      ...whole.map(({ exchange }) => exchange.inFlight),
      ...counted.map(({ inFlight }) => inFlight),
    ),
  };
  if (broken > 0) return { ...base, verdict: brokenVerdict(id) };
  const stopped = explorations.find((exploration) => exploration.stopped !== undefined)?.stopped;
  const lost = explorations.flatMap((exploration) => exploration.lost);
  if (cases > 0) {
    const notes = [
      ...(note === undefined ? [] : [note]),
      ...(lost.length > 0 ? [`${lost.length} more without a reply or a control`] : []),
      ...(stopped === undefined ? [] : [`ended early: ${stopped}`]),
    ];
    return { ...base, verdict: 'pass', ...(notes.length > 0 ? { reason: notes.join('; ') } : {}) };
  }
  if (stopped !== undefined) return { ...base, verdict: 'untested', reason: stopped };
  if (lost.length > 0) {
    const isOptional = lost.some((one) => one instanceof Inconclusive && one.isOptional);
    return {
      ...base,
      verdict: 'inconclusive',
      reason: lost[0]!.message,
      ...(isOptional && { optional: true }),
    };
  }
  const reason = explorations.some(({ observations }) => observations.some(isAccepted))
    ? 'no response was of the kind that it is about'
    : 'the target accepted nothing that it could be judged by';
  return { ...base, verdict: 'untested', reason };
}

/** Of advice only a warning; whatever is not in the catalogue is a vendor's own, and fails. */
export const brokenVerdict = (id: RequirementId): 'warn' | 'fail' =>
  requirementIds.includes(id) && entryOf(id).level === 'should' ? 'warn' : 'fail';

/** The experiment that a case belongs to. @throws {Inconclusive} where there is none any more */
export function homeOf<I, O extends Observation<I>>(
  over: readonly Experiment<I, O>[],
  name: string,
): Experiment<I, O> {
  const home = over.find((experiment) => experiment.name === name);
  if (home === undefined) throw new Inconclusive('the case belongs to an experiment that no longer exists');
  return home;
}
