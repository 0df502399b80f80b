import { halves } from '../../lib/inputs/lists.ts';
import {
  PROPAGATION_TIME,
  inRequests,
  usualPresentationsExcept,
  presenting,
  declaredScopes,
} from '../../lib/engine/operations/presentation.ts';
import { Inconclusive } from '../../lib/engine/observation.ts';
import type { Observation } from '../../lib/engine/observation.ts';
import type { Probe } from '../../lib/engine/operations/probe.ts';
import { scenario, fixedCase } from '../../lib/engine/scenario.ts';
import { asIs } from '../../lib/inputs/shrinking.ts';
import type { Presentation } from '../../lib/schemas/profile.ts';
import { plainTokenScenarios, tokenControl } from './tokens.ts';
import { USES_AT_ONCE, createTokenClient } from './token-client.ts';

/** A token that is presented in place of the key. */
interface PresentedToken {
  readonly scopes: readonly string[];
  /** Whether another token is issued between two presentations. */
  readonly isEarlier?: true;
}

/** Whether a token created a customer, and how it was presented then. */
export interface PresentedObservation extends Observation<PresentedToken> {
  readonly presentation?: Presentation;
}

/**
 * Creations of customers with an issued token in place of the key, for each list of scopes: in the Bearer scheme, or as
 * the profile declares, and if that is rejected in the usual headers.
 */
export const presentedTokens = scenario<PresentedToken, PresentedObservation>({
  name: 'presented tokens',
  uses: plainTokenScenarios,
  shrinking: asIs(),
  // One list at a time: a service may revoke a token when it issues the next.
  *cases({ settings: { profile } }, observed) {
    const plain = tokenControl(observed).case.input.scopes;
    const declared = declaredScopes(profile).map(({ scopes }) => scopes);
    const lists = [
      plain,
      ['customers:read'],
      ['customers:write'],
      ...declared.filter(({ length }) => length > 0),
      [],
    ];
    const one = (input: PresentedToken) => [fixedCase('presented', input)];
    let working: readonly string[] | undefined;
    for (const scopes of new Map(lists.map((list) => [list.join(' '), list])).values()) {
      const [observation] = yield one({ scopes });
      if (observation?.accepted) working ??= scopes;
    }
    if (working) yield one({ scopes: working, isEarlier: true });
  },
  send: (run, observed) => {
    const { life, issue, create } = createTokenClient(run, observed);
    let [currentPresentation = 'bearer'] = life.presentations;
    const presentIn = (presentations: readonly Presentation[], token: string): Promise<Probe> =>
      create(presenting(presentations, token));

    /** Which of several presentations of a token is accepted; each half is tried alone until one is left. */
    const findAccepted = async (
      presentations: readonly Presentation[],
      token: string,
    ): Promise<Presentation | undefined> => {
      if (presentations.length === 1) return presentations[0];
      const [half, other] = halves(presentations);
      return findAccepted((await presentIn(half, token)).accepted ? half : other, token);
    };
    const presentElsewhere = async (
      token: string,
    ): Promise<(Probe & { presentation: Presentation }) | undefined> => {
      for (const presentations of inRequests(
        usualPresentationsExcept([currentPresentation], run.settings.route.headers),
        token,
      )) {
        if (!(await presentIn(presentations, token)).accepted) continue;
        const presentation = await findAccepted(presentations, token);
        const probe = presentation && (await presentIn([presentation], token));
        if (presentation && probe?.accepted) return { ...probe, presentation };
      }
      return undefined;
    };

    const present = async (scopes: readonly string[]): Promise<{ token: string; probe: Probe }> => {
      const { token } = await issue(scopes);
      return { token, probe: await presentIn([currentPresentation], token) };
    };

    return async (testCase) => {
      const { scopes, isEarlier } = testCase.input;
      const observationOf = ({ accepted, exchange }: Probe): PresentedObservation => ({
        case: testCase,
        exchange,
        accepted,
        ...(accepted && { presentation: currentPresentation }),
      });
      let { token, probe } = await present(scopes);
      // Presented again, as another request of the run may have revoked the token.
      if (!probe.accepted) ({ token, probe } = await present(scopes));
      // And again after a moment, in which all instances of the service learn of the token.
      if (!probe.accepted) {
        await run.target.wait(PROPAGATION_TIME);
        probe = await presentIn([currentPresentation], token);
      }
      if (isEarlier) {
        if (!probe.accepted) throw new Inconclusive('the token was rejected before another one was issued');
        for (let uses = 1; uses < USES_AT_ONCE; uses++)
          if (!(await presentIn([currentPresentation], token)).accepted)
            throw new Inconclusive(`a token was accepted ${uses} times, and then rejected`);
        await issue(scopes);
        return observationOf(await presentIn([currentPresentation], token));
      }
      const elsewhere = probe.accepted ? undefined : await presentElsewhere(token);
      currentPresentation = elsewhere?.presentation ?? currentPresentation;
      return observationOf(elsewhere ?? probe);
    };
  },
});
