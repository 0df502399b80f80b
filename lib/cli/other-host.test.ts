import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defineTarget } from '../library/index.ts';
import { certificate } from '../selftest/certificates.ts';
import { fileWith, newFolder } from '../selftest/files.ts';
import { forwardTo } from '../selftest/front.ts';
import { ctsInProcess } from '../selftest/in-process.ts';
import { startPlainService } from '../selftest/plain-service.ts';
import { variablesOf, listening, proxyThat, serviceThat, words } from '../selftest/services.ts';
import { readSettings } from '../settings/sources.ts';
import { curlOf } from '../target/output/curl.ts';

const URL_OF_STAGING = 'https://staging.example.com/api';

/** The curl line of a request on the route that variables describe. */
function curlFor(environment: Record<string, string>): string {
  const { baseUrl, route } = readSettings({ environment });
  const request = { method: 'GET', path: '/x', credential: undefined, fields: [], body: undefined };
  return curlOf({ request, route, url: `${baseUrl}/x` });
}

describe('--connect-to', () => {
  it('goes to another address, also through a proxy, with the host of the URL in requests and TLS', async () => {
    const authority = certificate('Test CA', { isAuthority: true });
    const { cert, key } = certificate('staging', { by: authority, hosts: ['staging.example.com'] });
    const ca = fileWith(authority.cert);
    const service = await serviceThat();
    const forward = forwardTo(service.baseUrl);
    const hosts = new Set<string | undefined>();
    const names = new Set<unknown>();
    const { port } = await listening(
      createSecureServer({ cert, key }, (request, response) => {
        hosts.add(request.headers.host);
        names.add((request.socket as IncomingMessage['socket'] & { servername?: unknown }).servername);
        forward(request, response);
      }),
    );
    const host = `127.0.0.1:${port}`;
    const proxy = await proxyThat();
    const environment = { ...variablesOf(service), TARGET_BASE_URL: URL_OF_STAGING, TARGET_CA: ca };
    const doctor = await ctsInProcess(['doctor', '--connect-to', host], environment);
    expect(words(doctor.stdout)).toContain(`ok route connecting to ${host} ok connection to ${host} in`);
    expect(doctor.stdout).toContain('READY');
    const proxied = { ...environment, TARGET_CONNECT_TO: host, https_proxy: proxy.url };
    expect((await ctsInProcess(['doctor'], proxied)).stdout).toContain('READY');
    expect(new Set(proxy.received)).toEqual(new Set([`CONNECT ${host}`]));
    expect([...hosts, ...names]).toEqual(['staging.example.com', 'staging.example.com']);
    expect(curlFor(proxied)).toBe(
      `curl -sS -i -X GET '${URL_OF_STAGING}/x' -H 'Accept:' -H 'User-Agent:' --proxy '${proxy.url}' --connect-to '::${host}' --cacert '${ca}'`,
    );
  });

  it.each(['127.0.0.1', ':80', 'a:0', 'a:99999', '::1:80', '[::g]:80', 'http://a:80'])(
    'with %s is wrong usage',
    async (place) => {
      const environment = { TARGET_BASE_URL: URL_OF_STAGING, TARGET_API_KEY: 'sk_test_123456789' };
      const { code, stderr } = await ctsInProcess(['doctor', '--connect-to', place], environment);
      expect(stderr).toContain('--connect-to: expected HOST:PORT');
      expect(code).toBe(2);
    },
  );
});

describe('--unix-socket', () => {
  it('connects to the socket, through no proxy', async () => {
    const path = join(newFolder(), 's.sock');
    const service = await serviceThat();
    const forward = forwardTo(service.baseUrl);
    const hosts = new Set<string | undefined>();
    const server = createServer((request, response) => {
      hosts.add(request.headers.host);
      forward(request, response);
    });
    await listening(server, { path });
    const environment = { ...variablesOf(service), TARGET_BASE_URL: 'http://service.internal/api' };
    const proxied = { ...environment, TARGET_UNIX_SOCKET: path, http_proxy: 'http://127.0.0.1:9' };
    const { stdout } = await ctsInProcess(['doctor'], proxied);
    expect(words(stdout)).toContain(`through the Unix socket ${path}`);
    // With a warning, if this machine is slow.
    expect(stdout).toMatch(/^READY/m);
    const target = defineTarget({
      baseUrl: 'http://service.internal/api',
      apiKey: service.apiKey,
      unixSocket: path,
    });
    const { accepted } = await target.createCustomer({ name: 'Ada', email: 'ada@example.com' });
    await target.close();
    expect(accepted).toBe(true);
    expect([...hosts]).toEqual(['service.internal']);
    expect(curlFor(proxied)).toBe(
      `curl -sS -i -X GET 'http://service.internal/api/x' -H 'Accept:' -H 'User-Agent:' --noproxy '*' --unix-socket '${path}'`,
    );
  });

  it('is named where it does not exist', async () => {
    const environment = { TARGET_BASE_URL: 'http://service.internal', TARGET_API_KEY: 'sk_test_0123456789' };
    const { stdout } = await ctsInProcess(['doctor', '--unix-socket', '/nowhere.sock'], environment);
    expect(words(stdout)).toContain('the Unix socket does not exist Check TARGET_UNIX_SOCKET');
  });

  it('is wrong usage beside --connect-to, or with a path that is too long', async () => {
    const environment = {
      TARGET_BASE_URL: URL_OF_STAGING,
      TARGET_API_KEY: 'sk_test_123456789',
      TARGET_UNIX_SOCKET: '/s',
    };
    const both = await ctsInProcess(['doctor', '--connect-to', 'a:1'], environment);
    expect(both.stderr).toContain('TARGET_CONNECT_TO and TARGET_UNIX_SOCKET exclude each other');
    const long = await ctsInProcess(['doctor', '--unix-socket', `/${'s'.repeat(110)}`], environment);
    expect(long.stderr).toContain('--unix-socket: expected the path of a socket of at most 103 bytes');
    expect([both.code, long.code]).toEqual([2, 2]);
  });
});

describe('a base URL', () => {
  const hasIPv6 = Object.values(networkInterfaces())
    .flat()
    .some((one) => one?.address === '::1');

  it.skipIf(!hasIPv6)(
    'with an IPv6 address and a percent-encoded path is used as it is (needs IPv6)',
    async () => {
      const service = await serviceThat();
      const requested = new Set<string | undefined>();
      const server = createServer((request, response) => {
        requested.add(request.url);
        request.url = request.url!.replace('/a%20b/c%2Fd', '/api');
        forwardTo(service.baseUrl)(request, response);
      });
      const { port } = await listening(server, { port: 0, host: '::1' });
      const environment = { ...variablesOf(service), TARGET_BASE_URL: `http://[::1]:${port}/a%20b/c%2Fd/` };
      const { stdout } = await ctsInProcess(['doctor'], environment);
      expect(stdout).toContain('READY; ');
      expect([...requested]).toEqual(['/a%20b/c%2Fd/v1/customers', '/a%20b/c%2Fd/v2/tokens']);
      expect(curlFor(environment)).toBe(
        `curl -sS -i -g -X GET 'http://[::1]:${port}/a%20b/c%2Fd/x' -H 'Accept:' -H 'User-Agent:'`,
      );
    },
  );
});

describe('--wait', () => {
  it('waits, without the key, until a gateway reaches its service', async () => {
    const waiting: (string | undefined)[] = [];
    const service = await serviceThat({
      instead: (request, response) => {
        if (request.method !== 'GET') return false;
        waiting.push(request.headers.authorization);
        response.writeHead(waiting.length < 3 ? 503 : 404).end();
        return true;
      },
    });
    const { stdout, code } = await ctsInProcess(['doctor', '--wait', '30'], variablesOf(service));
    expect(stdout).toMatch(
      /^Waiting up to 30 s, as the target answers with status 503\nThe target answered after [\d.]+ s\n/,
    );
    expect(waiting).toEqual([undefined, undefined, undefined]);
    expect(code).toBe(0);
  });

  it('waits for a service that is starting', async () => {
    const gone = await startPlainService();
    await gone.stop();
    const { port } = new URL(gone.baseUrl);
    let isStarted = false;
    const service = await serviceThat();
    const { stdout, report } = await ctsInProcess(
      ['--wait', '60', '--only', 'customer.id.form'],
      { ...variablesOf(service), TARGET_BASE_URL: gone.baseUrl },
      {
        onOutput: (output) => {
          if (!output.includes('Waiting up to 60 s') || isStarted) return;
          isStarted = true;
          const server = createServer(forwardTo(service.baseUrl));
          void listening(server, { port: Number(port), host: '127.0.0.1' });
        },
      },
    );
    expect(stdout).toMatch(/until the target answers: connection refused\nThe target answered after/);
    expect(report!.verdict).toBe('selection-passes');
  });

  it('gives up after that time, and at once for what waiting does not change', async () => {
    const gone = await startPlainService();
    await gone.stop();
    const { stdout, code } = await ctsInProcess(['doctor', '--wait', '0.3'], variablesOf(gone));
    expect(stdout).toMatch(/The target did not answer within [\d.]+ s: /);
    const service = await serviceThat();
    const secured = { ...variablesOf(service), TARGET_BASE_URL: service.baseUrl.replace('http', 'https') };
    expect((await ctsInProcess(['doctor', '--wait', '60'], secured)).stdout).not.toContain('Waiting');
    expect(code).toBe(3);
  });
});
