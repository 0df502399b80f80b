import { asksAll } from '../../settings/run-settings.ts';
import { MIN_CASES, depths, strengthFor } from '../../settings/depths.ts';
import type { Settings } from '../../settings/run-settings.ts';
import { quantity } from '../../target/output/printable.ts';
import { LONGEST_WINDOW } from '../../target/retries/rate-limits.ts';
import type { Traffic } from '../../target/sender.ts';
import type { Run } from '../scenario.ts';

/** The settings that decide how much a run sends. */
type RunSize = Pick<
  Settings,
  'cases' | 'concurrency' | 'maxRequests' | 'rate' | 'timeBudget' | 'profile' | 'writeProfile' | 'shard'
>;

/** How fast a target answers. */
export interface Throughput {
  /** Milliseconds of one exchange. */
  readonly duration: number;
  /** Requests that it serves at a time, at most as many as the settings allow. */
  readonly served: number;
}

/** The pace of a target, in words. */
export const paceOf = ({ duration, served }: Throughput): string =>
  `a response takes ${Math.ceil(duration)} ms${served === 1 ? ', one at a time' : ''}`;

/** Requests that do not grow with the number of cases, at the usual concurrency. */
const FIXED_REQUESTS = 138;
/** Requests for each case of a default run, which also adds some with other encodings, bodies and credentials. */
const PER_CASE = 1.7;
/** Further requests to a target that rejects many names, whose pieces are repeated in others that it accepts. */
const FOR_REJECTIONS = 150;
/** Requests for combinations, in the runs that test them. */
const FOR_COMBINATIONS = 1000;
/** Requests for the questions that are only asked with a profile. */
export const forQuestions = { requests: 150, customers: 50, tokens: 20, invalidCredentials: 10 } as const;
/** Requests for the life of tokens, where a profile declares how they are presented. */
const FOR_TOKENS = 60;
/**
 * Share of the time budget for these requests: retries, what reproduces failures, and the further requests to services
 * that reject much need the rest.
 */
const SHARE_OF_TIME = 0.7;
/**
 * The concurrency that these figures were measured at; each request more in flight is one more that is sent at the same
 * instant.
 */
const USUAL_CONCURRENCY = 16;

/** Approximate number of requests of a run, or of one shard of it, with so many cases, more rather than less. */
function requestsFor(cases: number, extent: RunSize): number {
  const { concurrency, profile } = extent;
  const burst = Math.max(0, concurrency - USUAL_CONCURRENCY);
  const questions = asksAll(extent) ? forQuestions.requests : 0;
  const tokens = profile?.answers['token.presentation'] === undefined ? 0 : FOR_TOKENS;
  const combinations = strengthFor(cases) === 0 ? 0 : FOR_COMBINATIONS;
  const varied = Math.min(cases, depths.default) * PER_CASE;
  const further = Math.max(0, cases - depths.default);
  const ofOtherShards = cases - casesOfShard({ ...extent, cases });
  return (
    Math.ceil(FIXED_REQUESTS + burst + questions + tokens + varied + further + combinations) - ofOtherShards
  );
}

/** The number of cases of the widest scenario that a shard has. Each has those of a default run, to learn what the target accepts. */
export function casesOfShard({ cases, shard }: Pick<Settings, 'cases' | 'shard'>): number {
  const shared = Math.max(0, cases - depths.default);
  return cases - shared + Math.ceil(shared / (shard?.count ?? 1));
}

/** A remark on a shard whose run has few cases to share; undefined: it has many, or it is the only one. */
export function sharesLittle(settings: RunSize): string | undefined {
  const { cases, shard } = settings;
  if (shard === undefined || shard.count === 1 || casesWithin(settings) > depths.default) return undefined;
  const others =
    cases > depths.default
      ? 'the limits allow few others: raise --max-requests, --time-budget or --rate'
      : `there are few others: set --depth deep, or --cases above ${depths.default}`;
  return `--shard ${shard.index}/${shard.count} saves almost no requests, as every shard sends the first ${depths.default} cases, and ${others}`;
}

/** About how many requests a run will send; undefined for a selection, which needs only some of them. */
export const expectedRequests = (settings: RunSize & Pick<Settings, 'only'>): number | undefined =>
  settings.only === undefined ? requestsFor(casesWithin(settings), settings) : undefined;

/** Customers that a run creates besides those of the widest scenario. */
const OTHER_CUSTOMERS = 45;

/** About how many customers a run will create. */
export const expectedCustomers = (settings: RunSize): number =>
  casesOfShard(settings) + OTHER_CUSTOMERS + (asksAll(settings) ? forQuestions.customers : 0);

/** About how many tokens a run of any size requests, with a profile or without; fewer are issued. */
export const EXPECTED_TOKENS = 40;

const fewestRequests = (extent: RunSize): number => requestsFor(Math.min(MIN_CASES, extent.cases), extent);

/** The number of cases that the limits allow, as far as they are enough for a verdict. */
export function casesWithin(extent: RunSize, throughput?: Throughput): number {
  const affordableRequests = affordable(extent, throughput);
  let { cases } = extent;
  while (cases > MIN_CASES && requestsFor(cases, extent) > affordableRequests) cases--;
  return cases;
}

/** Approximate number of requests that the limits allow. */
function affordable({ maxRequests, rate, timeBudget }: RunSize, throughput?: Throughput): number {
  const time = timeBudget * SHARE_OF_TIME * 1000 - timeInTurn(throughput);
  return Math.min(maxRequests, Math.max(0, time) / millisecondsPerRequest(rate, throughput));
}

export const limitingSetting = (extent: RunSize, throughput: Throughput): string =>
  affordable(extent, throughput) === extent.maxRequests
    ? `--max-requests ${extent.maxRequests}`
    : `--time-budget ${extent.timeBudget}${millisecondsPerRequest(extent.rate) >= millisecondsPerRequest(0, throughput) ? ` at --rate ${extent.rate}` : ''}`;

/** How many requests the limits allow, at the pace so far, beside those that a run of its size sends. */
export function spareRequests({
  cases,
  settings,
  target,
}: Pick<Run, 'cases' | 'settings' | 'target'>): number {
  const { requests } = target.traffic;
  const left = Math.min(
    settings.maxRequests - requests,
    (target.left * SHARE_OF_TIME * requests) / target.now,
  );
  const needed = (expectedRequests({ ...settings, cases }) ?? requests) - requests;
  return Math.max(0, Math.floor(left - needed));
}

const millisecondsPerRequest = (rate: number, throughput?: Throughput): number =>
  Math.max(rate > 0 ? 1000 / rate : 0, throughput ? throughput.duration / throughput.served : 0);

/** Responses that a run waits for one after the other, with few or no others in flight. */
const SEQUENTIAL_RESPONSES = 7;
/** Milliseconds that these take beyond their share where several requests are served at a time. */
const timeInTurn = ({ duration, served }: Throughput = { duration: 0, served: 1 }): number =>
  SEQUENTIAL_RESPONSES * (duration - duration / served);

/** The factor by which the rest of a run is estimated to take longer than at its pace so far: too much costs nothing. */
const SPARE_FACTOR = 1.5;
/** The factor for a run that the target throttled: most limits let the first requests through at once. */
const SPARE_IF_THROTTLED = 3;

/** Share of the requests, or of the time, above which what they met is why a run did not end in time. */
const SHARE_OF_TROUBLE = 0.2;
/** Seconds of a response above which an operation is why a run did not end in time. */
const SLOW_OPERATION = 1;

/**
 * What to do about a run that a limit has cut short. What is left may be the requests of the slower operation alone, so
 * a time budget is estimated at its pace: one that is raised once should do.
 * @param traffic the requests, how many of them were retries, how many were throttled, how many may be in flight at the
 * end (fewer, if the target bears no more), how long it waited as the target throttled it, how often and how long the
 * target was unavailable, how long it asked to wait at the end, and how long the requests took
 * @param seconds that the run took
 * @param trouble what most retries had met, in words; undefined: there were none
 */
export function adviceAfter(
  {
    requests,
    retries,
    throttled,
    limit,
    waited,
    outages,
    unavailable,
    unwaited,
    latency,
  }: Omit<Traffic, 'peak' | 'openedAt' | 'stopped' | 'stopCause'>,
  seconds: number,
  settings: RunSize & Pick<Settings, 'only'>,
  trouble?: string,
): string {
  const needed = Math.max(fewestRequests(settings) + FOR_REJECTIONS, Math.ceil(requests * 1.5));
  const isQuick = settings.cases <= MIN_CASES;
  const retried =
    unavailable > seconds * 1000 * SHARE_OF_TROUBLE
      ? `the target was unavailable ${quantity(outages, 'time')}, for ${Math.round(unavailable / 1000)} s in all: see its log, and whether it fails on odd input, or a firewall blocks this client for it; or `
      : retries > requests * SHARE_OF_TROUBLE
        ? `${retries} of the ${requests} requests were retries${trouble === undefined ? '' : ` (mostly ${trouble})`}: see the log of the target, or of a gateway in front of it, for why it did not serve them; or `
        : '';
  if (requests >= settings.maxRequests)
    return `${retried}raise --max-requests to ${needed}${isQuick || settings.maxRequests < fewestRequests(settings) ? '' : ', or use --depth quick'}`;
  // A timer may end a little early.
  const isBeforeEnd = seconds < settings.timeBudget * 0.99;
  const isThrottled = waited > seconds * 1000 * SHARE_OF_TROUBLE;
  // Retries are not progress.
  const done = Math.max(1, requests - retries);
  // The last ones in flight may all have been throttled.
  const served = requests - throttled - limit;
  const asFarAsServed = isQuick || served < fewestRequests(settings) ? '' : ', or use --depth quick';
  if (unwaited > LONGEST_WINDOW)
    return `raise the quota that the target seems to have, or wait until it is renewed${asFarAsServed}`;
  if (isBeforeEnd && !isThrottled)
    return `raise the limits of the target, or a quota that it may have, or --time-budget, so that the run can wait${asFarAsServed}`;
  const left = Math.max(fewestRequests(settings), done * 1.2, expectedRequests(settings) ?? 0) - done;
  const [[operation, slowest] = ['', 0]] = Object.entries(latency)
    .map(([name, { p50 }]) => [name, p50 / 1000] as const)
    .toSorted(([, one], [, other]) => other - one);
  const isSlow = slowest >= SLOW_OPERATION;
  const slow = isSlow
    ? `${operation} takes ${slowest.toFixed(1)} s (p50), and the target served ${(done / seconds).toFixed(1)} requests a second; `
    : '';
  const pace = Math.max(seconds / done, slowest / limit);
  const isQuickEnough =
    settings.cases > MIN_CASES && fewestRequests(settings) * pace < settings.timeBudget * SHARE_OF_TIME;
  const shorter = isQuickEnough ? ', or use --depth quick' : '';
  const fewer =
    limit < settings.concurrency && !isSlow
      ? ', or lower --concurrency, if the target serves few connections at a time'
      : '';
  const spare = isThrottled ? SPARE_IF_THROTTLED : SPARE_FACTOR;
  const budget = `--time-budget to ${Math.ceil((seconds + unwaited / 1000 + spare * left * pace) / 10) * 10}`;
  if (isThrottled) {
    const rate = ((requests - throttled) / seconds).toFixed(1);
    const times = `the target rate-limited the run ${quantity(throttled, 'time')}`;
    if (Number(rate) === 0)
      return `${times}, and served hardly any request: it may reject every client, or this key may have a quota: try later, or with another key`;
    return `${times}, and served ${rate} requests a second: raise its limits, or ${budget}, so that the run can wait${asFarAsServed}`;
  }
  return `${retried}${slow}raise ${budget}${shorter}${fewer}`;
}

/** Whether the limits are too low even for a run that needs no time to spare. */
export const isOutOfReach = (extent: RunSize, throughput: Throughput): boolean =>
  affordable({ ...extent, timeBudget: extent.timeBudget / SHARE_OF_TIME }, throughput) <
  fewestRequests(extent);

/** Which limits are too low for any verdict, and what to do; undefined if none are. */
export function shortageOf(extent: RunSize, throughput?: Throughput): string | undefined {
  const needed = fewestRequests(extent);
  const { maxRequests, rate, timeBudget } = extent;
  if (maxRequests < needed)
    return `--max-requests ${maxRequests} is probably too low for a verdict: raise it to ${needed + FOR_REJECTIONS}`;
  if (affordable(extent, throughput) >= needed) return undefined;
  const time = needed * millisecondsPerRequest(rate, throughput) + timeInTurn(throughput);
  const seconds = time / 1000 / SHARE_OF_TIME;
  const limits = `${rate > 0 ? `--rate ${rate} and ` : ''}--time-budget ${timeBudget}`;
  return `${limits} ${rate > 0 ? 'are' : 'is'} probably too low for a verdict: raise --time-budget to ${Math.ceil(seconds)}`;
}
