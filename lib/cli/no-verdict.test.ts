import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cts } from '../selftest/command.ts';
import type { CommandResult } from '../selftest/command.ts';
import { startPlainService } from '../selftest/plain-service.ts';
import type { PlainService } from '../selftest/plain-service.ts';
import { at, failed, serviceThat } from '../selftest/services.ts';
import { inconclusiveRun } from '../selftest/shared-runs.ts';

describe('no verdict', () => {
  let vanishing: PlainService;
  // It mostly waits, beside the other tests.
  let vanished: Promise<CommandResult>;
  beforeAll(async () => {
    vanishing = await startPlainService({
      instead: (request, _, count) => {
        const isGone = count > 130 && request.method === 'POST' && request.url!.endsWith('customers');
        if (isGone) request.socket.resetAndDestroy();
        return isGone;
      },
    });
    vanished = cts(['--seed', '5', '--cases', '20'], at(vanishing));
  });
  afterAll(() => vanishing.stop());

  it('comes from an unreachable target: exit code 3, with the reason and what to do', async () => {
    const { code, stdout, report } = await inconclusiveRun();
    expect(code).toBe(3);
    expect(stdout).toContain(
      'connection refused. Check that the service is up and that TARGET_BASE_URL is right',
    );
    expect(report!.verdict).toBe('inconclusive');
  });

  it('is not the result of a key that one operation accepts and the other rejects: that is a finding', async () => {
    const service = await serviceThat({
      instead: (request, response) => {
        const isToken = request.url === '/api/v2/tokens';
        if (isToken) response.writeHead(401).end();
        return isToken;
      },
    });
    const ended = await cts([], at(service));
    expect(ended.code).toBe(1);
    expect(failed(ended)).toEqual(['token.plain.accepted']);
  });

  it('comes from a run of some requirements only', async () => {
    const { code, report, stdout } = await cts(['--only', 'customer.id.*', '--cases', '20']);
    expect(code).toBe(3);
    expect(stdout).toContain('customer.id.form');
    expect(stdout).not.toContain('token.body.json');
    const judged = report!.requirements.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id);
    expect(judged).toEqual(['customer.id.form', 'customer.id.new']);
  });

  it('is not the result of a small budget: statements of the interface are tested first', async () => {
    const service = await serviceThat();
    const { code, report, stdout } = await cts(['--max-requests', '70', '--seed', '7'], at(service));
    expect(service.received).toHaveLength(70);
    expect(stdout).toContain('ended early: the budget of 70 requests was spent');
    expect(report!.requirements.filter(({ verdict }) => verdict === 'untested').length).toBeGreaterThan(4);
    expect(report!.verdict).toBe('conforms');
    expect(code).toBe(0);
  });

  it('comes from an operation that disappears while the other one answers', async () => {
    const { code, report } = await vanished;
    const { verdict, reason } = report!.requirements.find(({ id }) => id === 'customer.plain.accepted')!;
    expect(verdict).toBe('inconclusive');
    expect(reason).toMatch(/^no reply to POST \/v1\/customers: /);
    expect(code).toBe(3);
  });
});
