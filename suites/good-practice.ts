import { describe } from 'vitest';
import type { Experiment } from '../lib/engine/experiment.ts';
import type { Observation } from '../lib/engine/observation.ts';
import type { Violation } from '../lib/engine/finding.ts';
import { bind } from '../lib/engine/requirement.ts';
import { member } from '../lib/target/reply.ts';
import { contains, isAccepted, mustBeAccepted, violation } from './checks.ts';
import { wideCustomers } from './experiments/customers.ts';
import { customerExperiments, tokenExperiments } from './experiments/granting.ts';
import { malformedRequests, otherMethods, rewrittenRequests } from './experiments/oddities.ts';
import { refusedCustomers, refusedTokens } from './experiments/refusals.ts';
import { variedTokens } from './experiments/tokens.ts';
import { run } from './run.ts';

const { requirement } = bind(run);

// What is judged here is in every exchange, whatever it was about.
const any = (...experiments: readonly unknown[]): Experiment<never, Observation<never>>[] =>
  experiments as Experiment<never, Observation<never>>[];

const granting = any(...customerExperiments, ...tokenExperiments);
const refusing = any(refusedCustomers, refusedTokens);
const everything = [...granting, ...refusing, ...any(malformedRequests)];

const deviationOf = (input: unknown): object => (member(input, 'deviation') as object | undefined) ?? {};

const noServerError = ({ exchange: { reply } }: Observation): Violation | undefined =>
  reply.status >= 500 ? { expected: 'a 2xx or 4xx', actual: `status ${reply.status}` } : undefined;

describe('good practice (the RFCs beneath the interface)', () => {
  requirement('auth.refusal.unauthorized', {
    over: refusing,
    // Where the path, the fields or the framing differ too, another status may be as right.
    only: ({ accepted, exchange, case: { input } }) =>
      !accepted && exchange.reply.status !== 429 && Object.keys(deviationOf(input)).length === 0,
    check: ({ exchange: { reply } }) =>
      reply.status === 401 ? undefined : { expected: 'status 401', actual: `status ${reply.status}` },
    shrinking: null,
  });

  requirement('auth.refusal.challenge', {
    over: refusing,
    only: ({ exchange }) => exchange.reply.status === 401,
    check: ({ exchange: { reply } }) =>
      /(?:^|[\s,])bearer\b/i.test(reply.fields['www-authenticate'] ?? '')
        ? undefined
        : violation('a WWW-Authenticate field with the Bearer scheme', reply.fields['www-authenticate']),
    shrinking: null,
  });

  requirement('auth.scheme.case', {
    over: any(rewrittenRequests),
    only: ({ case: { category } }) => category === 'scheme name',
    check: mustBeAccepted('what the scheme name Bearer has'),
  });

  requirement('auth.key.unreflected', {
    over: everything,
    check: ({ exchange: { reply } }) =>
      contains(reply, run.settings.apiKey)
        ? { expected: 'no key in the response', actual: 'the key' }
        : undefined,
    shrinking: null,
  });

  requirement('json.content.type', {
    over: everything,
    only: ({ exchange: { reply } }) => reply.json !== undefined,
    check: ({ exchange: { reply } }) => {
      const type = reply.fields['content-type'];
      return /^application\/(?:[\w.-]+\+)?json(?:\s*;|$)/i.test(type ?? '')
        ? undefined
        : violation('Content-Type: application/json, or another type that ends in +json', type);
    },
    shrinking: null,
  });

  requirement('json.utf8', {
    over: everything,
    only: ({ exchange: { reply } }) => reply.json !== undefined,
    check: ({ exchange: { reply } }) =>
      reply.utf8 ? undefined : { expected: 'UTF-8 without a byte order mark', actual: 'other bytes' },
    shrinking: null,
  });

  requirement('input.wide.answered', {
    over: any(wideCustomers, variedTokens),
    silenceBreaks: true,
    check: noServerError,
  });

  requirement('input.malformed.answered', { over: any(malformedRequests), check: noServerError });

  requirement('token.response.uncached', {
    over: any(...tokenExperiments),
    only: isAccepted,
    check: ({ exchange: { reply } }) =>
      /\bno-store\b/i.test(reply.fields['cache-control'] ?? '')
        ? undefined
        : violation('Cache-Control: no-store', reply.fields['cache-control']),
    shrinking: null,
  });

  requirement('http.field.case', {
    over: any(rewrittenRequests),
    only: ({ case: { category } }) => category === 'field names',
    check: mustBeAccepted('what the same fields have in their usual case'),
  });

  requirement('http.date', {
    over: everything,
    only: ({ exchange: { reply } }) => reply.status < 500,
    check: ({ exchange: { reply } }) =>
      reply.fields['date'] === undefined ? violation('a Date field', undefined) : undefined,
    shrinking: null,
  });

  requirement('http.method.allow', {
    over: any(otherMethods),
    only: ({ exchange: { reply } }) => reply.status === 405,
    check: ({ exchange: { reply } }) =>
      reply.fields['allow'] === undefined ? violation('an Allow field', undefined) : undefined,
  });
});
