import type { Recorded } from './evidence/recorded.ts';
import { Inconclusive } from './observation.ts';
import type { Exploration, Observation } from './observation.ts';
import { firstContact } from './readiness/first-contact.ts';
import { phasesBefore } from './scenario.ts';
import type { Observed, Phase, Run, Scenario } from './scenario.ts';
import { sendScenario } from './send-scenario.ts';
import type { SendContext } from './send-scenario.ts';

/** Explores the scenarios of a run, each once. */
interface Explorer extends Pick<Run, 'explore' | 'observed' | 'explored'> {
  /** The function that sends one case of a scenario. */
  readonly sendOf: (scenario: Scenario) => Promise<ReturnType<Scenario['send']>>;
}

/** How a run explores: by sending, phase after phase, or from what another run recorded. */
interface Exploring extends Omit<SendContext, 'sendOne'> {
  readonly plan: readonly Phase[];
  /** The run that this one continues. */
  readonly following: Run | undefined;
}

export function createExplorer(
  run: Run,
  { plan, following, nonceOf, sampling, limitReached }: Exploring,
): Explorer {
  const explorations = new Map<Scenario, Promise<Exploration<Observation>>>();
  const sendFunctions = new Map<Scenario, ReturnType<Explorer['sendOf']>>();

  const sendOf: Explorer['sendOf'] = (scenario) => {
    const send =
      sendFunctions.get(scenario) ?? observed(scenario.uses ?? []).then((known) => scenario.send(run, known));
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
      await Promise.allSettled((following?.explored() ?? []).map(([, exploration]) => exploration));
      await phasesEnded(phasesBefore(plan, own));
    }
    return sendScenario(run, scenario, {
      nonceOf,
      sampling,
      limitReached,
      sendOne: await sendOf(scenario),
    });
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
    explored: () => [...explorations].map(([{ name }, exploration]) => [name, exploration] as const),
  };
}

const recordedBy = async (
  { explorationOf }: Recorded,
  { name }: Scenario,
): Promise<Exploration<Observation>> =>
  explorationOf(name) ?? { observations: [], summaries: [], lost: [], stopped: 'it was not sent' };
