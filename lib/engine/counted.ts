import { createHash } from 'node:crypto';
import { member } from '../target/reply.ts';
import type { Request } from '../target/exchange.ts';
import type { Observation } from './observation.ts';
import { Packed } from './packed.ts';

/** What observations of a long run have in common. */
export interface Kind {
  readonly experiment: string;
  readonly category: string;
  readonly accepted: boolean;
  readonly status: number;
  /** Ids of the requirements that each of them breaks. */
  readonly breaks: readonly string[];
}

/** The number of an exchange, and the id in its response; null: there was none. */
export type Given = readonly [exchange: number, id: string | null];

/** Observations that are alike, of which no more is kept than their number and the ids that were given: by all, or by none. */
export interface Counted extends Kind {
  readonly given: { readonly length: number } & Iterable<Given>;
  /** Number of the first exchange. */
  readonly first: number;
  /** Most requests that were in flight together. */
  readonly inFlight: number;
}

/** Counts observations that are alike. */
export interface Counter {
  readonly add: (kind: Kind, given: Given, inFlight: number) => void;
  readonly of: (experiment: string) => readonly Counted[];
}

export function openCounter(): Counter {
  const all = new Map<string, Counted & { given: Packed<Given>; first: number; inFlight: number }>();
  return {
    add: ({ experiment, category, accepted, status, breaks }, given, inFlight) => {
      const [exchange, id] = given;
      const key = JSON.stringify([experiment, category, accepted, status, breaks, id === null]);
      let alike = all.get(key);
      if (!alike) {
        alike = {
          experiment,
          category,
          accepted,
          status,
          breaks,
          given: new Packed(),
          first: exchange,
          inFlight,
        };
        all.set(key, alike);
      }
      alike.given.push(given);
      alike.first = Math.min(alike.first, exchange);
      alike.inFlight = Math.max(alike.inFlight, inFlight);
    },
    of: (experiment) => [...all.values()].filter((one) => one.experiment === experiment),
  };
}

/** What is kept of an observation that is counted. */
export const givenIn = ({ exchange: { number, reply } }: Observation): Given => {
  const id = member(reply.json, 'id');
  return [number, typeof id === 'string' ? shortId(id) : null];
};

/** Characters of the longest id that is kept as it is. */
const LONGEST = 200;

/** An id, or what stands for one that is so long that a million of them could not be kept. */
export const shortId = (id: string): string =>
  id.length <= LONGEST ? id : `${id.slice(0, 32)}… SHA-256 ${createHash('sha256').update(id).digest('hex')}`;

/** The observations once more, as much of each as is left. */
export function* eachOf(counted: Counted): Generator<Observation> {
  for (const given of counted.given) yield leftOf(counted, given);
}

/** One that stands for all. */
export const exampleOf = (counted: Counted): Observation => eachOf(counted).next().value as Observation;

const NOTHING: Request = { method: '', path: '', credential: undefined, fields: [], body: undefined };

const leftOf = (
  { experiment, category, accepted, status, breaks, inFlight }: Counted,
  [number, id]: Given,
): Observation => ({
  case: { experiment, category, index: -1, input: undefined },
  accepted,
  thin: { breaks },
  exchange: {
    number,
    queue: experiment,
    request: NOTHING,
    url: '',
    reply: {
      status,
      fields: {},
      text: '',
      json: id === null ? {} : { id },
      notJson: undefined,
      utf8: true,
    },
    troubles: [],
    startedAt: 0,
    firstByte: 0,
    duration: 0,
    inFlight,
  },
});
