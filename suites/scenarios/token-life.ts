import { declaredTokenLife } from '../../lib/engine/operations/presentation.ts';
import { scenario, fixedCase } from '../../lib/engine/scenario.ts';
import type { CaseSource, Observed, Run } from '../../lib/engine/scenario.ts';
import { alterationsOf, lastCharacterOf, altered } from '../../lib/inputs/altered-tokens.ts';
import { asIs } from '../../lib/inputs/shrinking.ts';
import { acceptedToken, plainTokenScenarios } from './tokens.ts';
import { REPEATED } from '../../lib/engine/observation.ts';
import type { Case, Observation } from '../../lib/engine/observation.ts';
import type { Probe } from '../../lib/engine/operations/probe.ts';
import type { Exchange } from '../../lib/target/exchange.ts';
import { BETWEEN_USES, USES_AT_ONCE, controlRejected, noToken, createTokenClient } from './token-client.ts';
import type { Accepted, Issued } from './token-client.ts';

const caseOf = (step: LifeStep): CaseSource<LifeStep> => fixedCase(step.step, step);

/** The alterations of tokens of this target. */
function alteredSteps(token: string | undefined): LifeStep[] {
  const last = token && lastCharacterOf(token);
  return alterationsOf(token ?? '').map((alteration) => ({
    step: 'altered',
    alteration,
    ...(alteration === last && { elsewhere: true }),
  }));
}

/** The steps that can be tested with the profile while other requests are sent. */
function concurrentSteps(run: Run, observed: Observed): LifeStep[] {
  const { allowed, denied, unit, endsWithNext } = declaredTokenLife(run.settings.profile);
  return [
    ...denied.map((scopes) => ({ step: 'presented beyond its scopes', scopes }) as const),
    ...(allowed ? [{ step: 'presented at once' } as const] : []),
    ...(allowed && !endsWithNext ? alteredSteps(acceptedToken(observed)?.found?.text) : []),
    ...(allowed && unit !== undefined
      ? ([{ step: 'presented in its last third' }, { step: 'presented when it has expired' }] as const)
      : []),
  ];
}

/** The steps that can be tested while other requests are sent; one of those requests may end a token. */
export const tokenLife = scenario<LifeStep, LifeObservation>({
  name: 'life of a token',
  uses: plainTokenScenarios,
  shrinking: asIs<LifeStep>(),
  cases: (run, observed) => concurrentSteps(run, observed).map(caseOf),
  send: (run, observed) => {
    const sendStep = createStepSender(run, observed);
    return async (testCase) => {
      const { step } = testCase.input;
      const mustBeAccepted = step === 'presented at once' || step === 'presented in its last third';
      const observation = await sendStep(testCase);
      return mustBeAccepted && !observation.accepted
        ? { ...observation, mayHaveBeenEnded: true }
        : observation;
    };
  },
});

/**
 * The steps that must run one by one, with no other token request in between: some services end a token when they issue
 * the next one, and some confuse the latest token with others.
 */
export const tokenLifeAlone = scenario<LifeStep, LifeObservation>({
  name: 'life of a token, alone',
  uses: [...plainTokenScenarios, tokenLife],
  shrinking: asIs<LifeStep>(),
  *cases(run, observed) {
    const { allowed, denied, unit, endsWithNext } = declaredTokenLife(run.settings.profile);
    const proven = new Set(
      observed(tokenLife)
        .filter(({ mayHaveBeenEnded }) => !mayHaveBeenEnded)
        .map((observation) => JSON.stringify(observation.case.input)),
    );
    for (const step of concurrentSteps(run, observed)) {
      if (!proven.has(JSON.stringify(step))) yield [caseOf(step)];
    }
    if (!allowed) return;
    const [scopes] = denied;
    if (scopes) yield [caseOf({ step: 'presented beyond its scopes', scopes, after: true })];
    if (endsWithNext) {
      for (const step of alteredSteps(acceptedToken(observed)?.found?.text)) yield [caseOf(step)];
    } else if (unit !== undefined) {
      yield [caseOf({ step: 'presented when others were issued' })];
    }
  },
  send: createStepSender,
});

/** A step with tokens that are issued for it. */
export type LifeStep =
  | { readonly step: 'presented at once' | 'presented in its last third' | 'presented when it has expired' }
  /** The token has other scopes than the next ones. */
  | { readonly step: 'presented when others were issued' }
  /** `after`: whether a token with wider scopes is issued and used before it is presented */
  | {
      readonly step: 'presented beyond its scopes';
      readonly scopes: readonly string[];
      readonly after?: true;
    }
  /** `elsewhere`: whether it is presented where the profile declares no token, too */
  | { readonly step: 'altered'; readonly alteration: string; readonly elsewhere?: true };

export interface LifeObservation extends Observation<LifeStep> {
  /** Seconds from the expiry of the token until it was presented; only for an expired one. */
  readonly after?: number;
  /** Whether another token request may have ended the token: the step is repeated later, alone. */
  readonly mayHaveBeenEnded?: true;
  /** Whether the target does not issue such a token, or the altered one need not be rejected. */
  readonly isNotApplicable?: true;
}

/** Seconds by which a token may expire early, as many services count whole ones. */
const GRANULARITY = 1;
/** The shortest lifetime, in seconds, whose last third is longer than that. */
const LONG_ENOUGH = 5;

type Outcome = Omit<LifeObservation, 'case'>;

/** Makes the function that sends the requests of one step. */
function createStepSender(run: Run, observed: Observed) {
  const context = createTokenClient(run, observed);
  const nextPair = sharedPairs(context);
  const send = async ({ input, index }: Case<LifeStep>): Promise<Outcome> => {
    switch (input.step) {
      case 'presented at once':
        return presentedAtOnce(context);
      case 'presented in its last third':
        return presentedInLastThird(context);
      case 'presented when it has expired':
        return presentedWhenExpired(context);
      case 'presented when others were issued':
        return presentedWhenOthersWereIssued(context);
      case 'presented beyond its scopes':
        return presentedBeyondScopes(context, input);
      case 'altered':
        return presentedAltered(context, input, await nextPair(index));
    }
  };
  return async (testCase: Case<LifeStep>): Promise<LifeObservation> => ({
    case: testCase,
    ...(await send(testCase)),
  });
}

type Context = ReturnType<typeof createTokenClient>;

/** A token that was just accepted, and another one that was issued before. */
interface Pair extends Accepted {
  readonly other: Issued;
}

/** Altered tokens that are presented after one control. */
const AFTER_CONTROL = 10;

/** Makes the function that gives each altered token its pair, which several of them share. */
function sharedPairs({ life, issue, issueAccepted, accept }: Context): (index: number) => Promise<Pair> {
  let pair: Promise<Pair> | undefined;
  let left = 0;
  return (index) => {
    const issueBoth = async (): Promise<Pair> => ({
      other: await issue(life.allowed!),
      ...(await issueAccepted()),
    });
    if (index === REPEATED) return issueBoth();
    if (left-- === 0) {
      left = AFTER_CONTROL - 1;
      pair = pair
        ? pair
            .then(async ({ other, issued }) => ({ other, issued, control: await accept(issued) }))
            .catch(issueBoth)
        : issueBoth();
    }
    return pair!;
  };
}

/** Several times, as a token may be used more than once. */
async function presentedAtOnce({ life, issue, present, presentNew }: Context): Promise<Outcome> {
  const { token, exchange } = await issue(life.allowed!);
  let probe = await presentNew(token);
  for (let uses = 1; probe.accepted && uses < USES_AT_ONCE; uses++) probe = await present(token);
  return { ...probe, control: exchange };
}

const presentedInLastThird = ({ run, withShortLife, present }: Context): Promise<Outcome> =>
  withShortLife(async (issued) => {
    await until(run, issued.exchange.startedAt + (issued.seconds - GRANULARITY) * 900);
    const probe = await present(issued.token);
    return isLate(issued, probe) ? undefined : { ...probe, control: issued.exchange };
  }, LONG_ENOUGH);

const presentedWhenExpired = ({
  run,
  life,
  withShortLife,
  present,
  presentNew,
  presentAnywhere,
}: Context): Promise<Outcome> =>
  withShortLife(async (issued) => {
    const control = await presentNew(issued.token);
    if (isLate(issued, control)) return undefined;
    if (!control.accepted) throw controlRejected();
    // Used once more before it expires, which must not extend its lifetime.
    await until(run, issued.exchange.startedAt + issued.seconds * 700);
    await present(issued.token);
    const end = endOf(issued.exchange) + issued.seconds * 1000;
    for (let after = 1.2; ; after += BETWEEN_USES) {
      await until(run, end + after * 1000);
      const probe = await presentAnywhere(issued.token);
      const late = (probe.exchange.startedAt - end) / 1000;
      if (!probe.accepted || late > life.leeway) return { ...probe, control: issued.exchange, after: late };
    }
  });

async function presentedWhenOthersWereIssued({
  life,
  request,
  issue,
  issueAccepted,
  present,
}: Context): Promise<Outcome> {
  const { issued, control } = await issueAccepted();
  await issue(life.allowed!);
  for (const scopes of life.denied.slice(0, 1)) await request(scopes);
  return { ...(await present(issued.token)), control };
}

async function presentedBeyondScopes(
  { request, issueAccepted, presentAnywhere }: Context,
  { scopes, after }: Extract<LifeStep, { readonly step: 'presented beyond its scopes' }>,
): Promise<Outcome> {
  const issued = await request(scopes);
  if (!('token' in issued)) {
    if (scopes.length > 0) throw noToken(scopes);
    return { ...issued, control: issued.exchange, accepted: false, isNotApplicable: true };
  }
  if (after) await issueAccepted();
  return { ...(await presentAnywhere(issued.token)), control: issued.exchange };
}

async function presentedAltered(
  { run, present, presentAnywhere }: Context,
  { alteration, elsewhere }: Extract<LifeStep, { readonly step: 'altered' }>,
  { other, issued, control }: Pair,
): Promise<Outcome> {
  const text = altered(alteration, issued.token, other.token);
  if (text === undefined) return { exchange: control, accepted: true, isNotApplicable: true };
  if (text.length >= issued.token.length / 2) run.target.redactor.hide(text, 'altered token');
  const presentAltered = elsewhere ? presentAnywhere : present;
  return { ...(await presentAltered(text, alteration)), control };
}

/** Waits until a moment of the run, in milliseconds. */
const until = ({ target }: Run, time: number): Promise<void> => target.wait(Math.max(0, time - target.now));

/** Whether a token may have expired before the response, which then shows nothing. */
const isLate = (issued: Issued, { exchange }: Probe): boolean =>
  endOf(exchange) > issued.exchange.startedAt + (issued.seconds - GRANULARITY) * 1000;

const endOf = ({ startedAt, duration }: Exchange): number => startedAt + duration;
