import { givenIn, openCounter } from './counted.ts';
import type { Counter, Given } from './counted.ts';
import type { Observation } from './observation.ts';
import { hash } from './tag.ts';

/**
 * Of a long run so many observations are kept whole, and as many more that break something, or have an id that was
 * given before; the others are only counted, with the ids that they were given. So memory does not grow with a run.
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
/** Characters of responses after which no more than so many are. */
const MOST_CHARACTERS = 8 * 1024 * 1024;
const MOST_LONG = 400;
/** However many there are, a requirement is shown by so many that break it. */
const MOST_SHOWN = 10;
/** Observations that are kept whole because their id was given before, as far as a hash can tell. */
const MOST_REPEATED = 100;

export function openThinning(): Thinning {
  const watchers = new Map<
    string,
    [requirement: string, isBroken: (observation: Observation) => boolean][]
  >();
  const whole = new Map<string, number>();
  const shown = new Map<string, number>();
  const counter = openCounter();
  const ids = new Set<number>();
  let repeated = 0;
  let characters = 0;
  const isRepeated = ([, id]: Given): boolean => {
    if (id === null) return false;
    const before = ids.size;
    // In 31 bits, as an engine has room for those.
    return ids.add(hash(id) >>> 1).size === before && ++repeated <= MOST_REPEATED;
  };
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
      const { experiment, category } = observation.case;
      const given = givenIn(observation);
      const isAgain = isRepeated(given);
      const count = whole.get(experiment) ?? 0;
      characters += observation.exchange.reply.text.length;
      const most = characters < MOST_CHARACTERS ? MOST_WHOLE : MOST_LONG;
      const breaks = count < most ? [] : breaksOf(observation);
      const isRare = breaks.some((requirement) => (shown.get(requirement) ?? 0) < MOST_SHOWN);
      if (count < most || isAgain || isRare || (breaks.length > 0 && count < 2 * most)) {
        whole.set(experiment, count + 1);
        for (const requirement of breaks) shown.set(requirement, (shown.get(requirement) ?? 0) + 1);
        return true;
      }
      const { accepted, exchange } = observation;
      const { status } = exchange.reply;
      counter.add({ experiment, category, accepted, status, breaks }, given, exchange.inFlight);
      return false;
    },
    counted: counter.of,
  };
}
