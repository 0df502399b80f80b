import { createHash } from 'node:crypto';
import { member } from '../schemas/json.ts';
import type { Exchange } from '../target/exchange.ts';
import type { JudgedBy, Observation, SummarisedId, Summary } from './observation.ts';

/** Decides which observations of a long run are kept whole, to bound memory. */
export interface Sampling {
  /** Returns whether to keep an observation whole; adds it to a summary otherwise. */
  readonly keepOrSummarise: (observation: Observation) => boolean;
  readonly summariesOf: (scenario: string) => readonly Summary[];
}

/** Observations of a scenario that are kept whole, and the same number of those that break a requirement. */
const MAX_WHOLE = 1500;
/** Characters of all bodies that are kept: beyond them, only `MAX_LONG` observations are kept whole. */
export const MAX_BODY_CHARACTERS = 8 * 1024 * 1024;
const MAX_LONG = 400;
/** Observations that break the same requirement and are kept whole even beyond these limits. */
const MAX_BROKEN = 10;
/** Observations that are kept whole because their id is not new. */
const MAX_REPEATED = 100;

/** @param judge judges an observation that may not be kept */
export function createSampling(judge: (observation: Observation) => JudgedBy): Sampling {
  const summaries = new Map<
    string,
    Omit<Summary, 'ids' | 'inFlight'> & { readonly ids: SummarisedId[]; inFlight: number }
  >();
  const whole = new Map<string, number>();
  const kept = new Map<string, number>();
  const ids = new Set<string>();
  let repeated = 0;
  let characters = 0;
  const isRepeated = (id: string | null): boolean => {
    if (id === null) return false;
    const before = ids.size;
    return ids.add(id).size === before && ++repeated <= MAX_REPEATED;
  };
  return {
    keepOrSummarise: (observation) => {
      const { case: of, accepted, exchange } = observation;
      const { scenario, category } = of;
      const id = idIn(exchange);
      const isAgain = isRepeated(id);
      const count = whole.get(scenario) ?? 0;
      characters += exchange.reply.text.length;
      const maxWhole = characters < MAX_BODY_CHARACTERS ? MAX_WHOLE : MAX_LONG;
      const { judged, breaks } = count < maxWhole ? NOT_JUDGED : judge(observation);
      const isRare = breaks.some((requirement) => (kept.get(requirement) ?? 0) < MAX_BROKEN);
      if (count < maxWhole || isAgain || isRare || (breaks.length > 0 && count < 2 * maxWhole)) {
        whole.set(scenario, count + 1);
        for (const requirement of breaks) kept.set(requirement, (kept.get(requirement) ?? 0) + 1);
        return true;
      }
      const { status } = exchange.reply;
      const key = JSON.stringify([scenario, category, accepted, status, judged, breaks]);
      const alike = summaries.get(key) ?? {
        scenario,
        category,
        accepted,
        status,
        judged,
        breaks,
        ids: [],
        inFlight: 0,
      };
      summaries.set(key, alike);
      alike.ids.push([exchange.number, id]);
      alike.inFlight = Math.max(alike.inFlight, exchange.inFlight);
      return false;
    },
    summariesOf: (scenario) => [...summaries.values()].filter((one) => one.scenario === scenario),
  };
}

const NOT_JUDGED: JudgedBy = { judged: [], breaks: [] };

/** The id in a response, shortened. */
function idIn({ reply }: Exchange): string | null {
  const id = member(reply.json, 'id');
  return typeof id === 'string' ? shortId(id) : null;
}

/** Characters of the longest id that is kept unchanged. */
const MAX_COMPARED_LENGTH = 200;

/** An id, or a short text in place of a long one, as there may be a million of them. */
export const shortId = (id: string): string =>
  id.length <= MAX_COMPARED_LENGTH
    ? id
    : `${id.slice(0, 32)}… SHA-256 ${createHash('sha256').update(id).digest('hex')}`;
