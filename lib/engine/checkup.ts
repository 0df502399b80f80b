import { reach } from '../target/reach.ts';
import type { Reached, Secured } from '../target/reach.ts';
import { adviceFor, diagnose } from './diagnosis.ts';
import type { Diagnosis, Readiness } from './diagnosis.ts';
import type { Run } from './run.ts';

const DAY = 86_400_000;
const SLOW_CONNECTION = 500;
const SOON = 14;
const SKEW = 30;

/** What a run rests on, one thing after the other, up to the first that is not there. */
export async function* checkUp(run: Run): AsyncGenerator<Diagnosis> {
  const { baseUrl, timeout } = run.settings;
  const reached = await reach(baseUrl, timeout * 1000);
  yield* reachedAt(baseUrl, reached, Date.now());
  if (reached.trouble) return;
  const first = await run.contact();
  yield* clockIn(run, first);
  yield* diagnose(baseUrl, first);
}

/** What a look at the target tells. @param now milliseconds since 1970 */
export function* reachedAt(baseUrl: string, reached: Reached, now: number): Generator<Diagnosis> {
  const { addresses, connect, tls, trouble } = reached;
  const { protocol, hostname, host } = new URL(baseUrl);
  const bad = (about: string): Diagnosis[] =>
    trouble ? [{ about, state: 'bad', says: trouble.detail, advice: adviceFor(trouble), stops: true }] : [];
  if (
    trouble &&
    addresses.length === 0 &&
    trouble.code !== undefined &&
    /^E(?:NOTFOUND|AI_)/.test(trouble.code)
  )
    return yield* bad('name');
  if (addresses.length > 0) {
    const more = addresses.length > 1 ? ` and ${addresses.length - 1} more` : '';
    yield { about: 'name', state: 'good', says: `${hostname} is ${addresses[0]}${more}` };
  }
  if (connect === undefined) return yield* bad('connection');
  yield connectionIn(host, connect);
  if (protocol === 'https:') {
    if (tls === undefined) return yield* bad('TLS');
    yield { about: 'TLS', state: 'good', says: `${tls.version}; HTTP/1.1 is what a run speaks` };
    yield* trouble ? untrusted(tls, bad('certificate')) : certificateIn(tls, now);
  } else if (!/^(?:localhost|127\.|\[::1\])/.test(hostname)) {
    yield {
      about: 'TLS',
      state: 'doubt',
      says: 'none: the key goes over the network as it is',
      advice: 'Write https in TARGET_BASE_URL, if the service speaks it',
    };
  }
}

function connectionIn(host: string, milliseconds: number): Diagnosis {
  const says = `to ${host} opened in ${Math.ceil(milliseconds)} ms`;
  if (milliseconds < SLOW_CONNECTION) return { about: 'connection', state: 'good', says };
  const advice = 'A run has time for fewer cases: run nearer to it, or give more with --time-budget';
  return { about: 'connection', state: 'doubt', says, advice };
}

/** When a certificate ended is worth knowing, whatever else is wrong with it. */
const untrusted = ({ until }: Secured, diagnoses: readonly Diagnosis[]): Diagnosis[] =>
  diagnoses.map((one) =>
    until === undefined ? one : { ...one, says: `${one.says}; its last day is ${until.slice(0, 10)}` },
  );

function* certificateIn({ until }: Secured, now: number): Generator<Diagnosis> {
  if (until === undefined) return;
  const days = Math.floor((Date.parse(until) - now) / DAY);
  const says = `trusted, and valid until ${until.slice(0, 10)}, ${days} days from now`;
  yield days >= SOON
    ? { about: 'certificate', state: 'good', says }
    : { about: 'certificate', state: 'doubt', says, advice: 'Have it renewed before runs begin to fail' };
}

/** Holds the Date of a response (RFC 9110, section 6.6.1) against our clock. */
function* clockIn(run: Run, { customer, token }: Readiness): Generator<Diagnosis> {
  const answered = [customer, token].find((one) => !(one instanceof Error));
  if (answered === undefined || answered instanceof Error) return;
  const { startedAt, firstByte, reply } = answered.exchange;
  const answeredAt = Date.now() - (run.target.now - startedAt - firstByte);
  yield clockAt(reply.fields['date'], answeredAt);
}

/** @param answeredAt milliseconds since 1970, by our clock */
export function clockAt(date: string | undefined, answeredAt: number): Diagnosis {
  const about = 'clock';
  const told = Date.parse(date ?? '');
  if (Number.isNaN(told))
    return {
      about,
      state: 'doubt',
      says: 'responses have no Date: the ends of tokens are read by the clock of this machine',
      advice: 'Have the service send Date (RFC 9110, section 6.6.1)',
    };
  // A Date has whole seconds, cut off.
  const seconds = Math.round((told + 500 - answeredAt) / 1000);
  if (Math.abs(seconds) <= 1) return { about, state: 'good', says: 'the same as here, to the second' };
  const says = `${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} this machine`;
  if (Math.abs(seconds) <= SKEW) return { about, state: 'good', says };
  return {
    about,
    state: 'doubt',
    says,
    advice:
      'Set both by NTP: a run reads times by the clock of the target, but others who use its tokens may not',
  };
}
