import { existsSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { cts } from './testing/command.ts';
import { at, serviceThat } from './testing/services.ts';

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

  it('conforms with a different implementation, and no secret is left behind', async () => {
    const service = await serviceThat();
    const ended = await cts([], at(service));
    expect(ended.stdout).toContain('CONFORMS');
    expect(ended.code).toBe(0);
    expect(namesIn(service.received).size).toBeGreaterThan(90);
    for (const secret of [service.key, ...service.issued]) expect(ended.bytes).not.toContain(secret);
    expect(service.issued.length).toBeGreaterThan(10);
  });

  it('is announced what it will receive, and listed what was created', async () => {
    const service = await serviceThat();
    const plan = await cts(['--dry-run', '--seed', '7'], at(service));
    expect(plan.code).toBe(0);
    expect(existsSync(plan.out)).toBe(false);
    expect((await cts(['--dry-run', '--max-requests', '5'])).stdout).toContain('about 5 customers');
    expect(service.received).toEqual([]);
    const [line] = plan.stdout.split('\n');
    expect(line).toMatch(/at most 1000 requests, 16 in flight, within 80 s; about 215 customers/);
    const { stdout, report } = await cts(['--seed', '7'], at(service));
    expect(stdout.split('\n')[0]).toBe(line);
    const { runId, customers } = report!.created!;
    expect(line).toContain(`tagged ${runId} `);
    const creations = service.received.filter((text) => text.startsWith('POST') && text.includes(runId));
    expect(customers.length).toBeGreaterThan(200);
    expect(customers.length).toBeLessThan(creations.length);
  });

  it('receives the same inputs with the same seed, and others with another', async () => {
    const services = [await serviceThat(), await serviceThat(), await serviceThat()];
    const seeds = ['7', '7', '8'];
    await Promise.all(services.map((service, run) => cts(['--seed', seeds[run]!], at(service))));
    const [one, same, other] = services.map(({ received, key }) =>
      received.map((line) => line.replace(key, '{key}')).toSorted(),
    );
    expect(same).toEqual(one);
    expect(other).not.toEqual(one);
  });

  it('conforms if it accepts each address only once, also in a second run with the same seed', async () => {
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

  it('conforms if it rejects with 200 and a text that contains an id', async () => {
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
      'auth.refusal.unauthorized',
    );
    expect(code).toBe(0);
  });

  it('conforms if it accepts only short lifetimes, and the report names the accepted one', async () => {
    const service = await serviceThat({
      instead: (_, response, count) => {
        const lifetime = /"(?:expires_in)"\s*:\s*(\d+)/.exec(service.received[count - 1]!)?.[1];
        const isTooLong = lifetime !== undefined && Number(lifetime) > 100;
        if (isTooLong) response.writeHead(422).end();
        return isTooLong;
      },
    });
    const { code, report } = await cts([], at(service));
    const accepted = report!.requirements.find(({ id }) => id === 'token.plain.accepted');
    expect(accepted).toMatchObject({
      verdict: 'pass',
      reason: 'accepted with scopes customers:read and expires_in 60',
    });
    expect(code).toBe(0);
  });

  it('conforms if it limits the requests in flight and per second', async () => {
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
    expect(stdout).toContain('rate-limited ');
    expect(report!.run.throttled).toBeGreaterThan(0);
    expect(code).toBe(0);
  });
});
