import { secondsReported } from '../../lib/engine/operations/expiry.ts';
import { lifeIn, nameOfScopes } from '../../lib/engine/operations/life.ts';
import type { DeclaredLife } from '../../lib/engine/operations/life.ts';
import { Inconclusive } from '../../lib/engine/observation.ts';
import type { Case, Observation } from '../../lib/engine/observation.ts';
import {
  inRequests,
  otherThan,
  presenting,
  presentingAnywhere,
} from '../../lib/engine/operations/presentation.ts';
import { probeCustomer, probeToken } from '../../lib/engine/operations/probe.ts';
import type { Probe } from '../../lib/engine/operations/probe.ts';
import type { Deviation } from '../../lib/engine/operations/request.ts';
import type { Nonce } from '../../lib/engine/nonces.ts';
import type { Observed, Run } from '../../lib/engine/scenario.ts';
import { altered } from '../../lib/inputs/altered-tokens.ts';
import { customerOf, plainCustomer } from '../../lib/inputs/customers.ts';
import type { Exchange } from '../../lib/target/exchange.ts';
import { acceptedToken } from './tokens.ts';

/** A step with tokens that are issued for it. */
export type LifeStep =
  | { readonly step: 'presented at once' | 'presented in its last third' | 'presented when it has expired' }
  /** The token has other scopes than the next ones. */
  | { readonly step: 'presented when others were issued' }
  /** @param after whether a token with wider scopes is issued and used before it is presented */
  | {
      readonly step: 'presented beyond its scopes';
      readonly scopes: readonly string[];
      readonly after?: true;
    }
  /** @param elsewhere whether it is presented where the profile declares no token, too */
  | { readonly step: 'altered'; readonly alteration: string; readonly elsewhere?: true };

/** The observation of a step. */
export interface LifeObservation extends Observation<LifeStep> {
  /** Seconds from the expiry of the token until it was presented; only for an expired one. */
  readonly after?: number;
  /** Whether another token request may have ended the token: the step is repeated later, alone. */
  readonly interfered?: true;
  /** Whether the target does not issue such a token, or the alteration makes none that must be rejected. */
  readonly isMoot?: true;
}

/** Lifetimes to try, in seconds: the shortest that leaves time for a slow response. */
const SHORT = [3, 5, 10, 15, 30, 60];

/** Seconds between two presentations of an expired token: less than the shortest lifetime, as use may renew it. */
const BETWEEN = 2.4;

/** How often a token is presented as soon as it is issued. */
const USES = 5;

/** Seconds by which a token may expire early, as many services count whole ones. */
const GRANULARITY = 1;
/** The shortest lifetime, in seconds, whose last third is left after that. */
const LONG_ENOUGH = 5;

/** Sends the requests of one step. */
type Send = (testCase: Case<LifeStep>, nonce: Nonce) => Promise<LifeObservation>;

interface Sent {
  readonly testCase: Case<LifeStep>;
  readonly nonce: Nonce;
}

/** A token, and when it was issued, in milliseconds of the run. */
interface Issued {
  readonly token: string;
  readonly exchange: Exchange;
  /** When its request was sent, the earliest start of its lifetime. */
  readonly sentAt: number;
  /** When its response arrived, the latest start of its lifetime. */
  readonly doneAt: number;
  /** Its lifetime in seconds, as reported or as requested. */
  readonly seconds: number;
}

interface Accepted {
  readonly issued: Issued;
  readonly control: Exchange;
}

/** Makes the function that sends the requests of one step. */
export function lifeOf(run: Run, observed: Observed): Send {
  const life = lifeIn(run.settings.profile);
  const tokens = issuerOf(run, observed, life);
  const presenter = presenterOf(run, life);
  const context: Context = {
    ...tokens,
    ...presenter,
    run,
    life,
    issueAccepted: async (sent) => {
      const issued = await tokens.issue(life.allowed!);
      return { issued, control: await presenter.accept(sent, issued) };
    },
  };
  const pairFor = sharedPairs(context);
  return async (testCase, nonce) => {
    const sent: Sent = { testCase, nonce };
    const { input } = testCase;
    switch (input.step) {
      case 'presented at once':
        return presentedAtOnce(context, sent);
      case 'presented in its last third':
        return presentedInLastThird(context, sent);
      case 'presented when it has expired':
        return presentedWhenExpired(context, sent);
      case 'presented when others were issued':
        return presentedWhenOthersWereIssued(context, sent);
      case 'presented beyond its scopes':
        return presentedBeyondScopes(context, sent, input);
      case 'altered':
        return presentedAltered(context, sent, input, await pairFor(sent));
    }
  };
}

interface Context extends ReturnType<typeof issuerOf>, ReturnType<typeof presenterOf> {
  readonly run: Run;
  readonly life: DeclaredLife;
  /** A token that is accepted. @throws {Inconclusive} if it is rejected */
  readonly issueAccepted: (sent: Sent) => Promise<Accepted>;
}

/** Functions that request tokens. */
function issuerOf(run: Run, observed: Observed, { allowed, unit = 1, leeway }: DeclaredLife) {
  let longestReported = 0;

  const request = async (
    scopes: readonly string[],
    seconds?: number,
  ): Promise<Issued | { readonly exchange: Exchange }> => {
    const plain = acceptedToken(observed)?.case.input.expiresIn ?? run.settings.tokenExpiresIn;
    const requested = seconds === undefined ? plain : Math.round(seconds / unit);
    const { token, exchange } = await probeToken(run, { scopes, expires_in: requested });
    if (token === undefined) return { exchange };
    return {
      token,
      exchange,
      sentAt: exchange.startedAt,
      doneAt: exchange.startedAt + exchange.duration,
      seconds: secondsReported(exchange, token, unit) ?? requested * unit,
    };
  };

  /** Requests a token with these scopes. @throws {Inconclusive} if none is issued */
  const issue = async (scopes: readonly string[], seconds?: number): Promise<Issued> => {
    const issued = await request(scopes, seconds);
    if (!('token' in issued)) throw noToken(scopes);
    return issued;
  };

  /**
   * Observes a token with the shortest accepted lifetime, or with a longer one if the token expired too early.
   * @param observe resolves to undefined if the token expired too early
   * @param least the shortest lifetime to try, in seconds
   * @throws {Inconclusive} if no accepted lifetime ends within the time budget
   */
  const withShortLife = async (
    observe: (issued: Issued) => Promise<LifeObservation | undefined>,
    least = 0,
  ): Promise<LifeObservation> => {
    const fits = (seconds: number): boolean => (seconds + leeway + BETWEEN) * 1000 < run.target.left;
    for (const wanted of SHORT) {
      if (wanted < least || !Number.isInteger(wanted / unit) || !fits(wanted)) continue;
      const issued = await request(allowed!, wanted);
      if (!('token' in issued) || !fits(issued.seconds)) continue;
      if (issued.seconds > longestReported) {
        longestReported = issued.seconds;
        run.say(`waiting ${Math.ceil(issued.seconds)} s, while other tests continue, for a token to expire`);
      }
      const observation = await observe(issued);
      if (observation) return observation;
    }
    throw new Inconclusive('no accepted lifetime ends within the time budget; increase --time-budget', true);
  };

  return { request, issue, withShortLife };
}

/** Functions that present a token in place of the key, to create a plain customer. */
function presenterOf(run: Run, { presentations }: DeclaredLife) {
  const create = ({ testCase, nonce }: Sent, deviation: Deviation): Promise<Probe> => {
    const input = run.generate(plainCustomer, `life ${testCase.index}`);
    const customer = customerOf(input, `${nonce(0)}${run.unique()}`, run.settings.emailDomain);
    return probeCustomer(run, customer, deviation);
  };

  /**
   * Presents a token as the profile declares, in one way after the other until it is accepted.
   * @param change what is changed in the token; undefined: nothing
   */
  const present = (sent: Sent, token: string, change?: string): Promise<Probe> =>
    firstAccepted(presentations.map((one) => () => create(sent, presenting([one], token, change))));

  /** The same, and where the profile declares no token: wherever one is read, the rules of tokens hold. */
  const presentAnywhere = (sent: Sent, token: string, change?: string): Promise<Probe> =>
    firstAccepted([
      () => present(sent, token, change),
      ...inRequests(otherThan(presentations, run.settings.route.headers), token).map(
        (places) => () => create(sent, presentingAnywhere(places, token, change)),
      ),
    ]);

  /** @throws {Inconclusive} if the token is rejected */
  const accept = async (sent: Sent, { token }: Issued): Promise<Exchange> => {
    const { accepted, exchange } = await present(sent, token);
    if (!accepted) throw controlRejected();
    return exchange;
  };

  return { present, presentAnywhere, accept };
}

/** The first of several probes that is accepted, or the first. */
async function firstAccepted(probes: readonly (() => Promise<Probe>)[]): Promise<Probe> {
  let first: Probe | undefined;
  for (const send of probes) {
    const probe = await send();
    if (probe.accepted) return probe;
    first ??= probe;
  }
  return first!;
}

/** A token that was just accepted, and another one that was issued before. */
interface Pair {
  readonly other: Issued;
  readonly accepted: Accepted;
}

/** Altered tokens that are presented after one control. */
const AFTER_CONTROL = 10;

/** Makes the function that gives each altered token its pair, which several of them share. */
function sharedPairs({ life, issue, issueAccepted, accept }: Context): (sent: Sent) => Promise<Pair> {
  let pair: Promise<Pair> | undefined;
  let left = 0;
  return (sent) => {
    const issueBoth = async (): Promise<Pair> => ({
      other: await issue(life.allowed!),
      accepted: await issueAccepted(sent),
    });
    if (sent.testCase.index === -1) return issueBoth();
    if (left-- === 0) {
      left = AFTER_CONTROL - 1;
      pair = pair
        ? pair
            .then(async ({ other, accepted: { issued } }) => ({
              other,
              accepted: { issued, control: await accept(sent, issued) },
            }))
            .catch(issueBoth)
        : issueBoth();
    }
    return pair!;
  };
}

/** Several times, as a token may be used more than once. */
async function presentedAtOnce({ life, issue, present }: Context, sent: Sent): Promise<LifeObservation> {
  const { token, exchange } = await issue(life.allowed!);
  let probe = await present(sent, token);
  for (let uses = 1; probe.accepted && uses < USES; uses++) probe = await present(sent, token);
  return observationOf(sent, exchange, probe);
}

const presentedInLastThird = (
  { run, withShortLife, present }: Context,
  sent: Sent,
): Promise<LifeObservation> =>
  withShortLife(async (issued) => {
    await until(run, issued.sentAt + (issued.seconds - GRANULARITY) * 900);
    const probe = await present(sent, issued.token);
    return isLate(issued, probe) ? undefined : observationOf(sent, issued.exchange, probe);
  }, LONG_ENOUGH);

const presentedWhenExpired = (
  { run, life, withShortLife, present, presentAnywhere }: Context,
  sent: Sent,
): Promise<LifeObservation> =>
  withShortLife(async (issued) => {
    const control = await present(sent, issued.token);
    if (isLate(issued, control)) return undefined;
    if (!control.accepted) throw controlRejected();
    // Used once more before it expires, which must not extend its lifetime.
    await until(run, issued.sentAt + issued.seconds * 700);
    await present(sent, issued.token);
    const end = issued.doneAt + issued.seconds * 1000;
    for (let after = 1.2; ; after += BETWEEN) {
      await until(run, end + after * 1000);
      const probe = await presentAnywhere(sent, issued.token);
      const late = (probe.exchange.startedAt - end) / 1000;
      if (!probe.accepted || late > life.leeway)
        return { ...observationOf(sent, issued.exchange, probe), after: late };
    }
  });

async function presentedWhenOthersWereIssued(
  { life, request, issue, issueAccepted, present }: Context,
  sent: Sent,
): Promise<LifeObservation> {
  const { issued, control } = await issueAccepted(sent);
  await issue(life.allowed!);
  for (const scopes of life.denied.slice(0, 1)) await request(scopes);
  return observationOf(sent, control, await present(sent, issued.token));
}

async function presentedBeyondScopes(
  { request, issueAccepted, presentAnywhere }: Context,
  sent: Sent,
  { scopes, after }: Extract<LifeStep, { readonly step: 'presented beyond its scopes' }>,
): Promise<LifeObservation> {
  const issued = await request(scopes);
  if (!('token' in issued)) {
    if (scopes.length > 0) throw noToken(scopes);
    return { ...observationOf(sent, issued.exchange, issued), isMoot: true };
  }
  if (after) await issueAccepted(sent);
  return observationOf(sent, issued.exchange, await presentAnywhere(sent, issued.token));
}

async function presentedAltered(
  { run, present, presentAnywhere }: Context,
  sent: Sent,
  { alteration, elsewhere }: Extract<LifeStep, { readonly step: 'altered' }>,
  { other, accepted: { issued, control } }: Pair,
): Promise<LifeObservation> {
  const text = altered(alteration, issued.token, other.token);
  if (text === undefined)
    return { ...observationOf(sent, undefined, { exchange: control, accepted: true }), isMoot: true };
  if (text.length >= issued.token.length / 2) run.target.redactor.hide(text, 'altered token');
  const presentAltered = elsewhere ? presentAnywhere : present;
  return observationOf(sent, control, await presentAltered(sent, text, alteration));
}

/** Waits until a moment of the run, in milliseconds. */
const until = ({ target }: Run, time: number): Promise<void> => target.wait(Math.max(0, time - target.now));

const noToken = (scopes: readonly string[]): Inconclusive =>
  new Inconclusive(`no token was issued for ${nameOfScopes(scopes)}`);

const controlRejected = (): Inconclusive =>
  new Inconclusive('the control, the same token just issued, was rejected');

const observationOf = (
  { testCase }: Sent,
  control: Exchange | undefined,
  { exchange, accepted }: Probe | { readonly exchange: Exchange; readonly accepted?: undefined },
): LifeObservation => ({
  case: testCase,
  exchange,
  accepted: accepted ?? false,
  ...(control && { control }),
});

/** Whether a token may have expired before the response, which then shows nothing. */
const isLate = ({ sentAt, seconds }: Issued, { exchange }: Probe): boolean =>
  exchange.startedAt + exchange.duration > sentAt + (seconds - GRANULARITY) * 1000;
