import { describe, expect, it } from 'vitest';
import { ctsInProcess } from '../selftest/in-process.ts';
import { variablesOf, failed, serviceThat, requirementIn } from '../selftest/services.ts';

const shouting = (text: string): string => text.toUpperCase();
// So few in flight that a small budget does not change the plan of the run.
const some = ['--only', 'customer.name.echoed', '--cases', '60', '--seed', '7', '--concurrency', '4'];

describe('--max-requests', () => {
  it("is exact, retries and shrinking included, by the target's count", async () => {
    const asked = new Set<number>();
    const service = await serviceThat({
      echo: shouting,
      instead: (_, response, count) => {
        if (count % 9 !== 0) return false;
        asked.add(count);
        response.writeHead(429, { 'Retry-After': '0' }).end();
        return true;
      },
    });
    const free = await ctsInProcess(some, variablesOf(service));
    const { counterexample } = requirementIn(free, 'customer.name.echoed');
    expect(counterexample!.shrinks).toBeGreaterThan(0);
    // An abandoned attempt of the shrinking is not retried.
    expect(asked.size - free.report!.run.retries).toBeOneOf([...Array(16).keys()]);
    expect(service.received).toHaveLength(free.report!.run.requests);

    // The budget ends during the shrinking.
    const maxRequests = service.received.length - 3;
    service.received.length = 0;
    const held = await ctsInProcess([...some, '--max-requests', String(maxRequests)], variablesOf(service));
    expect(failed(held)).toEqual(['customer.name.echoed']);
    expect(service.received).toHaveLength(maxRequests);
    expect(held.report!.run.requests).toBe(maxRequests);
  });

  it('is never exceeded when connections are reset', async () => {
    let resets = 0;
    const service = await serviceThat({
      echo: shouting,
      instead: (request, _, count) => {
        if (count % 5 !== 0) return false;
        resets++;
        request.socket.resetAndDestroy();
        return true;
      },
    });
    const { report, code } = await ctsInProcess(['--max-requests', '60'], variablesOf(service));
    expect(code).not.toBe(0);
    expect(resets).toBeGreaterThan(5);
    expect(report!.run.requests).toBe(60);
    // The target does not see a request on a connection that was just reset.
    expect(service.received.length).toBeLessThanOrEqual(60);
    expect(service.received.length).toBeGreaterThan(40);
  });
});

describe('--rate', () => {
  it("is kept by the target's count: no request arrives early", async () => {
    const RATE = 40;
    const arrivals: number[] = [];
    const service = await serviceThat({
      echo: shouting,
      instead: (request, _, count) => {
        arrivals.push(performance.now());
        const isReset = count % 10 === 0;
        if (isReset) request.socket.resetAndDestroy();
        return isReset;
      },
    });
    // Nothing is sent before the command is started, so the nth request leaves (n - 1)/rate later at the earliest.
    const startedAt = performance.now();
    await ctsInProcess(['--rate', String(RATE), '--max-requests', '120'], variablesOf(service));
    expect(arrivals.length).toBeGreaterThan(100);
    const early = arrivals.filter((time, n) => time - startedAt < (n * 1000) / RATE);
    expect(early).toEqual([]);
  });
});
