import type { Exchange, Request } from '../target/exchange.ts';
import { member } from '../target/reply.ts';
import type { Observation } from './observation.ts';

/**
 * Of a long run so many observations are kept whole, and as many more that break something; of the others only
 * what it takes to count them, and to tell an id that is given twice. So memory does not grow with a run.
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
  /** The observation, or what is left of it. */
  readonly thinned: <O extends Observation>(observation: O) => O;
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
  const breaksOf: Thinning['breaks'] = (observation) =>
    (watchers.get(observation.case.experiment) ?? [])
      .filter(([, isBroken]) => isBroken(observation))
      .map(([requirement]) => requirement);
  return {
    breaks: breaksOf,
    watch: (experiment, requirement, isBroken) => {
      watchers.set(experiment, [...(watchers.get(experiment) ?? []), [requirement, isBroken]]);
    },
    thinned: (observation) => {
      const { experiment } = observation.case;
      const count = whole.get(experiment) ?? 0;
      const breaks = count < MOST_WHOLE ? [] : breaksOf(observation);
      const isRare = breaks.some((requirement) => (shown.get(requirement) ?? 0) < MOST_SHOWN);
      if (count < MOST_WHOLE || isRare || (breaks.length > 0 && count < 2 * MOST_WHOLE)) {
        whole.set(experiment, count + 1);
        for (const requirement of breaks) shown.set(requirement, (shown.get(requirement) ?? 0) + 1);
        return observation;
      }
      const { exchange, granted } = observation;
      const { number, inFlight, reply } = exchange;
      const left = { number, inFlight, status: reply.status, id: member(reply.json, 'id') };
      return thin(
        { experiment, family: observation.case.family, granted, breaks },
        left,
      ) as typeof observation;
    },
  };
}

const NOTHING: Request = { method: '', path: '', credential: undefined, fields: [], body: undefined };
const SOUND = { breaks: [] };

/** As much of an exchange as is left. */
interface Left {
  readonly number: number;
  readonly status: number;
  readonly inFlight: number;
  readonly id: unknown;
}

/** What is left of an observation. There may be a million: what can be made anew is not kept. */
class ThinObservation implements Observation {
  readonly thin: { readonly breaks: readonly string[] };
  readonly granted: boolean;
  readonly #experiment: string;
  readonly #family: string;
  readonly #left: Left;

  constructor(of: Kind, left: Left) {
    this.thin = of.breaks.length === 0 ? SOUND : { breaks: of.breaks };
    this.granted = of.granted;
    this.#experiment = of.experiment;
    this.#family = of.family;
    this.#left = left;
  }

  get case(): Observation['case'] {
    return { experiment: this.#experiment, family: this.#family, index: -1, input: undefined };
  }

  get exchange(): Exchange {
    const { number, status, inFlight, id } = this.#left;
    return {
      number,
      lane: this.#experiment,
      request: NOTHING,
      url: '',
      reply: { status, fields: {}, text: '', json: { id }, notJson: undefined, utf8: true },
      troubles: [],
      startedAt: 0,
      firstByte: 0,
      duration: 0,
      inFlight,
    };
  }
}

/** What thin observations have in common. */
interface Kind {
  readonly experiment: string;
  readonly family: string;
  readonly granted: boolean;
  /** Ids of the requirements that they break. */
  readonly breaks: readonly string[];
}

/** What is left of an observation: its outcome, and the id that it was given. */
export const thin = (of: Kind, left: Left): Observation => new ThinObservation(of, left);
