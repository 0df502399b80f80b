import { describe, expect, it } from 'vitest';
import { credentialFrom } from '../inputs/invalid-credentials.ts';
import type { InvalidCredential } from '../inputs/invalid-credentials.ts';
import { missing, nearMisses, otherSchemes } from '../inputs/near-misses.ts';
import type { Call } from '../reference/call.ts';
import { behaviourOf, first, foundIn, namesOf } from './faults.testing.ts';
import type { Cause } from './cause.ts';
import { causeOfAccepted } from './credentials.ts';
import { namedCondition } from './presented.ts';
import type { NamedCondition, Presented } from './presented.ts';

const KEY = 'sk_test_4eC39HqLyjWDarjtT1zdp7dc';

/** The cause, where accepted requests are answered with 201. */
const causeOf = (requests: readonly Presented[], key: string): Cause | undefined =>
  causeOfAccepted(
    requests.map((request) => (request.accepted ? { ...request, status: 201 } : request)),
    key,
  );

const header = (line: string): NamedCondition => {
  const [name, value] = line.split(': ') as [string, string];
  return namedCondition('header', name, value);
};
const query = (name: string, value: string): NamedCondition => namedCondition('query', name, value);

describe('the likely cause of accepted credentials', () => {
  const { common, rarer } = nearMisses(KEY);
  const credentials: InvalidCredential[] = [
    ...missing,
    ...otherSchemes,
    ...[...common, ...rarer.flat()].map(first),
  ];
  const conditions = [
    [header('X-Forwarded-For: 127.0.0.1'), header('X-Real-IP: 127.0.0.1')],
    [header('X-Forwarded-For: 127.0.0.1')],
    [header('X-Real-IP: 127.0.0.1')],
    [header('Cookie: session=1')],
    [header('X-Api-Key: {key}')],
  ];
  const usual = { conditions: [], body: Buffer.from('{}'), number: 1, isAfterAccepted: false, status: 401 };
  const requests: Omit<Presented, 'accepted'>[] = [
    ...credentials.map((one) => ({ ...usual, authorization: credentialFrom(one, KEY)?.value })),
    ...conditions.map((row) => ({ ...usual, authorization: undefined, conditions: row })),
    { ...usual, authorization: undefined, isAfterAccepted: true },
  ];

  /** What a service with the fault accepts. */
  async function acceptedBy(fault: string): Promise<Presented[]> {
    const { authenticate } = behaviourOf(fault);
    return Promise.all(
      requests.map(async (request) => {
        const { authorization, conditions } = request;
        const header = (name: string): string | undefined =>
          name === 'Authorization'
            ? authorization?.trim()
            : conditions.find(({ place }) => place === name)?.value.replace('[key]', KEY);
        const call = {
          key: KEY,
          credential: /^bearer (\S+)$/i.exec(authorization ?? '')?.[1],
          hasKey: false,
          url: new URL('http://localhost/v1/customers'),
          header,
        } as Partial<Call> as Call;
        return { ...request, accepted: await authenticate!(call) };
      }),
    );
  }

  it('is found where the catalogue has it, and nothing else is reported', async () => {
    const named = namesOf('authentication').filter((name) => !/-(?:skipped|state|cached)-/.test(name));
    const causes = new Map<string, Cause | undefined>();
    for (const name of named) {
      // Some depend on more of the request than is simulated here.
      const accepted = await acceptedBy(name).catch(() => []);
      causes.set(name, causeOf(accepted, KEY));
    }
    expect(foundIn(named, (name) => causes.get(name))).toMatchSnapshot();
  });

  const isBearer = (given: string | undefined, accepts: (text: string) => boolean): boolean =>
    /^bearer \S/i.test(given ?? '') && accepts(given!.slice('Bearer '.length));

  function isPatternIn(pattern: string, text: string): boolean {
    try {
      return new RegExp(pattern).test(text);
    } catch {
      return false;
    }
  }

  it.each([
    ['any Authorization header is accepted, also an empty one', (given?: string) => given !== undefined],
    [
      'any beginning of the key is accepted, also an empty one',
      (given: string | undefined) => given !== undefined && KEY.startsWith(given.replace(/^Bearer */, '')),
    ],
    [
      'any beginning of the key is accepted, also an empty one, and requests without the header',
      (given = '') => KEY.startsWith(given.replace(/^Bearer */, '')),
    ],
    [
      '“Bearer ” is removed wherever it stands, and need not be there',
      (given: string | undefined) => given?.replaceAll('Bearer ', '') === KEY,
    ],
    // A header that has another form throws, which some services catch.
    [
      'requests without a credential after Bearer and one space are accepted',
      (given: string | undefined) => !given?.startsWith('Bearer '),
    ],
    [
      'requests without a second word in Authorization are accepted',
      (given: string | undefined) => !given?.split(' ')[1],
    ],
    ['any credential is accepted in any scheme', (given: string | undefined) => /^\S+ +\S/.test(given ?? '')],
    [
      'any Authorization header without a credential after Bearer and one space is accepted',
      (given: string | undefined) => given !== undefined && !/^bearer \S/i.test(given),
    ],
    [
      'the word Bearer and the key are looked for anywhere in the header',
      (given: string | undefined) => given?.includes('Bearer') === true && given.includes(KEY),
    ],
    [
      '“Bearer” is removed from the header, and need not be there',
      (given: string | undefined) => given?.replaceAll('Bearer', '').trim() === KEY,
    ],
    [
      'the credential is used as a regular expression, which the beginning of the key matches',
      (given: string | undefined) => isBearer(given, (text) => isPatternIn(`^(?:${text})`, KEY)),
    ],
    // timingSafeEqual in Node.js throws there, and some services catch that.
    [
      'any Bearer credential of another length than that of the key is accepted',
      (given: string | undefined) => isBearer(given, (text) => Buffer.byteLength(text) !== KEY.length),
    ],
    [
      'the key is compared by a collation that ignores case and accents',
      (given: string | undefined) =>
        isBearer(given, (text) => text.localeCompare(KEY, 'en', { sensitivity: 'base' }) === 0),
    ],
    [
      'the header is read as a list, of which any credential counts',
      (given: string | undefined) => given?.split(/ *, */).includes(`Bearer ${KEY}`) === true,
    ],
    [
      'any word of the header may be the key',
      (given: string | undefined) => given?.split(/[ ,]+/).includes(KEY) === true,
    ],
    [
      'any word of the header may be the key',
      (given: string | undefined) => given?.match(/[^ ,;"']+/g)?.includes(KEY) === true,
    ],
    [
      'the key is compared without its prefix, such as sk_live_',
      (given: string | undefined) =>
        isBearer(
          given,
          (text) => text.replace(/^[spr]k_(?:live|test)_/, '') === KEY.slice('sk_test_'.length),
        ),
    ],
    [
      'the key is compared with hyphens as underscores',
      (given: string | undefined) => isBearer(given, (text) => text.replaceAll('-', '_') === KEY),
    ],
    [
      'the credential is looked for in the key as a regular expression',
      (given: string | undefined) => isBearer(given, (text) => isPatternIn(text, KEY)),
    ],
  ])('is a rule that services apply: %s', (text, accepts) => {
    const judged = requests.map((request) => ({ ...request, accepted: accepts(request.authorization) }));
    expect(causeOf(judged, KEY)?.text).toBe(text);
  });

  it('is a condition that all accepted requests have in common, and no rejected one', () => {
    const exempt = requests.map((request) => ({
      ...request,
      accepted: request.conditions.some(({ place }) => place === 'X-Forwarded-For'),
    }));
    expect(causeOf(exempt, KEY)?.text).toBe('requests with X-Forwarded-For: 127.0.0.1 need no key');
    const rejected = { ...exempt.find(({ accepted }) => accepted)!, accepted: false };
    expect(causeOf([...exempt, rejected], KEY)).toBeUndefined();
    // With a 400, something else may be wrong with it.
    expect(causeOf([...exempt, { ...rejected, status: 400 }], KEY)).toBeDefined();
  });

  it('is a header of which each value is accepted', () => {
    const rows = [['Origin: null'], ['Origin: http://localhost', 'DNT: 1'], ['DNT: 1']];
    const exempt = rows.map((row) => ({
      ...usual,
      authorization: undefined,
      conditions: row.map(header),
      accepted: row[0] !== 'DNT: 1',
    }));
    expect(causeOf(exempt, KEY)?.text).toBe('requests with Origin need no key');
  });

  /** Rows of conditions, those of accepted requests first. */
  const causeOfRows = (
    accepted: readonly NamedCondition[][],
    rejected: readonly NamedCondition[][],
  ): string | undefined =>
    causeOf(
      [...accepted, ...rejected].map((row, at) => ({
        ...usual,
        authorization: undefined,
        conditions: row,
        accepted: at < accepted.length,
      })),
      KEY,
    )?.text;

  it('is another value of a header that usual requests have', () => {
    const accepted = ['Content-Type: text/plain', 'Content-Type: text/xml'].map((line) => [header(line)]);
    expect(causeOfRows(accepted, [[header('DNT: 1')]])).toBe(
      'requests with another Content-Type need no key',
    );
  });

  it('is any query, also an empty one', () => {
    const accepted = [[query('', ''), header('DNT: 1')], [query('debug', '1')], [query('', '')]];
    expect(causeOfRows(accepted, [[header('DNT: 1')]])).toBe('requests with a query need no key');
  });

  it('is a request target other than the path, if an empty query is none', () => {
    const [empty, some] = [query('', ''), query('a', '1')];
    const [path, target] = [namedCondition('path', '', '//v1/customers'), namedCondition('target', '', '')];
    expect(causeOfRows([[some], [some, header('DNT: 1')]], [[empty], [header('DNT: 1')]])).toBe(
      'requests with the query a=1 need no key',
    );
    const others = [[some], [query('b', '2')]];
    expect(causeOfRows(others, [[empty], [path]])).toBe('requests with a query need no key');
    expect(causeOfRows([...others, [path]], [[empty], [target]])).toBe(
      'requests with a query, or with another spelling of the path need no key',
    );
    expect(causeOfRows([...others, [path], [target], [empty]], [[header('DNT: 1')]])).toBe(
      'requests with any target but exactly the path of the operation need no key',
    );
  });

  it('is any media type but JSON', () => {
    const none = namedCondition('other', '', 'no Content-Type');
    const accepted = [[none], [header('Content-Type: text/plain')]];
    const rejected = [[header('Content-Type: application/json; charset=utf-8')]];
    expect(causeOfRows(accepted, rejected)).toBe(
      'requests with another Content-Type than application/json, or none, need no key',
    );
  });

  it('is the key as access_token in one place', () => {
    const [inQuery, inBody] = [
      query('access_token', '{key}'),
      namedCondition('member', 'access_token', '{key}'),
    ];
    expect(causeOfRows([[inQuery], [inBody]], [[inQuery, inBody]])).toContain(
      'as access_token in the query or the body',
    );
  });

  it('is one of a few conditions, each of which was accepted alone', () => {
    const [text, form] = [header('Content-Type: text/plain'), header('Content-Type: text/csv')];
    const rejected = [[header('Content-Type: application/json; charset=utf-8')], [header('DNT: 1')]];
    expect(
      causeOfRows([[text, header('DNT: 1')], [text], [form], [form, header('X-Debug: 1')]], rejected),
    ).toBe('requests with Content-Type: text/csv or Content-Type: text/plain need no key');
    expect(
      causeOfRows([[text], [header('Accept: text/html')], [header('DNT: 2')]], rejected),
    ).toBeUndefined();
  });

  it('is a header that goes with some inputs, and is accepted with the key as well', () => {
    const withHeaders = (inherited: NamedCondition[], accepted: boolean): Presented => ({
      ...usual,
      authorization: 'Bearer other',
      inherited,
      accepted,
    });
    const named = [header('Content-Type: application/json; charset=utf-8')];
    const rejected = [withHeaders([], false), withHeaders([header('Accept-Language: de')], false)];
    const requests = [withHeaders(named, true), withHeaders([...named, header('DNT: 1')], true), ...rejected];
    expect(causeOf(requests, KEY)?.text).toBe(
      'requests with Content-Type: application/json; charset=utf-8 need no key',
    );
    // A single request may have been accepted for anything, and its own conditions come first.
    expect(causeOf([requests[0]!, ...rejected], KEY)).toBeUndefined();
    const withOwn = { ...requests[0]!, conditions: [header('X-Original-URL: /health')] };
    expect(causeOf([withOwn, ...rejected], KEY)?.text).toBe(
      'requests with X-Original-URL: /health need no key',
    );
  });

  it('is one of a few conditions of several kinds, if many requests show that', () => {
    const [one, other] = [header('X-Original-URL: /health'), header('X-Rewrite-URL: /health')];
    const row = [header('X-Method-Override: GET'), one, other, header('X-Forwarded-Prefix: /public')];
    expect(
      causeOfRows(
        [row, row.slice(0, 3), row.slice(0, 2), row.slice(2), [one], [other]],
        [row.slice(0, 1), row.slice(3)],
      ),
    ).toBe('requests with X-Original-URL: /health or X-Rewrite-URL: /health need no key');
    // The remedies differ.
    const key = namedCondition('header', 'X-Api-Key', '{key}');
    expect(
      causeOfRows([[one], [key], [one], [key], [one, key], [key, one]], [row.slice(0, 1)]),
    ).toBeUndefined();
  });

  it('is a kind of conditions of which one was accepted alone', () => {
    const local = header('X-Forwarded-For: ::1');
    const list = header('X-Forwarded-For: 10.0.0.1, 127.0.0.1');
    const accepted = [[local], [local, header('X-Real-IP: ::1')], [list, header('DNT: 2')]];
    expect(causeOfRows(accepted, [[header('X-Forwarded-For: 172.16.0.1'), header('DNT: 1')]])).toBe(
      'requests with some values of X-Forwarded-For, such as ::1, need no key',
    );
    const members = ['api_key', 'access_token', 'key', 'secret'].map((name) =>
      namedCondition('member', name, '{key}'),
    );
    const [first, second, third, fourth] = members as [
      NamedCondition,
      NamedCondition,
      NamedCondition,
      NamedCondition,
    ];
    expect(causeOfRows([[first, second, third], [second, third], [first]], [[fourth]])).toBe(
      'the key is accepted in some members of the body, such as api_key',
    );
  });

  it('is the key in some places of several kinds', () => {
    const [name, parameter, member] = [
      header('X-Api-Key: {key}'),
      query('token', '{key}'),
      namedCondition('member', 'key', '{key}'),
    ];
    const others = [header('X-Token: {key}'), query('code', '{key}')];
    const text = 'requests with X-Api-Key: [key] or the query token=[key]';
    expect(causeOfRows([[name, parameter], [name], [parameter]], [others])).toBe(
      `${text} are accepted without the key in Authorization`,
    );
    const more = query('key', '{key}');
    expect(causeOfRows([[name], [parameter], [member], [more]], [others])).toBe(
      'the key is accepted in some places besides Authorization, such as X-Api-Key',
    );
  });

  it('is the narrowest rule: rejections without a response are not observed', () => {
    const folded = { ...usual, authorization: `Bearer ${KEY.toLowerCase()}`, accepted: true };
    expect(causeOf([folded], KEY)?.id).toBe('case');
    const other = { ...folded, authorization: 'Bearer wrong' };
    expect(causeOf([folded, other], KEY)?.id).toBe('any-bearer');
    // With another credential beside it, any of the two may be what was rejected.
    const rejected = {
      ...other,
      conditions: [namedCondition('second credential', 'Authorization', 'Bearer wrong')],
      accepted: false,
    };
    expect(causeOf([folded, other, rejected], KEY)?.id).toBe('any-bearer');
  });

  it('is not ruled out by a rejection of another spelling of the scheme', () => {
    const longer = ['x', 'y', ':x'].map((end) => ({
      ...usual,
      authorization: `Bearer ${KEY}${end}`,
      accepted: true,
    }));
    const rejected = { ...usual, authorization: `bearer ${KEY}wrong`, accepted: false };
    const other = { ...usual, authorization: `Bearer x${KEY}`, accepted: false };
    expect(causeOf([...longer, rejected, other], KEY)?.text).toBe(
      'any text that begins with the key is accepted',
    );
  });

  it('is a comparison up to the end of the shorter text, if longer and shorter ones are accepted', () => {
    const presented = [`${KEY}x`, KEY.slice(0, -1), 'sk_test_', `x${KEY}`, KEY.slice(1), 'test'].map(
      (given, at) => ({ ...usual, authorization: `Bearer ${given}`, accepted: at < 3 }),
    );
    expect(causeOf(presented, KEY)?.text).toBe(
      'the credential and the key are compared up to the end of the shorter one',
    );
  });

  it('is a stored response, if all accepted requests got one, and no rule explains them', () => {
    const stored = { ...usual, authorization: undefined, accepted: true, isStored: true };
    const wrong = { ...stored, authorization: 'Bearer wrong' };
    const rejected = [undefined, 'Bearer wrong'].map((authorization) => ({
      ...usual,
      authorization,
      accepted: false,
    }));
    expect(causeOf([stored, wrong, ...rejected], KEY)?.id).toBe('stored-response');
    expect(causeOf([stored, { ...wrong, isStored: false }, ...rejected], KEY)).toBeUndefined();
    expect(causeOf([stored, wrong], KEY)?.id).toBe('open');
  });

  it('is a connection that stays authenticated', () => {
    const stateful = requests.map((request) => ({ ...request, accepted: request.isAfterAccepted }));
    expect(causeOf(stateful, KEY)?.text).toBe('a connection stays authenticated');
  });

  it('is the key of another request, if all are accepted on its connection, but not elsewhere', () => {
    const request = { ...usual, authorization: undefined };
    const after = ['Bearer wrong', 'Token wrong', undefined].map((authorization) => ({
      ...request,
      authorization,
      isAfterAccepted: true,
      accepted: true,
    }));
    const mixed = [true, false, false, false].map((accepted) => ({ ...request, accepted }));
    expect(causeOf([...after, ...mixed], KEY)?.text).toBe(
      'the key of one request counts for others, such as those on the same connection',
    );
    expect(causeOf([...after.slice(1), ...mixed], KEY)).toBeUndefined();
    const rejected = { ...after[0]!, accepted: false };
    expect(causeOf([...after, rejected, ...mixed], KEY)).toBeUndefined();
  });

  it('explains why the others were rejected for their credentials', () => {
    const accepted = { ...usual, authorization: undefined, accepted: true };
    const rejected = { ...accepted, conditions: [header('Cookie: session=1')], accepted: false };
    expect(causeOf([accepted, rejected], KEY)).toBeUndefined();
    // With a 400, something else may be wrong with it.
    expect(causeOf([accepted, { ...rejected, status: 400 }], KEY)).toBeDefined();
  });

  it('is a form of the request target, if no rejected request had it', () => {
    const request = { ...usual, authorization: undefined };
    const withCondition = (condition: NamedCondition, accepted: boolean): Presented => ({
      ...request,
      conditions: [condition],
      accepted,
    });
    const path = (value: string): NamedCondition => namedCondition('path', '', value);
    const target = (value: string): NamedCondition => namedCondition('target', '', value);
    const accepted = [path('//v1/customers'), target('')].map((one) => withCondition(one, true));
    const rejected = [path('/V1/CUSTOMERS'), header('X-Real-IP: 127.0.0.1')].map((one) =>
      withCondition(one, false),
    );
    expect(causeOf([...accepted, ...rejected], KEY)?.text).toBe(
      'requests with some forms of the request target need no key: the path //v1/customers, a request target in absolute form',
    );
    const absolute = [target(''), target('{key}@')].map((one) => withCondition(one, true));
    expect(causeOf([...absolute, ...rejected], KEY)?.text).toBe(
      'requests with a request target in absolute form need no key',
    );
    expect(causeOf([...accepted, absolute[1]!, ...rejected], KEY)?.text).toContain('with [key]@');
    const other = withCondition(header('Cookie: session=1'), true);
    expect(causeOf([...accepted, ...rejected, other], KEY)).toBeUndefined();
  });

  it('may be that none is needed, except where the request target has another form', () => {
    const absolute = { ...usual, authorization: undefined, conditions: [namedCondition('target', '', '')] };
    const open = requests.map((request) => ({ ...request, accepted: true }));
    expect(causeOf([...open, { ...absolute, accepted: false }], KEY)?.id).toBe('open');
  });

  it('is what all accepted requests had, without what a rejected one had too', () => {
    const row = (conditions: readonly NamedCondition[], accepted: boolean): Presented => ({
      ...usual,
      authorization: undefined,
      conditions,
      accepted,
    });
    const [callback, next, origin] = [query('callback', 'x'), query('next', '/login'), header('Origin: x')];
    const requests = [row([callback, next], true), row([callback], false), row([origin], false)];
    expect(causeOf(requests, KEY)?.text).toBe('requests with the query next=/login need no key');
    const any = [row([callback], true), row([next], true), row([origin], false)];
    expect(causeOf(any, KEY)?.text).toBe('requests with a query need no key');
  });

  it('is none if the key itself was presented, as a token that the service had issued', () => {
    const rejected = { ...usual, authorization: `Bearer ${KEY}x`, accepted: false };
    expect(
      causeOf([{ ...usual, authorization: `Bearer ${KEY}`, accepted: true }, rejected], KEY),
    ).toBeUndefined();
  });

  it('is none of a service that rejects them all', () => {
    expect(
      causeOf(
        requests.map((request) => ({ ...request, accepted: false })),
        KEY,
      ),
    ).toBeUndefined();
  });

  it('is that a rejection carries the result, if all of them do', () => {
    const causeWith = (status: number): string | undefined =>
      causeOfAccepted(
        [undefined, 'Bearer other'].map((authorization) => ({
          ...usual,
          authorization,
          status,
          accepted: true,
        })),
        KEY,
      )?.text;
    expect(causeWith(401)).toBe('requests are rejected with 401, but the response carries the result');
    expect(causeWith(201)).toBe('any credential is accepted, and none is needed');
  });

  it('is a trait of the bodies, or the order, in which all accepted requests differ from all rejected ones', () => {
    const textOf = (traitOf: (at: number) => { body?: Buffer; number?: number }): string | undefined =>
      causeOf(
        Array.from({ length: 13 }, (_, at) => ({
          ...usual,
          authorization: at % 2 === 0 ? undefined : 'Bearer other',
          ...traitOf(at),
          accepted: at > 2,
        })),
        KEY,
      )?.text;
    expect(textOf((at) => ({ body: Buffer.from(at > 2 ? 'é' : 'aa') }))).toBe(
      'requests with characters beyond ASCII in the body need no key',
    );
    expect(textOf((at) => ({ body: Buffer.alloc(at * 25) }))).toBe(
      'requests with a body of 75 bytes or more need no key, those with a body of up to 50 bytes do',
    );
    expect(textOf((at) => ({ body: Buffer.alloc(325 - at * 25) }))).toBe(
      'requests with a body of up to 250 bytes need no key, those with a body of 275 bytes or more do',
    );
    const tokenRequest = (scopes: number, lifetime: number) => ({
      body: Buffer.from(JSON.stringify({ scopes: Array(scopes).fill('a:b'), expires_in: lifetime })),
    });
    expect(textOf((at) => tokenRequest(at > 2 ? 0 : 1, at))).toBe(
      'requests with no scopes need no key, those with any scopes do',
    );
    expect(textOf((at) => tokenRequest(at % 2, at > 2 ? 60 : 90))).toBe(
      'requests with expires_in of up to 60 need no key, those with expires_in of 90 or more do',
    );
    // No limit is likely between these sizes.
    expect(textOf((at) => ({ body: Buffer.alloc(at > 2 ? 5730 : 5733) }))).toBeUndefined();
    expect(textOf((at) => ({ number: at }))).toBe('from exchange 3 on, requests need no key');
    expect(textOf((at) => ({ number: at % 3 }))).toBeUndefined();
  });
});
