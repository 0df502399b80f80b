import fc from 'fast-check';
import { secondsReported } from '../../lib/engine/expiry.ts';
import { lifeIn } from '../../lib/engine/life.ts';
import { Inconclusive } from '../../lib/engine/observation.ts';
import type { Case, Observation } from '../../lib/engine/observation.ts';
import { probeCustomer, probeToken } from '../../lib/engine/probe.ts';
import type { Probe } from '../../lib/engine/probe.ts';
import type { Run } from '../../lib/engine/run.ts';
import { scenario } from '../../lib/engine/scenario.ts';
import type { CaseSource, Found, Nonce } from '../../lib/engine/scenario.ts';
import { asIs } from '../../lib/inputs/shrinking.ts';
import { customerOf, plainCustomer } from '../../lib/inputs/customers.ts';
import { issuedBearer } from '../../lib/target/credential.ts';
import type { Exchange } from '../../lib/target/exchange.ts';
import { acceptedToken, plainTokenScenarios } from './tokens.ts';

/** A step with a token that is issued for it. */
export type LifeStep =
  | { readonly step: 'presented at once' | 'presented in its last third' | 'presented when it has expired' }
  | { readonly step: 'presented beyond its scopes' }
  /** @param at the position of the changed character, as a share of the token's length */
  | { readonly step: 'altered'; readonly at: number };

/** The observation of a step. */
export interface LifeObservation extends Observation<LifeStep> {
  /** Seconds from the expiry of the token until it was presented; only for an expired one. */
  readonly after?: number;
  /** Whether another token request may have ended the token: the step is repeated later, alone. */
  readonly interfered?: true;
}

/** Lifetimes to try, in seconds: the shortest that leaves time for a slow response. */
const SHORT = [3, 5, 10, 15, 30, 60];

/** Seconds between two presentations of an expired token: less than the shortest lifetime, as use may renew it. */
const BETWEEN = 2.4;

const fixed = (input: LifeStep): CaseSource<LifeStep> => ({
  category: input.step,
  arbitrary: fc.constant(input),
});

/** The steps that can be tested with the profile. */
export const tokenLife = scenario<LifeStep, LifeObservation>({
  name: 'life of a token',
  uses: plainTokenScenarios,
  shrinking: asIs<LifeStep>(),
  cases: ({ settings }) => {
    const { allowed, denied, unit } = lifeIn(settings.profile);
    const steps: LifeStep[] = [
      ...(denied ? [{ step: 'presented beyond its scopes' } as const] : []),
      ...(allowed ? [{ step: 'presented at once' } as const] : []),
      ...(allowed ? [0.3, 0.5, 0.8].map((at) => ({ step: 'altered', at }) as const) : []),
      ...(allowed && unit !== undefined
        ? ([{ step: 'presented in its last third' }, { step: 'presented when it has expired' }] as const)
        : []),
    ];
    return steps.map(fixed);
  },
  send: (run, found) => {
    const life = lifeOf(run, found);
    return async (testCase, nonce) => {
      const { step } = testCase.input;
      const mustBeAccepted = step === 'presented at once' || step === 'presented in its last third';
      const observation = await life(testCase, nonce);
      return mustBeAccepted && !observation.accepted ? { ...observation, interfered: true } : observation;
    };
  },
});

/** The steps that were interfered with, one by one, without other token requests: some services end a token when they issue the next one. */
export const tokenLifeAlone = scenario<LifeStep, LifeObservation>({
  name: 'life of a token, alone',
  uses: [...plainTokenScenarios, tokenLife],
  shrinking: asIs<LifeStep>(),
  *cases(run, found) {
    const proven = new Set(
      found(tokenLife)
        .filter(({ interfered }) => !interfered)
        .map((observation) => JSON.stringify(observation.case.input)),
    );
    const cases = tokenLife.cases(run, found) as readonly CaseSource<LifeStep>[];
    for (const one of cases) {
      const [input] = fc.sample(one.arbitrary, 1);
      if (!proven.has(JSON.stringify(input))) yield [one];
    }
  },
  send: (run, found) => lifeOf(run, found),
});

/** Sends the requests of one step. */
type Life = (testCase: Case<LifeStep>, nonce: Nonce) => Promise<LifeObservation>;

function lifeOf(run: Run, found: Found): Life {
  const life = lifeIn(run.settings.profile);
  let longestReported = 0;

  /** Creates a plain customer with a token in place of the key. */
  const present = (testCase: Case<LifeStep>, nonce: Nonce, token: string): Promise<Probe> => {
    const input = run.generate(plainCustomer, `life ${testCase.index}`);
    const customer = customerOf(input, `${nonce(0)}${run.unique()}`);
    return probeCustomer(run, customer, { credential: issuedBearer(token) });
  };

  /** Requests a token with these scopes. @throws {Inconclusive} if none is issued */
  const issue = async (scopes: readonly string[], seconds?: number): Promise<Issued> => {
    const { unit = 1 } = life;
    const plain = acceptedToken(found)?.case.input.expiresIn ?? run.settings.tokenExpiresIn;
    const requested = seconds === undefined ? plain : Math.round(seconds / unit);
    const { token, exchange } = await probeToken(run, { scopes, expires_in: requested });
    if (token === undefined) throw new Inconclusive(`no token was issued for ${scopes.join(' ')}`);
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
   * @throws {Inconclusive} if no accepted lifetime ends within the time budget
   */
  const withShortLife = async (
    observe: (issued: Issued) => Promise<LifeObservation | undefined>,
  ): Promise<LifeObservation> => {
    const { allowed, unit = 1, leeway } = life;
    const fits = (seconds: number): boolean => (seconds + leeway + BETWEEN) * 1000 < run.target.left;
    for (const wanted of SHORT) {
      if (!Number.isInteger(wanted / unit) || !fits(wanted)) continue;
      const issued = await issue(allowed!, wanted).catch((error: unknown) => {
        if (error instanceof Inconclusive) return undefined;
        throw error;
      });
      if (!issued || !fits(issued.seconds)) continue;
      if (issued.seconds > longestReported) {
        longestReported = issued.seconds;
        run.say(`waiting ${Math.ceil(issued.seconds)} s, while other tests go on, for a token to expire`);
      }
      const observation = await observe(issued);
      if (observation) return observation;
    }
    throw new Inconclusive('no accepted lifetime ends within the time budget; increase --time-budget', true);
  };

  const steps: Readonly<Record<LifeStep['step'], Life>> = {
    'presented beyond its scopes': async (testCase, nonce) => {
      const issued = await issue(life.denied!);
      return observed(testCase, issued, await present(testCase, nonce, issued.token));
    },

    // Twice, as a token may be used more than once.
    'presented at once': async (testCase, nonce) => {
      const issued = await issue(life.allowed!);
      const first = await present(testCase, nonce, issued.token);
      return observed(
        testCase,
        issued,
        first.accepted ? await present(testCase, nonce, issued.token) : first,
      );
    },

    altered: async (testCase, nonce) => {
      const issued = await issue(life.allowed!);
      if (!(await present(testCase, nonce, issued.token)).accepted) throw controlRejected();
      const share = 'at' in testCase.input ? testCase.input.at : 0;
      return observed(testCase, issued, await present(testCase, nonce, altered(issued.token, share)));
    },

    'presented in its last third': (testCase, nonce) =>
      withShortLife(async (issued) => {
        await until(issued.sentAt + issued.seconds * 700);
        const probe = await present(testCase, nonce, issued.token);
        return isLate(issued, probe) ? undefined : observed(testCase, issued, probe);
      }),

    'presented when it has expired': (testCase, nonce) =>
      withShortLife(async (issued) => {
        const control = await present(testCase, nonce, issued.token);
        if (isLate(issued, control)) return undefined;
        if (!control.accepted) throw controlRejected();
        // Used once more before it expires, which must not extend its lifetime.
        await until(issued.sentAt + issued.seconds * 700);
        await present(testCase, nonce, issued.token);
        const end = issued.doneAt + issued.seconds * 1000;
        for (let after = 1.2; ; after += BETWEEN) {
          await until(end + after * 1000);
          const probe = await present(testCase, nonce, issued.token);
          const late = (probe.exchange.startedAt - end) / 1000;
          if (!probe.accepted || late > life.leeway)
            return { ...observed(testCase, issued, probe), after: late };
        }
      }),
  };
  return (testCase, nonce) => steps[testCase.input.step](testCase, nonce);
}

const controlRejected = (): Inconclusive =>
  new Inconclusive('the control, the same token just issued, was rejected');

const observed = (
  testCase: Case<LifeStep>,
  issued: Issued,
  { exchange, accepted }: Probe,
): LifeObservation => ({
  case: testCase,
  exchange,
  accepted,
  control: issued.exchange,
});

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

/** Whether a token may have expired before the response, which then shows nothing. */
const isLate = ({ sentAt, seconds }: Issued, { exchange }: Probe): boolean =>
  exchange.startedAt + exchange.duration > sentAt + seconds * 1000;

/** The token with one character changed, not only in case. */
function altered(token: string, share: number): string {
  const at = Math.floor(token.length * share);
  const wrong = [...'aAzZ059'].find(
    (character) =>
      character.toLowerCase() !== token.charAt(at).toLowerCase() &&
      kindOf(character) === kindOf(token.charAt(at)),
  );
  return token.slice(0, at) + (wrong ?? 'x') + token.slice(at + 1);
}

function kindOf(character: string): string {
  if (/\d/.test(character)) return 'digit';
  if (/[a-z]/.test(character)) return 'lower';
  return /[A-Z]/.test(character) ? 'upper' : 'other';
}
