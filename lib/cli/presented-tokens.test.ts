import { onTestFinished, describe, expect, it } from 'vitest';
import { firstContact } from '../engine/readiness/first-contact.ts';
import { open } from '../engine/run.testing.ts';
import { phase } from '../engine/scenario.ts';
import { startReference } from '../reference/start.ts';
import { allVariants } from '../reference/variants/variants.ts';
import type { Profile } from '../schemas/profile.ts';
import { presentedTokens } from '../../suites/scenarios/presented-tokens.ts';
import { tokenLife } from '../../suites/scenarios/token-life.ts';
import { plainTokens } from '../../suites/scenarios/tokens.ts';

/** The observations of a scenario at a variant of the reference service. */
async function explore(
  scenario: typeof presentedTokens | typeof tokenLife,
  variant: string,
  answers: Profile['answers'] = {},
) {
  const { behaviour } = allVariants.find(({ name }) => name === variant)!;
  const { baseUrl, apiKey, stop } = await startReference(behaviour());
  onTestFinished(stop);
  const plan = [firstContact, phase('tokens', { sends: [plainTokens, scenario] })];
  const profile = { answers, waivers: [] };
  const run = open({ baseUrl }, { plan, settings: { apiKey, profile } });
  const { observations, lost } = await run.explore(scenario as typeof tokenLife);
  const { requests, retries } = run.target.traffic;
  // A busy machine adds some retries.
  return { observations, lost, requests: requests - retries };
}

describe('presented tokens', () => {
  it('are found to be accepted in a usual header', async () => {
    const { observations } = await explore(presentedTokens, 'token-creates-customers-in-a-header');
    expect(
      observations.map((one) => [one.case.input, 'presentation' in one ? one.presentation : undefined]),
    ).toEqual([
      [{ scopes: ['customers:read'] }, undefined],
      [{ scopes: ['customers:write'] }, { header: 'X-API-Token' }],
      [{ scopes: ['customers:write'], isEarlier: true }, { header: 'X-API-Token' }],
    ]);
  });

  it('are found to end with the next token', async () => {
    const { observations } = await explore(presentedTokens, 'token-ends-with-the-next');
    expect(observations.at(-1)).toMatchObject({ case: { input: { isEarlier: true } }, accepted: false });
  });

  it('are found to work a few times only', async () => {
    const { lost } = await explore(presentedTokens, 'token-creates-three-customers');
    expect(lost.map(({ error }) => error.message)).toContain(
      'a token was accepted 3 times, and then rejected',
    );
  });
});

describe('the life of a token', () => {
  it('is tested in the declared header, in few requests', async () => {
    const { observations, lost, requests } = await explore(tokenLife, 'token-lives-in-a-header', {
      'token.presentation': { header: 'X-Acme-Token' },
      'token.scopes.allow': { 'customers:write': ['POST /v1/customers'], 'customers:read': [] },
    });
    expect(lost).toEqual([]);
    const outcomes = Map.groupBy(observations, (one) => one.case.input.step);
    expect(outcomes.get('presented at once')).toMatchObject([{ accepted: true }]);
    expect(outcomes.get('presented beyond its scopes')).toMatchObject([
      { accepted: false },
      // No token is issued for an empty list of scopes.
      { accepted: false, isNotApplicable: true },
    ]);
    const alterations = outcomes.get('altered')!.filter(({ isNotApplicable = false }) => !isNotApplicable);
    expect(alterations.length).toBeGreaterThan(20);
    expect(alterations.filter(({ accepted }) => accepted)).toEqual([]);
    expect(requests - alterations.length).toBeLessThan(20);
  });
});
