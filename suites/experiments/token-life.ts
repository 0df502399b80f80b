import fc from 'fast-check';
import { experiment } from '../../lib/engine/experiment.ts';
import { secondsTold } from '../../lib/engine/expiry.ts';
import type { Trial } from '../../lib/engine/experiment.ts';
import { Inconclusive } from '../../lib/engine/observation.ts';
import type { Observation } from '../../lib/engine/observation.ts';
import { probeCustomer, probeToken } from '../../lib/engine/probe.ts';
import type { Probe } from '../../lib/engine/probe.ts';
import { asIs } from '../../lib/inputs/as-is.ts';
import { plainCustomer, customerOf } from '../../lib/inputs/customers.ts';
import { lifeIn } from '../../lib/engine/life.ts';
import { issuedBearer } from '../../lib/target/credential.ts';
import type { Exchange } from '../../lib/target/exchange.ts';
import { run } from '../run.ts';
import { everythingElse } from './late.ts';
import { acceptedToken } from './tokens.ts';

/** What is done with a token that was issued for it. */
export type Step =
  | { readonly step: 'presented at once' | 'presented in its last third' | 'presented when it has expired' }
  | { readonly step: 'presented beyond its scopes' }
  /** @param at the place of the character, as a share of the token's length */
  | { readonly step: 'altered'; readonly at: number };

/** What was seen of a token. */
export interface LifeObservation extends Observation<Step> {
  /** Seconds after its end at which it was presented; only where it had ended. */
  readonly after?: number;
}

/** Lifetimes to try, in seconds: the shortest that leaves time for a slow answer. */
const SHORT = [3, 5, 10, 15, 30, 60];

/** Seconds between two looks at a token that should have ended: less than the shortest lifetime, as use may renew it. */
const LOOKS = 2.4;

/** A token's life, as far as the profile says how it is presented and what it allows. */
export const tokenLife = experiment<Step, LifeObservation>(run, {
  name: 'life of a token',
  letter: 'b',
  shrinking: asIs<Step>(),
  plan: async ({ send }) => {
    const { allowed, denied, unit } = lifeIn(run.settings.profile);
    const steps: Step[] = [
      ...(denied ? [{ step: 'presented beyond its scopes' } as const] : []),
      ...(allowed ? [{ step: 'presented at once' } as const] : []),
      ...(allowed ? [0.3, 0.5, 0.8].map((at) => ({ step: 'altered', at }) as const) : []),
      ...(allowed && unit !== undefined
        ? ([{ step: 'presented in its last third' }, { step: 'presented when it has expired' }] as const)
        : []),
    ];
    await send(steps.map((input) => ({ category: input.step, arbitrary: fc.constant(input) })));
  },
  perform: async (trial) => {
    const { step } = trial.case.input;
    const mustBeTaken = step === 'presented at once' || step === 'presented in its last third';
    const seen = await steps[step](trial).catch((error: unknown) => {
      if (error instanceof Inconclusive && !error.isOptional) return undefined;
      throw error;
    });
    if (seen && (!mustBeTaken || seen.accepted)) return seen;
    // A service may end a token when it issues the next one: again when nobody else asks for any, one by one.
    await everythingElse();
    const again = alone.then(() => steps[step](trial));
    alone = again.catch(() => {});
    return again;
  },
});

let alone: Promise<unknown> = Promise.resolve();

type Life = (trial: Trial<Step>) => Promise<LifeObservation>;

const steps: Readonly<Record<Step['step'], Life>> = {
  'presented beyond its scopes': async (trial) => {
    const issued = await issue(lifeIn(run.settings.profile).denied!);
    return observed(trial, issued, await present(trial, issued.token));
  },

  // Twice: a token is no ticket for one use.
  'presented at once': async (trial) => {
    const issued = await issue(lifeIn(run.settings.profile).allowed!);
    const first = await present(trial, issued.token);
    return observed(trial, issued, first.accepted ? await present(trial, issued.token) : first);
  },

  altered: async (trial) => {
    const { input } = trial.case;
    const issued = await issue(lifeIn(run.settings.profile).allowed!);
    if (!(await present(trial, issued.token)).accepted) throw notTaken();
    const place = 'at' in input ? input.at : 0;
    return observed(trial, issued, await present(trial, altered(issued.token, place)));
  },

  'presented in its last third': (trial) =>
    withShortLife(async (issued) => {
      await until(issued.sentAt + issued.seconds * 700);
      const probe = await present(trial, issued.token);
      return isLate(issued, probe) ? undefined : observed(trial, issued, probe);
    }),

  'presented when it has expired': (trial) =>
    withShortLife(async (issued) => {
      const control = await present(trial, issued.token);
      if (isLate(issued, control)) return undefined;
      if (!control.accepted) throw notTaken();
      // Used once more before its end: use must not lengthen its life.
      await until(issued.sentAt + issued.seconds * 700);
      await present(trial, issued.token);
      const { leeway } = lifeIn(run.settings.profile);
      const end = issued.doneAt + issued.seconds * 1000;
      for (let after = 1.2; ; after += LOOKS) {
        await until(end + after * 1000);
        const probe = await present(trial, issued.token);
        const late = (probe.exchange.startedAt - end) / 1000;
        if (!probe.accepted || late > leeway) return { ...observed(trial, issued, probe), after: late };
      }
    }),
};

const notTaken = (): Inconclusive => new Inconclusive('its control, the same token just issued, was refused');

let uses = 0;

/** Asks for a plain customer with a token in place of the key. */
async function present(trial: Trial<Step>, token: string): Promise<Probe> {
  const { index } = trial.case;
  const customer = customerOf(run.draw(plainCustomer, `life ${index}`), `${trial.mark(0)}n${uses++}`);
  return probeCustomer(run, customer, { credential: issuedBearer(token) });
}

const observed = (trial: Trial<Step>, issued: Issued, { exchange, accepted }: Probe): LifeObservation => ({
  case: trial.case,
  exchange,
  accepted,
  control: issued.exchange,
});

/** A token, and when it was issued, in milliseconds of the run. */
interface Issued {
  readonly token: string;
  readonly exchange: Exchange;
  /** When its request left: it lasts from then on at the earliest. */
  readonly sentAt: number;
  /** When its response was there: it lasts from then on at the latest. */
  readonly doneAt: number;
  /** Seconds for which it lasts: as the response tells, or as was asked for. */
  readonly seconds: number;
}

/** Whether the answer to a token may have come after its end: nothing follows from it then. */
const isLate = ({ sentAt, seconds }: Issued, { exchange }: Probe): boolean =>
  exchange.startedAt + exchange.duration > sentAt + seconds * 1000;

const until = (time: number): Promise<void> => run.target.wait(Math.max(0, time - run.target.now));

/** A token with these scopes. @throws {Inconclusive} when none is issued */
async function issue(scopes: readonly string[], seconds?: number): Promise<Issued> {
  const { unit = 1 } = lifeIn(run.settings.profile);
  const plain = (await acceptedToken())?.case.input.expiresIn ?? run.settings.tokenExpiresIn;
  const asked = seconds === undefined ? plain : Math.round(seconds / unit);
  const { token, exchange } = await probeToken(run, { scopes, expires_in: asked });
  if (token === undefined) throw new Inconclusive(`no token was issued for ${scopes.join(' ')}`);
  return {
    token,
    exchange,
    sentAt: exchange.startedAt,
    doneAt: exchange.startedAt + exchange.duration,
    seconds: secondsTold(exchange, token, unit) ?? asked * unit,
  };
}

/**
 * Looks at a token with the shortest lifetime that is accepted, or with a longer one where it ended before
 * it could be looked at.
 * @param look undefined: it was too late
 * @throws {Inconclusive} where none is accepted that ends within the time budget
 */
async function withShortLife(
  look: (issued: Issued) => Promise<LifeObservation | undefined>,
): Promise<LifeObservation> {
  const { allowed, unit = 1, leeway } = lifeIn(run.settings.profile);
  const fits = (seconds: number): boolean => (seconds + leeway + LOOKS) * 1000 < run.target.left;
  for (const wanted of SHORT) {
    if (!Number.isInteger(wanted / unit) || !fits(wanted)) continue;
    const issued = await issue(allowed!, wanted).catch((error: unknown) => {
      if (error instanceof Inconclusive) return undefined;
      throw error;
    });
    if (!issued || !fits(issued.seconds)) continue;
    say(issued.seconds);
    const seen = await look(issued);
    if (seen) return seen;
  }
  throw new Inconclusive(
    'no lifetime is accepted that can be looked at within the time budget; give more with --time-budget',
    true,
  );
}

let longestSaid = 0;

/** Says in advance how long it will be, once. */
function say(seconds: number): void {
  if (seconds <= longestSaid) return;
  longestSaid = seconds;
  run.say(`waiting ${Math.ceil(seconds)} s, beside everything else, for a token to expire`);
}

/** The token with one character changed, and not in its case alone. */
function altered(token: string, share: number): string {
  const at = Math.floor(token.length * share);
  const wrong = [...'aAzZ059'].find(
    (character) =>
      character.toLowerCase() !== token.charAt(at).toLowerCase() &&
      kindOf(character) === kindOf(token.charAt(at)),
  );
  return token.slice(0, at) + (wrong ?? 'x') + token.slice(at + 1);
}

const kindOf = (character: string): string =>
  /\d/.test(character)
    ? 'digit'
    : /[a-z]/.test(character)
      ? 'lower'
      : /[A-Z]/.test(character)
        ? 'upper'
        : 'other';
