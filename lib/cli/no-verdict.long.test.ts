import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ctsInProcess } from '../selftest/in-process.ts';
import { cts } from '../selftest/command.ts';
import type { CommandResult } from '../selftest/command.ts';
import { startPlainService } from '../selftest/plain-service.ts';
import type { PlainBehaviour, PlainService } from '../selftest/plain-service.ts';
import { variablesOf, failed, serviceThat, requirementIn, words } from '../selftest/services.ts';
import { inconclusiveRun } from '../selftest/shared-runs.ts';

describe('no verdict', () => {
  let vanishing: PlainService;
  // It mostly waits, beside the other tests.
  let vanished: Promise<CommandResult>;
  beforeAll(async () => {
    vanishing = await startPlainService({
      instead: (request, _, count) => {
        const isGone = count > 130 && request.method === 'POST' && request.url!.endsWith('customers');
        if (isGone) request.socket.resetAndDestroy();
        return isGone;
      },
    });
    vanished = cts(['--seed', '5', '--cases', '60', '--time-budget', '160'], variablesOf(vanishing));
  });
  afterAll(() => vanishing.stop());

  it('comes from an unreachable target: exit code 3, with the reason and what to do', async () => {
    const { code, stdout, report, out } = await inconclusiveRun();
    expect(code).toBe(3);
    expect(stdout).toContain(
      'connection refused. Check that the service is up and that TARGET_BASE_URL is right',
    );
    expect(report!.verdict).toBe('inconclusive');
    // The one reason stands there once, and is one error in a CI system.
    expect(stdout).not.toContain('customer.plain.accepted');
    expect(readFileSync(join(out, 'junit.xml'), 'utf8').match(/<error /g)).toHaveLength(1);
  });

  it('is not the result of a key that one operation accepts and the other rejects: that is a finding', async () => {
    const service = await serviceThat({
      instead: (request, response) => {
        const isToken = request.url === '/api/v2/tokens';
        if (isToken) response.writeHead(401).end();
        return isToken;
      },
    });
    const ended = await ctsInProcess([], variablesOf(service));
    expect(ended.code).toBe(1);
    expect(failed(ended)).toEqual(['token.plain.accepted']);
  });

  it('comes from a run that was cut short before it had tried enough, whatever passed by then', async () => {
    const service = await serviceThat();
    const { code, report, stdout } = await ctsInProcess(
      ['--max-requests', '190', '--seed', '7'],
      variablesOf(service),
    );
    expect(service.received).toHaveLength(190);
    expect([code, report!.verdict]).toEqual([3, 'inconclusive']);
    expect(stdout).toContain('--max-requests 190 is probably too low for a verdict: raise it to 390');
    const { verdict, reason, cases } = requirementIn({ report }, 'auth.customers.key.exact');
    expect({ verdict, reason }).toEqual({
      verdict: 'inconclusive',
      reason: 'the budget of 190 requests was spent',
    });
    expect(cases).toBeGreaterThan(0);
    expect(stdout).toContain('the budget of 190 requests was spent; raise --max-requests to 390');
  });

  it('comes from too few requests for a selection, too, and names the limit to raise', async () => {
    const args = ['--only', 'auth.customers.*', '--max-requests', '60'];
    const { code, stdout } = await ctsInProcess(args);
    expect(code).toBe(3);
    expect(stdout).toMatch(/the budget of 60 requests was spent; raise --max-requests to \d+$/m);
  });

  it('is not the result of a budget that is enough for fewer cases, which are sent', async () => {
    const service = await serviceThat();
    const { code, stdout, report } = await ctsInProcess(
      ['--max-requests', '260', '--seed', '7'],
      variablesOf(service),
    );
    expect(code).toBe(0);
    expect(stdout).toContain('--max-requests 260 allows 71 cases instead of 170');
    expect(stdout).toMatch(/^CONFORMS {2}.*; with 71 of 170 cases, as the limits/m);
    expect(report!.run).toMatchObject({ cases: 71, wantedCases: 170 });
    expect(service.received.length).toBeLessThanOrEqual(260);
  });

  it('comes from a target that rejects the key of its client, but not if only one operation does', async () => {
    const rejecting = (text: string, path = '', beyond?: PlainBehaviour['beyond']) => {
      let wrong = 0;
      return serviceThat({
        ...(beyond && { beyond }),
        instead: (request, response) => {
          const isWrong = request.headers.authorization !== `Bearer ${key}`;
          if (isWrong) wrong++;
          const isLockedOut = wrong > 20 && request.url!.endsWith(path);
          if (isLockedOut) response.writeHead(403).end(text);
          else if (isWrong) response.writeHead(403).end('wrong key');
          return isWrong || isLockedOut;
        },
      });
    };
    let key = '';
    const runAgainst = async (...behaviour: Parameters<typeof rejecting>) => {
      const service = await rejecting(...behaviour);
      key = service.apiKey;
      return ctsInProcess(['--seed', '7'], variablesOf(service));
    };
    const lockedOut = await runAgainst('too many attempts');
    expect([lockedOut.code, lockedOut.report!.verdict]).toEqual([3, 'inconclusive']);
    expect(lockedOut.stdout).toMatch(
      /the target has locked this client out: it answers 403: "too many attempts" with any key/,
    );
    // Rejections of scopes, each in other words, must not hide the lockout.
    const alsoOfScopes = await runAgainst('too many attempts', '', (_, body) => {
      const { scopes } = (body ?? {}) as { scopes?: unknown };
      return !Array.isArray(scopes) || scopes.join() === 'customers:read'
        ? undefined
        : { status: 403, body: { error: `the key may not grant ${scopes.join()}` } };
    });
    expect([alsoOfScopes.code, failed(alsoOfScopes)]).toEqual([3, []]);
    const rejected = await runAgainst('wrong key');
    expect([rejected.code, failed(rejected)]).toEqual([3, []]);
    expect(words(rejected.stdout)).toMatch(
      /the key was accepted until exchange \d+, and has been rejected since then with 403: "wrong key", as a wrong key is/,
    );
    const forgetful = await runAgainst('wrong key', '/v1/customers');
    expect(forgetful.code).toBe(1);
    expect(failed(forgetful)).toContain('customer.plain.accepted');
  });

  it.each([
    [403, 'too many failed attempts'],
    [401, '{"error":"try again later"}'],
  ])(
    'comes from a target that bans clients with wrong keys (%s), whose answers judge no key',
    async (status, text) => {
      let right = '';
      let wrong = 0;
      const service = await serviceThat({
        instead: (request, response) => {
          const { authorization = '' } = request.headers;
          if (authorization === right) return false;
          if (wrong >= 5) {
            response.writeHead(status).end(text);
            return true;
          }
          // The fault behind the ban.
          if (authorization.toLowerCase() === right.toLowerCase()) request.headers.authorization = right;
          else wrong++;
          return false;
        },
      });
      right = `Bearer ${service.apiKey}`;
      const { code, report, stdout } = await ctsInProcess(['--seed', '7'], variablesOf(service));
      expect(code).toBe(3);
      const { verdict, reason } = requirementIn({ report }, 'auth.customers.key.exact');
      expect(verdict).toBe('inconclusive');
      expect(reason).toBe(
        'the target stops checking wrong keys after too many of them (--dry-run shows how many a run sends); raise that limit, or exempt this client',
      );
      expect(stdout).not.toContain('CONFORMS');
    },
  );

  /** A run against a service that locks a client out for a moment after some invalid credentials. */
  const lockedOutWith = async (lockout: string, most: number) => {
    let [wrong, until] = [0, 0];
    let right = '';
    const service = await serviceThat({
      instead: (request, response) => {
        const isLockedOut = performance.now() < until;
        const isWrong = request.headers.authorization !== right;
        if (isWrong && !isLockedOut && ++wrong % most === 0) until = performance.now() + 1500;
        if (isLockedOut || isWrong) response.writeHead(403).end(isLockedOut ? lockout : 'wrong key');
        return isLockedOut || isWrong;
      },
    });
    right = `Bearer ${service.apiKey}`;
    return ctsInProcess(['--seed', '7'], variablesOf(service));
  };

  it('comes from a lockout that answers as if the key was wrong, however short it is', async () => {
    const { code, stdout } = await lockedOutWith('wrong key', 10);
    expect(code).toBe(3);
    expect(words(stdout)).toMatch(
      /the key was accepted until exchange \d+, and has been rejected since then/,
    );
  });

  it('does not come from a short lockout that says so, as its end is awaited', async () => {
    const { code, report } = await lockedOutWith('blocked', 60);
    expect([code, report!.verdict]).toEqual([0, 'conforms']);
  });

  it('is limited to invalid credentials where the target limits them alone, and for a long time', async () => {
    let wrong = 0;
    const service = await serviceThat({
      instead: (request, response) => {
        const isRight = request.headers.authorization === `Bearer ${service.apiKey}`;
        if (isRight || ++wrong <= 20) return false;
        response.writeHead(429).end();
        return true;
      },
    });
    const { code, report } = await ctsInProcess(['--seed', '7'], variablesOf(service));
    expect([code, report!.verdict]).toEqual([3, 'inconclusive']);
    const withoutVerdict = report!.requirements.filter(
      ({ verdict }) => verdict === 'inconclusive' || verdict === 'fail',
    );
    expect(withoutVerdict.map(({ id }) => id).filter((id) => !id.startsWith('auth.'))).toEqual([]);
  });

  it('comes from a quota that earlier runs have used up, if the response says so', async () => {
    const service = await serviceThat({
      instead: (request, response) => {
        const isToken = request.url!.endsWith('/v2/tokens') && request.headers.authorization !== undefined;
        if (isToken)
          response
            .writeHead(409, { 'Content-Type': 'application/json' })
            .end('{"error":"too many active tokens"}');
        return isToken;
      },
    });
    const { code, stdout, report } = await ctsInProcess(['--seed', '7'], variablesOf(service));
    expect([code, report!.verdict]).toEqual([3, 'inconclusive']);
    expect(words(stdout)).toContain('the target accepts no tokens: it answers 409');
    expect(requirementIn({ report }, 'customer.name.echoed').verdict).toBe('pass');
  });

  it('comes from a quota for the domain of plain addresses, though others are accepted', async () => {
    let created = 0;
    const service = await serviceThat({
      instead: (request, response) => {
        const isRight = request.headers.authorization === `Bearer ${service.apiKey}`;
        const isOfDomain = service.received.at(-1)!.includes('@example.com"');
        if (!isRight || !isOfDomain || ++created <= 40) return false;
        response
          .writeHead(403, { 'Content-Type': 'application/json' })
          .end('{"error":"too many customers of this domain"}');
        return true;
      },
    });
    const { code, stdout } = await ctsInProcess(['--seed', '7'], variablesOf(service));
    expect(code).toBe(3);
    expect(words(stdout)).toContain('the target accepts no more customers: it answers 403');
  });

  it('does not come from a target whose path answers 404 for two seconds, as during a deployment', async () => {
    let until = 0;
    const service = await serviceThat({
      instead: (request, response, count) => {
        if (count === 120) until = performance.now() + 2000;
        if (performance.now() >= until) return false;
        request.resume();
        response.writeHead(404, { 'Content-Type': 'text/plain' }).end('default backend - 404');
        return true;
      },
    });
    const { code, report, stdout } = await ctsInProcess(['--seed', '7'], variablesOf(service));
    expect([code, report!.verdict]).toEqual([0, 'conforms']);
    expect(report!.run.retries).toBeGreaterThan(0);
    expect(words(stdout)).toMatch(/\d+ (?:retry|retries) \(mostly after status 404\)/);
  });

  it.each([
    [
      undefined,
      /the target answers 200 text\/html: "captcha" to every request: it may be down for maintenance/,
    ],
    [
      '/v2/tokens',
      /the target has stopped serving POST \/v2\/tokens: it answers 200 .* but still returns customers/,
    ],
  ])('comes from a target that answers with a page after a while (%s)', async (path, message) => {
    let hasRejected = false;
    const service = await serviceThat({
      instead: (request, response, count) => {
        const isGone = count >= 100 && hasRejected && (path === undefined || request.url!.endsWith(path));
        // Before that, nothing shows how it usually answers a request without a key.
        hasRejected ||= request.url!.endsWith('/v2/tokens') && request.headers.authorization === undefined;
        if (!isGone) return false;
        response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>captcha</html>');
        return true;
      },
    });
    const { code, stdout } = await ctsInProcess(['--seed', '7'], variablesOf(service));
    expect(words(stdout)).toMatch(message);
    expect(code).toBe(3);
  });

  const hangingAt = async (isLost: (customers: number) => boolean) => {
    let customers = 0;
    const service = await serviceThat({
      instead: ({ url, headers: { authorization } }) =>
        url!.endsWith('/v1/customers') && authorization === `Bearer ${service.apiKey}` && isLost(++customers),
    });
    return service;
  };

  it('comes from a target that stops answering one operation, and says so', async () => {
    const service = await hangingAt((customers) => customers > 20);
    const { code, stdout, report } = await ctsInProcess(
      ['--seed', '7', '--timeout', '1'],
      variablesOf(service),
    );
    expect(code).toBe(3);
    expect(words(stdout)).toContain(
      'the target stopped answering POST /v1/customers for more than 10 s, but answers other requests: no complete response within 1 s;',
    );
    // The other operation is judged.
    expect(requirementIn({ report: report! }, 'token.credential.present').verdict).toBe('pass');
  });

  it('comes from a target that holds up many requests of one operation, and says so', async () => {
    const service = await hangingAt((customers) => customers > 20 && customers % 2 > 0);
    const { code, stdout } = await ctsInProcess(
      ['--seed', '7', '--time-budget', '8', '--timeout', '1'],
      variablesOf(service),
    );
    expect(code).toBe(3);
    expect(words(stdout)).toMatch(
      /: the time budget of 8 s was spent; \d+ requests with the right key had no response within 1 s: .* lower --concurrency, otherwise raise --timeout/,
    );
  });

  it('comes from a target that creates no more customers, and says so', async () => {
    const creating = (isUsual: boolean) => {
      let created = 0;
      return serviceThat({
        instead: (request, response) => {
          if (!request.url!.endsWith('/v1/customers') || request.headers.authorization === undefined)
            return false;
          created++;
          if (created <= 60 && !(isUsual && created > 15 && created % 3 === 0)) return false;
          response
            .writeHead(422, { 'Content-Type': 'application/json' })
            .end(JSON.stringify({ error: isUsual ? 'not accepted' : 'at most 60 customers' }));
          return true;
        },
      });
    };
    const limited = await ctsInProcess(['--seed', '7'], variablesOf(await creating(false)));
    expect([limited.code, limited.report!.verdict]).toEqual([3, 'inconclusive']);
    expect(limited.stdout).toMatch(/the target accepts no more customers: it answers 422/);
    // The other operation is judged.
    const verdictOf = (id: string): string => requirementIn({ report: limited.report! }, id).verdict;
    expect(verdictOf('customer.id.form')).toBe('inconclusive');
    expect(verdictOf('token.credential.present')).toBe('pass');
    expect(verdictOf('auth.tokens.key.required')).toBe('pass');
    // The same response to requests between others that are accepted shows no limit.
    const odd = await ctsInProcess(['--seed', '7'], variablesOf(await creating(true)));
    expect(odd.code).toBe(1);
    expect(failed(odd)).toContain('customer.plain.accepted');
  });

  it.each([
    ['and asked to wait 3600 s', { 'Retry-After': '3600' }],
    ['without Retry-After', {}],
  ])('comes from a target that issues no more tokens, and says so with a 429 %s', async (asked, headers) => {
    let issued = 0;
    const service = await serviceThat({
      instead: (request, response) => {
        if (!request.url!.endsWith('/v2/tokens') || request.headers.authorization === undefined) return false;
        if (++issued <= 10) return false;
        response
          .writeHead(429, { 'Content-Type': 'application/json', ...headers })
          .end('{"error":"10 tokens are active"}');
        return true;
      },
    });
    const { code, stdout, report } = await ctsInProcess(
      ['--seed', '7', '--time-budget', '25'],
      variablesOf(service),
    );
    expect(code).toBe(3);
    expect(words(stdout)).toContain(`${asked}, but accepts other requests`);
    // The other operation is judged.
    const verdictOf = (id: string): string => requirementIn({ report: report! }, id).verdict;
    expect(verdictOf('token.plain.accepted')).toBe('inconclusive');
    expect(verdictOf('customer.name.echoed')).toBe('pass');
    expect(verdictOf('auth.customers.key.required')).toBe('pass');
  });

  it('comes from an operation that disappears while the other one answers', async () => {
    const { code, report } = await vanished;
    const { verdict, reason } = requirementIn({ report }, 'customer.plain.accepted');
    expect(verdict).toBe('inconclusive');
    expect(reason).toMatch(
      /^the target stopped answering POST \/v1\/customers for more than 10 s, but answers other requests: /,
    );
    expect(code).toBe(3);
  });

  it('is not the result of two operations that answer with JSON, but do nothing', async () => {
    const service = await serviceThat({
      instead: (_, response) => {
        response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"ok":true}');
        return true;
      },
    });
    const ended = await ctsInProcess(['--cases', '60'], variablesOf(service));
    expect(ended.code).toBe(1);
    expect(failed(ended)).toEqual(['customer.plain.accepted', 'token.credential.present']);
  });

  it.each([
    ['HTTPS', (host: string) => `https://${host}`],
    ['another host', () => 'https://api.acme.example'],
    ['another path', (host: string) => `http://${host}/eu`],
  ])('comes from a base URL that redirects to %s, which the advice names', async (_, baseOf) => {
    const service = await serviceThat({
      instead: ({ headers, url }, response) => {
        response.writeHead(308, { Location: `${baseOf(headers.host!)}${url}` }).end();
        return true;
      },
    });
    const { code, stdout } = await ctsInProcess([], variablesOf(service));
    expect(code).toBe(3);
    const { host, pathname } = new URL(service.baseUrl);
    expect(stdout).toContain(
      `Set TARGET_BASE_URL to ${baseOf(host)}${pathname}, if that is the service that you mean: redirects`,
    );
  });

  it('comes from a service that rejects the domain of all plain addresses', async () => {
    const service = await serviceThat({
      instead: (request, response) => {
        if (!request.url!.endsWith('/v1/customers')) return false;
        response.writeHead(422).end('{"email":["The domain does not exist."]}');
        return true;
      },
    });
    const { code, stdout } = await ctsInProcess([], variablesOf(service));
    expect(code).toBe(3);
    expect(stdout).toMatch(/apparently for its address: 422.*\. Set --email-domain/);
    const other = await ctsInProcess(['--email-domain', 'mail.acme.dev'], variablesOf(service));
    expect(failed(other)).toContain('customer.plain.accepted');
  });
});
