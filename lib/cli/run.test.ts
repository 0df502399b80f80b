import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { cts, vitest } from './testing/command.ts';
import type { Ended } from './testing/command.ts';
import { startPlainService } from './testing/plain-service.ts';
import type { Behaviour, PlainService } from './testing/plain-service.ts';

const started: PlainService[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((service) => service.stop()));
});

async function serviceThat(behaviour?: Behaviour): Promise<PlainService> {
  const service = await startPlainService(behaviour);
  started.push(service);
  return service;
}

const at = ({ baseUrl, key }: PlainService): Record<string, string> => ({
  TARGET_BASE_URL: baseUrl,
  TARGET_API_KEY: key,
});

const failed = ({ report }: Ended): string[] =>
  report!.requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);

const namesIn = (received: readonly string[]): Set<string> =>
  new Set(received.flatMap((line) => /"name":("(?:[^"\\]|\\.)*")/.exec(line)?.[1] ?? []));

describe('a conforming service', () => {
  it('conforms: the reference service, in fewer than 400 requests', async () => {
    const { code, report, stdout } = await cts(['run']);
    expect(stdout).toContain('CONFORMS');
    expect(code).toBe(0);
    expect(report).toMatchObject({
      schemaVersion: 1,
      verdict: 'conforms',
      run: { retries: 0, inFlight: 16 },
    });
    expect(report!.run.requests).toBeLessThan(400);
  });

  it('conforms when it is written otherwise, and no secret is left behind', async () => {
    const service = await serviceThat();
    const ended = await cts([], at(service));
    expect(ended.stdout).toContain('CONFORMS');
    expect(ended.code).toBe(0);
    expect(namesIn(service.received).size).toBeGreaterThan(90);
    for (const secret of [service.key, ...service.issued]) expect(ended.bytes).not.toContain(secret);
    expect(service.issued.length).toBeGreaterThan(10);
  });

  it('is sent the same inputs by the same seed, and others by another', async () => {
    const services = [await serviceThat(), await serviceThat(), await serviceThat()];
    const seeds = ['7', '7', '8'];
    await Promise.all(services.map((service, run) => cts(['--seed', seeds[run]!], at(service))));
    const [one, same, other] = services.map(({ received, key }) =>
      received.map((line) => line.replace(key, '{key}')).toSorted(),
    );
    expect(same).toEqual(one);
    expect(other).not.toEqual(one);
  });

  it('conforms where each address is taken once only, also in a second run with the same seed', async () => {
    const seen = new Set<string>();
    const service = await serviceThat({
      echo: (name) => name,
      instead: (_, response, count) => {
        const email = /"email"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(service.received[count - 1]!)?.[1];
        if (email === undefined || !seen.has(email)) {
          if (email !== undefined) seen.add(email);
          return false;
        }
        response.writeHead(409).end('{"problem":"taken"}');
        return true;
      },
    });
    for (let run = 0; run < 2; run++) {
      const { code, stdout } = await cts(['--seed', '7'], at(service));
      expect(stdout).toContain('CONFORMS');
      expect(code).toBe(0);
    }
  });

  it('conforms where refusals are 200 with words and ids in them', async () => {
    const service = await serviceThat({
      isKey: () => true,
      instead: (request, response) => {
        if (request.headers.authorization?.replace(/^bearer/i, 'Bearer') === `Bearer ${service.key}`)
          return false;
        response.end(`{"ok":false,"reason":"invalid_credentials","errorId":"${randomUUID()}"}`);
        return true;
      },
    });
    const { code, report } = await cts([], at(service));
    expect(report!.requirements.filter(({ verdict }) => verdict === 'warn').map(({ id }) => id)).toContain(
      'auth.refusal.status',
    );
    expect(code).toBe(0);
  });

  it('conforms where only short lifetimes are granted, and the report says which was', async () => {
    const service = await serviceThat({
      instead: (_, response, count) => {
        const lifetime = /"(?:expires_in)"\s*:\s*(\d+)/.exec(service.received[count - 1]!)?.[1];
        const isTooLong = lifetime !== undefined && Number(lifetime) > 100;
        if (isTooLong) response.writeHead(422).end();
        return isTooLong;
      },
    });
    const { code, report } = await cts([], at(service));
    const granted = report!.requirements.find(({ id }) => id === 'token.plain.granted');
    expect(granted).toMatchObject({
      verdict: 'pass',
      reason: 'granted with scopes customers:read and expires_in 60',
    });
    expect(code).toBe(0);
  });

  it('conforms where few requests may be in flight and each second has few', async () => {
    let inFlight = 0;
    let left = 60;
    const refill = setInterval(() => (left = 60), 500);
    const service = await serviceThat({
      instead: (_, response) => {
        response.on('close', () => inFlight--);
        if (++inFlight <= 4 && left-- > 0) return false;
        response.writeHead(429, { 'Retry-After': '1' }).end();
        return true;
      },
    });
    const { code, report, stdout } = await cts([], at(service));
    clearInterval(refill);
    expect(stdout).toContain('the target asked for patience');
    expect(report!.run.throttled).toBeGreaterThan(0);
    expect(code).toBe(0);
  });
});

describe('a faulty service', () => {
  const faults: Readonly<Record<string, readonly [id: string, Behaviour]>> = {
    'lower-cases names': ['customer.name.echoed', { echo: (name) => name.toLowerCase() }],
    'numbers its customers from 1 to 50': ['customer.id.new', { id: (count) => `cus_${count % 50}` }],
    'compares the beginning of the key': [
      'auth.customers.key.exact',
      { isKey: (authorization, key) => authorization.startsWith(`Bearer ${key.slice(0, 16)}`) },
    ],
    'issues one token for all lifetimes': [
      'token.credential.distinct',
      { token: ({ scopes }) => `tok-${scopes.join()}-0123456789abcdef` },
    ],
    'answers customers with status 500 now and then': [
      'customer.plain.granted',
      {
        instead: (request, response, count) => {
          const isHit = request.url === '/api/v1/customers' && count % 9 === 0;
          if (isHit) response.writeHead(500).end();
          return isHit;
        },
      },
    ],
  };

  it.each(Object.entries(faults))('that %s does not conform', async (_, [id, behaviour]) => {
    const service = await serviceThat(behaviour);
    const ended = await cts([], at(service));
    expect(failed(ended)).toContain(id);
    expect(ended.code).toBe(1);
    const { counterexample } = ended.report!.requirements.find((requirement) => requirement.id === id)!;
    expect(counterexample!.exchanges.length).toBeGreaterThan(0);
    expect(ended.stdout).toContain(`replay    npx cts replay ${ended.out}/cases/${id}.json`);
    for (const secret of [service.key, ...service.issued]) expect(ended.bytes).not.toContain(secret);
  });

  it('is shown by the smallest input, which can be replayed, there and elsewhere', async () => {
    const service = await serviceThat({ echo: (name) => name.replace('İ', 'I') });
    const ended = await cts(['--only', 'customer.name.echoed'], at(service));
    expect(ended.code).toBe(1);
    const { counterexample } = ended.report!.requirements.find(({ id }) => id === 'customer.name.echoed')!;
    expect(counterexample).toMatchObject({ input: { name: 'İ' }, reproduced: '3/3' });

    const file = `${ended.out}/cases/customer.name.echoed.json`;
    const again = await cts(['replay', file], at(service));
    expect(again.stdout).toContain('STILL FAILS');
    expect(again.code).toBe(1);
    const elsewhere = await cts(['replay', file], at(await serviceThat()));
    expect(elsewhere.stdout).toContain('FIXED');
    expect(elsewhere.code).toBe(0);
  });

  it('is told when an input breaks the connection each time', async () => {
    const service = await serviceThat({
      instead: (request, _, count) => {
        const isBroken = service.received[count - 1]!.includes('😀');
        if (isBroken) request.socket.destroy();
        return isBroken;
      },
    });
    const { report } = await cts([], at(service));
    const finding = report!.requirements.find(({ id }) => id === 'input.wide.answered');
    expect(finding).toMatchObject({ verdict: 'warn' });
    expect(finding!.reason).toMatch(/no reply to \d+ inputs/);
  });

  it('shows no part of a key that it sends back, wherever the text is cut', async () => {
    const services = await Promise.all(
      [270, 290, 1990].map((length): Promise<PlainService> => {
        const echo = (): string => `${'x'.repeat(length)}${keyOf()}`;
        const started = serviceThat({ echo });
        let keyOf = (): string => '';
        void started.then(({ key }) => (keyOf = () => key));
        return started;
      }),
    );
    for (const service of services) {
      const ended = await cts(['--only', 'customer.name.echoed'], at(service));
      expect(ended.code).toBe(1);
      expect(ended.bytes).not.toContain(service.key.slice(8, 16));
    }
  });

  it('fails an advisory requirement only under --strict', async () => {
    const service = await serviceThat();
    const ended = await cts(['--strict'], at(service));
    expect(ended.code).toBe(1);
    expect(ended.stdout).toContain('auth.refusal.status');
  });
});

describe('no verdict', () => {
  it('comes from a target that is away: exit code 3, with the reason and what to do', async () => {
    const service = await startPlainService();
    await service.stop();
    const { code, stdout, report } = await cts([], at(service));
    expect(code).toBe(3);
    expect(stdout).toContain(
      'connection refused. Check that the service is up and that TARGET_BASE_URL is right',
    );
    expect(report!.verdict).toBe('inconclusive');
  });

  it('comes from a key that both operations refuse', async () => {
    const service = await serviceThat({ isKey: () => false });
    const { code, stdout } = await cts([], at(service));
    expect(code).toBe(3);
    expect(stdout).toContain('both operations refused the key (403 and 403). Check TARGET_API_KEY');
    expect(service.received.length).toBeLessThan(5);
  });

  it('but a key that one operation takes and the other refuses is a finding', async () => {
    const service = await serviceThat({
      instead: (request, response) => {
        const isToken = request.url === '/api/v2/tokens';
        if (isToken) response.writeHead(401).end();
        return isToken;
      },
    });
    const ended = await cts([], at(service));
    expect(ended.code).toBe(1);
    expect(failed(ended)).toEqual(['token.plain.granted']);
  });

  it('comes from a run of some requirements only', async () => {
    const { code, report } = await cts(['--only', 'customer.id.*']);
    expect(code).toBe(3);
    const judged = report!.requirements.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id);
    expect(judged).toEqual(['customer.id.form', 'customer.id.new']);
  });

  it('comes from a request budget that is too small, which holds exactly', async () => {
    const service = await serviceThat();
    const { code, stdout } = await cts(['--max-requests', '20'], at(service));
    expect(code).toBe(3);
    expect(service.received).toHaveLength(20);
    expect(stdout).toContain('ended early: the budget of 20 requests was spent');
  });

  it('comes from an interrupted run, which still writes its report', async () => {
    const service = await serviceThat();
    let isSignalled = false;
    const { code, report } = await cts(['--rate', '60'], at(service), (text, signal) => {
      if (!isSignalled && text.includes('100 requests sent')) {
        isSignalled = true;
        signal('SIGINT');
      }
    });
    expect(report!.run.stopped).toBe('the run was interrupted');
    expect(report!.requirements.some(({ reason }) => reason?.includes('the run was interrupted'))).toBe(true);
    expect(report!.verdict).toBe('inconclusive');
    expect(code).toBe(3);
  });

  it.each([404, 307, 502])(
    'comes from a base URL that answers %i to everything, with the likely cause',
    async (status) => {
      const service = await serviceThat({
        instead: (_, response) => {
          response.writeHead(status, { Location: 'http://elsewhere.example/' }).end();
          return true;
        },
      });
      const { code, stdout } = await cts([], at(service));
      expect(code).toBe(3);
      expect(stdout).toContain(`both operations answered ${status}. Check TARGET_BASE_URL`);
    },
  );
});

describe('wrong usage', () => {
  it.each([
    [['--nope'], {}, '--nope is not known'],
    [['--seed'], {}, '--seed needs a value'],
    [['--seed', 'x'], {}, '--seed: expected a whole number'],
    [['nope'], {}, 'there is no such command'],
    [['run', 'sk_test_pasted123456'], {}, 'A key is never an argument'],
    [['--api-key', 'sk_test_pasted123456'], {}, 'no flag for the key'],
    [['--only', 'nope'], {}, '--only: no requirement'],
    [[], { TARGET_BASE_URL: '' }, 'TARGET_BASE_URL is empty'],
    [[], { TARGET_BASE_URL: 'http://127.0.0.1:9' }, 'TARGET_API_KEY is missing'],
    [['--only', 'customer.*', '--only', 'token.*'], {}, '--only is given twice'],
    [['--out', '/dev/null'], {}, "reports can't be written to this folder"],
    [['replay'], {}, 'replay needs the file'],
    [['replay', 'nowhere.json'], {}, 'it cannot be read'],
    [['serve', '--port', '99999'], {}, '--port: expected'],
  ] as const)('%j %j is exit code 2 with a message', async (args, environment, message) => {
    const { code, stderr, stdout, report } = await cts(args, environment);
    expect(stderr).toContain(message);
    expect(`${stdout}${stderr}`).not.toContain('pasted123456');
    expect(code).toBe(2);
    expect(report).toBeUndefined();
  });
});

describe('plain vitest', () => {
  it('gives the same verdicts and exit codes', async () => {
    const faulty = await serviceThat({ echo: (name) => name.trim() });
    const [right, wrong, none, usage] = await Promise.all([
      vitest(['run', '--project', 'conformance']),
      vitest(['run', '--project', 'conformance'], at(faulty)),
      vitest(['run', '--project', 'conformance', '-t', 'matches nothing']),
      vitest(['run', '--project', 'conformance'], { CTS_SEED: 'x' }),
    ]);
    expect([right.code, wrong.code, none.code, usage.code]).toEqual([0, 1, 3, 2]);
    expect(right.report!.verdict).toBe('conforms');
    expect(failed(wrong)).toEqual(['customer.name.echoed']);
    expect(usage.stderr).toContain('CTS_SEED: expected a whole number');
  });
});

describe('help', () => {
  it.each([[['--help']], [['run', '--help']], [['replay', '--help']], [['serve', '--help']]])(
    '%j has an example',
    async (args) => {
      const { code, stdout } = await cts(args);
      expect(code).toBe(0);
      expect(stdout).toMatch(/Examples?:\n {2}/);
    },
  );
});
