import fc from 'fast-check';
import { experiment } from '../../lib/engine/experiment.ts';
import { issueToken, observeToken, tokenRequestOf } from '../../lib/engine/token.ts';
import type { TokenObservation } from '../../lib/engine/token.ts';
import { styles, usual } from '../../lib/inputs/json.ts';
import { lifetimes, scopeLists, shrinkToken, tokenInput, wideToken } from '../../lib/inputs/tokens.ts';
import type { TokenInput } from '../../lib/inputs/tokens.ts';
import { NoReply, Stopped } from '../../lib/target/exchange.ts';
import { run } from '../run.ts';

const fixed = (input: TokenInput, category: string) => ({ category, arbitrary: fc.constant(input) });

/**
 * A plain token request, and the ladder that is climbed where the target does not take it: which
 * scopes and lifetimes there are is not shown (interface, sections 5.4 and 5.5).
 */
export const plainTokens = experiment<TokenInput, TokenObservation>(run, {
  name: 'plain tokens',
  letter: 'k',
  shrinking: shrinkToken,
  plan: async ({ add, send }, _, { token }) => {
    const { tokenScopes, tokenExpiresIn } = run.settings;
    if (token instanceof Error || token.accepted || token.exchange.reply.status >= 500) {
      add(token);
      await send([fixed(tokenInput(tokenScopes, tokenExpiresIn), 'plain')]);
      return;
    }
    for (const rungs of [
      lifetimes.slice(0, 4).map((lifetime) => tokenInput(tokenScopes, lifetime)),
      lifetimes.slice(4).map((lifetime) => tokenInput(tokenScopes, lifetime)),
      scopeLists
        .slice(1)
        .flatMap((scopes) => [tokenExpiresIn, 900].map((lifetime) => tokenInput(scopes, lifetime))),
    ]) {
      const tried = await send(rungs.map((input) => fixed(input, 'ladder')));
      const taken = tried.find(({ accepted }) => accepted);
      if (taken) {
        await send([fixed(taken.case.input, 'plain')]);
        return;
      }
    }
    add(token);
  },
  perform: (trial) => issueToken(trial, run),
});

/** The first token request that was accepted; undefined: none was. */
export async function acceptedToken(): Promise<TokenObservation | undefined> {
  const { observations } = await plainTokens.explore();
  return observations.find(({ accepted }) => accepted);
}

/** Requests for different lifetimes and different scopes, around one that was accepted. */
export const variedTokens = experiment<TokenInput, TokenObservation>(run, {
  name: 'varied tokens',
  letter: 'v',
  shrinking: shrinkToken,
  plan: async ({ send }) => {
    const base = (await acceptedToken())?.case.input;
    if (!base) return;
    const otherLifetimes = lifetimes.filter((lifetime) => lifetime !== base.expiresIn).slice(0, 6);
    const otherScopes = scopeLists.filter((scopes) => scopes.join() !== base.scopes.join());
    await send([
      ...otherLifetimes.map((lifetime) => fixed(tokenInput(base.scopes, lifetime), 'lifetime')),
      ...[Math.ceil(base.expiresIn / 2), Math.ceil(base.expiresIn / 3)]
        .filter((lifetime) => lifetime > 0 && lifetime !== base.expiresIn)
        .map((lifetime) => fixed(tokenInput(base.scopes, lifetime), 'lifetime')),
      ...otherScopes.map((scopes) => fixed(tokenInput(scopes, base.expiresIn), 'scopes')),
      ...Array.from({ length: Math.min(4, run.settings.cases) }, () => ({
        category: 'wide',
        arbitrary: wideToken,
      })),
    ]);
  },
  perform: (trial) => issueToken(trial, run),
});

/** Token requests for different lifetimes, complete at the target at the same instant. */
export const simultaneousTokens = experiment<TokenInput, TokenObservation>(run, {
  name: 'simultaneous tokens',
  letter: 'm',
  shrinking: shrinkToken,
  plan: async ({ send }) => {
    const { observations } = await variedTokens.explore();
    const base = await acceptedToken();
    const taken = observations
      .filter(({ accepted }) => accepted)
      .map((observation) => observation.case.input);
    if (!base || taken.length === 0) return;
    const inputs = [base.case.input, ...taken].slice(0, Math.min(6, run.settings.concurrency));
    await send(inputs.map((input) => fixed(input, 'at once')));
  },
  perform: (trial) => issueToken(trial, run),
  performTogether: async (trials) => {
    const results = await run.target.together(
      trials.map((trial) => tokenRequestOf(trial.case.input, run.credential)),
      'simultaneous tokens',
    );
    return results.map((result, at) =>
      result instanceof NoReply || result instanceof Stopped
        ? result
        : observeToken(trials[at]!, run, result),
    );
  },
});

/** A accepted token request in other JSON encodings; a refusal is held against its control. */
export const encodedTokens = experiment<TokenInput, TokenObservation>(run, {
  name: 'encoded tokens',
  letter: 'j',
  shrinking: shrinkToken,
  plan: async ({ send }) => {
    const base = (await acceptedToken())?.case.input;
    if (base) await send(styles.map((style) => fixed({ ...base, style }, 'other encoding')));
  },
  perform: async (trial) => {
    const observation = await issueToken(trial, run);
    if (observation.accepted) return observation;
    const input = { ...trial.case.input, style: usual };
    const control = await issueToken({ ...trial, case: { ...trial.case, input } }, run);
    return { ...observation, control: control.exchange, controlAccepted: control.accepted };
  },
});
