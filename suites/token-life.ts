import { describe } from 'vitest';
import { bind } from '../lib/engine/requirement.ts';
import { mustBeAccepted, mustBeRefused } from './checks.ts';
import { tokenLife } from './experiments/token-life.ts';
import type { LifeObservation, Step } from './experiments/token-life.ts';
import { run } from './run.ts';

const { requirement } = bind(run);

const at =
  (...steps: readonly Step['step'][]) =>
  ({ case: { input } }: LifeObservation): boolean =>
    steps.includes(input.step);

describe('the life of a token (interface, sections 5.3 to 5.6), as far as a profile says how', () => {
  requirement('token.life.accepted', {
    over: [tokenLife],
    only: at('presented at once', 'presented in its last third'),
    check: mustBeAccepted('a 2xx response with a customer: the token lasts, and its scopes allow it'),
    shrinking: null,
    repeats: 1,
  });

  requirement('token.life.ended', {
    over: [tokenLife],
    only: at('presented when it has expired'),
    check: ({ accepted, after = 0 }) =>
      accepted
        ? {
            expected: 'a refusal: the token has ended',
            actual: `it was still accepted ${after.toFixed(1)} s after its end; if that is meant, declare "token.leeway", in seconds`,
          }
        : undefined,
    shrinking: null,
    repeats: 1,
  });

  requirement('token.life.scoped', {
    over: [tokenLife],
    only: at('presented beyond its scopes'),
    check: mustBeRefused('customer'),
    shrinking: null,
  });

  requirement('token.life.unaltered', {
    over: [tokenLife],
    only: at('altered'),
    check: mustBeRefused('customer'),
    shrinking: null,
  });
});
