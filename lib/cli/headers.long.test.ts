import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { defineTarget } from '../library/index.ts';
import { ctsInProcess } from '../selftest/in-process.ts';
import { failed, serviceThat, requirementIn, variablesOf } from '../selftest/services.ts';
import type { PlainService } from '../selftest/plain-service.ts';

const SECRET = 'gw-Zq8rV0x';

/** A service behind a gateway that demands two headers, and returns the secret one; its echo is wrong. */
async function guarded(): Promise<PlainService & { readonly agents: Set<string | undefined> }> {
  const agents = new Set<string | undefined>();
  const service = await serviceThat({
    echo: (name) => name.toUpperCase(),
    instead: ({ headers }, response) => {
      agents.add(headers['user-agent']);
      response.setHeader('X-Echo', headers['x-access-token'] ?? '');
      if (headers['x-access-token'] === SECRET && headers['x-env'] === 'staging') return false;
      response.writeHead(403, { 'Content-Type': 'text/html' }).end('<h1>Denied by the gateway</h1>');
      return true;
    },
  });
  return { ...service, agents };
}

const flags = ['X-Env: staging', 'X-Access-Token: $GATEWAY_TOKEN', 'User-Agent: cts'].flatMap((header) => [
  '--header',
  header,
]);

describe('--header', () => {
  it('is sent with every request; a secret value is in no output, and curl lines read it from its variable', async () => {
    const service = await guarded();
    const environment = { ...variablesOf(service), GATEWAY_TOKEN: SECRET };
    const run = await ctsInProcess(['--only', 'customer.name.echoed', ...flags], environment);
    expect(failed(run)).toContain('customer.name.echoed');
    expect([...service.agents]).toEqual(['cts']);
    expect(run.bytes).not.toContain(SECRET);
    const { curl, exchanges } = requirementIn(run, 'customer.name.echoed').counterexample!;
    expect(exchanges[0]!.request.headers.slice(-3)).toEqual([
      ['X-Env', 'staging'],
      ['X-Access-Token', '[GATEWAY_TOKEN]'],
      ['User-Agent', 'cts'],
    ]);
    const env = { ...process.env, TARGET_API_KEY: service.apiKey, GATEWAY_TOKEN: SECRET };
    const words = execFileSync('bash', ['-c', `printf '%s\\n' ${curl}`], { env }).toString();
    expect(words).toContain(`\n-H\nX-Access-Token: ${SECRET}\n-H\nUser-Agent: cts\n--data-binary\n`);
    expect(words.match(/User-Agent/g)).toHaveLength(1);

    const judged = await ctsInProcess(['judge', run.out]);
    expect(judged.stdout).toContain('every verdict is the same');
    expect(judged.stdout).toContain(`-H 'X-Access-Token: '"$GATEWAY_TOKEN"`);
    expect(judged.code).toBe(1);
    const merged = await ctsInProcess(['merge', run.out]);
    expect(merged.stderr).toBe('');
    expect(failed(merged)).toContain('customer.name.echoed');
    expect(merged.code).toBe(1);
  });

  it('is sent by doctor and by the library, which show no secret', async () => {
    const service = await guarded();
    const environment = { ...variablesOf(service), GATEWAY_TOKEN: SECRET };
    const doctor = await ctsInProcess(['doctor', ...flags], environment);
    expect(doctor.stdout).toContain('READY');
    expect((await ctsInProcess(['doctor', ...flags.slice(2)], environment)).code).toBe(3);
    const library = defineTarget({
      baseUrl: service.baseUrl,
      apiKey: service.apiKey,
      headers: { 'X-Env': 'staging', 'X-Access-Token': SECRET },
    });
    const created = await library.createCustomer({ name: 'Ada', email: 'ada@example.com' });
    await library.close();
    expect(created).toMatchObject({ accepted: true });
    expect(JSON.stringify(created)).not.toContain(SECRET);
    expect(JSON.stringify(created)).toContain('[HEADER_1_X_ACCESS_TOKEN]');
    expect(() =>
      defineTarget({ baseUrl: service.baseUrl, apiKey: service.apiKey, headers: { Host: SECRET } }),
    ).toThrow("headers: Host can't be given");
  });

  it.each([
    [['--header', 'X-Env: a\r\nX-Other: b'], '--header: holds a line break; repeat the flag instead'],
    [['--header', `X-Api-Key: ${SECRET}`], '--header: the value of X-Api-Key may be a secret'],
    [['--header', 'Authorization: x'], "--header: Authorization can't be given"],
  ])('%j is wrong usage', async (args, message) => {
    const { code, stderr } = await ctsInProcess(args, {
      TARGET_BASE_URL: 'http://127.0.0.1:9',
      TARGET_API_KEY: 'sk_test_123456789',
    });
    expect(stderr).toContain(message);
    expect(stderr).not.toContain(SECRET);
    expect(code).toBe(2);
  });
});
