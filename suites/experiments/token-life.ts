import fc from 'fast-check';
import { experiment } from '../../lib/experiment/experiment.ts';
import { Inconclusive } from '../../lib/experiment/observation.ts';
import type { Observation } from '../../lib/experiment/observation.ts';
import { probeCustomer, probeToken } from '../../lib/experiment/probe.ts';
import type { Probe } from '../../lib/experiment/probe.ts';
import { asIs } from '../../lib/inputs/as-is.ts';
import { plainCustomer, customerOf } from '../../lib/inputs/customers.ts';
import { lifeIn } from '../../lib/requirements/life.ts';
import { bearer } from '../../lib/target/credential.ts';
import { run } from '../run.ts';
import { grantedToken } from './tokens.ts';

/** What is done with a token that was issued for it. */
export type Step =
  | { readonly step: 'presented at once' | 'presented in its last third' | 'presented when it has expired' }
  | { readonly step: 'presented beyond its scopes' }
  /** @param at the place of the character, as a share of the token's length */
  | { readonly step: 'altered'; readonly at: number };

/** Lifetimes to try, in seconds: the shortest that leaves time for a slow answer. */
const SHORT = [3, 5, 10, 15, 30, 60];

/** Seconds between two looks at a token that should have ended: less than the shortest lifetime, as use may renew it. */
const LOOKS = 2.4;

/** A token's life, as far as the profile says how it is presented and what it allows. */
export const tokenLife = experiment<Step, Observation<Step>>(run, {
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
    await send(steps.map((input) => ({ family: input.step, arbitrary: fc.constant(input) })));
  },
  perform: async (trial) => {
    const { input, index } = trial.case;
    const { allowed, denied, leeway } = lifeIn(run.settings.profile);
    let uses = 0;
    const present = async (token: string): Promise<Probe> => {
      const customer = customerOf(run.draw(plainCustomer, `life ${index}`), `${trial.mark(0)}n${uses++}`);
      const credential = {
        ...bearer(token),
        label: 'Bearer [issued token]',
        shell: '"Bearer $ISSUED_TOKEN"',
      };
      return probeCustomer(run, customer, { credential });
    };
    const observed = ({ exchange, granted }: Probe, control?: Probe): Observation<Step> => ({
      case: trial.case,
      exchange,
      granted,
      ...(control && { control: control.exchange }),
    });
    /** Presents a token that must be accepted, before what is judged. */
    const accepted = async (token: string): Promise<Probe> => {
      const control = await present(token);
      if (!control.granted) throw new Inconclusive('its control, the same token just issued, was refused');
      return control;
    };
    switch (input.step) {
      case 'presented beyond its scopes':
        return observed(await present(await issue(denied!)));
      case 'presented at once': {
        // Twice: a token is no ticket for one use.
        const token = await issue(allowed!);
        const first = await present(token);
        return first.granted ? observed(await present(token), first) : observed(first);
      }
      case 'altered': {
        const token = await issue(allowed!);
        const control = await accepted(token);
        return observed(await present(altered(token, input.at)), control);
      }
      case 'presented in its last third': {
        const { token, issuedAt, seconds } = await shortLived(allowed!);
        await until(issuedAt + seconds * 700);
        return observed(await present(token));
      }
      case 'presented when it has expired': {
        const { token, issuedAt, seconds } = await shortLived(allowed!);
        const control = await accepted(token);
        // Used once more before its end: use must not lengthen its life.
        await until(issuedAt + seconds * 700);
        await present(token);
        const end = issuedAt + seconds * 1000;
        let probe: Probe;
        let after = 1.2;
        do {
          await until(end + after * 1000);
          probe = await present(token);
          after += LOOKS;
        } while (probe.granted && after - LOOKS <= leeway);
        return observed(probe, control);
      }
    }
  },
});

const until = (time: number): Promise<void> => run.target.wait(Math.max(0, time - performance.now()));

/** A token with these scopes. @throws {Inconclusive} when none is issued */
async function issue(scopes: readonly string[], expiresIn?: number): Promise<string> {
  const lifetime = expiresIn ?? (await grantedToken())?.case.input.expiresIn;
  const { token } = await probeToken(run, { scopes, expires_in: lifetime ?? run.settings.tokenExpiresIn });
  if (token === undefined) throw new Inconclusive(`no token was issued for ${scopes.join(' ')}`);
  return token;
}

let shortest: Promise<number> | undefined;

/** A token with the shortest lifetime that is granted. */
async function shortLived(
  scopes: readonly string[],
): Promise<{ token: string; issuedAt: number; seconds: number }> {
  const { unit = 1, leeway } = lifeIn(run.settings.profile);
  const seconds = await (shortest ??= shortestFor(scopes, unit, leeway));
  const issuedAt = performance.now();
  return { token: await issue(scopes, Math.round(seconds / unit)), issuedAt, seconds };
}

/** @throws {Inconclusive} when none is granted that ends within the time budget */
async function shortestFor(scopes: readonly string[], unit: number, leeway: number): Promise<number> {
  for (const seconds of SHORT) {
    const lifetime = seconds / unit;
    if (!Number.isInteger(lifetime)) continue;
    if ((seconds + leeway + LOOKS) * 1000 > run.target.left) break;
    const { granted } = await probeToken(run, { scopes, expires_in: lifetime });
    if (!granted) continue;
    run.say(`waiting ${seconds} s, beside everything else, for a token to expire`);
    return seconds;
  }
  throw new Inconclusive(
    'no lifetime is granted that ends within the time budget; give more with --time-budget',
    true,
  );
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
