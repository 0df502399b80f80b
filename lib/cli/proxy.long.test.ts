import { describe, expect, it } from 'vitest';
import { defineTarget } from '../library/index.ts';
import { testAuthority } from '../selftest/certificates.ts';
import { startSocksProxy } from '../selftest/front.ts';
import type { ProxyBehaviour } from '../selftest/front.ts';
import { ctsInProcess } from '../selftest/in-process.ts';
import { startPlainService } from '../selftest/plain-service.ts';
import {
  variablesOf,
  proxyThat,
  serviceThat,
  requirementIn,
  words,
  securedService,
} from '../selftest/services.ts';

const PASSWORD = 'pass:word/Zq8rV';
const CREDENTIALS = `ada:${PASSWORD}`;
const withCredentials = (url: string, password = PASSWORD): string =>
  url.replace('//', `//ada:${encodeURIComponent(password)}@`);

const { ca, identity } = testAuthority();

/** The variables of a service behind TLS. */
const secured = async (): Promise<Record<string, string>> => ({
  ...variablesOf(await securedService(identity, { echo: (name) => name.toUpperCase() })),
  TARGET_CA: ca,
});

describe('a proxy', () => {
  it('tunnels a run to https, with credentials that are in no output', async () => {
    const proxy = await proxyThat({ credentials: CREDENTIALS });
    const target = await secured();
    const environment = { ...target, HTTPS_PROXY: withCredentials(proxy.url) };
    const run = await ctsInProcess(['--only', 'customer.name.echoed', '--cases', '60'], environment);
    const { host } = new URL(target['TARGET_BASE_URL']!);
    const { verdict, counterexample } = requirementIn(run, 'customer.name.echoed');
    expect(verdict).toBe('fail');
    expect(new Set(proxy.received)).toEqual(new Set([`CONNECT ${host}`]));
    // Connections are used again.
    expect(proxy.received.length).toBeLessThan(run.report!.run.requests / 2);
    expect(counterexample!.curl).toContain(` --proxy "$HTTPS_PROXY" `);
    expect(run.report!.target.route).toBe(`through the proxy ${proxy.url} (HTTPS_PROXY)`);
    expect(run.stdout).toContain(`through the proxy ${proxy.url}`);
    for (const secret of [PASSWORD, encodeURIComponent(PASSWORD), btoa(CREDENTIALS)])
      expect(run.bytes).not.toContain(secret);
  });

  it('forwards plain http in absolute form, for doctor and the library', async () => {
    const proxy = await proxyThat({ credentials: CREDENTIALS });
    const service = await serviceThat();
    const environment = { ...variablesOf(service), http_proxy: withCredentials(proxy.url) };
    const doctor = await ctsInProcess(['doctor'], environment);
    expect(words(doctor.stdout)).toContain(`ok route through the proxy ${proxy.url} (http_proxy)`);
    expect(doctor.stdout).toContain('READY');
    // Where responses are slow, as on a busy machine, more tokens are requested.
    expect(new Set(proxy.received)).toEqual(
      new Set([`POST ${service.baseUrl}/v1/customers`, `POST ${service.baseUrl}/v2/tokens`]),
    );
    expect(service.received).toHaveLength(proxy.received.length);
    const denying = await serviceThat({
      instead: (_, response) => {
        response.writeHead(403, { 'Content-Type': 'text/html' }).end('<h1>Denied by policy</h1>');
        return true;
      },
    });
    const denied = await ctsInProcess(['doctor'], { ...environment, http_proxy: denying.baseUrl });
    expect(words(denied.stdout)).toMatch(/Or the response is that of a proxy, .*use --no-proxy/);
    const through = proxy.received.length;
    const direct = await ctsInProcess(['doctor', '--no-proxy'], environment);
    expect(words(direct.stdout)).toContain('not through the proxy in http_proxy, because of --no-proxy');
    expect(proxy.received).toHaveLength(through);
    const target = defineTarget({ baseUrl: service.baseUrl, apiKey: service.apiKey, proxy: false });
    await target.createCustomer({ name: 'Ada', email: 'ada@example.com' });
    await target.close();
  });

  it('tunnels http and https through SOCKS, with credentials that are in no output', async () => {
    const proxy = await proxyThat({ credentials: CREDENTIALS }, startSocksProxy);
    const plain = variablesOf(await serviceThat());
    for (const target of [plain, await secured()]) {
      const url = new URL(target['TARGET_BASE_URL']!);
      url.hostname = 'localhost';
      const environment = { ...target, TARGET_BASE_URL: url.href, all_proxy: withCredentials(proxy.url) };
      const run = await ctsInProcess(['--only', 'customer.id.*'], environment);
      expect(run.report!.verdict).toBe('selection-passes');
      expect(run.stdout).toContain(`through the proxy ${proxy.url} (all_proxy)`);
      // The proxy resolves the name.
      expect(new Set(proxy.received.splice(0))).toEqual(new Set([url.host]));
      for (const secret of [PASSWORD, encodeURIComponent(PASSWORD), btoa(CREDENTIALS)])
        expect(run.bytes).not.toContain(secret);
    }
  });

  it.each<[string, ProxyBehaviour, string, string]>([
    ['socks5h', { credentials: CREDENTIALS }, 'it demands credentials', 'USER:PASSWORD@'],
    ['socks5h', { status: 2 }, 'it does not allow this host or port', '--no-proxy'],
    ['socks5h', { status: 5 }, 'it could not reach the target', 'TARGET_BASE_URL is right'],
    ['socks4a', {}, 'it does not speak SOCKS4', '--no-proxy'],
    ['socks5', {}, 'with socks5h:// the proxy resolves it', '--no-proxy'],
  ])('of %s with %j that fails is named', async (scheme, behaviour, problem, advice) => {
    const { url } = await proxyThat(behaviour, startSocksProxy);
    const { code, stdout } = await ctsInProcess(['doctor'], {
      TARGET_BASE_URL: 'https://service.invalid',
      TARGET_API_KEY: 'sk_test_123456789',
      all_proxy: url.replace('socks5h', scheme),
    });
    expect(words(stdout)).toContain(problem);
    expect(words(stdout)).toContain(advice);
    expect(code).toBe(3);
  });

  it('is never between the suite and the embedded service', async () => {
    const proxy = await proxyThat();
    const variables = { http_proxy: proxy.url, all_proxy: proxy.url };
    const { code } = await ctsInProcess(['doctor'], variables);
    expect([code, proxy.received]).toEqual([0, []]);
  });

  it.each<[string, () => Promise<string>, string, string]>([
    [
      'demands credentials',
      async () => (await proxyThat({ credentials: CREDENTIALS })).url,
      'answered 407: it demands credentials',
      'http://USER:PASSWORD@HOST:PORT',
    ],
    [
      'rejects the credentials',
      async () => withCredentials((await proxyThat({ credentials: CREDENTIALS })).url, 'wrong-Zq8rV'),
      'answered 407: it rejects the credentials',
      'http://USER:PASSWORD@HOST:PORT',
    ],
    [
      'cannot connect',
      async () => (await proxyThat({ status: 502 })).url,
      'it could not reach the target',
      '--no-proxy',
    ],
    [
      'forbids the host',
      async () => (await proxyThat({ status: 403 })).url,
      'does not allow this host or port',
      '--no-proxy',
    ],
    [
      'is away',
      async () => {
        const gone = await startPlainService();
        await gone.stop();
        return new URL(gone.baseUrl).origin;
      },
      'connection refused',
      '--no-proxy',
    ],
  ])(
    'that %s is named, without its credentials, and the target is not blamed',
    async (_, start, problem, advice) => {
      const url = await start();
      const name = `the proxy ${url.replace(/\/\/.*@/, '//')}`;
      const service = await serviceThat();
      for (const environment of [
        { ...variablesOf(service), http_proxy: url },
        { ...(await secured()), https_proxy: url },
      ]) {
        const { code, stdout } = await ctsInProcess(['doctor'], environment);
        expect(words(stdout)).toContain(name);
        expect(words(stdout)).toContain(problem);
        expect(words(stdout)).toContain(advice);
        expect(stdout).not.toContain('Zq8rV');
        expect(code).toBe(3);
      }
      expect(service.received).toEqual([]);
    },
  );

  it.each(['http://', `ftp://ada:${PASSWORD}@p`])('given as %s is wrong usage', async (url) => {
    const { code, stderr } = await ctsInProcess(['doctor'], {
      TARGET_BASE_URL: 'https://a.example',
      TARGET_API_KEY: 'sk_test_123456789',
      HTTPS_PROXY: url,
    });
    expect(stderr).toMatch(/HTTPS_PROXY: .*such as http:\/\/proxy\.example\.com:3128/);
    expect(stderr).not.toContain('Zq8rV');
    expect(code).toBe(2);
  });
});
