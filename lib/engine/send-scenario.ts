import { setImmediate as nextTurn } from 'node:timers/promises';
import { NoReply, Stopped } from '../target/exchange.ts';
import { forEachLimited } from './for-each-limited.ts';
import { Inconclusive } from './observation.ts';
import type { Case, Exploration, LostCase, Observation } from './observation.ts';
import type { Sampling } from './sampling.ts';
import type { Nonce } from './nonces.ts';
import type { CaseSource, Run, Scenario } from './scenario.ts';

/** What a scenario is sent with. */
export interface Sending {
  /** @param index of the case */
  readonly nonceOf: (index: number) => Nonce;
  readonly sampling: Sampling;
  /** Stops the run, and returns why, if an observation shows that the target has reached a limit. */
  readonly limitReached: (observation: Observation) => Promise<Stopped | undefined>;
  readonly sendOne: ReturnType<Scenario['send']>;
}

/** Sends the cases of a scenario, each list when the one before is over. */
export async function sendScenario(
  run: Run,
  scenario: Scenario,
  { nonceOf, sampling, limitReached, sendOne }: Sending,
): Promise<Exploration<Observation>> {
  const observed = await run.observed(scenario.uses ?? []);
  const sendTogether = scenario.sendTogether?.(run);
  const observations: Observation[] = [];
  const lost: LostCase[] = [];
  let stopped: string | undefined;
  let next = 0;
  const isOver = (): boolean => stopped !== undefined;
  const note = async ({ category }: CaseSource<unknown>, received: Observation | Error): Promise<void> => {
    const result = received instanceof Error ? received : ((await limitReached(received)) ?? received);
    if (!(result instanceof Error)) {
      if (sampling.keeps(result)) observations.push(result);
    } else if (result instanceof Stopped) stopped ??= result.message;
    else if (result instanceof NoReply || result instanceof Inconclusive)
      lost.push({ category, error: result });
    else throw result;
  };
  const caseOf = ({ category, arbitrary }: CaseSource<unknown>, index: number) => ({
    testCase: {
      scenario: scenario.name,
      index,
      category,
      input: run.generate(arbitrary, `${scenario.name} ${index}`),
    } satisfies Case<unknown>,
    nonce: nonceOf(index),
  });
  const { index: own, count } = run.settings.shard ?? { index: 1, count: 1 };
  const sendAll = async (sources: readonly CaseSource<unknown>[]): Promise<readonly Observation[]> => {
    const before = observations.length;
    const numbered = sources
      .map((source) => [source, next++] as const)
      .filter(([, index]) => !scenario.isShared || index % count === own - 1);
    if (sendTogether) {
      const results = await sendTogether(numbered.map(([source, index]) => caseOf(source, index)));
      for (const [at, result] of results.entries()) await note(numbered[at]![0], result);
    } else {
      // Generated one by one, while earlier ones are awaited.
      await forEachLimited(numbered, run.settings.concurrency, async ([source, index]) => {
        if (isOver()) return;
        const { testCase, nonce } = caseOf(source, index);
        const result: Observation | Error = await sendOne(testCase, nonce).catch((error: Error) => error);
        // Let the next requests go first.
        await nextTurn();
        await note(source, result);
      });
    }
    const list = observations.splice(before).toSorted((one, other) => one.case.index - other.case.index);
    observations.push(...list);
    return list;
  };
  const cases = scenario.cases(run, observed);
  if (Symbol.iterator in cases && 'next' in cases) {
    let step = cases.next([]);
    while (step.done !== true) {
      const list = await sendAll(step.value);
      // A list that was sent in part does not decide the next one.
      if (isOver()) break;
      step = cases.next(list);
    }
  } else await sendAll(cases);
  return { observations, summaries: sampling.summariesOf(scenario.name), lost, stopped };
}
