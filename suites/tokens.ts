import fc from 'fast-check';
import { describe } from 'vitest';
import { isSuccess } from '../lib/engine/customer.ts';
import type { TokenObservation } from '../lib/engine/token.ts';
import { asIs } from '../lib/inputs/as-is.ts';
import { anyStyle } from '../lib/inputs/json.ts';
import { printable } from '../lib/target/printable.ts';
import { bind } from '../lib/engine/requirement.ts';
import { member } from '../lib/target/reply.ts';
import { clash, isAccepted, mustBeAccepted } from './checks.ts';
import { lateTokens } from './experiments/late.ts';
import { lifetimeExplains } from './experiments/lifetime.ts';
import { encodedTokens, plainTokens } from './experiments/tokens.ts';
import { tokenExperiments } from './experiments/granting.ts';
import { run } from './run.ts';

const { requirement, comparison } = bind(run);

const isAnswered = ({ exchange: { reply } }: TokenObservation): boolean => isSuccess(reply);

describe('tokens (interface, sections 2, 4.2 and 5.3)', () => {
  requirement('token.plain.accepted', {
    over: [plainTokens, lateTokens],
    answered: [plainTokens, lateTokens],
    only: ({ case: { category } }) => category === 'plain',
    // Where a rung of the ladder was taken, what stands below it was the target's right to refuse.
    note: (observations) => {
      const taken = observations.find(isAccepted)?.case.input;
      const { tokenScopes, tokenExpiresIn } = run.settings;
      if (!taken || (taken.expiresIn === tokenExpiresIn && taken.scopes.join() === tokenScopes.join()))
        return undefined;
      return `accepted with scopes ${taken.scopes.join(' ')} and expires_in ${taken.expiresIn}`;
    },
    check: (observation) =>
      isAnswered(observation)
        ? undefined
        : mustBeAccepted('a 2xx response that carries a token')(observation),
    shrinking: null,
  });

  requirement('token.body.json', {
    over: tokenExperiments,
    only: isAnswered,
    check: ({ exchange: { reply } }) =>
      reply.notJson === undefined
        ? undefined
        : { expected: 'JSON', actual: printable(reply.notJson), pointer: '' },
    shrinking: null,
  });

  requirement('token.credential.present', {
    over: tokenExperiments,
    only: (observation) =>
      isAnswered(observation) && (observation.case.category === 'plain' || isRecord(observation)),
    check: ({ found }) =>
      found
        ? undefined
        : {
            expected: 'a credential: a string, whatever its member is called',
            actual: 'no member that could be one',
            pointer: '',
          },
    shrinking: null,
  });

  requirement('token.credential.own', {
    over: tokenExperiments,
    only: isAccepted,
    check: ({ found }) =>
      found!.text.includes(run.settings.apiKey)
        ? {
            expected: 'a token, which replaces the static key',
            actual: 'the static key',
            pointer: found!.pointer,
          }
        : undefined,
    shrinking: null,
  });

  comparison('token.credential.distinct', {
    over: tokenExperiments,
    only: isAccepted,
    compare: (observations) =>
      clash(
        observations,
        ({ found }) => found!.text,
        (_, first, second) =>
          asksForTheSame(first, second) || lifetimeExplains(first, second)
            ? undefined
            : {
                expected: 'a token of its own for these scopes and this lifetime',
                actual: 'the very token of the other request',
                pointer: second.found!.pointer,
              },
      ),
  });

  requirement('token.encoding.irrelevant', {
    over: [encodedTokens],
    only: ({ controlAccepted }) => controlAccepted !== false,
    check: mustBeAccepted('what the same object has in its usual encoding: a 2xx response with a token'),
    shrinking: fc.record({ scopes: asIs<never>(), expiresIn: asIs<number>(), style: anyStyle }),
  });
});

/** Whether a response is the record of a token, with or without it, and no refusal with a 2xx status. */
function isRecord({ found, case: { input }, exchange: { reply } }: TokenObservation): boolean {
  const tellsScopes = JSON.stringify(member(reply.json, 'scopes')) === JSON.stringify(input.scopes);
  return found !== undefined || tellsScopes || member(reply.json, 'expires_in') === input.expiresIn;
}

function asksForTheSame(
  { case: { input: one } }: TokenObservation,
  { case: { input: other } }: TokenObservation,
): boolean {
  return one.expiresIn === other.expiresIn && one.scopes.toSorted().join() === other.scopes.toSorted().join();
}
