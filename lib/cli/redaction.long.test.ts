import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ctsInProcess } from '../selftest/in-process.ts';
import { variablesOf, serviceThat } from '../selftest/services.ts';

const isToken = (url: string | undefined): boolean => url!.endsWith('/tokens');

describe('the output of a run', () => {
  it('holds no token that comes in a header, whether or not the body has one too', async () => {
    const secrets: string[] = [];
    const fresh = (): string => {
      secrets.push(randomBytes(20).toString('hex'));
      return secrets.at(-1)!;
    };
    const service = await serviceThat({
      instead: (request, response) => {
        response.setHeader('Set-Cookie', [`sid=${fresh()}; Path=/`, `lang=en`]);
        if (!isToken(request.url)) return false;
        response.setHeader('X-Auth-Token', `Bearer ${fresh()}`);
        response.setHeader('Location', `/tokens/1?access_token=${fresh()}`);
        response.writeHead(201, { 'Content-Type': 'application/json' }).end('{"issued":true}');
        return true;
      },
    });
    const { code, bytes } = await ctsInProcess(['--cases', '60', '--seed', '7'], variablesOf(service));
    expect(code).toBe(1);
    expect(secrets.filter((secret) => bytes.includes(secret))).toEqual([]);
    expect(bytes).toContain('x-auth-token');
    expect(bytes).toContain('sid=[redacted]; Path=/');
  });

  it('calls nothing a token that the target sends with every response, or that the run itself has sent', async () => {
    const service = await serviceThat({
      instead: (request, response) => {
        const body = {
          server: 'mock-server-4711-staging',
          agent: request.headers['user-agent'],
          path: request.url,
        };
        response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
        return true;
      },
    });
    const { bytes } = await ctsInProcess(['--cases', '60', '--seed', '7'], variablesOf(service));
    expect(bytes).toContain('mock-server-4711-staging');
    // The page explains [token 12].
    expect(bytes).not.toMatch(/\[(?:possible )?token (?!12\])\d+\]/);
  });

  it('does not hide the words of a page, and never calls them a token that was issued', async () => {
    const service = await serviceThat({
      instead: (request, response) => {
        const script = isToken(request.url) ? '<script src=/assets/app-3f9a1c77d2.js></script>' : '';
        const page = `<html><link href=/assets/main-77d23f9a1c.css>${script}</html>`;
        response.writeHead(200, { 'Content-Type': 'text/html' }).end(page);
        return true;
      },
    });
    const { code, bytes } = await ctsInProcess(['--seed', '7'], variablesOf(service));
    expect(code).toBe(3);
    expect(bytes).toContain('/assets/main-77d23f9a1c.css');
    expect(bytes).not.toMatch(/\[token (?!12\])\d+\]/);
  });
});
