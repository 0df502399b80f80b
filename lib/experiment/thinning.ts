import { givenIn, openCounter } from './counted.ts';
import type { Counter } from './counted.ts';
import type { Observation } from './observation.ts';

/**
 * Of a long run so many observations are kept whole, and as many more that break something; the others are only
 * counted, with the ids that they were given. So memory does not grow with a run.
 */
export interface Thinning {
  /** From now on it is known of each observation of an experiment whether it breaks a requirement. */
  readonly watch: (
    experiment: string,
    requirement: string,
    isBroken: (observation: Observation) => boolean,
  ) => void;
  /** The requirements that an observation breaks, of those that are watched. */
  readonly breaks: (observation: Observation) => readonly string[];
  /** Whether an observation is to be kept whole; it has been counted otherwise. */
  readonly keeps: (observation: Observation) => boolean;
  /** What was counted. */
  readonly counted: Counter['of'];
}

/** Observations of one experiment that are kept whole, and again as many that break something. */
const MOST_WHOLE = 1500;
/** However many there are, a requirement is shown by so many that break it. */
const MOST_SHOWN = 10;

export function openThinning(): Thinning {
  const watchers = new Map<
    string,
    [requirement: string, isBroken: (observation: Observation) => boolean][]
  >();
  const whole = new Map<string, number>();
  const shown = new Map<string, number>();
  const counter = openCounter();
  const breaksOf: Thinning['breaks'] = (observation) =>
    (watchers.get(observation.case.experiment) ?? [])
      .filter(([, isBroken]) => isBroken(observation))
      .map(([requirement]) => requirement);
  return {
    breaks: breaksOf,
    watch: (experiment, requirement, isBroken) => {
      watchers.set(experiment, [...(watchers.get(experiment) ?? []), [requirement, isBroken]]);
    },
    keeps: (observation) => {
      const { experiment, family } = observation.case;
      const count = whole.get(experiment) ?? 0;
      const breaks = count < MOST_WHOLE ? [] : breaksOf(observation);
      const isRare = breaks.some((requirement) => (shown.get(requirement) ?? 0) < MOST_SHOWN);
      if (count < MOST_WHOLE || isRare || (breaks.length > 0 && count < 2 * MOST_WHOLE)) {
        whole.set(experiment, count + 1);
        for (const requirement of breaks) shown.set(requirement, (shown.get(requirement) ?? 0) + 1);
        return true;
      }
      const { granted, exchange } = observation;
      const { status } = exchange.reply;
      counter.add({ experiment, family, granted, status, breaks }, givenIn(observation), exchange.inFlight);
      return false;
    },
    counted: counter.of,
  };
}
