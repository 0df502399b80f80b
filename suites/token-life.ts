import { requirement } from '../lib/engine/requirement.ts';
import type { Requirement } from '../lib/engine/requirement.ts';
import { TRIED_OPERATION, declaredTokenLife } from '../lib/engine/operations/presentation.ts';
import type { DeclaredLife } from '../lib/engine/operations/presentation.ts';
import type { TargetSettings } from '../lib/settings/run-settings.ts';
import { mustBeAccepted, mustBeRejected } from './checks.ts';
import { tokenLife, tokenLifeAlone } from './scenarios/token-life.ts';
import type { LifeObservation, LifeStep } from './scenarios/token-life.ts';

const PRESENTED =
  'A profile declares which scope allows creating a customer, and how a token is presented; the suite presents a token in place of the key.';

const lifeAccepted = requirement({
  id: 'token.life.accepted',
  level: 'declared',
  section: '5.3',
  needs: ['token.presentation', 'token.scopes.allow'],
  untestable: whatLacks(missingScope),
  statement: 'A token is accepted until it expires, for what its scopes allow.',
  problem: 'A token that has not expired is rejected for what its scopes allow.',
  sentence: 'Version 2 replaces static keys with scoped, expiring tokens.',
  why: 'A client that requested a token for an hour relies on it for an hour.',
  tested: `${PRESENTED} A token is presented five times immediately, and another in the last third of the shortest lifetime that the target accepts. It must be accepted each time; if the profile declares the unit of expires_in, also after other tokens were issued, unless it declares that they end it (token.earlier).`,
  failure: 'A token works only once, expires at half its lifetime, or ends when the next one is issued.',
  over: [tokenLife, tokenLifeAlone],
  only: observesStep('presented at once', 'presented in its last third', 'presented when others were issued'),
  check: mustBeAccepted('a 2xx response with a customer: the token has not expired, and its scopes allow it'),
  repeats: 1,
});

const lifeEnded = requirement({
  id: 'token.life.ended',
  level: 'declared',
  section: '5.3',
  needs: ['token.presentation', 'token.scopes.allow', 'token.expires_in.unit'],
  untestable: whatLacks(
    (life) => missingScope(life) ?? (life.unit === undefined ? 'no unit of expires_in' : undefined),
  ),
  statement: 'A token is rejected when it has expired.',
  problem: 'A token is accepted after it has expired.',
  sentence: 'Version 2 replaces static keys with scoped, expiring tokens.',
  why: 'A leaked token should soon be worthless; a token that never expires is another static key.',
  tested: `${PRESENTED} A token is used before it expires, then presented again and again until it is rejected, there and in the usual headers, or its leeway (token.leeway, 10 s unless declared) is over.`,
  failure: 'Expiry is never checked, is postponed by use, or counts milliseconds as seconds.',
  over: [tokenLife, tokenLifeAlone],
  only: observesStep('presented when it has expired'),
  check: ({ accepted, after = 0 }) =>
    accepted
      ? {
          expected: 'a rejection: the token has expired',
          actual: `it was still accepted ${after.toFixed(1)} s after it expired; if that is intended, declare "token.leeway", in seconds`,
        }
      : undefined,
  repeats: 1,
});

const lifeScoped = requirement({
  id: 'token.life.scoped',
  level: 'declared',
  section: '5.5',
  needs: ['token.presentation', 'token.scopes.allow'],
  untestable: whatLacks(({ denied }) =>
    denied.length > 0 ? undefined : `no scope that does not allow ${TRIED_OPERATION}`,
  ),
  statement: 'A token is rejected for what its scopes do not allow.',
  problem: 'A token is accepted for what its scopes do not allow.',
  sentence: 'The set of valid scopes and which scope allows which operation: not shown.',
  why: 'Scopes limit the damage that a leaked token can do, if they are checked.',
  tested: `${PRESENTED} A token whose scopes do not allow it must not create a customer: as declared, in the usual headers, and directly after a token whose scopes allow it. If the target issues a token for an empty list of scopes, that allows nothing either, unless "none" is declared.`,
  failure:
    'A token for customers:read, or one without scopes, creates customers; or any token does in another header.',
  over: [tokenLife, tokenLifeAlone],
  only: observesStep('presented beyond its scopes'),
  check: mustBeRejected('customer'),
});

const lifeUnaltered = requirement({
  id: 'token.life.unaltered',
  level: 'declared',
  section: '5.3',
  needs: ['token.presentation', 'token.scopes.allow'],
  untestable: whatLacks(missingScope),
  statement: 'A token is rejected if any character is changed.',
  problem: 'A token with a changed character is accepted.',
  sentence: 'Version 2 replaces static keys with scoped, expiring tokens.',
  why: 'A token is the text that was issued. If another text is accepted, tokens can be made up.',
  tested: `${PRESENTED} A token that was just accepted is presented with one alteration, some 25 in turn, and must not create a customer: a character changed in each tenth, in the other case, cut or lengthened at both ends, padded, with a part of another token; of a JWT, each part changed alone, the signature removed, the algorithm none. No alteration decodes to the same bytes.`,
  failure: 'The signature of a JWT is not verified, or a token is looked up by its first characters.',
  over: [tokenLife, tokenLifeAlone],
  only: observesStep('altered'),
  check: mustBeRejected('customer'),
});

/** The requirements of sections 5.3 to 5.6 that can be tested with a profile. */
export const tokenLifeRequirements: readonly Requirement[] = [
  lifeAccepted,
  lifeEnded,
  lifeScoped,
  lifeUnaltered,
];

/**
 * Whether an observation is of one of these steps, shows something, and no other token request may have ended its token.
 */
function observesStep(...steps: readonly LifeStep['step'][]): (observation: LifeObservation) => boolean {
  return ({ case: { input }, mayHaveBeenEnded = false, isNotApplicable = false }) =>
    !mayHaveBeenEnded && !isNotApplicable && steps.includes(input.step);
}

/** Why a requirement can't be tested: no token can be presented, or the profile lacks something else. */
function whatLacks(missingIn: (life: DeclaredLife) => string | undefined) {
  return ({ profile }: TargetSettings): string | undefined => {
    const life = declaredTokenLife(profile);
    const lacked = life.presentations.length === 0 ? 'no way to present an issued token' : missingIn(life);
    return lacked === undefined ? undefined : `the profile declares ${lacked}`;
  };
}

function missingScope({ allowed }: DeclaredLife): string | undefined {
  return allowed ? undefined : `no scope that allows ${TRIED_OPERATION}`;
}
