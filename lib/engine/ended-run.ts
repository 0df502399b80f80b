import { isExploring } from '../settings/run-settings.ts';
import { NoReply, pathOf } from '../target/exchange.ts';
import { shortOf } from '../target/trouble.ts';
import { countSummarised, isAccepted } from './observation.ts';
import type { Exploration, Observation } from './observation.ts';
import { adviceAfter } from './readiness/budget.ts';
import type { EndedRun } from './reporter-channel.ts';
import { hasRightKey } from './scenario.ts';
import type { Run } from './scenario.ts';

/** What a run reports of itself when it is over: what it sent and created, and why it was slow or ended early. */
export async function endOf(
  run: Run,
  custom: Run | undefined,
): Promise<Omit<EndedRun, 'answers' | 'evidence'>> {
  const { settings, recorded } = run;
  const { traffic, redactor, now } = run.target;
  const explorations = (await run.explored()).flatMap(([{ kind }, exploration]) =>
    exploration instanceof Error ? [] : { kind, ...exploration },
  );
  const givenUp = explorations
    .flatMap(({ lost }) => lost)
    .map(({ error }) => error)
    .filter((error) => error instanceof NoReply);
  const trouble = commonTroubleIn(run, givenUp);
  return {
    cases: run.cases,
    customers: customersIn(explorations.filter(({ kind }) => kind === 'customers')),
    trouble: trouble && redactor.redact(trouble),
    traffic: {
      ...traffic,
      ...(traffic.stopped !== undefined && { stopped: redactor.redact(traffic.stopped) }),
      ...(recorded && { stopCause: recorded.stopCause }),
      requests: traffic.requests + (custom?.target.traffic.requests ?? 0),
      ...(traffic.stopCause === 'budget' &&
        isExploring(settings) && {
          stopped: `${traffic.stopped}; ${silenceIn(run, givenUp) ?? adviceAfter(traffic, now / 1000, settings, trouble)}`,
        }),
    },
    created: {
      runId: run.runId(),
      customers: [...run.created, ...(custom?.created ?? [])].map((id) => redactor.redact(id)),
    },
  };
}

/** How many customers were requested with the right key, and accepted. */
function customersIn(explorations: readonly Exploration<Observation>[]): EndedRun['customers'] {
  const observations = explorations.flatMap((one) => one.observations);
  const summaries = explorations.flatMap((one) => one.summaries);
  return {
    requested: observations.length + countSummarised(summaries),
    accepted: observations.filter(isAccepted).length + countSummarised(summaries.filter(isAccepted)),
  };
}

/** Minimum number of requests without a response that explains why a run took too long. */
const MIN_SILENT = 4;

/** How many requests had no response in time, in words; undefined: too few to explain a run that took too long. */
function silenceIn(run: Run, givenUp: readonly NoReply[]): string | undefined {
  const silent = givenUp.filter(({ troubles }) => troubles.at(-1)!.kind === 'timeout');
  const right = silent.filter((error) => hasRightKey(run, error)).length;
  const wrong = silent.length - right;
  if (Math.max(right, wrong) < MIN_SILENT) return undefined;
  const afters = silent.map(({ after }) => after);
  const last = Math.max(...run.exchanges.map(({ number }) => number), ...afters);
  // Requests in flight with the first silent one may have been answered.
  const isAll = Math.min(...afters) > last - run.settings.concurrency;
  if (isAll && new Set(silent.map(({ request }) => pathOf(request))).size > 1)
    return `nothing has been answered since exchange ${last}: see the log of the service, and whether it, or a firewall, has blocked this client for its wrong keys and odd input; if it serves few requests at a time, lower --concurrency`;
  return wrong > right
    ? `${wrong} requests with wrong keys had no response in time: let the target reject them immediately`
    : `${right} requests with the right key had no response within ${run.settings.timeout} s: see the log of the service for what holds them up; if it serves few requests at a time, lower --concurrency, otherwise raise --timeout`;
}

/** What most attempts without a final response have met, in a few words; undefined: there were none. */
function commonTroubleIn(run: Run, givenUp: readonly NoReply[]): string | undefined {
  const troubles = [...run.exchanges, ...givenUp].flatMap((one) => one.troubles);
  const details = [...troubles.map(shortOf), ...run.target.repeatedAfter.map((status) => `status ${status}`)];
  const [mostCommon] = [...Map.groupBy(details, (detail) => detail)].toSorted(
    ([, one], [, other]) => other.length - one.length,
  );
  return mostCommon?.[0];
}
