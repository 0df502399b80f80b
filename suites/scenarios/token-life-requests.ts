import { secondsReported } from '../../lib/engine/operations/expiry.ts';
import { lifeIn, nameOfScopes } from '../../lib/engine/operations/life.ts';
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

/** Most lists of scopes of a profile that are tried. */
const MAX_LISTS = 4;

/** Lists of scopes that must not create a customer. */
export const deniedIn = ({ settings }: Run): readonly (readonly string[])[] => {
  const { denied } = lifeIn(settings.profile);
  const listed = denied.filter((scopes) => scopes.length > 0);
  return [...listed.slice(0, MAX_LISTS), ...denied.filter((scopes) => scopes.length === 0)];
};

/** Sends the requests of one step. */
type Life = (testCase: Case<LifeStep>, nonce: Nonce) => Promise<LifeObservation>;

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

/** Altered tokens that are presented after one control. */
const AFTER_CONTROL = 10;

/** Makes the function that sends the requests of one step. */
export function lifeOf(run: Run, observed: Observed): Life {
  const life = lifeIn(run.settings.profile);
  let longestReported = 0;

  /** Creates a plain customer with a token in place of the key. */
  const create = ({ testCase, nonce }: Sent, deviation: Deviation): Promise<Probe> => {
    const input = run.generate(plainCustomer, `life ${testCase.index}`);
    const customer = customerOf(input, `${nonce(0)}${run.unique()}`, run.settings.emailDomain);
    return probeCustomer(run, customer, deviation);
  };

  /** The first of several probes that is accepted, or the first. */
  const firstAccepted = async (probes: readonly (() => Promise<Probe>)[]): Promise<Probe> => {
    let first: Probe | undefined;
    for (const send of probes) {
      const probe = await send();
      if (probe.accepted) return probe;
      first ??= probe;
    }
    return first!;
  };

  /**
   * Presents a token as the profile declares, in one way after the other until it is accepted.
   * @param change what is changed in the token; undefined: nothing
   */
  const present = (sent: Sent, token: string, change?: string): Promise<Probe> =>
    firstAccepted(life.presentations.map((one) => () => create(sent, presenting([one], token, change))));

  /** The same, and where the profile declares no token: wherever one is read, the rules of tokens hold. */
  const presentAnywhere = (sent: Sent, token: string, change?: string): Promise<Probe> =>
    firstAccepted([
      () => present(sent, token, change),
      ...inRequests(otherThan(life.presentations, run.settings.route.headers), token).map(
        (places) => () => create(sent, presentingAnywhere(places, token, change)),
      ),
    ]);

  /** Requests a token with these scopes. @throws {Inconclusive} if none is issued */
  const issue = async (scopes: readonly string[], seconds?: number): Promise<Issued> => {
    const issued = await request(scopes, seconds);
    if (!('token' in issued)) throw new Inconclusive(`no token was issued for ${nameOfScopes(scopes)}`);
    return issued;
  };

  const request = async (
    scopes: readonly string[],
    seconds?: number,
  ): Promise<Issued | { readonly exchange: Exchange }> => {
    const { unit = 1 } = life;
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

  const until = (time: number): Promise<void> => run.target.wait(Math.max(0, time - run.target.now));

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
    const { allowed, unit = 1, leeway } = life;
    const fits = (seconds: number): boolean => (seconds + leeway + BETWEEN) * 1000 < run.target.left;
    for (const wanted of SHORT) {
      if (wanted < least || !Number.isInteger(wanted / unit) || !fits(wanted)) continue;
      const issued = await issue(allowed!, wanted).catch((error: unknown) => {
        if (error instanceof Inconclusive) return undefined;
        throw error;
      });
      if (!issued || !fits(issued.seconds)) continue;
      if (issued.seconds > longestReported) {
        longestReported = issued.seconds;
        run.say(`waiting ${Math.ceil(issued.seconds)} s, while other tests continue, for a token to expire`);
      }
      const observation = await observe(issued);
      if (observation) return observation;
    }
    throw new Inconclusive('no accepted lifetime ends within the time budget; increase --time-budget', true);
  };

  /** A token that is accepted. @throws {Inconclusive} if it is rejected */
  const issueAccepted = async (sent: Sent): Promise<Accepted> => {
    const issued = await issue(life.allowed!);
    return { issued, control: await accept(sent, issued) };
  };

  /** @throws {Inconclusive} if the token is rejected */
  const accept = async (sent: Sent, { token }: Issued): Promise<Exchange> => {
    const { accepted, exchange } = await present(sent, token);
    if (!accepted) throw controlRejected();
    return exchange;
  };

  let batch:
    | { left: number; readonly pair: Promise<readonly [other: Issued, accepted: Accepted]> }
    | undefined;

  /** A token that was just accepted, and another one that was issued before. */
  const accepted = (sent: Sent): Promise<readonly [other: Issued, accepted: Accepted]> => {
    const issueBoth = async () => [await issue(life.allowed!), await issueAccepted(sent)] as const;
    if (sent.testCase.index === -1) return issueBoth();
    if (batch === undefined || batch.left-- === 0) {
      const before = batch?.pair;
      const acceptAgain = async () => {
        const [other, { issued }] = await before!;
        return [other, { issued, control: await accept(sent, issued) }] as const;
      };
      batch = { left: AFTER_CONTROL - 1, pair: before ? acceptAgain().catch(issueBoth) : issueBoth() };
    }
    return batch.pair;
  };

  return async (testCase, nonce) => {
    const { input } = testCase;
    const sent: Sent = { testCase, nonce };
    switch (input.step) {
      case 'presented beyond its scopes': {
        const issued = await request(input.scopes);
        if (!('token' in issued)) {
          if (input.scopes.length === 0)
            return { ...observationOf(sent, issued.exchange, issued), isMoot: true };
          throw new Inconclusive(`no token was issued for ${nameOfScopes(input.scopes)}`);
        }
        if (input.after) await issueAccepted(sent);
        return observationOf(sent, issued.exchange, await presentAnywhere(sent, issued.token));
      }

      // Several times, as a token may be used more than once.
      case 'presented at once': {
        const { token, exchange } = await issue(life.allowed!);
        let probe = await present(sent, token);
        for (let uses = 1; probe.accepted && uses < USES; uses++) probe = await present(sent, token);
        return observationOf(sent, exchange, probe);
      }

      case 'presented when others were issued': {
        const { issued, control } = await issueAccepted(sent);
        await issue(life.allowed!);
        for (const scopes of deniedIn(run).slice(0, 1)) await request(scopes);
        return observationOf(sent, control, await present(sent, issued.token));
      }

      case 'altered': {
        const [other, { issued, control }] = await accepted(sent);
        const text = altered(input.alteration, issued.token, other.token);
        if (text === undefined)
          return { ...observationOf(sent, undefined, { exchange: control, accepted: true }), isMoot: true };
        if (text.length >= issued.token.length / 2) run.target.redactor.hide(text, 'altered token');
        const presentAltered = input.elsewhere ? presentAnywhere : present;
        return observationOf(sent, control, await presentAltered(sent, text, input.alteration));
      }

      case 'presented in its last third':
        return withShortLife(async (issued) => {
          await until(issued.sentAt + (issued.seconds - GRANULARITY) * 900);
          const probe = await present(sent, issued.token);
          return isLate(issued, probe) ? undefined : observationOf(sent, issued.exchange, probe);
        }, LONG_ENOUGH);

      case 'presented when it has expired':
        return withShortLife(async (issued) => {
          const control = await present(sent, issued.token);
          if (isLate(issued, control)) return undefined;
          if (!control.accepted) throw controlRejected();
          // Used once more before it expires, which must not extend its lifetime.
          await until(issued.sentAt + issued.seconds * 700);
          await present(sent, issued.token);
          const end = issued.doneAt + issued.seconds * 1000;
          for (let after = 1.2; ; after += BETWEEN) {
            await until(end + after * 1000);
            const probe = await presentAnywhere(sent, issued.token);
            const late = (probe.exchange.startedAt - end) / 1000;
            if (!probe.accepted || late > life.leeway)
              return { ...observationOf(sent, issued.exchange, probe), after: late };
          }
        });
    }
  };
}

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
