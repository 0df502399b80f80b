import { setImmediate as nextTurn } from 'node:timers/promises';
import { NoReply, Stopped } from '../target/exchange.ts';
import { forEachLimited } from './for-each-limited.ts';
import { Inconclusive } from './observation.ts';
import type { Case, Exploration, LostCase, Observation } from './observation.ts';
import type { Sampling } from './sampling.ts';
import type { Nonce } from './nonces.ts';
import type { CaseSource, Run, Scenario, SentCase, Observed, Phase } from './scenario.ts';
import type { Recorded } from './evidence/recorded.ts';
import { firstContact } from './readiness/first-contact.ts';
import { phasesBefore } from './scenario.ts';

/** Explores the scenarios of a run, each once. */
interface Explorer extends Pick<Run, 'explore' | 'observed' | 'explored'> {
  /** The function that sends one case of a scenario. */
  readonly sendOf: (scenario: Scenario) => Promise<ReturnType<Scenario['send']>>;
}

/** What an explorer needs besides its run. */
interface ExplorerOptions {
  readonly plan: readonly Phase[];
  /** @param index of the case */
  readonly nonceOf: (scenario: string, index: number) => Nonce;
  readonly sampling: Sampling;
}

export function createExplorer(run: Run, options: ExplorerOptions): Explorer {
  const { plan } = options;
  const explorations = new Map<Scenario, Promise<Exploration<Observation>>>();
  const sendFunctions = new Map<Scenario, ReturnType<Explorer['sendOf']>>();

  const sendOf: Explorer['sendOf'] = (scenario) => {
    const { uses = [], sendUses = uses } = scenario;
    const send = sendFunctions.get(scenario) ?? observed(sendUses).then((known) => scenario.send(run, known));
    sendFunctions.set(scenario, send);
    return send;
  };

  const phasesEnded = (names: ReadonlySet<string>): Promise<unknown> =>
    Promise.allSettled(
      plan
        .filter(({ name }) => names.has(name))
        .flatMap(({ sends }) => sends.flatMap((scenario) => explorations.get(scenario) ?? [])),
    );

  /** Waits for the phases before a scenario, then sends it. */
  const sendInTurn = async (scenario: Scenario): Promise<Exploration<Observation>> => {
    const own = plan.find(({ sends }) => sends.includes(scenario));
    if (own === undefined) throw new Error(`${scenario.name} is in no phase`);
    if (own.name !== firstContact.name) {
      await run.ready();
      await phasesEnded(phasesBefore(plan, own));
    }
    return sendScenario(run, scenario, await sendOf(scenario), options);
  };

  const explore = <I, O extends Observation<I>>(scenario: Scenario<I, O>): Promise<Exploration<O>> => {
    const exploration =
      explorations.get(scenario) ??
      (run.recorded ? recordedBy(run.recorded, scenario) : sendInTurn(scenario));
    explorations.set(scenario, exploration);
    return exploration as unknown as Promise<Exploration<O>>;
  };

  /** No observations if its control was rejected: a scenario that needs some throws. */
  const observationsOf = async (scenario: Scenario): Promise<readonly Observation[]> => {
    try {
      return (await explore(scenario)).observations;
    } catch (error) {
      if (error instanceof Inconclusive) return [];
      throw error;
    }
  };

  const observed = async (uses: readonly Scenario[]): Promise<Observed> => {
    const known = new Map(
      await Promise.all(uses.map(async (one) => [one, await observationsOf(one)] as const)),
    );
    return <I, O extends Observation<I>>(scenario: Scenario<I, O>) => {
      const observations = known.get(scenario);
      if (observations === undefined) throw new Error(`${scenario.name} is missing in uses`);
      return observations as readonly O[];
    };
  };

  return {
    sendOf,
    explore,
    observed,
    explored: () =>
      Promise.all(
        [...explorations].map(
          async ([scenario, exploration]) =>
            [scenario, await exploration.catch((error: Error) => error)] as const,
        ),
      ),
  };
}

const recordedBy = async (
  { explorationOf }: Recorded,
  { name }: Scenario,
): Promise<Exploration<Observation>> =>
  explorationOf(name) ?? { observations: [], summaries: [], lost: [], stopped: 'it was not sent' };

/** How often a case is repeated after a short outage of the service, or a short lockout. */
const MAX_ROUNDS = 3;
/** More than the tries of any request, so that the nonces of two rounds differ. */
const TRIES_PER_ROUND = 100;

/** Sends the cases of a scenario, each list when the one before is over. */
async function sendScenario(
  run: Run,
  scenario: Scenario,
  sendOne: ReturnType<Scenario['send']>,
  { nonceOf, sampling }: ExplorerOptions,
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
      const limit = await run.checkForLimit(result);
      if (limit === undefined) break;
      result =
        limit === 'again'
          ? await sendOne(testCase, (tries) => nonce(tries + round * TRIES_PER_ROUND)).catch(
              (error: Error) => error,
            )
          : limit;
    }
    const { category } = testCase;
    if (!(result instanceof Error)) {
      if (sampling.keepOrSummarise(result)) observations.push(result);
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
