import { generateKeyPairSync } from 'node:crypto';
import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import type { ServerOptions } from 'node:https';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defineTarget } from '../library/index.ts';
import { certificate, testAuthority } from '../selftest/certificates.ts';
import type { CommandResult } from '../selftest/command.ts';
import { fileWith, newFolder } from '../selftest/files.ts';
import { ctsInProcess } from '../selftest/in-process.ts';
import { variablesOf, serviceThat, requirementIn, words, securedService } from '../selftest/services.ts';
import { readSettings } from '../settings/sources.ts';
import { curlOf } from '../target/output/curl.ts';

const PASSPHRASE = 'correct-horse-Zq8rV';

const { authority, ca, identity } = testAuthority();
const client = certificate('a client', { by: authority });
const cert = fileWith(client.cert);
const key = fileWith(client.key);
const encrypted = fileWith(
  client.privateKey
    .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: PASSPHRASE })
    .toString(),
);
const otherKey = fileWith(
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
    type: 'pkcs8',
    format: 'pem',
  }),
);

/** The variables of a service behind TLS. */
const secured = async (options: ServerOptions = {}): Promise<Record<string, string>> =>
  variablesOf(await securedService({ ...identity, ...options }, { echo: (name) => name.toUpperCase() }));

const mutual: ServerOptions = { ca: authority.cert, requestCert: true, rejectUnauthorized: true };

describe('a client certificate', () => {
  it('is sent by a run from .env, with an encrypted key; its passphrase is in no output', async () => {
    const environment = await secured(mutual);
    const cwd = newFolder();
    const variables = {
      TARGET_CA: ca,
      TARGET_CLIENT_CERT: cert,
      TARGET_CLIENT_KEY: encrypted,
      TARGET_CLIENT_KEY_PASSPHRASE: PASSPHRASE,
    };
    const lines = Object.entries(variables).map(([name, value]) => `${name}='${value}'\n`);
    writeFileSync(join(cwd, '.env'), lines.join(''));
    const run = await ctsInProcess(['--only', 'customer.name.echoed'], environment, { cwd });
    const { verdict, counterexample } = requirementIn(run, 'customer.name.echoed');
    expect(verdict).toBe('fail');
    expect(run.bytes).not.toContain(PASSPHRASE);
    const env = { ...process.env, ...environment, ...variables };
    const line = execFileSync('bash', ['-c', `printf '%s ' ${counterexample!.curl}`], { env }).toString();
    expect(line).toContain(` --cacert ${ca} --cert ${cert} --key ${encrypted} --pass ${PASSPHRASE} `);
  });

  it('is sent by doctor and by the library', async () => {
    const { TARGET_BASE_URL: baseUrl, TARGET_API_KEY: apiKey, ...rest } = await secured(mutual);
    const environment = { ...rest, TARGET_BASE_URL: baseUrl!, TARGET_API_KEY: apiKey! };
    const flags = ['--ca', ca, '--client-cert', cert, '--client-key', key];
    const doctor = await ctsInProcess(['doctor', ...flags], environment);
    expect(doctor.stdout).toMatch(/ok {4}client cert {2}expires on [\d-]+, in (?:29|30) days/);
    expect(doctor.stdout).toContain('READY');
    const target = defineTarget({ baseUrl: baseUrl!, apiKey: apiKey!, ca, clientCert: cert, clientKey: key });
    const { accepted } = await target.createCustomer({ name: 'ADA', email: 'ada@example.com' });
    await target.close();
    expect(accepted).toBe(true);
  });

  const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
  it.skipIf(!hasOpenssl)('is read from PKCS#12 (needs openssl)', async () => {
    const archive = join(newFolder(), 'client.p12');
    const args = ['-inkey', key, '-in', cert, '-out', archive, '-passout', `pass:${PASSPHRASE}`];
    execFileSync('openssl', ['pkcs12', '-export', ...args]);
    const environment = { ...(await secured(mutual)), TARGET_CA: ca, TARGET_CLIENT_CERT: archive };
    const right = await ctsInProcess(['doctor'], {
      ...environment,
      TARGET_CLIENT_KEY_PASSPHRASE: PASSPHRASE,
    });
    expect(right.stdout).toContain('READY');
    const missing = await ctsInProcess(['doctor'], environment);
    expect(missing.stderr).toContain(
      'TARGET_CLIENT_KEY_PASSPHRASE is missing: TARGET_CLIENT_CERT is encrypted',
    );
    const wrong = await ctsInProcess(['doctor'], {
      ...environment,
      TARGET_CLIENT_KEY_PASSPHRASE: 'wrong-Zq8rV',
    });
    expect(wrong.stderr).toContain('TARGET_CLIENT_KEY_PASSPHRASE is wrong');
    expect(wrong.stderr).not.toContain('Zq8rV');
    expect([missing.code, wrong.code]).toEqual([2, 2]);
  });
});

describe('a failure of TLS', () => {
  const signed = (wanted: Parameters<typeof certificate>[1]): ServerOptions => {
    const { cert, key } = certificate('target', { by: authority, addresses: ['127.0.0.1'], ...wanted });
    return { cert, key };
  };
  it.each<[string, ServerOptions, Record<string, string>, string]>([
    ['expired', signed({ days: -1 }), { TARGET_CA: ca }, 'has expired (CERT_HAS_EXPIRED); it expired on'],
    [
      'for another host',
      signed({ addresses: [], hosts: ['b.example'] }),
      { TARGET_CA: ca },
      'is for another host (ERR_TLS_CERT_ALTNAME_INVALID)',
    ],
    ['of an unknown authority', {}, {}, 'no trusted CA signed'],
    ['a client certificate is missing', mutual, { TARGET_CA: ca }, 'the target demands a client certificate'],
    [
      'a client certificate is missing in TLS 1.2',
      { ...mutual, maxVersion: 'TLSv1.2' },
      { TARGET_CA: ca },
      'TARGET_CLIENT_CERT',
    ],
    [
      'a protocol is too old',
      { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' },
      { TARGET_CA: ca },
      'speaks no version of TLS that is still in use',
    ],
  ])('%s is explained by doctor', async (_, server, variables, sentence) => {
    const { code, stdout } = await ctsInProcess(['doctor'], { ...(await secured(server)), ...variables });
    expect(words(stdout)).toContain(sentence);
    expect(code).toBe(3);
  });

  it('that a gateway reports in a page is explained, too', async () => {
    const service = await serviceThat({
      instead: (_, response) => {
        const page = '<html><h1>400 No required SSL certificate was sent</h1></html>';
        response.writeHead(400, { 'Content-Type': 'text/html' }).end(page);
        return true;
      },
    });
    const { code, stdout } = await ctsInProcess(['doctor'], variablesOf(service));
    expect(words(stdout)).toContain('fail client cert the gateway demands a client certificate');
    expect(stdout).toContain('TARGET_CLIENT_KEY');
    expect(code).toBe(3);
  });

  it('about the name is settled with TARGET_SERVER_NAME, which curl lines honour', async () => {
    const server = signed({ addresses: [], hosts: ['b.example'] });
    const variables: Record<string, string> = {
      ...(await secured(server)),
      TARGET_CA: ca,
      TARGET_SERVER_NAME: 'b.example',
    };
    expect((await ctsInProcess(['doctor'], variables)).stdout).toContain('READY');
    const { baseUrl, route } = readSettings({ environment: variables });
    const request = { method: 'GET', path: '/x', credential: undefined, fields: [], body: undefined };
    const { host, port } = new URL(baseUrl!);
    expect(curlOf({ request, route, url: `${baseUrl}/x` })).toBe(
      `curl -sS -i -X GET 'https://b.example:${port}/api/x' -H 'Accept:' -H 'User-Agent:' --connect-to '::${host}' -H 'Host: ${host}' --cacert '${ca}'`,
    );
  });
});

describe('TLS settings', () => {
  const broken = fileWith('-----BEGIN CERTIFICATE-----\nc2VjcmV0LVpxOHJW\n-----END CERTIFICATE-----\n');
  const text = fileWith('secret-Zq8rV');
  const rejected = (variables: Record<string, string>): Promise<CommandResult> =>
    ctsInProcess(['doctor'], {
      TARGET_BASE_URL: 'https://127.0.0.1:9',
      TARGET_API_KEY: 'sk_test_123456789',
      ...variables,
    });
  it.each<[Record<string, string>, string]>([
    [{ TARGET_CA: '/nowhere' }, 'TARGET_CA: the file does not exist'],
    [{ TARGET_CA: text }, 'TARGET_CA: the file holds no certificate; expected PEM'],
    [{ TARGET_CA: broken }, 'TARGET_CA: the file holds no certificate'],
    [{ TARGET_CA: key }, 'TARGET_CA: the file holds no certificate'],
    [{ TARGET_CLIENT_CERT: broken }, 'TARGET_CLIENT_CERT: the file holds no certificate'],
    [{ TARGET_CLIENT_CERT: text }, 'TARGET_CLIENT_CERT: the file is neither PEM'],
    [{ TARGET_CLIENT_CERT: cert }, 'TARGET_CLIENT_KEY is missing'],
    [{ TARGET_CLIENT_KEY: key }, 'TARGET_CLIENT_CERT is missing'],
    [{ TARGET_CLIENT_KEY_PASSPHRASE: 'secret-Zq8rV' }, 'TARGET_CLIENT_CERT is missing'],
    [
      { TARGET_CLIENT_CERT: cert, TARGET_CLIENT_KEY: cert },
      'TARGET_CLIENT_KEY: the file holds no private key',
    ],
    [
      { TARGET_CLIENT_CERT: cert, TARGET_CLIENT_KEY: otherKey },
      'TARGET_CLIENT_KEY does not fit TARGET_CLIENT_CERT',
    ],
    [{ TARGET_CLIENT_CERT: cert, TARGET_CLIENT_KEY: encrypted }, 'TARGET_CLIENT_KEY_PASSPHRASE is missing'],
    [
      {
        TARGET_CLIENT_CERT: cert,
        TARGET_CLIENT_KEY: encrypted,
        TARGET_CLIENT_KEY_PASSPHRASE: 'secret-Zq8rV',
      },
      'TARGET_CLIENT_KEY_PASSPHRASE is wrong',
    ],
    [{ TARGET_SERVER_NAME: '127.0.0.1' }, 'TARGET_SERVER_NAME: expected a host name, not an address'],
    [{ TARGET_SERVER_NAME: 'a b' }, 'TARGET_SERVER_NAME: expected a host name'],
  ])('%j are wrong usage', async (variables, message) => {
    const { code, stderr, bytes } = await rejected(variables);
    expect(stderr).toContain(message);
    expect(bytes).not.toMatch(/Zq8rV|c2VjcmV0/);
    expect(code).toBe(2);
  });
});
