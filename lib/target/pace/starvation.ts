import type { Attempt } from '../connections/channel.ts';
import type { Request } from '../exchange.ts';
import { kindOf } from './queueing.ts';

/** Milliseconds between two checks of the requests in flight. A process that is suspended makes none. */
const CHECK_INTERVAL = 250;
/** Checks that must have found a request unanswered before it may starve. */
const MIN_CHECKS = 4;
/** A request starves if it has waited this many times as long as the slowest that was answered meanwhile. */
const STARVING_FACTOR = 10;
/** A request also starves only if it has waited this many times as long as the slowest so far with its path and credential. */
const SLOWEST_FACTOR = 2;
/** How many answers to other requests meanwhile show that its connection is not served. */
const MIN_ANSWERS = 20;

/** How many requests must starve at a time, as a single one may just be slow; more if nothing at all is answered any more. */
const MIN_STARVING = 2;
const MIN_STARVING_AT_REST = 4;

/** Answers to other requests with the same credential since one was sent: some services delay the rejection of an invalid credential. */
interface RepliesMeanwhile {
  count: number;
  /** Milliseconds that the slowest took. */
  slowest: number;
}

interface WaitingRequest {
  readonly request: Request;
  /** How often it was found unanswered. */
  checks: number;
  /** Whether `onStarving` was called while it waited. */
  isReported: boolean;
  readonly toAny: RepliesMeanwhile;
  /** Replies to requests to the same path: another operation may be slower. */
  readonly toSame: RepliesMeanwhile;
}

interface StarvationWatch {
  /** Watches a request until it is answered or fails. @param isTimed whether it waits for nothing but the target */
  readonly during: (request: Request, isTimed: boolean, attempt: Promise<Attempt>) => Promise<Attempt>;
  /** Notes that the target takes so many milliseconds for some requests on connections that it serves. */
  readonly expectSlow: (duration: number) => void;
  readonly end: () => void;
}

/**
 * Detects requests that starve on connections which the target does not serve: if each process or thread serves one
 * connection until it is closed, further connections are open, but no request on them is read.
 * @param idle the number of open connections without a request
 * @param onStarving called with the number of connections that the target serves; undefined: at least the idle ones
 */
export function watchForStarvation(
  idle: () => number,
  onStarving: (served?: number) => void,
): StarvationWatch {
  const waiting = new Set<WaitingRequest>();
  /** Milliseconds of the slowest response of each kind. */
  const slowestOf = new Map<string, number>();
  /** Milliseconds of the slowest response of any kind that is not due to the number of connections. */
  let slowest = 0;
  const isStarving = ({ request, checks }: WaitingRequest, meanwhile: RepliesMeanwhile): boolean =>
    checks >= MIN_CHECKS &&
    meanwhile.count > 0 &&
    checks * CHECK_INTERVAL >
      Math.max(
        STARVING_FACTOR * meanwhile.slowest,
        SLOWEST_FACTOR * Math.max(slowest, slowestOf.get(kindOf(request)) ?? 0),
      );
  let areFewServed = false;
  const check = (): void => {
    for (const one of waiting) one.checks++;
    const all = [...waiting];
    const unreported = all.filter(({ isReported }) => !isReported);
    const unserved = all.filter((one) => isStarving(one, one.toSame));
    const areUnserved =
      (unserved.length >= MIN_STARVING || all.length <= 2 * unserved.length) &&
      unreported.some(({ toSame }) => toSame.count >= MIN_ANSWERS);
    // All requests wait, so what the target serves must be the idle connections.
    const areAll =
      all.every(({ checks }) => checks >= MIN_CHECKS) &&
      unreported.some((one) => isStarving(one, one.toAny)) &&
      idle() > 0;
    if (!areUnserved && !areAll) return;
    for (const one of all) one.isReported = true;
    // Requests that were sent long ago with a credential for which no response has come since may not be served, either.
    const served = all.filter(
      (one) => !unserved.includes(one) && (one.checks < MIN_CHECKS || one.toSame.count > 0),
    );
    if (areUnserved) onStarving(Math.max(1, served.length + idle()));
    else onStarving(areFewServed || unserved.length >= MIN_STARVING_AT_REST ? idle() : undefined);
    areFewServed ||= areUnserved;
  };
  const timer = setInterval(check, CHECK_INTERVAL).unref();
  return {
    async during(request, isTimed, attempt) {
      const own: WaitingRequest = {
        request,
        checks: 0,
        isReported: false,
        toAny: { count: 0, slowest: 0 },
        toSame: { count: 0, slowest: 0 },
      };
      waiting.add(own);
      try {
        const result = await attempt;
        // It may have taken so long because it waited for a connection.
        if (!isTimed || own.isReported || 'trouble' in result) return result;
        const kind = kindOf(request);
        slowestOf.set(kind, Math.max(result.duration, slowestOf.get(kind) ?? 0));
        for (const other of waiting) {
          if (other.request.credential?.value !== request.credential?.value) continue;
          note(other.toAny, result.duration);
          if (other.request.path === request.path) note(other.toSame, result.duration);
        }
        return result;
      } finally {
        waiting.delete(own);
      }
    },
    expectSlow: (duration) => void (slowest = Math.max(slowest, duration)),
    end: () => clearInterval(timer),
  };
}

function note(answers: RepliesMeanwhile, duration: number): void {
  answers.count++;
  answers.slowest = Math.max(answers.slowest, duration);
}
