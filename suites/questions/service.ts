import { describe } from 'vitest';
import { byKind, distinct, shapeOf } from '../../lib/engine/classes.ts';
import { probeCustomer, probePath, probeToken } from '../../lib/engine/probe.ts';
import { paths } from '../../lib/engine/request.ts';
import { Inconclusive } from '../../lib/engine/observation.ts';
import type { Json } from '../../lib/schemas/json.ts';
import type { Exchange } from '../../lib/target/exchange.ts';
import { negotiated } from '../../lib/target/reach.ts';
import { idOf } from '../../lib/engine/customer.ts';
import { run } from '../run.ts';
import { plainCustomers } from '../experiments/customers.ts';
import { malformedRequests } from '../experiments/oddities.ts';
import { acceptedToken } from '../experiments/tokens.ts';
import { outcomes, plainBody, question, seenIn, statuses } from './asking.ts';
import { ofCustomers, ofRefusals, ofTokens } from './seen.ts';

const methods = ['GET', 'HEAD', 'OPTIONS'] as const;

/** Each of some paths with each of some methods. */
const asked = (
  list: Readonly<Record<string, string>>,
  by: readonly (typeof methods)[number][] = methods,
): Record<string, () => Promise<Exchange>> =>
  Object.fromEntries(
    Object.entries(list).flatMap(([shown, path]) =>
      by.map((method) => [`${method} ${shown}`, () => probePath(run, method, path)] as const),
    ),
  );

/** What a refusal looks like: its content type and the types of its members. */
function bodyOf({ reply }: Exchange): Json {
  const type = reply.fields['content-type']?.split(';')[0]?.trim().toLowerCase() ?? 'none';
  if (reply.text === '') return { type, body: 'empty' };
  return reply.json === undefined ? { type, body: 'not JSON' } : { type, members: shapeOf([reply.json]) };
}

/** Fields that come with the connection, the coding or the moment, or that another question asks about. */
const PASSING =
  /^(?:date|content-length|content-encoding|transfer-encoding|connection|keep-alive|retry-after|age|expires|last-modified|set-cookie|(?:x-)?rate-?limit.*|.*(?:request|trace|correlation).*)$/;
const TOLD = /^(?:content-type|cache-control|vary|x-content-type-options)$/;

/** A field's value without what counts up or down, such as seconds. */
const withoutNumbers = (value: string): string => value.replaceAll(/=\d+/g, '=N').slice(0, 200);

/** The fields that all responses have, with their value where it does not change. */
function fieldsOf(exchanges: readonly Exchange[]): Json {
  const [first, ...others] = exchanges.map(({ reply }) => reply.fields);
  const names = Object.keys(first ?? {}).filter(
    (name) => !PASSING.test(name) && others.every((fields) => Object.hasOwn(fields, name)),
  );
  return Object.fromEntries(
    names.toSorted().map((name) => {
      const isSame = others.every(
        (fields) => withoutNumbers(fields[name]!) === withoutNumbers(first![name]!),
      );
      return [name, TOLD.test(name) && isSame ? withoutNumbers(first![name]!) : 'present'];
    }),
  );
}

const LIMITS = /^(?:x-)?rate-?limit/;

describe('open questions about refusals (interface, sections 5 and 7)', () => {
  question('auth.refusal.status', () =>
    ofRefusals((found) => byKind(found.map(({ kind, exchange }) => [kind, exchange.reply.status]))),
  );

  question('auth.challenge.form', () =>
    ofRefusals((found) =>
      byKind(
        found.map(({ kind, exchange }) => [
          kind,
          challengeOf(exchange.reply.fields['www-authenticate'] ?? ''),
        ]),
      ),
    ),
  );

  question('error.status', async () => {
    const { observations } = await malformedRequests.explore();
    const refused = observations.filter(({ exchange }) => exchange.reply.status >= 400);
    return seenIn(
      refused,
      ({ exchange }) => exchange,
      (found) => distinct(found.map(({ exchange }) => exchange.reply.status)),
    );
  });

  question('error.body', async () => {
    const { observations } = await malformedRequests.explore();
    const malformed = observations
      .filter(({ exchange }) => exchange.reply.status >= 400)
      .map(({ case: { input }, exchange }) => ({
        kind: `${input.operation}, body ${JSON.stringify(input.body)}`,
        exchange,
      }));
    return ofRefusals((found) =>
      byKind([...found, ...malformed].map(({ kind, exchange }) => [kind, bodyOf(exchange)])),
    );
  });
});

/** The schemes of a WWW-Authenticate field, each with the names of its parameters (RFC 9110, section 11.6.1). */
function challengeOf(value: string): string {
  const named = value
    .slice(0, 1000)
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '')
    .split(',')
    .map((part) => part.replace(/\s*=.*$/s, '').trim())
    .join(', ');
  return named === '' ? 'none' : named;
}

describe('open questions about requests and responses (interface, sections 4 and 8)', () => {
  question('request.content-type', () => {
    const send = (type: string | undefined) => async () =>
      probeCustomer(
        run,
        plainBody(),
        type === undefined ? { without: ['Content-Type'] } : { fields: [['Content-Type', type]] },
      );
    return outcomes({
      none: send(undefined),
      'application/json; charset=utf-8': send('application/json; charset=utf-8'),
      'application/vnd.api+json': send('application/vnd.api+json'),
      'text/plain': send('text/plain'),
      'application/x-www-form-urlencoded': send('application/x-www-form-urlencoded'),
    });
  });

  question('request.malformed', () => {
    const send = (write: (text: string) => string) => async () =>
      probeCustomer(run, write(JSON.stringify(plainBody())));
    return outcomes({
      'an array around it': send((text) => `[${text}]`),
      'a string of it': send((text) => JSON.stringify(text)),
      'a comma too many': send((text) => text.replace(/}$/, ',}')),
      'a comment': send((text) => `/* Ada */${text}`),
      'single quotes': send((text) => text.replaceAll('"', "'")),
      'a member twice': send((text) => text.replace('{', '{"name":"Eve Berg",')),
      'text after it': send((text) => `${text} and more`),
      'a byte order mark': send((text) => `\uFEFF${text}`),
    });
  });

  question('response.fields', async () => {
    const [customers, tokens] = await Promise.all([ofCustomers(() => null), ofTokens(() => null)]);
    return {
      answer: byKind([
        ['customers', fieldsOf(customers.exchanges)],
        ['tokens', fieldsOf(tokens.exchanges)],
      ]),
      exchanges: [...customers.exchanges, ...tokens.exchanges],
    };
  });

  question('response.coding', async () => {
    const offers = { nothing: undefined, 'gzip, deflate, br': 'gzip, deflate, br', identity: 'identity' };
    const probes = await Promise.all(
      Object.values(offers).map((offer) =>
        probeCustomer(run, plainBody(), offer === undefined ? {} : { fields: [['Accept-Encoding', offer]] }),
      ),
    );
    const codings = probes.map(({ exchange }) => exchange.reply.fields['content-encoding'] ?? 'identity');
    return {
      answer: byKind(Object.keys(offers).map((offer, at) => [offer, codings[at]!])),
      exchanges: probes.map(({ exchange }) => exchange),
    };
  });

  question('limits.fields', () =>
    ofCustomers((found) => {
      const names = found.map(({ exchange: { reply } }) =>
        Object.keys(reply.fields).filter((name) => LIMITS.test(name)),
      );
      const always = (names[0] ?? []).filter((name) => names.every((others) => others.includes(name)));
      return always.length === 0 ? 'none' : always.toSorted().join(', ');
    }),
  );
});

describe('open questions about the rest of the service (interface, sections 1, 4.3, 6 and 9)', () => {
  question('service.paths', () =>
    statuses(asked({ '/': '/', '/v1': '/v1', 'an unknown path': '/v1/zebras' })),
  );

  question('operations.read', async () => {
    const { observations } = await plainCustomers.explore();
    const id = observations.map(({ exchange }) => idOf(exchange.reply)).find((id) => typeof id === 'string');
    return statuses(
      asked({
        '/v1/customers': paths.customers,
        ...(id === undefined
          ? {}
          : { '/v1/customers/{id}': `${paths.customers}/${encodeURIComponent(id.toWellFormed())}` }),
        '/v1/customers/{unknown}': `${paths.customers}/cus_unknown`,
        '/v2/tokens': paths.tokens,
      }),
    );
  });

  question('service.events', () =>
    statuses(asked({ '/v1/events': '/v1/events', '/v1/webhooks': '/v1/webhooks' }, ['GET'])),
  );

  question('version.other', () =>
    outcomes({
      'POST /v2/customers': () => probeCustomer(run, plainBody(), {}, '/v2/customers'),
      'POST /v1/tokens': async () => {
        const input = (await acceptedToken())?.case.input;
        const { tokenScopes, tokenExpiresIn } = run.settings;
        const body = { scopes: input?.scopes ?? tokenScopes, expires_in: input?.expiresIn ?? tokenExpiresIn };
        return probeToken(run, body, {}, '/v1/tokens');
      },
    }),
  );

  question('protocol.versions', async () => ({
    answer: await negotiated(run.settings.baseUrl).catch((error: Error) => {
      throw new Inconclusive(`no connection was negotiated: ${error.message}`);
    }),
    exchanges: [],
  }));
});
