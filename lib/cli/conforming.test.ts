import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cts } from '../selftest/command.ts';
import type { CommandResult } from '../selftest/command.ts';
import { ctsInProcess } from '../selftest/in-process.ts';
import { startPlainService } from '../selftest/plain-service.ts';
import type { PlainService } from '../selftest/plain-service.ts';
import { sabotaged } from '../selftest/sabotaged.ts';
import { variablesOf, serviceThat, requirementIn, words } from '../selftest/services.ts';
import { conformingRun } from '../selftest/shared-runs.ts';

const namesIn = (received: readonly string[]): Set<string> =>
  new Set(received.flatMap((line) => /"name":("(?:[^"\\]|\\.)*")/.exec(line)?.[1] ?? []));

/** So much time that a busy machine, which makes the service slow, changes nothing that is sent. */
const SEED_7 = ['--seed', '7', '--time-budget', '9000'];

describe('a conforming service', () => {
  let service: PlainService;
  let ranAtSeed7: CommandResult;
  beforeAll(async () => {
    service = await startPlainService();
    ranAtSeed7 = await ctsInProcess(SEED_7, variablesOf(service));
  });
  afterAll(() => service.stop());

  it('conforms: the reference service, in about 400 requests', async () => {
    const { code, report, stdout } = await conformingRun();
    expect(stdout).toContain('CONFORMS');
    expect(code).toBe(0);
    expect(report).toMatchObject({
      schemaVersion: 1,
      verdict: 'conforms',
      run: { retries: 0, inFlight: 16 },
    });
    // Three more measure how fast the target is, if a busy machine makes it look slow.
    expect(report!.run.requests).toBeLessThan(400 + 3);
  });

  it('takes as long as it does, even if somebody sets the clock meanwhile', async () => {
    const find = 'ending = Promise.withResolvers();';
    const put = `const { now } = Date; Date.now = () => now() - 3_600_000; ${find}`;
    const edit = { file: 'lib/report/reporter.ts', find, put };
    const { code, report } = await cts(['--only', 'http.date'], sabotaged({ sources: [edit] }));
    expect(code).toBe(0);
    expect(report!.run.durationMs).toBeGreaterThan(0);
  });

  it('says how many invalid credentials were not judged, if it limits the rate of these', async () => {
    const runWithLimit = async (maxWrongKeys: number) => {
      let wrong = 0;
      const guarded = await serviceThat({
        instead: ({ headers: { authorization } }, response) => {
          if (authorization === `Bearer ${guarded.apiKey}` || ++wrong <= maxWrongKeys) return false;
          response.writeHead(429, { 'Retry-After': '600' }).end();
          return true;
        },
      });
      return ctsInProcess(['run'], variablesOf(guarded));
    };
    const { code, report, stdout } = await runWithLimit(60);
    expect(code).toBe(0);
    const { unjudged, reason } = requirementIn({ report }, 'auth.customers.key.exact');
    expect(unjudged).toBeGreaterThan(0);
    const [, ofClient, lost] = /^(\d+) more not judged, as .*too many of them; (\d+) more without/.exec(
      reason!,
    )!;
    expect(Number(ofClient) + Number(lost)).toBe(unjudged);
    expect(words(stdout)).toMatch(/\d+ cases with wrong keys not judged, as the target limits their number/);
    // Not even those that the shortest run judges.
    const limited = await runWithLimit(12);
    expect(limited.code).toBe(3);
    expect(words(limited.stdout)).toContain(
      'the target stops checking wrong keys after too many of them (--dry-run shows how many a run sends); raise that limit, or exempt this client',
    );
  });

  it('conforms with a different implementation, and no secret is left behind', async () => {
    const ended = ranAtSeed7;
    expect(ended.stdout).toContain('CONFORMS');
    expect(ended.code).toBe(0);
    expect(namesIn(service.received).size).toBeGreaterThan(90);
    for (const secret of [service.apiKey, ...service.issued]) expect(ended.bytes).not.toContain(secret);
    expect(service.issued.length).toBeGreaterThan(10);
  });

  it('is announced what it will receive, and listed what was created', async () => {
    const other = await serviceThat();
    const plan = await ctsInProcess(['--dry-run', ...SEED_7], variablesOf(other));
    expect(plan.code).toBe(0);
    expect(existsSync(plan.out)).toBe(false);
    expect((await ctsInProcess(['--dry-run', '--quiet', '--max-requests', '5'])).stdout).toContain(
      'About 5 customers',
    );
    const shard = ['--dry-run', '--quiet', ...SEED_7, '--shard', '1/3'];
    expect((await ctsInProcess(shard, variablesOf(other))).stdout).toContain('--shard 1/3 saves almost no');
    const own = await ctsInProcess(['--dry-run', '--quiet', '--email-domain', 'mail.acme.dev']);
    expect(own.stdout).toContain('created at mail.acme.dev and reserved names');
    expect(other.received).toEqual([]);
    const announced = plan.stdout.split('\n').slice(0, 2).join('\n');
    expect(announced).toMatch(
      /would receive at most 1000 requests, 16 in flight, within 9000 s\nAbout 215 customers/,
    );
    const { stdout, report } = ranAtSeed7;
    // This service accepts what the reference service accepts.
    const [, requests, created, , wrong] = /\n {2}in all, about +(\d+) +(\d+) +(\d+) +(\d+)\n/
      .exec(plan.stdout)!
      .map(Number);
    expect(Math.abs(requests! - report!.run.requests)).toBeLessThan(15);
    expect(Math.abs(created! - report!.created!.customers.length)).toBeLessThan(10);
    expect(plan.stdout).toMatch(
      /\n {2}first contact +2 +1 +1 +0\n {2}plain requests +\d+ +2 +\d+ +\d+ {2}first contact\n/,
    );
    // No phase comes after one that sends nothing.
    const rows = plan.stdout.match(/(?<=^ {2}).*?(?= {2,}\d.*$)/gm)!;
    const afters = [...plan.stdout.matchAll(/(?<=\d {2})[a-z].*$/gm)].flatMap(([text]) => text.split(', '));
    expect(rows).toEqual(expect.arrayContaining(afters));
    const evidence = readFileSync(join(ranAtSeed7.out, 'evidence.ndjson'), 'utf8');
    const sent = evidence.split('\n').filter((text) => text.startsWith('{"type":"exchange"'));
    const wrongOnes = sent.filter((text) => !text.includes('["Authorization","Bearer [key]"]'));
    expect(Math.abs(wrong! - wrongOnes.length)).toBeLessThan(15);
    const expected = announced.replace(other.baseUrl, service.baseUrl).replaceAll('would', 'will');
    expect(stdout.split('\n').slice(0, 2).join('\n')).toBe(expected);
    const { runId, customers } = report!.created!;
    expect(announced).toContain(`with run id ${runId} in the addresses`);
    const creations = service.received.filter((text) => text.startsWith('POST') && text.includes(runId));
    expect(customers.length).toBeGreaterThan(200);
    expect(customers.length).toBeLessThan(creations.length);
  });

  it('receives the same inputs with the same seed', async () => {
    const other = await serviceThat();
    await ctsInProcess(SEED_7, variablesOf(other));
    const [first, same] = [service, other].map(
      ({ received, apiKey }) =>
        // A run that lasts longer presents a token that has ended, too, with the same request.
        new Set(
          received.map((line) =>
            line
              .replaceAll(apiKey, '{key}')
              .replaceAll(/token=[^& ]+/g, 'token={token}')
              // Of the form of those that the service assigns.
              .replaceAll(/(?<=[iI]d":")(?:cus_)?[\da-f]{12}(?=")/g, '{id}')
              .replace(/127\.0\.0\.1:\d+/, '{host}'),
          ),
        ),
    );
    expect(same).toEqual(first);
  });

  it('conforms in a second run, if it accepts each address once, short lifetimes, and rejects keys with 200', async () => {
    const known = new Set<string>();
    const picky = await serviceThat({
      isKey: () => true,
      instead: (request, response, count) => {
        const answer = (status: number, text = ''): true => {
          response.writeHead(status).end(text);
          return true;
        };
        if (request.headers.authorization?.replace(/^bearer/i, 'Bearer') !== `Bearer ${picky.apiKey}`)
          return answer(200, `{"ok":false,"reason":"invalid_credentials","errorId":"${randomUUID()}"}`);
        const text = picky.received[count - 1]!;
        if (Number(/"expires_in"\s*:\s*(\d+)/.exec(text)?.[1]) > 100) return answer(422);
        const email = /"email"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(text)?.[1];
        if (email === undefined) return false;
        if (known.has(email)) return answer(409, '{"problem":"taken"}');
        known.add(email);
        return false;
      },
    });
    for (let run = 0; run < 2; run++) {
      const { code, report, stdout } = await ctsInProcess(['--seed', '8'], variablesOf(picky));
      expect(stdout).toContain('CONFORMS');
      expect(code).toBe(0);
      expect(report!.requirements.filter(({ verdict }) => verdict === 'warn').map(({ id }) => id)).toContain(
        'auth.rejection.unauthorized',
      );
      expect(requirementIn({ report }, 'token.plain.accepted')).toMatchObject({
        verdict: 'pass',
        reason: 'accepted with scopes customers:read and expires_in 60',
      });
      // Another seed, other inputs.
      expect(namesIn(picky.received)).not.toEqual(namesIn(service.received));
    }
  });

  it('conforms if it limits the requests in flight and per second', async () => {
    let inFlight = 0;
    let left = 60;
    let refilledAt = 0;
    const limited = await serviceThat({
      instead: (_, response) => {
        response.on('close', () => inFlight--);
        inFlight++;
        // By their number, not their rate, which a busy machine may never reach.
        if (left === 0 && performance.now() > refilledAt) left = 60;
        if (inFlight <= 4 && left > 0) {
          if (--left === 0) refilledAt = performance.now() + 500;
          return false;
        }
        response.writeHead(429, { 'Retry-After': '1' }).end();
        return true;
      },
    });
    const { code, report, stdout } = await ctsInProcess([], variablesOf(limited));
    expect(stdout).toContain('rate-limited ');
    expect(report!.run.throttled).toBeGreaterThan(0);
    expect(code).toBe(0);
  });
});
