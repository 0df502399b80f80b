import { firstHost } from '../../target/connections/dial.ts';
import type { Endpoint } from '../../target/connections/dial.ts';
import { adviceFor } from '../../target/trouble.ts';
import { PROXY } from '../../target/connections/proxy.ts';
import { reach } from '../../target/connections/reach.ts';
import type { Reached, Secured } from '../../target/connections/reach.ts';
import { hostText } from '../../settings/route.ts';
import type { Route } from '../../settings/route.ts';
import type { TargetSettings } from '../../settings/run-settings.ts';
import { isResponse } from './first-responses.ts';
import type { FirstResponse, FirstResponses } from './first-responses.ts';
import { isOutOfReach, paceOf, shortageOf } from './budget.ts';
import type { Throughput } from './budget.ts';
import { diagnose, inconclusive, ok, stop, warning } from './diagnosis.ts';
import type { Diagnosis } from './diagnosis.ts';
import { judgedBy } from '../requirement.ts';
import type { Requirement } from '../requirement.ts';
import type { Run } from '../scenario.ts';
import { sendFirstRequests, throughputOf } from './first-contact.ts';

/** Milliseconds of a day. */
const DAY = 86_400_000;
/** Milliseconds from which a connection is slow. */
const SLOW_CONNECTION = 500;
/** Days before its expiry from which a certificate is a warning. */
const EXPIRY_WARNING_DAYS = 14;
/** Seconds by which clocks may differ. */
const MAX_CLOCK_SKEW = 30;

/**
 * Checks the prerequisites of a run in order, up to the first that is missing.
 * @param requirements the first responses are judged by these
 */
export async function* checkUp(run: Run, requirements: readonly Requirement[]): AsyncGenerator<Diagnosis> {
  const { settings } = run;
  const { timeout } = settings;
  const reached = await reach(settings, timeout * 1000);
  yield* routeIn(settings.route);
  yield* checkReached(settings, reached, Date.now());
  if (reached.trouble) return;
  const first = await sendFirstRequests(run);
  yield* checkClock(run, first);
  const required = requirements.filter(({ level }) => level === 'must');
  const brokenBy = (one: FirstResponse): readonly string[] => judgedBy(run, required, one).breaks;
  const diagnoses = diagnose(run, first, brokenBy);
  yield* diagnoses;
  if (!diagnoses.some(({ state }) => state === 'stop'))
    yield* checkPace(settings, first, await throughputOf(run, first));
}

function* checkPace(
  settings: TargetSettings,
  first: FirstResponses,
  throughput: Throughput,
): Generator<Diagnosis> {
  const subject = 'limits';
  const shortage = shortageOf(settings, throughput);
  if (shortage !== undefined) {
    const grade = isOutOfReach(settings, throughput) ? inconclusive : warning;
    return yield grade(subject, paceOf(throughput), shortage);
  }
  const throttled = [first.customer, first.token]
    .filter(isResponse)
    .flatMap(({ exchange }) => exchange.troubles)
    .filter(({ kind }) => kind === 'throttled');
  const last = throttled.at(-1);
  if (last === undefined) return;
  const times = throttled.length === 1 ? 'once' : `${throttled.length} times`;
  const slower = 'set --rate to what the target allows, and raise --time-budget';
  // A 503 may be either.
  const [what, advice] = last.detail.startsWith('status 5')
    ? [
        'not served',
        `see the log of a gateway in front of the service, as one of several instances may be away; if it limits the rate, ${slower}`,
      ]
    : ['rate-limited', slower];
  yield warning(
    subject,
    `${what} ${times} in the first two requests: ${last.detail}`,
    `A run of hundreds of requests may not end in time: ${advice}`,
  );
}

/** Where connections go, if not straight to the target. */
function* routeIn({ description, isInDoubt }: Route): Generator<Diagnosis> {
  if (description === undefined) return;
  yield isInDoubt
    ? warning('route', description, 'Set http_proxy to use the proxy for http, too')
    : ok('route', description);
}

/** Diagnoses of the connection. @param now milliseconds since 1970 */
export function* checkReached(
  endpoint: Endpoint & Pick<TargetSettings, 'wait'>,
  reached: Reached,
  now: number,
): Generator<Diagnosis> {
  const { addresses, connect, tls, trouble } = reached;
  const { protocol, hostname } = new URL(endpoint.baseUrl);
  const first = firstHost(endpoint);
  const stopAt = (subject: string): Diagnosis[] =>
    trouble ? [stop(subject, trouble.detail, adviceFor(trouble, endpoint))] : [];
  if (addresses.length === 0 && /(?:^|_)E(?:NOTFOUND|AI_)/.test(trouble?.code ?? ''))
    return yield* stopAt('name');
  if (addresses.length > 0) {
    const more = addresses.length > 1 ? ` and ${addresses.length - 1} more` : '';
    yield ok('name', `${'host' in first ? first.host : hostname} is ${addresses[0]}${more}`);
  }
  if (connect === undefined) return yield* stopAt('connection');
  yield connectionIn(hostText(first), connect);
  if (trouble?.code?.startsWith(PROXY)) return yield* stopAt('proxy');
  if (protocol === 'https:') {
    if (tls === undefined) return yield* stopAt('TLS');
    yield ok('TLS', `${tls.version}; a run uses HTTP/${endpoint.route.http}`);
    if (trouble) yield* untrusted(tls, stopAt('certificate'), now);
    else
      yield* tls.isVerified ? certificateIn('certificate', 'trusted, ', tls.until, now) : [unverified(tls)];
    yield* certificateIn('client cert', '', tls.clientUntil, now);
  } else if (!isLocal(endpoint)) {
    yield warning(
      'TLS',
      'none: the key is sent unencrypted',
      'Write https in TARGET_BASE_URL, if the service supports it',
    );
  }
}

function isLocal({ baseUrl, route: { otherHost } }: Endpoint): boolean {
  if (otherHost && 'path' in otherHost) return true;
  return /^(?:localhost$|127\.|\[?::1\]?$)/.test(otherHost?.host ?? new URL(baseUrl).hostname);
}

function connectionIn(host: string, milliseconds: number): Diagnosis {
  const subject = 'connection';
  const text = `to ${host} in ${Math.ceil(milliseconds)} ms`;
  if (milliseconds < SLOW_CONNECTION) return ok(subject, text);
  return warning(
    subject,
    text,
    'A run has time for fewer cases: run closer to the target, or raise --time-budget',
  );
}

/** Adds when a certificate expires, whatever else is wrong with it. */
const untrusted = ({ until }: Secured, diagnoses: readonly Diagnosis[], now: number): Diagnosis[] =>
  diagnoses.map((one) =>
    until === undefined ? one : { ...one, text: `${one.text}; it ${expiryIn(until, now)}` },
  );

/** @param until ISO 8601 */
const expiryIn = (until: string, now: number): string =>
  `${Date.parse(until) < now ? 'expired' : 'expires'} on ${until.slice(0, 10)}`;

/** Node skips the verification of certificates for the whole process. */
const unverified = ({ problem }: Secured): Diagnosis =>
  warning(
    'certificate',
    `not verified, as NODE_TLS_REJECT_UNAUTHORIZED=0 turns verification off: the key may be sent to any server${problem === undefined ? '' : `; this certificate would be rejected (${problem})`}`,
    'Unset NODE_TLS_REJECT_UNAUTHORIZED. To trust a private CA, set TARGET_CA=FILE',
  );

function* certificateIn(
  subject: string,
  state: string,
  until: string | undefined,
  now: number,
): Generator<Diagnosis> {
  if (until === undefined) return;
  const days = Math.floor((Date.parse(until) - now) / DAY);
  const text = `${state}${expiryIn(until, now)}${days < 0 ? '' : `, in ${days} days`}`;
  yield days >= EXPIRY_WARNING_DAYS
    ? ok(subject, text)
    : warning(subject, text, 'Renew it before runs begin to fail');
}

/** Compares the Date of a response (RFC 9110, section 6.6.1) with our clock. */
function* checkClock(run: Run, { customer, token }: FirstResponses): Generator<Diagnosis> {
  const answered = [customer, token].find(isResponse);
  if (!answered) return;
  const { startedAt, firstByte, reply } = answered.exchange;
  const answeredAt = Date.now() - (run.target.now - startedAt - firstByte);
  yield clockAt(reply.fields['date'], answeredAt);
}

/** @param answeredAt milliseconds since 1970, by our clock */
export function clockAt(date: string | undefined, answeredAt: number): Diagnosis {
  const subject = 'clock';
  const reported = Date.parse(date ?? '');
  if (Number.isNaN(reported))
    return warning(
      subject,
      'responses have no Date: a run compares expiry times with the clock of this machine',
      'Make the service send Date (RFC 9110, section 6.6.1)',
    );
  // A Date is rounded down to whole seconds.
  const seconds = Math.round((reported + 500 - answeredAt) / 1000);
  if (Math.abs(seconds) <= 1) return ok(subject, 'in sync (within 1 s)');
  const text = `${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} this machine`;
  if (Math.abs(seconds) <= MAX_CLOCK_SKEW) return ok(subject, text);
  return warning(
    subject,
    text,
    'Synchronise both clocks by NTP: a run uses the clock of the target, but clients with its tokens may not',
  );
}
