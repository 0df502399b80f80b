import { readFileSync } from 'node:fs';
import { createSecureServer } from 'node:http2';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defineTarget } from '../library/index.ts';
import { testAuthority } from '../selftest/certificates.ts';
import { forwardTo } from '../selftest/front.ts';
import { ctsInProcess } from '../selftest/in-process.ts';
import {
  variablesOf,
  listening,
  proxyThat,
  serviceThat,
  words,
  securedService,
} from '../selftest/services.ts';

const { ca, identity } = testAuthority();

describe('--http 2', () => {
  it('checks a whole service over HTTP/2; the reports say so, and what only HTTP/1.1 has is left out', async () => {
    const service = await serviceThat();
    const listener = forwardTo(service.baseUrl) as unknown as Parameters<typeof createSecureServer>[1];
    const { port } = await listening(createSecureServer(identity, listener));
    const environment = {
      ...variablesOf(service),
      TARGET_BASE_URL: `https://127.0.0.1:${port}/api`,
      TARGET_CA: ca,
    };
    const run = await ctsInProcess(
      ['--http', '2', '--cases', '60', '--seed', '7', '--report', 'har'],
      environment,
    );
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

    const judged = await ctsInProcess(['judge', run.out]);
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
    const service = await securedService(identity);
    const secured = { ...variablesOf(service), TARGET_CA: ca };
    const overTls = await ctsInProcess(['doctor', '--http', '2'], secured);
    expect(words(overTls.stdout)).toContain('the target does not speak HTTP/2: by ALPN it chose http/1.1');
    const other = await serviceThat();
    const plain = await ctsInProcess(['doctor', '--http', '2'], variablesOf(other));
    expect(words(plain.stdout)).toContain('the target does not speak HTTP/2');
    expect(words(plain.stdout)).toContain('leave out --http 2');
    expect([overTls.code, plain.code]).toEqual([3, 3]);
    expect([...service.received, ...other.received]).toEqual([]);
  });
});
