import type { TokenObservation } from '../../lib/engine/operations/token.ts';
import { firstToken } from '../../lib/engine/readiness/first-contact.ts';
import { PLAIN, Inconclusive, acceptedInputs, isAccepted } from '../../lib/engine/observation.ts';
import { fixedCase } from '../../lib/engine/scenario.ts';
import type { CaseSource, Observed } from '../../lib/engine/scenario.ts';
import { tokenScenario, issueTogether, issueToken } from '../../lib/engine/operations/token.ts';
import { codings, otherClients, styles, usualStyle } from '../../lib/inputs/json-styles.ts';
import { lifetimes, manyScopes, scopeLists, tokenInput, wideToken } from '../../lib/inputs/tokens.ts';
import type { TokenInput } from '../../lib/inputs/tokens.ts';
import { repeatsUntilClash } from './birthday-problem.ts';
import { assertRejectedAgain, markedIfIntermittent, withControl } from './recurrence.ts';
import { isSuccess } from '../../lib/target/reply.ts';
import { mayBeLocked } from '../../lib/target/retries/throttling.ts';

/**
 * A plain token request. If the first one was rejected, other lifetimes and scopes are tried in turn, as valid ones are
 * not shown (interface, sections 5.4 and 5.5).
 */
export const plainTokens = tokenScenario({
  name: 'plain tokens',
  uses: [firstToken],
  *cases({ settings: { tokenScopes, tokenExpiresIn } }, observed) {
    const [first] = observed(firstToken);
    const plain = [fixedCase(PLAIN, tokenInput(tokenScopes, tokenExpiresIn))];
    if (first === undefined || first.accepted || first.exchange.reply.status >= 500) {
      yield plain;
      return;
    }
    for (const others of [
      lifetimes.slice(0, 4).map((lifetime) => tokenInput(tokenScopes, lifetime)),
      lifetimes.slice(4).map((lifetime) => tokenInput(tokenScopes, lifetime)),
      ...[[tokenExpiresIn, 900], LIFETIMES_OF_OTHER_UNITS].map((some) =>
        scopeLists
          .filter((scopes) => scopes.join(' ') !== tokenScopes.join(' '))
          .flatMap((scopes) => some.map((lifetime) => tokenInput(scopes, lifetime))),
      ),
    ]) {
      const tried = yield others.map((input) => fixedCase('other lifetime or scopes', input));
      const accepted = tried.find((observation) => observation.accepted);
      if (accepted) {
        yield [fixedCase(PLAIN, accepted.case.input)];
        return;
      }
    }
    yield plain;
  },
});

/** Lifetimes that are usual in a unit other than seconds, or of another magnitude than an hour. */
const LIFETIMES_OF_OTHER_UNITS = [60, 1, 86_400, 3_600_000, 28_800, 365];

/** Scenarios that show which token request the target accepts. */
export const plainTokenScenarios = [firstToken, plainTokens] as const;

/** The first accepted token request; undefined: there is none. */
export const acceptedToken = (observed: Observed): TokenObservation | undefined =>
  plainTokenScenarios.flatMap(observed).find(isAccepted);

/** The first accepted token request. @throws {Inconclusive} if there is none */
export function tokenControl(observed: Observed): TokenObservation {
  const control = acceptedToken(observed);
  if (!control) throw new Inconclusive('no plain token request with the right key was accepted');
  return control;
}

const DAY_IN_SECONDS = 86_400;
/** Seconds of a lifetime that ends within the run, and of the shortest that is likely to outlive it. */
export const ENDING_SOON = 1;
const SHORTEST = 60;

/** Scopes that might allow much, such as issuing tokens. */
const MANY_RIGHTS = ['customers:read', 'customers:write', 'tokens:read', 'tokens:write', 'tokens:create'];

/** A request whose last scope and lifetime, written one after the other, are those of another one: `x:read3` and 600. */
function collidingWith({ scopes, expiresIn }: TokenInput): TokenInput {
  const [first, ...rest] = [expiresIn, DAY_IN_SECONDS].map(String).find((digits) => /^.[1-9]/.test(digits))!;
  return tokenInput([...scopes.slice(0, -1), `${scopes.at(-1) ?? ''}${first}`], Number(rest.join('')));
}

/** Variations of the accepted request, with other lifetimes or scopes. */
export const variedTokens = tokenScenario({
  name: 'varied tokens',
  uses: plainTokenScenarios,
  *cases(_, observed) {
    const base = acceptedToken(observed)?.case.input;
    if (!base) return;
    const otherLifetimes = [
      // The shortest is sent without a credential later, as some services skip the check for it.
      ...[60, 86_400, 10, ENDING_SOON].filter((lifetime) => lifetime !== base.expiresIn),
      // Near each other, as some services keep a token for each minute or hour.
      ...[20, 40].map((less) => base.expiresIn - less).filter((lifetime) => lifetime > 0),
    ];
    const otherScopes = [...scopeLists.slice(0, 4), []].filter(
      (scopes) => scopes.join() !== base.scopes.join(),
    );
    const varied = yield [
      // In the forms that other clients send.
      ...otherLifetimes.map((lifetime, at) =>
        fixedCase('lifetime', {
          ...tokenInput(base.scopes, lifetime),
          style: { ...usualStyle, ...otherClients[at % otherClients.length] },
        }),
      ),
      fixedCase('lifetime', tokenInput(base.scopes, Math.ceil(base.expiresIn / 2))),
      ...otherScopes.map((scopes) => fixedCase('scopes', tokenInput(scopes, base.expiresIn))),
      fixedCase('wide', {
        ...tokenInput(MANY_RIGHTS, DAY_IN_SECONDS),
        style: { ...usualStyle, codings: codings.at(-3)! },
      }),
      {
        category: 'wide',
        // Longer than a month, and than a timer of 31 bits counts in milliseconds. With few scopes, as a service may limit both.
        arbitrary: wideToken.map((input) => ({
          ...input,
          scopes: input.scopes.slice(0, 2),
          expiresIn: Math.max(input.expiresIn, 32 * DAY_IN_SECONDS),
          style: { ...usualStyle, codings: codings.at(-2)! },
        })),
      },
      fixedCase('wide', { ...collidingWith(base), style: { ...usualStyle, codings: codings.at(-1)! } }),
    ];
    const isWideAccepted = varied.some(({ accepted, case: { category } }) => accepted && category === 'wide');
    const known = base.scopes;
    for (const scopes of isWideAccepted ? manyDifferent : manyAgain(known)) {
      const many = (list: readonly string[]): CaseSource<TokenInput> =>
        fixedCase('many scopes', { ...base, scopes: list, style: { ...usualStyle, codings: 'gzip' } });
      const [sent] = yield [many(scopes)];
      if (sent === undefined || !isSuccess(sent.exchange.reply)) continue;
      // With the same beginning, as a token may be kept by its first scopes.
      if (isWideAccepted) yield [many(scopes.slice(0, -1))];
      return;
    }
  },
  send: (run) => async (testCase) => {
    const send = (): Promise<TokenObservation> => issueToken(run, testCase);
    return markedIfIntermittent(await send(), send);
  },
});

/**
 * Lists of scopes to try in turn, until one is accepted. Not more of them: a JWT contains them, and the redactor searches
 * every output for it in a dozen encodings.
 */
const manyDifferent = [manyScopes(300), manyScopes(20)];
/** Lists that repeat known scopes, for a service that rejects unknown ones. */
const manyAgain = (scopes: readonly string[]): (readonly string[])[] =>
  [300, 20].map((times) => Array.from({ length: times }, () => scopes).flat());

/** A token of more characters may be too long for a header. */
const LONG_TOKEN = 4000;

/**
 * What a token was requested for: `widest`, the most scopes on tokens, then the most to write, then the most; `longest`, the
 * longest lifetime; `shortest`, the shortest that is likely to outlive the run; `ended`, one that ends within it.
 */
export type TokenKind = 'widest' | 'longest' | 'shortest' | 'ended';

/** The response with the token of a kind; undefined: there is none. */
export function tokenOf(
  observations: readonly TokenObservation[],
  kind: TokenKind,
): TokenObservation | undefined {
  const suitsKind = ({ case: { input } }: TokenObservation): boolean =>
    kind === 'shortest' ? input.expiresIn >= SHORTEST : kind !== 'ended' || input.expiresIn === ENDING_SOON;
  const rank = ({ case: { input } }: TokenObservation): number => {
    const scopes = [...new Set(input.scopes)];
    const countOf = (pattern: RegExp): number => scopes.filter((scope) => pattern.test(scope)).length;
    const width = (countOf(/^tokens:/) * 1000 + countOf(/write|create|admin/)) * 1000 + scopes.length;
    if (kind === 'widest') return width * 1e7 + input.expiresIn;
    return kind === 'longest' ? input.expiresIn : -input.expiresIn;
  };
  return observations
    .filter((one) => one.found && one.found.text.length < LONG_TOKEN && suitsKind(one))
    .toSorted((one, other) => rank(other) - rank(one))[0];
}

/** Token requests that are complete at the target at the same instant. */
const AT_ONCE = 4;

/** Token requests for different lifetimes, complete at the target at the same instant. */
export const simultaneousTokens = tokenScenario({
  name: 'simultaneous tokens',
  uses: [...plainTokenScenarios, variedTokens],
  cases: ({ settings }, observed) => {
    const base = acceptedToken(observed);
    const accepted = acceptedInputs(observed(variedTokens));
    if (!base || accepted.length === 0) return [];
    const inputs = [base.case.input, ...accepted].slice(0, Math.min(AT_ONCE, settings.concurrency));
    return inputs.map((input) => fixedCase('at once', input));
  },
  sendTogether: (run) => (cases) => issueTogether(run, cases),
});

/** An accepted token request in other JSON encodings; a rejection is compared with its control. */
export const encodedTokens = tokenScenario({
  name: 'encoded tokens',
  uses: plainTokenScenarios,
  cases: (_, observed) => {
    const base = acceptedToken(observed)?.case.input;
    return base ? styles.map((style) => fixedCase('other encoding', { ...base, style })) : [];
  },
  send: (run) => async (testCase) => {
    const encoded = (): Promise<TokenObservation> => issueToken(run, testCase);
    const usually = (): Promise<TokenObservation> =>
      issueToken(run, { ...testCase, input: { ...testCase.input, style: usualStyle } });
    const observation = await encoded();
    if (observation.accepted) return observation;
    const both = await withControl(observation, await usually(), encoded, usually);
    if (mayBeLocked(both.exchange.reply) && both.controlAccepted) await assertRejectedAgain(encoded);
    return both;
  },
});

const requested = ({ input: { scopes, expiresIn } }: TokenObservation['case']): string =>
  JSON.stringify([scopes, expiresIn]);

/** The accepted token request at the end; more requests if tokens seem to be chosen from few values. */
export const lateTokens = tokenScenario({
  name: 'late tokens',
  uses: [...plainTokenScenarios, variedTokens, simultaneousTokens, encodedTokens],
  *cases(_, observed) {
    const input = acceptedToken(observed)?.case.input;
    if (!input) return;
    yield [fixedCase(PLAIN, input)];
    const observations = [variedTokens, simultaneousTokens, encodedTokens].flatMap(observed);
    const few = repeatsUntilClash(observations.map((observation) => observation.found?.text));
    // Those for the same scopes and lifetime may get the same token.
    const alike = observations.length - new Set(observations.map(({ case: of }) => requested(of))).size;
    const more = few === 0 ? 0 : few + alike;
    yield Array.from({ length: more }, (__, at) =>
      fixedCase('many', {
        ...input,
        expiresIn: input.expiresIn > more ? input.expiresIn - 1 - at : input.expiresIn + 1 + at,
      }),
    );
  },
});
