import { setImmediate as nextTurn } from 'node:timers/promises';
import { NoReply, Stopped } from '../target/exchange.ts';
import { forEachLimited } from './for-each-limited.ts';
import { Inconclusive } from './observation.ts';
import type { Case, Exploration, LostCase, Observation } from './observation.ts';
import type { LimitWatch } from './readiness/limits.ts';
import type { Sampling } from './sampling.ts';
import type { Nonce } from './nonces.ts';
import type { CaseSource, Run, Scenario, SentCase } from './scenario.ts';

/** What a scenario is sent with. */
export interface SendContext {
  /** @param index of the case */
  readonly nonceOf: (scenario: string, index: number) => Nonce;
  readonly sampling: Sampling;
  readonly limitReached: LimitWatch['limitReached'];
  readonly sendOne: ReturnType<Scenario['send']>;
}

/** How often a case is sent again after a short absence of the service, or a short lockout. */
const MAX_ROUNDS = 3;
/** Above the tries of a request, so that the nonces of rounds differ. */
const A_ROUND = 100;

/** Sends the cases of a scenario, each list when the one before is over. */
export async function sendScenario(
  run: Run,
  scenario: Scenario,
  { nonceOf, sampling, limitReached, sendOne }: SendContext,
): Promise<Exploration<Observation>> {
  const observed = await run.observed(scenario.uses ?? []);
  const sendTogether = scenario.sendTogether?.(run);
  const observations: Observation[] = [];
  const lost: LostCase[] = [];
  let stopped: string | undefined;
  let next = 0;
  const isOver = (): boolean => stopped !== undefined;
  const note = async ({ testCase, nonce }: SentCase, received: Observation | Error): Promise<void> => {
    let result = received;
    for (let round = 1; !(result instanceof Error) && round <= MAX_ROUNDS; round++) {
      const limit = await limitReached(result);
      if (limit === undefined) break;
      result =
        limit === 'again'
          ? await sendOne(testCase, (tries) => nonce(tries + round * A_ROUND)).catch((error: Error) => error)
          : limit;
    }
    const { category } = testCase;
    if (!(result instanceof Error)) {
      if (sampling.keeps(result)) observations.push(result);
    } else if (result instanceof Stopped) stopped ??= result.message;
    else if (result instanceof NoReply || result instanceof Inconclusive)
      lost.push({ category, error: result });
    else throw result;
  };
  const caseOf = ({ category, arbitrary }: CaseSource<unknown>, index: number): SentCase => ({
    testCase: {
      scenario: scenario.name,
      index,
      category,
      input: run.generate(arbitrary, `${scenario.name} ${index}`),
    } satisfies Case<unknown>,
    nonce: nonceOf(scenario.name, index),
  });
  const { index: own, count } = run.settings.shard ?? { index: 1, count: 1 };
  const sendAll = async (sources: readonly CaseSource<unknown>[]): Promise<readonly Observation[]> => {
    const before = observations.length;
    const numbered = sources
      .map((source) => [source, next++] as const)
      .filter(([, index]) => !scenario.isShared || index % count === own - 1);
    if (sendTogether) {
      const together = numbered.map(([source, index]) => caseOf(source, index));
      const results = await sendTogether(together);
      for (const [at, result] of results.entries()) await note(together[at]!, result);
    } else {
      // Generated one by one, while earlier ones are awaited.
      await forEachLimited(numbered, run.settings.concurrency, async ([source, index]) => {
        if (isOver()) return;
        const one = caseOf(source, index);
        const result: Observation | Error = await sendOne(one.testCase, one.nonce).catch(
          (error: Error) => error,
        );
        // Let the next requests go first.
        await nextTurn();
        await note(one, result);
      });
    }
    const list = observations.splice(before).toSorted((one, other) => one.case.index - other.case.index);
    observations.push(...list);
    return list;
  };
  const cases = scenario.cases(run, observed);
  const lists = 'next' in cases ? cases : [cases].values();
  let step = lists.next([]);
  while (step.done !== true) {
    const list = await sendAll(step.value);
    // A list that was sent in part does not decide the next one.
    if (isOver()) break;
    step = lists.next(list);
  }
  return { observations, summaries: sampling.summariesOf(scenario.name), lost, stopped };
}
