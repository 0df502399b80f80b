import { describe, expect, it } from 'vitest';
import { cts } from '../selftest/command.ts';
import type { CommandResult } from '../selftest/command.ts';
import { ctsInProcess } from '../selftest/in-process.ts';
import { oddServices } from '../selftest/odd-services.ts';
import { startPlainService } from '../selftest/plain-service.ts';
import { variablesOf, serviceThat, words } from '../selftest/services.ts';

describe('cts-conformance doctor', () => {
  it('finds a service ready, with few requests, and shows no secret', async () => {
    const service = await serviceThat();
    const { code, stdout, bytes } = await ctsInProcess(['doctor'], variablesOf(service));
    // On a busy machine, the connection is a warning: it took long.
    expect(stdout).toMatch(
      / connection {3}to .*\n[^]* {2}ok {4}clock .*\n {2}ok {4}key .*\n {2}ok {4}customer .*id cus_/,
    );
    expect(stdout).toMatch(/ok {4}token .*at \/data\/access\n\nREADY/);
    expect(code).toBe(0);
    const customers = service.received.filter((request) => request.includes('/customers'));
    expect(customers).toHaveLength(1);
    // More where responses are slow, as on a busy machine.
    expect(service.received.length - customers.length).toBeLessThanOrEqual(4);
    for (const secret of [service.apiKey, ...service.issued]) expect(bytes).not.toContain(secret);
  });

  it('sends a customer at the domain that it advises to set', async () => {
    const service = await serviceThat();
    const { code } = await ctsInProcess(['doctor', '--email-domain', 'mail.acme.dev'], variablesOf(service));
    expect(code).toBe(0);
    expect(service.received[0]).toMatch(/"email":"[a-z0-9]+@mail\.acme\.dev"/);
  });

  it('does not show a key that comes back as an id', async () => {
    let key = '';
    const service = await serviceThat({ id: () => key });
    key = service.apiKey;
    const { stdout } = await ctsInProcess(['doctor'], variablesOf(service));
    expect(stdout).toContain('id [key]');
    expect(stdout).not.toContain(key);
  });

  it('lets no line be a command for a CI system, wherever it is wrapped', async () => {
    const service = await serviceThat({
      instead(_, response) {
        response.writeHead(401, { 'content-type': 'text/plain' });
        response.end('::error::x '.repeat(20));
        return true;
      },
    });
    const { stdout } = await ctsInProcess(['doctor'], variablesOf(service));
    expect(stdout).toContain(':error::x');
    expect(stdout).not.toMatch(/^\s*::/m);
  });

  it('explains the first obstacle, and stops there', async () => {
    const gone = await startPlainService();
    await gone.stop();
    const { code, stdout } = await ctsInProcess(['doctor'], variablesOf(gone));
    expect(stdout).toMatch(
      /fail {2}connection {3}connection refused\n[^]*nothing is listening on that port\. [^]*\n\nNOT READY/,
    );
    expect(stdout).not.toContain('response');
    expect(code).toBe(3);
  });

  it('prints the same messages as a run', async () => {
    const service = await serviceThat({ isKey: () => false });
    const doctor = await ctsInProcess(['doctor'], variablesOf(service));
    service.received.length = 0;
    const run = await ctsInProcess([], variablesOf(service));
    expect(service.received.length).toBeLessThan(5);
    for (const text of [
      'both operations rejected the key: both answered 403 application/json; charset=utf-8: {"problem":"key"}; it is the same without a key and with an invalid one',
      'Check TARGET_API_KEY: it must be a valid static key of this target',
    ]) {
      expect(words(doctor.stdout)).toContain(text);
      expect(run.stdout).toContain(text);
    }
    expect([doctor.code, run.code]).toEqual([3, 3]);
  });

  it('reports a key that one operation rejects, and a customer that is not created', async () => {
    const service = await serviceThat({
      instead: (request, response) => {
        const isCustomer = request.url === '/api/v1/customers';
        if (isCustomer) response.writeHead(401).end();
        return isCustomer;
      },
    });
    const { code, stdout } = await ctsInProcess(['doctor'], variablesOf(service));
    expect(stdout).toMatch(/warn {2}key [^]*creating\s+a\s+customer/);
    expect(words(stdout)).toContain('customer.plain.accepted will fail');
    expect(stdout).toMatch(/ok {4}token/);
    expect(stdout).toContain('READY, 2 warnings');
    expect(code).toBe(0);
  });

  it('shows no part of a key in the beginning of a page, and nothing that controls a terminal', async () => {
    let key = '';
    const service = await serviceThat({
      instead: (_, response) => {
        response.writeHead(403, { 'Content-Type': `text/html; x=${key}` });
        response.end(`<p>${'x'.repeat(80)}\u001b[31m${key}</p>`);
        return true;
      },
    });
    key = service.apiKey;
    const { stdout: printed } = await ctsInProcess(['doctor'], variablesOf(service));
    const stdout = words(printed);
    expect(stdout).toContain('text/html; x=[key]');
    expect(stdout).not.toContain(key.slice(8, 16));
    expect(stdout).not.toContain('\u001b[31mm');
  });

  it('only warns of a token request that is accepted with other values', async () => {
    const service = await serviceThat({
      instead: (request, response) => {
        const isToken = request.url === '/api/v2/tokens';
        if (isToken) response.writeHead(422).end();
        return isToken;
      },
    });
    const { code, stdout } = await ctsInProcess(['doctor', '--token-expires-in', '5'], variablesOf(service));
    expect(stdout).toMatch(/warn {2}token .*expires_in 5/);
    expect(code).toBe(0);
  });

  it('rejects the certificate of `serve` before anything is sent, unless it is trusted', async () => {
    let checked: Promise<CommandResult[]> | undefined;
    const variant = 'https-private-authority-below-a-path';
    const served = await cts(['serve', '--variant', variant], {}, (output, signal) => {
      const variables = Object.fromEntries(
        [...output.matchAll(/^export (\w+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]),
      );
      const { TARGET_CA: authority, ...others } = variables;
      if (authority === undefined || checked) return;
      checked = Promise.all([others, variables].map((given) => ctsInProcess(['doctor'], given))).finally(() =>
        signal('SIGTERM'),
      );
    });
    expect(served.stdout).toMatch(/^export TARGET_BASE_URL=https:\/\/127\.0\.0\.1:\d+\/api$/m);
    expect(served.stdout).toMatch(/^export TARGET_CA=\S+authority\.pem$/m);
    expect(served.code).toBe(0);
    const [unknown, known] = (await checked)!;
    expect(unknown!.stdout).toMatch(/fail {2}certificate [^]*TARGET_CA/);
    expect(unknown!.code).toBe(3);
    expect(known!.stdout).toMatch(/ok {4}certificate {2}trusted, expires on 2126-/);
    expect(known!.code).toBe(0);
  });

  // What a run says about some of them: odd-services.long.test.ts.
  it.each(oddServices.filter(({ isSlow }) => !isSlow))(
    'knows $name (ready: $isReady)',
    async ({ behaviour, environment, doctor, isReady }) => {
      const service = await serviceThat(behaviour);
      const { code, stdout } = await ctsInProcess(['doctor'], { ...variablesOf(service), ...environment });
      expect(words(stdout)).toMatch(doctor);
      expect(stdout).toMatch(isReady ? /\nREADY/ : /\nNOT READY/);
      expect(code).toBe(isReady ? 0 : 3);
      expect(stdout).not.toContain(service.apiKey);
    },
  );

  it('says READY only if a run reaches a verdict', () => {
    expect(oddServices.filter(({ isReady, run }) => isReady && run === 3)).toEqual([]);
  });
});
