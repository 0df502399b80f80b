import fc from 'fast-check';
import { isWithoutReply, unlessWithoutReply } from '../observation.ts';
import type { Observation } from '../observation.ts';
import { appliesTo } from '../requirement.ts';
import type { Requirement } from '../requirement.ts';
import type { Run, Scenario } from '../scenario.ts';
import type { Counterexample } from '../../schemas/case.ts';
import { isSuccess } from '../../target/reply.ts';
import { timesIn } from './failure-text.ts';

/** Attempts to reproduce a failed case. */
export const REPEATS = 3;
/** How many of these must break before shrinking is worth their requests. */
const MIN_REPRODUCED = 2;
const MAX_SHRINKING = 120;

/** Whether a case was reproduced each time, also alone. */
export function isEachTime({ reproduced, alone }: Pick<Counterexample, 'reproduced' | 'alone'>): boolean {
  const [times, attempts] = timesIn(reproduced);
  return attempts > 0 && times === attempts && alone !== 'passes';
}

interface Reproduced {
  readonly observation: Observation;
  readonly input: unknown;
  readonly path: string;
  readonly shrinks: number;
  /** How often the original case was reproduced, such as `3/3`. */
  readonly reproduced: string;
}

/**
 * Sends a broken case again and, as most cases break again, shrinks it meanwhile. A case that is not reproduced stays
 * broken: it is intermittent.
 * @param isBroken whether an observation breaks the requirement
 */
export async function reproduce(
  run: Run,
  scenario: Scenario,
  found: Observation,
  isBroken: (observation: Observation) => boolean,
  { shrinking, repeats }: { readonly shrinking: fc.Arbitrary<unknown> | null; readonly repeats: number },
): Promise<Reproduced> {
  const { input, index, category } = found.case;
  let isWorthIt = true;
  const attempts = Promise.all(
    Array.from({ length: repeats }, () => unlessWithoutReply(run.repeat(scenario, input, category))),
  ).then((observations) => {
    const answered = observations.filter((observation) => observation !== undefined);
    const again = answered.filter(isBroken).length;
    isWorthIt = again >= MIN_REPRODUCED;
    return `${again}/${answered.length}`;
  });
  const canShrink = repeats >= MIN_REPRODUCED && shrinking?.canShrinkWithoutContext(input) === true;
  const [reproduced, shrunk] = await Promise.all([
    attempts,
    canShrink
      ? shrink(
          input,
          shrinking,
          async (candidate) => {
            if (!isWorthIt) return undefined;
            const observation = await unlessWithoutReply(run.repeat(scenario, candidate, category));
            return observation && isBroken(observation) ? observation : undefined;
          },
          MAX_SHRINKING,
        )
      : undefined,
  ]);
  const { value, shown, path } =
    shrunk === undefined || !isWorthIt ? { value: input, shown: undefined, path: [] } : shrunk;
  return {
    reproduced,
    observation: await withOwnControl(run, scenario, shown ?? found),
    input: value,
    path: [Math.max(0, index), ...path].join(':'),
    shrinks: path.length,
  };
}

/** How often the same request is sent alone before its outcome counts. */
const MAX_ALONE = 2;

/**
 * Sends the request of a failure again, to the byte, with nothing else in flight.
 * @param reproduced how often other requests of its case failed again, among others
 * @returns its outcome, if it is the same each time and not that of the other requests: those failed only while others
 * were in flight, or only with something that must be unique
 */
export async function repeatAlone(
  run: Run,
  failed: Observation,
  reproduced: string,
  isBroken: (observation: Observation) => boolean,
): Promise<Counterexample['alone']> {
  const [times, attempts] = timesIn(reproduced);
  if (attempts === 0 || (times > 0 && times < attempts)) return undefined;
  const { request, reply } = failed.exchange;
  for (let attempt = 0; attempt < MAX_ALONE; attempt++) {
    const exchange = await unlessWithoutReply(
      run.target.send(request, { queue: 'alone', ifThrottled: 'final', isAlone: true }),
    );
    if (exchange === undefined) return undefined;
    const isSame = exchange.reply.status === reply.status;
    const hasPassed = isSame
      ? !isBroken({ ...failed, exchange })
      : // A 401 rejects the credential that was accepted; other rejections may be for what must be unique.
        failed.accepted
        ? exchange.reply.status === 401
        : isSuccess(exchange.reply);
    const hasFailed = isSame && !hasPassed;
    if (times > 0 ? !hasPassed : !hasFailed) return undefined;
  }
  return times > 0 ? 'passes' : 'fails';
}

/** An observation with a control of its own, if the scenario knows how to send one and the target accepts it. */
export async function withOwnControl(
  run: Run,
  scenario: Scenario,
  observation: Observation,
): Promise<Observation> {
  const input: unknown = scenario.controlOf?.(observation.case);
  if (input === undefined) return observation;
  const control = await unlessWithoutReply(run.repeat(scenario, input, 'control'));
  return control?.accepted && isSuccess(control.exchange.reply)
    ? { ...observation, control: control.exchange }
    : observation;
}

/** Sends two clashing cases again; identical ones stay identical. @returns such as `3/3` */
export async function repeatBoth(
  run: Run,
  requirement: Requirement,
  first: Observation,
  second: Observation,
): Promise<string> {
  const cases = [first, second].map(({ case: { scenario, category, input } }) => ({
    scenario: scenarioOf(requirement, scenario),
    category,
    input,
  }));
  let clashes = 0;
  let repeats = 0;
  try {
    for (; repeats < REPEATS; repeats++) {
      const pair = await sendAgain(run, requirement, cases, repeats);
      // A clash that was found before does not count again; one with an id that the second already has does.
      const found = [pair, [second, ...pair]].map((observations) => requirement.compare!(observations));
      if (found.some((clash) => clash !== undefined && pair.includes(clash.second))) clashes++;
    }
  } catch (error) {
    if (!isWithoutReply(error)) throw error;
  }
  return `${clashes}/${repeats}`;
}

export interface RepeatedCase {
  readonly scenario: Scenario;
  readonly category: string;
  readonly input: unknown;
}

/**
 * Sends one or two cases, one after the other; identical inputs become identical requests.
 * @returns those of their observations that the requirement judges
 */
export async function sendAgain(
  run: Run,
  requirement: Requirement,
  cases: readonly RepeatedCase[],
  round: number,
): Promise<Observation[]> {
  const [first, second] = cases.map(({ input }) => JSON.stringify(input));
  const nonce = first === second ? `i${round}` : undefined;
  const observations: Observation[] = [];
  for (const { scenario, category, input } of cases)
    observations.push(await run.repeat(scenario, input, category, nonce));
  return observations.filter((observation) => appliesTo(requirement, observation, run.settings));
}

export const scenarioOf = ({ over }: Requirement, name: string): Scenario =>
  over.find((one) => one.name === name)!;

interface Shrunk<T, R> {
  readonly value: T;
  /** The proof that it is broken; undefined: no smaller value was found. */
  readonly shown: R | undefined;
  /** The position of each step among the candidates of its level, as in fast-check's paths. */
  readonly path: readonly number[];
}

/** Candidates that are tried together: more requests, in a fraction of the time. */
const MAX_SENT_TOGETHER = 4;

/**
 * Shrinks as fast-check does: it steps to the first candidate of a value that is broken too, then to the first of the
 * candidates of that, and so on. No value is tried twice.
 * @param breaks resolves to the proof that a candidate is broken too; undefined: it is not
 * @param maxCandidates candidates that are tried
 */
export async function shrink<T, R>(
  value: T,
  arbitrary: fc.Arbitrary<T>,
  breaks: (candidate: T) => Promise<R | undefined>,
  maxCandidates: number,
): Promise<Shrunk<T, R>> {
  const outcomes = new Map<string, Promise<R | undefined>>();
  const outcomeOf = (candidate: T): Promise<R | undefined> => {
    const key = fc.stringify(candidate);
    const outcome = outcomes.get(key) ?? breaks(candidate);
    outcomes.set(key, outcome);
    return outcome;
  };
  let smallest: Shrunk<T, R> = { value, shown: undefined, path: [] };
  let candidates = arbitrary.shrink(value, undefined);
  let position = 0;
  while (outcomes.size < maxCandidates) {
    const batch = nextOf(candidates, Math.min(MAX_SENT_TOGETHER, maxCandidates - outcomes.size));
    if (batch.length === 0) break;
    const proofs = await Promise.all(batch.map((one) => outcomeOf(one.value)));
    const first = proofs.findIndex((proof) => proof !== undefined);
    if (first === -1) {
      position += batch.length;
    } else {
      const { value: smaller, context } = batch[first]!;
      smallest = { value: smaller, shown: proofs[first], path: [...smallest.path, position + first] };
      candidates = arbitrary.shrink(smaller, context);
      position = 0;
    }
  }
  return smallest;
}

/** The next items of a stream, which fast-check's `take` would close. */
function nextOf<T>(stream: fc.Stream<T>, count: number): T[] {
  const items: T[] = [];
  while (items.length < count) {
    const { done, value } = stream.next();
    if (done === true) break;
    items.push(value);
  }
  return items;
}
