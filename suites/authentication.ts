import { describe } from 'vitest';
import type { Observation } from '../lib/engine/observation.ts';
import type { IdOf, RequirementId } from '../lib/engine/catalogue.ts';
import { bind } from '../lib/engine/requirement.ts';
import { refusedCustomers, refusedTokens } from './experiments/refusals.ts';
import type { Rule } from './experiments/forgery-plan.ts';
import { mustBeRefused } from './checks.ts';
import { run } from './run.ts';

const { requirement } = bind(run);

// A 429 turns away, but says nothing about the credential.
const isAbout =
  (rule: Rule) =>
  ({ case: { input }, exchange }: Observation<{ readonly rule: Rule }>): boolean =>
    input.rule === rule && exchange.reply.status !== 429;

/** What a pass of `request.each` is worth: whether a connection did carry a accepted request before. */
function connectionsOf(observations: readonly { readonly sameConnection?: boolean }[]): string | undefined {
  const tried = observations.filter(({ sameConnection }) => sameConnection !== undefined);
  const same = tried.filter(({ sameConnection }) => sameConnection).length;
  return same === tried.length
    ? undefined
    : `${same} of ${tried.length} on the connection of their control; the target closed the others`;
}

const customers = {
  'key required': 'auth.customers.key.required',
  'bearer scheme': 'auth.customers.bearer.required',
  'exact key': 'auth.customers.key.exact',
  'each request': 'auth.customers.request.each',
} as const satisfies Partial<Record<Rule, RequirementId>>;

const tokens = {
  'key required': 'auth.tokens.key.required',
  'bearer scheme': 'auth.tokens.bearer.required',
  'exact key': 'auth.tokens.key.exact',
  'each request': 'auth.tokens.request.each',
  'static key': 'auth.tokens.key.static',
} as const satisfies Partial<Record<Rule, IdOf<'must'>>>;

describe('authentication (interface, section 5)', () => {
  for (const [rule, id] of Object.entries(customers)) {
    requirement(id, {
      over: [refusedCustomers],
      only: isAbout(rule as Rule),
      note: connectionsOf,
      check: mustBeRefused('customer'),
    });
  }
  for (const [rule, id] of Object.entries(tokens)) {
    requirement(id, {
      over: [refusedTokens],
      only: isAbout(rule as Rule),
      note: connectionsOf,
      check: mustBeRefused('token'),
    });
  }
});
