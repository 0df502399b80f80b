import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startReference } from '../reference/start.ts';
import { ctsInProcess } from '../selftest/in-process.ts';
import { certificate } from '../selftest/certificates.ts';
import { newFolder } from '../selftest/files.ts';
import { listen } from '../selftest/front.ts';

/** A port that is free, for a program that does not choose one itself. */
async function freePort(): Promise<number> {
  const { port, stop } = await listen(createServer());
  await stop();
  return port;
}

const folder = newFolder();
// Some programs become another user.
chmodSync(folder, 0o777);
const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const authority = certificate('Test CA', { isAuthority: true });
const server = certificate('server', { by: authority, addresses: ['127.0.0.1'] });
const client = certificate('client', { by: authority });
const [ca, cert, key, both] = [
  file('ca.pem', authority.cert),
  file('server.pem', server.cert),
  file('server-key.pem', server.key),
  file('server-both.pem', server.cert + server.key),
];
const mutual = {
  TARGET_CLIENT_CERT: file('client.pem', client.cert),
  TARGET_CLIENT_KEY: file('client-key.pem', client.key),
};

interface Front {
  readonly program: string;
  readonly args: (config: string) => readonly string[];
  /** @param port to listen on @param upstream of the service */
  readonly config: (port: number, upstream: number) => string;
}

const nginx = (verify: 'on' | 'off'): Front => ({
  program: 'nginx',
  args: (config) => ['-c', config, '-e', join(folder, 'nginx.log')],
  config: (port, upstream) => `daemon off; pid ${folder}/nginx.pid; events {}
http {
  access_log off; client_body_temp_path ${folder}/b; proxy_temp_path ${folder}/p;
  fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
  server {
    listen 127.0.0.1:${port} ssl http2;
    ssl_certificate ${cert}; ssl_certificate_key ${key};
    ssl_client_certificate ${ca}; ssl_verify_client ${verify};
    location / { proxy_pass http://127.0.0.1:${upstream}; proxy_set_header Host $host; }
  }
}`,
});

const haproxy: Front = {
  program: 'haproxy',
  args: (config) => ['-db', '-f', config],
  config: (port, upstream) => `defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
frontend f
  bind 127.0.0.1:${port} ssl crt ${both} ca-file ${ca} verify required alpn h2,http/1.1
  default_backend b
backend b
  server s 127.0.0.1:${upstream}
`,
};

const caddy: Front = {
  program: 'caddy',
  args: (config) => ['run', '--adapter', 'caddyfile', '--config', config],
  config: (port, upstream) => `{
  admin off
  auto_https off
  storage file_system ${folder}/caddy
}
https://127.0.0.1:${port} {
  tls ${cert} ${key}
  reverse_proxy 127.0.0.1:${upstream}
}
`,
};

const squid: Front = {
  program: 'squid',
  args: (config) => ['-N', '-f', config],
  config: (port) => `http_port 127.0.0.1:${port}
pid_filename ${folder}/squid.pid
access_log none
cache_log ${folder}/squid.log
cache deny all
netdb_filename none
http_access allow all
shutdown_lifetime 1 seconds
`,
};

/** Starts a program with its configuration, until the test ends. @returns its port */
async function started({ program, args, config }: Front, upstream: number): Promise<number> {
  const port = await freePort();
  const path = file(`${program}-${port}.conf`, config(port, upstream));
  const child = spawn(program, args(path), { stdio: 'ignore' });
  onTestFinished(async () => {
    if (child.kill()) await once(child, 'exit');
  });
  return port;
}

const isMissing = ({ program }: Front): boolean => spawnSync(program, ['-v']).error !== undefined;

/** Settings that reach a service behind a front, or through a proxy. */
const https = (port: number): Record<string, string> => ({
  TARGET_BASE_URL: `https://127.0.0.1:${port}`,
  TARGET_CA: ca,
});

describe('a conforming service passes', () => {
  for (const [way, front, variables] of [
    ['nginx over HTTP/2', nginx('off'), (port: number) => ({ ...https(port), TARGET_HTTP: '2' })],
    ['nginx with a client certificate', nginx('on'), (port: number) => ({ ...https(port), ...mutual })],
    ['haproxy over HTTP/2', haproxy, (port: number) => ({ ...https(port), ...mutual, TARGET_HTTP: '2' })],
    ['caddy over HTTP/2', caddy, (port: number) => ({ ...https(port), TARGET_HTTP: '2' })],
    ['squid', squid, (port: number) => ({ http_proxy: `http://127.0.0.1:${port}` })],
  ] as const)
    it.skipIf(isMissing(front))(`through ${way} (needs ${front.program})`, async () => {
      const service = await startReference();
      onTestFinished(service.stop);
      const port = await started(front, Number(new URL(service.baseUrl).port));
      const environment: Record<string, string> = {
        TARGET_BASE_URL: service.baseUrl,
        TARGET_API_KEY: service.apiKey,
        ...variables(port),
      };
      const { report, stdout } = await ctsInProcess(['--cases', '60', '--wait', '30'], environment);
      expect(report?.verdict, stdout).toBe('conforms');
    });
});
