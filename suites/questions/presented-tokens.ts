import fc from 'fast-check';
import { Inconclusive } from '../../lib/engine/observation.ts';
import type { Observation } from '../../lib/engine/observation.ts';
import { probeCustomer, probeToken } from '../../lib/engine/probe.ts';
import type { Probe } from '../../lib/engine/probe.ts';
import { scenario } from '../../lib/engine/scenario.ts';
import { asIs } from '../../lib/inputs/as-is.ts';
import { issuedBearer } from '../../lib/target/credential.ts';
import { plainTokenScenarios, tokenControl } from '../scenarios/tokens.ts';
import { plainBody } from './ask.ts';

type Scopes = readonly string[];

/** Customers that are requested with an issued token as the Bearer credential, for each list of scopes. */
export const presentedTokens = scenario<Scopes, Observation<Scopes>>({
  name: 'presented tokens',
  uses: plainTokenScenarios,
  shrinking: asIs(),
  // One list at a time: a service may revoke a token when it issues the next.
  cases: function* (_, found) {
    const accepted = tokenControl(found).case.input.scopes;
    const lists = [accepted, ['customers:read'], ['customers:write']];
    for (const scopes of new Map(lists.map((list) => [list.join(' '), list])).values())
      yield [{ category: 'presented', arbitrary: fc.constant(scopes) }];
  },
  send: (run, found) => {
    const present = async (scopes: Scopes): Promise<Probe> => {
      const { expiresIn } = tokenControl(found).case.input;
      const { token } = await probeToken(run, { scopes, expires_in: expiresIn });
      if (token === undefined) throw new Inconclusive('no token was issued for these scopes');
      return probeCustomer(run, plainBody(run), { credential: issuedBearer(token) });
    };
    return async (testCase) => {
      const first = await present(testCase.input);
      // Once more, in case something else that the run sent has revoked the token.
      const { accepted, exchange } = first.accepted ? first : await present(testCase.input);
      return { case: testCase, exchange, accepted };
    };
  },
});
