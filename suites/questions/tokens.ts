import { isAccepted } from '../../lib/engine/observation.ts';
import type { Question } from '../../lib/engine/question.ts';
import {
  oneOrSorted,
  generalisedPointers,
  shapeOf,
  sharedPrefix,
} from '../../lib/engine/answers/answer-shape.ts';
import {
  expiryMembersIn,
  lifetimeReported,
  reportsExpiry,
  scopesReported,
  unitOf,
} from '../../lib/engine/operations/expiry.ts';
import { NO_UNIT, TRIED_OPERATION, nameOfScopes } from '../../lib/engine/operations/presentation.ts';
import { probeToken } from '../../lib/engine/operations/probe.ts';
import type { Probe } from '../../lib/engine/operations/probe.ts';
import type { Condition } from '../../lib/engine/operations/request.ts';
import type { Observed, Run } from '../../lib/engine/scenario.ts';
import { presentedTokens } from '../scenarios/presented-tokens.ts';
import type { PresentedObservation } from '../scenarios/presented-tokens.ts';
import { plainTokenScenarios, tokenControl, variedTokens } from '../scenarios/tokens.ts';
import { byContentType, withMembers, observedIn, acceptedOrRejected, whichAccepted } from './ask.ts';
import { operationsForm, presentationForm, secondsForm, statusForm, unitForm } from './declarable.ts';
import { fromIssuedTokens, newTokens } from './observed.ts';

/** Sends the accepted plain token request with these members changed. */
async function issue(
  run: Run,
  observed: Observed,
  changes: Readonly<Record<string, unknown>>,
  condition?: Condition,
): Promise<Probe> {
  const { input } = tokenControl(observed).case;
  return probeToken(
    run,
    withMembers({ scopes: input.scopes, expires_in: input.expiresIn }, changes),
    condition,
  );
}

/** The tokens that were presented as soon as they were issued. */
const presentedAtOnce = (observed: Observed): readonly PresentedObservation[] =>
  observed(presentedTokens).filter((one) => !one.case.input.isEarlier);

/** The tokens that were presented after another one was issued, each of which had been accepted several times before. */
const earlierTokens = (observed: Observed): readonly PresentedObservation[] =>
  observed(presentedTokens).filter((one) => one.case.input.isEarlier);

export const tokenQuestions: readonly Question[] = [
  {
    id: 'token.members',
    section: '2',
    question: 'Which members does the response to a token request have, and of which types?',
    answer: 'types by JSON pointer',
    ...fromIssuedTokens((all) => shapeOf(all.map(({ exchange }) => exchange.reply.json))),
  },
  {
    id: 'token.issue.status',
    section: '4.2',
    question: 'Which status does the response have when a token is issued?',
    answer: 'a status, or several',
    declarable: statusForm,
    ...fromIssuedTokens((all) => oneOrSorted(all.map(({ exchange }) => exchange.reply.status))),
  },
  {
    id: 'token.response.credential',
    section: '4.2',
    question: 'Where in the response is the token?',
    answer: 'a JSON pointer, or a header',
    ...fromIssuedTokens((all) => oneOrSorted(generalisedPointers(all.map((token) => token.found!.place)))),
  },
  {
    id: 'token.credential.form',
    section: '4.2',
    question: 'What is the format of a token?',
    answer: 'JWT with its claims, or opaque with its prefix',
    ...fromIssuedTokens((all) => {
      const claims = all.map((token) => token.found!.claims);
      if (claims.every((one) => one !== undefined)) return { kind: 'JWT', claims: shapeOf(claims) };
      const prefix = sharedPrefix(all.map((token) => token.found!.text));
      return { kind: 'opaque', prefix: prefix === '' ? 'none' : prefix };
    }),
  },
  {
    id: 'token.request.members',
    section: '4.2',
    question:
      'Is a token issued when scopes or expires_in is missing, null or of another type, or with a further member?',
    ...whichAccepted(plainTokenScenarios, (run, observed) => ({
      'scopes missing': issue(run, observed, { scopes: undefined }),
      'expires_in missing': issue(run, observed, { expires_in: undefined }),
      'scopes null': issue(run, observed, { scopes: null }),
      'expires_in null': issue(run, observed, { expires_in: null }),
      'scopes a string': issue(run, observed, { scopes: 'customers:read' }),
      'expires_in a string': issue(run, observed, { expires_in: '3600' }),
      'another member': issue(run, observed, { description: 'of a conformance run' }),
    })),
  },
  {
    id: 'token.request.content-type',
    section: '4.2',
    question: 'Which content types of a token request are accepted?',
    ...whichAccepted(plainTokenScenarios, (run, observed) =>
      byContentType((condition) => issue(run, observed, {}, condition)),
    ),
  },
  {
    id: 'token.expires_in.unit',
    section: '5.4',
    question: 'What is the unit of expires_in?',
    answer: `seconds, minutes, hours, days, milliseconds, or ${NO_UNIT}, by the absolute times in the response`,
    declarable: unitForm,
    asked: 'observed',
    over: [...plainTokenScenarios, variedTokens],
    ask: (_, observed) => {
      const otherLifetimes = observed(variedTokens).filter(
        ({ accepted, case: { category } }) => accepted && category === 'lifetime',
      );
      const issued = plainTokenScenarios.flatMap(observed).filter(isAccepted);
      const tokens = [...issued, ...otherLifetimes].map((token) => ({
        exchange: token.exchange,
        text: token.found!.text,
        requested: token.case.input.expiresIn,
      }));
      const units = new Set(
        tokens.flatMap(({ exchange, text, requested }) => unitOf(exchange, text, requested) ?? []),
      );
      // If the token was issued before, its end fits no unit.
      const isEndReported = newTokens(issued).some(
        ({ exchange, found, case: { input } }) =>
          input.expiresIn >= 100 && reportsExpiry(exchange, found!.text),
      );
      return observedIn(tokens, () =>
        units.size === 1 ? [...units][0]! : isEndReported ? NO_UNIT : undefined,
      );
    },
  },
  {
    id: 'token.response.expiry',
    section: '5.4',
    question: 'How does the response report when a token expires?',
    answer: 'a format by JSON pointer',
    ...fromIssuedTokens((all) => {
      const tokens = newTokens(all);
      if (tokens.length === 0) return undefined;
      const ends = tokens.flatMap(({ exchange, case: { input } }) =>
        expiryMembersIn(exchange, input.expiresIn),
      );
      const byForm = Map.groupBy(ends, ([, form]) => form);
      return Object.fromEntries(
        [...byForm]
          .flatMap(([form, own]) =>
            generalisedPointers(own.map(([pointer]) => pointer)).map((pointer) => [pointer, form] as const),
          )
          .toSorted(([one], [other]) => (one < other ? -1 : 1)),
      );
    }),
  },
  {
    id: 'token.lifetimes',
    section: '5.4',
    question: 'Which lifetimes are accepted?',
    ...whichAccepted(plainTokenScenarios, (run, observed) =>
      Object.fromEntries(
        [-1, 0, 1, 1.5, 60, 900, 3600, 86_400, 31_536_000, 2 ** 31, 2 ** 53].map((lifetime) => [
          lifetime,
          issue(run, observed, { expires_in: lifetime }),
        ]),
      ),
    ),
  },
  {
    id: 'token.leeway',
    section: '5.4',
    question: 'For how many seconds after it expires may a token still be accepted?',
    answer: 'a number; 10 where nothing is declared',
    declarable: secondsForm,
    asked: 'operator',
  },
  {
    id: 'token.lifetime.reported',
    section: '5.4',
    question: 'Do the response and the claims of a JWT report the requested lifetime?',
    answer: 'as requested, another, or not reported',
    ...fromIssuedTokens((all) => {
      const reported = newTokens(all).map((token) =>
        lifetimeReported(token.exchange, token.found!.text, token.case.input.expiresIn),
      );
      return reported.length === 0 ? undefined : oneOrSorted(reported);
    }),
  },
  {
    id: 'token.scopes',
    section: '5.5',
    question: 'Which scopes are accepted?',
    ...whichAccepted(plainTokenScenarios, (run, observed) => ({
      'customers:read': issue(run, observed, { scopes: ['customers:read'] }),
      'customers:write': issue(run, observed, { scopes: ['customers:write'] }),
      'customers:read customers:write': issue(run, observed, {
        scopes: ['customers:read', 'customers:write'],
      }),
      none: issue(run, observed, { scopes: [] }),
      'the same twice': issue(run, observed, { scopes: ['customers:read', 'customers:read'] }),
      'an unknown resource': issue(run, observed, { scopes: ['zebras:paint'] }),
      'no colon': issue(run, observed, { scopes: ['everything'] }),
      'a wildcard': issue(run, observed, { scopes: ['*'] }),
    })),
  },
  {
    id: 'token.scopes.allow',
    section: '5.5',
    question: 'Which operations does each accepted scope allow, of those that can be tried without harm?',
    answer: 'operations by scope',
    declarable: operationsForm,
    asked: 'probed',
    over: [presentedTokens],
    ask: (_, observed) =>
      observedIn(presentedAtOnce(observed), (all) =>
        Object.fromEntries(
          all
            // A token without scopes is not expected to allow anything.
            .filter(({ accepted, case: { input } }) => accepted || input.scopes.length > 0)
            .map(({ accepted, case: { input } }) => [
              nameOfScopes(input.scopes),
              accepted ? [TRIED_OPERATION] : [],
            ]),
        ),
      ),
  },
  {
    id: 'token.scopes.reported',
    section: '5.5',
    question: 'Do the response and the claims of a JWT report the requested scopes?',
    answer: 'as requested, others, or not reported',
    ...fromIssuedTokens((all) =>
      oneOrSorted(
        all.map((token) => scopesReported(token.exchange, token.found!.text, token.case.input.scopes)),
      ),
    ),
  },
  {
    id: 'token.presentation',
    section: '5.6',
    question: 'How is an issued token, with some scope, presented to create a customer?',
    answer: 'bearer, {"header": "X-Access-Token"}, or not accepted',
    declarable: presentationForm,
    asked: 'probed',
    over: [presentedTokens],
    ask: (_, observed) =>
      observedIn(presentedAtOnce(observed), (all) => {
        const accepted = all.flatMap((one) => one.presentation ?? []);
        if (accepted.length === 0) return 'not accepted';
        // If a token works only a few times, it has no life that a profile could declare.
        return earlierTokens(observed).length > 0 ? oneOrSorted(accepted) : undefined;
      }),
  },
  {
    id: 'token.earlier',
    section: '3',
    question: 'Is a token still accepted when another one has been issued?',
    answer: 'accepted or rejected',
    asked: 'probed',
    over: [presentedTokens],
    ask: (_, observed) =>
      observedIn(earlierTokens(observed), (all) => oneOrSorted(all.map(acceptedOrRejected))),
  },
];
