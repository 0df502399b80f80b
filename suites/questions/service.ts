import type { Question } from '../../lib/engine/question.ts';
import { byKind, oneOrSorted, shapeOf } from '../../lib/engine/answers/answer-shape.ts';
import { Inconclusive } from '../../lib/engine/observation.ts';
import type { Observation } from '../../lib/engine/observation.ts';
import { probeCustomer, probeToken, plainBody } from '../../lib/engine/operations/probe.ts';
import { paths } from '../../lib/engine/operations/request.ts';
import type { Json } from '../../lib/schemas/json.ts';
import type { Exchange } from '../../lib/target/exchange.ts';
import { negotiated } from '../../lib/target/connections/reach.ts';
import { acceptedIds, plainCustomerScenarios } from '../scenarios/customers.ts';
import { malformedRequests } from '../scenarios/http.ts';
import { acceptedToken, plainTokenScenarios } from '../scenarios/tokens.ts';
import { byContentType, observedIn, statuses, whichAccepted } from './ask.ts';
import { statusForm } from './declarable.ts';
import {
  acceptedCustomers,
  credentialScenarios,
  customerAnswerScenarios,
  issuedTokens,
  rejections,
  tokenAnswerScenarios,
  fromRejections,
  fromAcceptedCustomers,
} from './observed.ts';

/** Headers that depend on the connection, the content coding or the time, or that another question is about. */
const VARIABLE_HEADERS =
  /^(?:date|content-length|content-encoding|transfer-encoding|connection|keep-alive|retry-after|age|expires|last-modified|set-cookie|(?:x-)?rate-?limit.*|.*(?:request|trace|correlation).*)$/;
/** Headers whose value is part of the answer. */
const HEADERS_WITH_VALUE = /^(?:content-type|cache-control|vary|x-content-type-options)$/;

/** The headers that all responses have; the value of some, where all responses have the same. */
function headersOf(observations: readonly { readonly exchange: Exchange }[]): Json {
  const [first = {}, ...others] = observations.map(({ exchange }) => exchange.reply.fields);
  const names = Object.keys(first).filter(
    (name) => !VARIABLE_HEADERS.test(name) && others.every((headers) => Object.hasOwn(headers, name)),
  );
  return Object.fromEntries(
    names.toSorted().map((name) => {
      const value = withoutNumbers(first[name]!);
      const isSame = others.every((headers) => withoutNumbers(headers[name]!) === value);
      return [name, HEADERS_WITH_VALUE.test(name) && isSame ? value : 'present'];
    }),
  );
}

/** The value of a header without numbers that change, such as seconds. */
const withoutNumbers = (value: string): string => value.replaceAll(/=\d+/g, '=N').slice(0, 200);

/** The schemes in WWW-Authenticate, each with the names of its parameters (RFC 9110, section 11.6.1). */
function challengeOf({ reply }: Exchange): string {
  const schemes = (reply.fields['www-authenticate'] ?? '')
    .slice(0, 1000)
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '')
    .split(',')
    .map((part) => part.replace(/\s*=.*$/s, '').trim())
    .join(', ');
  return schemes === '' ? 'none' : schemes;
}

const isError = ({ exchange }: Observation): boolean => exchange.reply.status >= 400;

/** The content type of a response, and the types of its members. */
function bodyOf({ reply }: Exchange): Json {
  const type = reply.fields['content-type']?.split(';')[0]?.trim().toLowerCase() ?? 'none';
  if (reply.text === '') return { type, body: 'empty' };
  return reply.json === undefined ? { type, body: 'not JSON' } : { type, members: shapeOf([reply.json]) };
}

/** Headers about limits (RFC 9110, section 10.2.3, and common ones). */
const LIMIT_HEADERS = /^(?:retry-after$|(?:x-)?rate-?limit)/;

export const serviceQuestions: readonly Question[] = [
  {
    id: 'service.paths',
    section: '1',
    question: 'What do paths outside the interface answer to GET, HEAD and OPTIONS?',
    answer: 'a status for each',
    asked: 'probed',
    ask: (run) => statuses(run, { '/': '/', '/v1': '/v1', 'an unknown path': '/v1/zebras' }),
  },
  {
    id: 'request.content-type',
    section: '4.1',
    question: 'Which content types of a request for a customer are accepted?',
    ...whichAccepted([], (run) =>
      byContentType((condition) => probeCustomer(run, () => plainBody(run), condition)),
    ),
  },
  {
    id: 'request.malformed',
    section: '4.1',
    question: 'Which malformed bodies are accepted?',
    ...whichAccepted([], (run) => {
      const malformed = (write: (json: string) => string) =>
        probeCustomer(run, () => write(JSON.stringify(plainBody(run))));
      return {
        'an array around it': malformed((json) => `[${json}]`),
        'a string of it': malformed((json) => JSON.stringify(json)),
        'a comma too many': malformed((json) => json.replace(/}$/, ',}')),
        'a comment': malformed((json) => `/* Ada */${json}`),
        'single quotes': malformed((json) => json.replaceAll('"', "'")),
        'a member twice': malformed((json) => json.replace('{', '{"name":"Eve Berg",')),
        'text after it': malformed((json) => `${json} and more`),
        'a byte order mark': malformed((json) => `\uFEFF${json}`),
      };
    }),
  },
  {
    id: 'response.fields',
    section: '4',
    question: 'Which headers does every response with a result have?',
    answer: 'names, some with their value',
    asked: 'observed',
    over: [...customerAnswerScenarios, ...tokenAnswerScenarios],
    ask: (_, observed) => {
      const customers = observedIn(acceptedCustomers(observed), headersOf);
      const tokens = observedIn(issuedTokens(observed), headersOf);
      return {
        answer: byKind([
          ['customers', customers.answer],
          ['tokens', tokens.answer],
        ]),
        exchanges: [...customers.exchanges, ...tokens.exchanges],
      };
    },
  },
  {
    id: 'response.coding',
    section: '4',
    question: 'Which content coding does a response have, by the Accept-Encoding of its request?',
    answer: 'the coding, or identity',
    asked: 'probed',
    ask: async (run) => {
      const accepting = (coding: string) =>
        probeCustomer(run, () => plainBody(run), { fields: [['Accept-Encoding', coding]] });
      const [nothing, compressed, identity] = await Promise.all([
        probeCustomer(run, () => plainBody(run)),
        accepting('gzip, deflate, br'),
        accepting('identity'),
      ]);
      const codingOf = ({ reply }: Exchange): string => reply.fields['content-encoding'] ?? 'identity';
      return {
        answer: byKind([
          ['nothing', codingOf(nothing.exchange)],
          ['gzip, deflate, br', codingOf(compressed.exchange)],
          ['identity', codingOf(identity.exchange)],
        ]),
        exchanges: [nothing.exchange, compressed.exchange, identity.exchange],
      };
    },
  },
  {
    id: 'operations.read',
    section: '4.3',
    question: 'What do the paths of customers and tokens answer to GET, HEAD and OPTIONS?',
    answer: 'a status for each',
    asked: 'probed',
    over: plainCustomerScenarios,
    ask: (run, observed) => {
      const [id] = acceptedIds(observed);
      return statuses(run, {
        '/v1/customers': paths.customers,
        ...(id !== undefined && {
          '/v1/customers/{id}': `${paths.customers}/${encodeURIComponent(id.toWellFormed())}`,
        }),
        '/v1/customers/{unknown}': `${paths.customers}/cus_unknown`,
        '/v2/tokens': paths.tokens,
      });
    },
  },
  {
    id: 'auth.rejection.status',
    section: '5',
    question: 'Which status does the response to invalid credentials have?',
    answer: 'a status, or one for each kind of credential',
    declarable: statusForm,
    ...fromRejections((all) => byKind(all.map(({ kind, exchange }) => [kind, exchange.reply.status]))),
  },
  {
    id: 'auth.challenge.form',
    section: '5',
    question: 'Which challenge does the response to invalid credentials have?',
    answer: 'the scheme and the names of its parameters',
    ...fromRejections((all) => byKind(all.map(({ kind, exchange }) => [kind, challengeOf(exchange)]))),
  },
  {
    id: 'error.status',
    section: '7',
    question: 'Which statuses do the responses to malformed bodies have?',
    answer: 'a status, or several',
    declarable: statusForm,
    asked: 'observed',
    over: [malformedRequests],
    ask: (_, observed) =>
      observedIn(observed(malformedRequests).filter(isError), (all) =>
        oneOrSorted(all.map(({ exchange }) => exchange.reply.status)),
      ),
  },
  {
    id: 'error.body',
    section: '7',
    question: 'What does the body of an error response look like, and is it the same everywhere?',
    answer: 'content type and members, or those for each kind of error',
    asked: 'observed',
    over: [...credentialScenarios, malformedRequests],
    ask: (run, observed) =>
      observedIn(rejections(observed), (rejected) => {
        const malformed = observed(malformedRequests)
          .filter(isError)
          .map(({ case: { input }, exchange }) => ({
            // The same in every run.
            kind: `${input.operation}, body ${JSON.stringify(input.body.replace(run.runId(), '{run id}'))}`,
            exchange,
          }));
        return byKind([...rejected, ...malformed].map(({ kind, exchange }) => [kind, bodyOf(exchange)]));
      }),
  },
  {
    id: 'service.events',
    section: '6',
    question: 'What do common paths for events and webhooks answer to GET?',
    answer: 'a status for each',
    asked: 'probed',
    ask: (run) => statuses(run, { '/v1/events': '/v1/events', '/v1/webhooks': '/v1/webhooks' }, ['GET']),
  },
  {
    id: 'limits.fields',
    section: '8',
    question: 'Which headers of a response with a customer report limits?',
    answer: 'names, or none',
    ...fromAcceptedCustomers((all) => {
      const [first = [], ...others] = all.map(({ exchange: { reply } }) =>
        Object.keys(reply.fields).filter((name) => LIMIT_HEADERS.test(name)),
      );
      const always = first.filter((name) => others.every((names) => names.includes(name)));
      return always.length === 0 ? 'none' : always.toSorted().join(', ');
    }),
  },
  {
    id: 'limits.exceeded.fields',
    section: '8',
    question: 'Which headers of a response to too many requests report limits?',
    answer: 'names, or none',
    asked: 'observed',
    over: customerAnswerScenarios,
    // A run that was not throttled has no answer, and so no drift.
    ask: async ({ target: { throttlingFields } }) => {
      const names = throttlingFields?.filter((name) => LIMIT_HEADERS.test(name));
      return { answer: names && (names.toSorted().join(', ') || 'none'), exchanges: [] };
    },
  },
  {
    id: 'version.other',
    section: '9',
    question: 'Are customers created under version 2, and tokens issued under version 1?',
    ...whichAccepted(plainTokenScenarios, (run, observed) => {
      const { tokenScopes, tokenExpiresIn } = run.settings;
      const input = acceptedToken(observed)?.case.input;
      const token = { scopes: input?.scopes ?? tokenScopes, expires_in: input?.expiresIn ?? tokenExpiresIn };
      return {
        'POST /v2/customers': probeCustomer(run, () => plainBody(run), { path: '/v2/customers' }),
        'POST /v1/tokens': probeToken(run, token, { path: '/v1/tokens' }),
      };
    }),
  },
  {
    id: 'protocol.versions',
    section: '9',
    question: 'Which versions of TLS and HTTP does the target negotiate?',
    answer: 'as negotiated',
    asked: 'probed',
    ask: async (run) => ({
      answer: await negotiated(run.settings).catch((error: Error) => {
        throw new Inconclusive(`no connection was negotiated: ${error.message}`);
      }),
      exchanges: [],
    }),
  },
];
