import { describe, expect, it } from 'vitest';
import { ctsInProcess } from '../selftest/in-process.ts';
import { variablesOf, failed, serviceThat, requirementIn } from '../selftest/services.ts';

describe('a faulty service', () => {
  const ids = [
    'customer.plain.accepted',
    'customer.id.new',
    'customer.name.echoed',
    'token.credential.distinct',
    'auth.customers.key.exact',
  ];

  it('does not conform, whatever it breaks, and no secret is left behind', async () => {
    const service = await serviceThat({
      echo: (name) => name.toLowerCase(),
      id: (count) => `cus_${count % 50}`,
      isKey: (authorization, key) => authorization.startsWith(`Bearer ${key.slice(0, 16)}`),
      token: ({ scopes }) => `tok-${scopes.join()}-0123456789abcdef`,
      instead: (request, response, count) => {
        const isHit = request.url === '/api/v1/customers' && count % 9 === 0;
        if (isHit) response.writeHead(500).end();
        return isHit;
      },
    });
    const ended = await ctsInProcess([], variablesOf(service));
    expect(failed(ended)).toEqual(expect.arrayContaining(ids));
    expect(ended.code).toBe(1);
    for (const id of ids) {
      const { counterexample } = requirementIn(ended, id);
      expect(counterexample!.exchanges.length).toBeGreaterThan(0);
      expect(ended.stdout).toContain(
        `replay    npx --no-install cts-conformance replay ${ended.out}/cases/${id}.json`,
      );
    }
    for (const secret of [service.apiKey, ...service.issued]) expect(ended.bytes).not.toContain(secret);
  });

  it('that answers 500 at random is shown with these responses, not with accepted ones', async () => {
    const known = new Set<string>();
    let tokens = 0;
    const service = await serviceThat({
      instead: (request, response, count) => {
        const body = /{[^]*/.exec(service.received[count - 1]!)?.[0] ?? '';
        const isToken = request.method === 'POST' && request.url!.endsWith('tokens');
        if (isToken) tokens++;
        // The first time only, for some names and some texts of token requests.
        const key = isToken ? body : (/"name"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(body)?.[1] ?? '');
        const sum = [...key].reduce((total, character) => total + character.codePointAt(0)!, 0);
        const isPlainToken = isToken && tokens === 2;
        const isHit = isPlainToken || (key !== '' && sum % 4 === 0 && tokens > 2 && !known.has(key));
        known.add(key);
        if (isHit) response.writeHead(500).end('oops');
        return isHit;
      },
    });
    const ended = await ctsInProcess(['--seed', '7'], variablesOf(service));
    expect(ended.code).toBe(1);
    expect(failed(ended)).toEqual(['customer.plain.accepted', 'token.plain.accepted']);
    const { requirements } = ended.report!;
    for (const { counterexample } of requirements.filter(({ verdict }) => verdict === 'fail')) {
      expect(counterexample!.actual).toMatch(/^status 500/);
      expect(counterexample!.exchanges.at(-1)!.response.status).toBe(500);
      expect(counterexample!.reproduced).toBe('0/3');
    }
    for (const id of ['customer.encoding.irrelevant', 'token.encoding.irrelevant', 'auth.scheme.case'])
      expect(requirements.find((one) => one.id === id)).toMatchObject({ verdict: 'pass', broken: 0 });
    const judged = await ctsInProcess(['judge', ended.out], {});
    expect(judged.code).toBe(1);
    expect(judged.stdout).not.toContain('customer.encoding.irrelevant (');
  });

  it('is shown with its minimal input, which can be replayed against another service', async () => {
    const service = await serviceThat({ echo: (name) => name.replace('İ', 'I') });
    const ended = await ctsInProcess(['--only', 'customer.name.echoed'], variablesOf(service));
    expect(ended.code).toBe(1);
    const { counterexample } = requirementIn(ended, 'customer.name.echoed');
    expect(counterexample).toMatchObject({ input: { name: 'İAda' }, reproduced: '3/3' });

    const file = `${ended.out}/cases/customer.name.echoed.json`;
    const elsewhere = await ctsInProcess(['replay', file], variablesOf(await serviceThat()));
    expect(elsewhere.stdout).toContain('FIXED');
    expect(elsewhere.code).toBe(0);
    const nowhere = await ctsInProcess(['replay', file], {});
    expect(nowhere.stderr).toContain(`the case was found at ${service.baseUrl}/v1/customers`);
    expect(nowhere.code).toBe(2);
  });

  it('that only answers some input with a server error conforms, and the example is on the screen', async () => {
    const service = await serviceThat({
      instead: (_, response, count) => {
        const isHit = /😀|\\ud83d/i.test(service.received[count - 1]!);
        if (isHit) response.writeHead(500, { 'Content-Type': 'application/json' }).end('{"error":"boom"}');
        return isHit;
      },
    });
    const { code, report, stdout } = await ctsInProcess(['--seed', '7'], variablesOf(service));
    expect([code, report!.verdict]).toEqual([0, 'conforms']);
    const shown = stdout.slice(
      stdout.indexOf('\nRecommendations not followed\n'),
      stdout.indexOf('\nCONFORMS'),
    );
    expect(shown).toMatch(/\ninput\.wide\.answered: \d+ of \d+ cases failed; reproduced 3\/3\n/);
    expect(shown).toMatch(/\n {2}sent {6}POST http:\S+\/v1\/customers, \{"name":"[^"]*😀.*\}\n/);
    expect(shown).toContain(
      '\n  expected  a status below 500\n  got       status 500, in 500 {"error":"boom"}\n',
    );
  });

  it('fails under --strict if only recommended requirements fail: an input breaks the connection', async () => {
    const service = await serviceThat({
      instead: (request, _, count) => {
        const isBroken = service.received[count - 1]!.includes('😀');
        if (isBroken) request.socket.destroy();
        return isBroken;
      },
    });
    const { code, report, stdout } = await ctsInProcess(['--strict'], variablesOf(service));
    expect(code).toBe(1);
    expect(stdout).toContain('auth.rejection.unauthorized');
    const finding = requirementIn({ report }, 'input.wide.answered');
    expect(finding).toMatchObject({ verdict: 'warn' });
    expect(finding.reason).toMatch(/no usable response to (?:an input|\d+ inputs)/);
  });
});
