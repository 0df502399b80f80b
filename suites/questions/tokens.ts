import { describe } from 'vitest';
import { distinct, merged, shapeOf, sharedPrefix } from '../../lib/engine/classes.ts';
import { probeCustomer, probeToken } from '../../lib/engine/probe.ts';
import type { Probe } from '../../lib/engine/probe.ts';
import { Inconclusive } from '../../lib/engine/observation.ts';
import { endsIn, lifetimeTold, scopesTold, tellsEnd, unitOf } from '../../lib/engine/expiry.ts';
import { NO_UNIT } from '../../lib/engine/life.ts';
import { issuedBearer } from '../../lib/target/credential.ts';
import { run } from '../run.ts';
import { acceptedToken, variedTokens } from '../experiments/tokens.ts';
import { outcomes, plainBody, question } from './asking.ts';
import { ofTokens } from './seen.ts';

/** A token request like the one that was accepted, but for what is given. */
async function issue(changes: object): Promise<Probe & { token: string | undefined }> {
  const { input } = (await accepted()).case;
  return probeToken(run, { scopes: input.scopes, expires_in: input.expiresIn, ...changes });
}

async function accepted(): ReturnType<typeof acceptedToken> extends Promise<infer T>
  ? Promise<NonNullable<T>>
  : never {
  const token = await acceptedToken();
  if (!token) throw new Inconclusive('no plain token request was accepted');
  return token;
}

const lists: Readonly<Record<string, unknown>> = {
  'customers:read': ['customers:read'],
  'customers:write': ['customers:write'],
  'customers:read customers:write': ['customers:read', 'customers:write'],
  none: [],
  'the same twice': ['customers:read', 'customers:read'],
  'an unknown resource': ['zebras:paint'],
  'no colon': ['everything'],
  'a wildcard': ['*'],
};

const lifetimes: Readonly<Record<string, unknown>> = Object.fromEntries(
  [-1, 0, 1, 1.5, 60, 900, 3600, 86_400, 31_536_000, 2 ** 31, 2 ** 53].map((lifetime) => [
    lifetime,
    lifetime,
  ]),
);

describe('open questions about tokens (interface, sections 2, 4.2 and 5)', () => {
  question('token.issue.status', () =>
    ofTokens((found) => distinct(found.map(({ exchange }) => exchange.reply.status))),
  );

  question('token.members', () =>
    ofTokens((found) => shapeOf(found.map(({ exchange }) => exchange.reply.json))),
  );

  question('token.response.credential', () =>
    ofTokens((found) => distinct(merged(found.map((one) => one.found!.pointer)))),
  );

  question('token.credential.form', () =>
    ofTokens((found) => {
      const claims = found.map((one) => one.found!.claims);
      if (claims.every((one) => one !== undefined)) return { kind: 'JWT', claims: shapeOf(claims) };
      const prefix = sharedPrefix(found.map((one) => one.found!.text));
      return { kind: 'opaque', prefix: prefix === '' ? 'none' : prefix };
    }),
  );

  question('token.response.expiry', () =>
    ofTokens((found) => {
      const ends = found.flatMap(({ exchange, case: { input } }) => endsIn(exchange, input.expiresIn));
      const byForm = Map.groupBy(ends, ([, form]) => form);
      return Object.fromEntries(
        [...byForm]
          .flatMap(([form, own]) =>
            merged(own.map(([pointer]) => pointer)).map((pointer) => [pointer, form] as const),
          )
          .toSorted(([one], [other]) => (one < other ? -1 : 1)),
      );
    }),
  );

  question('token.expires_in.unit', async () => {
    const varied = (await variedTokens.explore()).observations.filter(
      ({ accepted, case: { category } }) => accepted && category === 'lifetime',
    );
    const plain = await accepted();
    const found = [plain, ...varied];
    const units = new Set(
      found.flatMap(
        ({ exchange, found, case: { input } }) => unitOf(exchange, found!.text, input.expiresIn) ?? [],
      ),
    );
    const isTold = found.some(
      ({ exchange, found, case: { input } }) => input.expiresIn >= 100 && tellsEnd(exchange, found!.text),
    );
    return {
      answer: units.size === 1 ? [...units][0]! : isTold ? NO_UNIT : undefined,
      exchanges: found.map(({ exchange }) => exchange),
    };
  });

  question('token.lifetime.told', () =>
    ofTokens((found) =>
      distinct(
        found.map(({ exchange, found, case: { input } }) =>
          lifetimeTold(exchange, found!.text, input.expiresIn),
        ),
      ),
    ),
  );

  question('token.scopes.told', () =>
    ofTokens((found) =>
      distinct(
        found.map(({ exchange, found, case: { input } }) => scopesTold(exchange, found!.text, input.scopes)),
      ),
    ),
  );

  question('token.lifetimes', () => outcomes(each(lifetimes, (expires_in) => issue({ expires_in }))));

  question('token.scopes', () => outcomes(each(lists, (scopes) => issue({ scopes }))));

  question('token.request.members', () =>
    outcomes({
      'scopes missing': () => issue({ scopes: undefined }),
      'expires_in missing': () => issue({ expires_in: undefined }),
      'scopes null': () => issue({ scopes: null }),
      'expires_in null': () => issue({ expires_in: null }),
      'scopes a string': () => issue({ scopes: 'customers:read' }),
      'expires_in a string': () => issue({ expires_in: '3600' }),
      'another member': () => issue({ description: 'of a conformance run' }),
    }),
  );

  question('token.presentation', async () => {
    const creations = await creationsByScope();
    return {
      answer: creations.some(({ probe }) => probe.accepted) ? 'bearer' : 'not taken',
      exchanges: creations.map(({ probe }) => probe.exchange),
    };
  });

  question('token.scopes.allow', async () => {
    const creations = await creationsByScope();
    return {
      answer: Object.fromEntries(
        creations.map(({ scopes, probe }) => [scopes, probe.accepted ? ['POST /v1/customers'] : []]),
      ),
      exchanges: creations.map(({ probe }) => probe.exchange),
    };
  });
});

const each = (
  kinds: Readonly<Record<string, unknown>>,
  send: (value: unknown) => Promise<Probe>,
): Record<string, () => Promise<Probe>> =>
  Object.fromEntries(Object.entries(kinds).map(([kind, value]) => [kind, () => send(value)]));

let creations: Promise<readonly { scopes: string; probe: Probe }[]> | undefined;

/** Customers asked for with an issued token in the Bearer scheme, for each list of scopes that is accepted. */
const creationsByScope = (): NonNullable<typeof creations> =>
  (creations ??= (async () => {
    const own = (await accepted()).case.input.scopes;
    const asked = new Map([
      [own.join(' '), own],
      ...['customers:read', 'customers:write'].map((scope) => [scope, [scope]] as const),
    ]);
    const tried: { scopes: string; probe: Probe }[] = [];
    // One after the other, and twice where it is refused: a service may end a token when it issues the next.
    for (const [scopes, list] of asked) {
      let probe = await presented(list);
      if (probe && !probe.accepted) probe = await presented(list);
      if (probe) tried.push({ scopes, probe });
    }
    return tried;
  })());

/** A customer that is asked for with a token of its own; undefined: none is issued. */
async function presented(scopes: readonly string[]): Promise<Probe | undefined> {
  const { token } = await issue({ scopes });
  if (token === undefined) return undefined;
  return probeCustomer(run, plainBody(), { credential: issuedBearer(token) });
}
