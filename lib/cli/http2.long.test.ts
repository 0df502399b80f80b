import { readFileSync } from 'node:fs';
import { createSecureServer } from 'node:http2';
import type { Http2SecureServer, ServerHttp2Session } from 'node:http2';
import { createServer } from 'node:https';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { defineTarget } from '../library/index.ts';
import { certificate } from '../selftest/certificates.ts';
import { cts } from '../selftest/command.ts';
import { fileWith } from '../selftest/files.ts';
import { forwardTo } from '../selftest/front.ts';
import { ctsInProcess } from '../selftest/in-process.ts';
import { at, listening, proxyThat, serviceThat } from '../selftest/services.ts';

const words = (text: string): string => text.replaceAll(/\s+/g, ' ');
const authority = certificate('Test CA', { isAuthority: true });
const { cert, key } = certificate('loopback', { by: authority, addresses: ['127.0.0.1'] });
const ca = fileWith(authority.cert);

/** Lets a server of HTTP/2 alone listen until the test ends. @returns the port */
async function listeningHttp2(server: Http2SecureServer): Promise<number> {
  const sessions = new Set<ServerHttp2Session>();
  server.on('session', (session) => sessions.add(session));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    for (const session of sessions) session.destroy();
  });
  return (server.address() as AddressInfo).port;
}

describe('--http 2', () => {
  it('checks a whole service over HTTP/2; the reports say so, and what only HTTP/1.1 has is left out', async () => {
    const service = await serviceThat();
    const listener = forwardTo(service.baseUrl) as unknown as Parameters<typeof createSecureServer>[1];
    const port = await listeningHttp2(createSecureServer({ cert, key }, listener));
    const environment = { ...at(service), TARGET_BASE_URL: `https://127.0.0.1:${port}/api`, TARGET_CA: ca };
    const run = await cts(['--http', '2', '--cases', '60', '--seed', '7', '--report', 'har'], environment);
    expect(run.report).toMatchObject({ verdict: 'conforms', run: { http: '2', retries: 0 } });
    expect(run.stdout).toContain('over HTTP/2');
    const reasons = Object.fromEntries(
      run.report!.requirements.map(({ id, verdict, reason }) => [id, `${verdict}: ${reason}`]),
    );
    expect(reasons['http.field.case']).toBe(
      'untested: HTTP/2 has header names in lower case only (RFC 9113, section 8.2.1)',
    );
    expect(reasons['auth.customers.key.required']).toContain(
      'pass: without Connection: close, a chunked body',
    );
    const har = JSON.parse(readFileSync(join(run.out, 'evidence.har'), 'utf8')) as {
      log: { entries: { request: { httpVersion: string } }[] };
    };
    expect(new Set(har.log.entries.map(({ request }) => request.httpVersion))).toEqual(new Set(['HTTP/2']));

    const judged = await cts(['judge', run.out]);
    expect(judged.stdout).toContain('every verdict is the same');

    const proxy = await proxyThat();
    const doctor = await ctsInProcess(['doctor', '--http', '2'], { ...environment, https_proxy: proxy.url });
    expect(words(doctor.stdout)).toContain(`ok route over HTTP/2; through the proxy ${proxy.url}`);
    expect(doctor.stdout).toContain('READY; ');
    expect(proxy.received[0]).toBe(`CONNECT 127.0.0.1:${port}`);
    const { TARGET_BASE_URL: baseUrl, TARGET_API_KEY: apiKey } = environment as Record<string, string>;
    const target = defineTarget({ baseUrl: baseUrl!, apiKey: apiKey!, ca, http: '2' });
    const { accepted } = await target.createCustomer({ name: 'Ada', email: 'ada@example.com' });
    await target.close();
    expect(accepted).toBe(true);
  });

  it('is inconclusive where the target does not speak it, and says what it chose', async () => {
    const service = await serviceThat();
    const listener: RequestListener = forwardTo(service.baseUrl);
    const port = await listening(createServer({ cert, key }, listener));
    const secured = { ...at(service), TARGET_BASE_URL: `https://127.0.0.1:${port}/api`, TARGET_CA: ca };
    const overTls = await ctsInProcess(['doctor', '--http', '2'], secured);
    expect(words(overTls.stdout)).toContain('the target does not speak HTTP/2: by ALPN it chose http/1.1');
    const plain = await ctsInProcess(['doctor', '--http', '2'], at(service));
    expect(words(plain.stdout)).toContain('the target does not speak HTTP/2');
    expect(words(plain.stdout)).toContain('leave out --http 2');
    expect([overTls.code, plain.code]).toEqual([3, 3]);
    expect(service.received).toEqual([]);
  });
});
