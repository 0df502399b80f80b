import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Stopped } from '../exchange.ts';
import { Congestion } from './congestion.ts';
import { Limiter } from './limiter.ts';

afterEach(() => void vi.useRealTimers());

function limiting(concurrency: number, rate = 0) {
  const congestion = new Congestion(concurrency, 1000);
  return { congestion, limiter: new Limiter(congestion, rate) };
}

describe('Limiter', () => {
  it('lets queues take turns, however long they are', async () => {
    const { limiter } = limiting(1);
    let order = '';
    await limiter.acquire('first');
    const waiting = [...'aaaabb'].map(async (queue) => {
      await limiter.acquire(queue);
      order += queue;
      limiter.release();
    });
    limiter.release();
    await Promise.all(waiting);
    expect(order).toBe('ababaa');
  });

  it('starts with the largest group among those that arrive together', async () => {
    const { limiter } = limiting(4);
    const order: string[] = [];
    const through = async (queue: string, count: number): Promise<void> => {
      const taken = await limiter.acquire(queue, count);
      order.push(queue);
      for (let place = 0; place < taken; place++) limiter.release();
    };
    await Promise.all([through('one', 1), through('two', 1), through('gang', 4)]);
    expect(order).toEqual(['gang', 'one', 'two']);
  });

  it('lets nothing else leave before a check that what was sent alone gives rise to', async () => {
    const { limiter } = limiting(2);
    const order: string[] = [];
    await limiter.acquireAlone(0);
    const other = limiter.acquire('a').then(() => order.push('other'));
    limiter.release();
    await Promise.resolve();
    await limiter.acquireAlone(0, true);
    order.push('check');
    limiter.release();
    await other;
    expect(order).toEqual(['check', 'other']);
  });

  it('lets several requests leave at once, or as many as the limit allows', async () => {
    const { limiter } = limiting(4);
    await expect(limiter.acquire('a', 3)).resolves.toBe(3);
    for (let place = 0; place < 3; place++) limiter.release();
    await expect(limiter.acquire('a', 9)).resolves.toBe(4);
  });

  it('rejects whatever waits, now or later, once it is stopped', async () => {
    const { limiter } = limiting(1);
    await limiter.acquire('a');
    const waiting = limiter.acquire('a');
    limiter.stop(new Stopped('enough', 'budget'));
    await expect(waiting).rejects.toThrow('enough');
    await expect(limiter.acquire('b')).rejects.toThrow('enough');
  });

  it('lets a request leave alone, after a quiet time, and keeps all others back', async () => {
    vi.useFakeTimers();
    const { limiter } = limiting(4);
    const order: string[] = [];
    void limiter.acquire('a');
    void limiter.acquire('a');
    await vi.advanceTimersByTimeAsync(1);
    expect(limiter.inFlight).toBe(2);
    void limiter.acquireAlone(1000).then(() => order.push('alone'));
    void limiter.acquire('b').then(() => order.push('b'));
    limiter.release();
    await vi.advanceTimersByTimeAsync(5000);
    expect(order).toEqual([]);
    limiter.release();
    await vi.advanceTimersByTimeAsync(990);
    expect(order).toEqual([]);
    await vi.advanceTimersByTimeAsync(20);
    expect(order).toEqual(['alone']);
    expect(limiter.inFlight).toBe(1);
    limiter.release();
    await vi.advanceTimersByTimeAsync(1);
    expect(order).toEqual(['alone', 'b']);
    const late = limiter.acquireAlone(0);
    limiter.stop(new Stopped('enough', 'budget'));
    await expect(late).rejects.toThrow('enough');
  });

  it('finds the rate of a target that rejects whatever is faster, and keeps near it', async () => {
    vi.useFakeTimers();
    const { limiter, congestion } = limiting(16);
    // Ten a second.
    let nextAt = 0;
    let accepted = 0;
    let rejected = 0;
    const send = async (): Promise<void> => {
      await limiter.acquire('a');
      const sentAt = performance.now();
      const { inFlight } = limiter;
      const isAccepted = sentAt >= nextAt;
      if (isAccepted) nextAt = sentAt + 100;
      setTimeout(() => {
        if (isAccepted) congestion.grow();
        else congestion.overload(sentAt, inFlight);
        accepted += Number(isAccepted);
        rejected += Number(!isAccepted);
        limiter.release();
        void send();
      }, 5);
    };
    for (let each = 0; each < 16; each++) void send();
    await vi.advanceTimersByTimeAsync(40_000);
    expect(accepted).toBeGreaterThan(250);
    expect(rejected).toBeLessThan(accepted);
    congestion.clearSpacing();
    const before = accepted + rejected;
    await vi.advanceTimersByTimeAsync(100);
    expect(accepted + rejected - before).toBeGreaterThan(5);
  });

  it('does not slow down for one failure in ten', async () => {
    vi.useFakeTimers();
    const { limiter, congestion } = limiting(1);
    let left = 0;
    const send = async (): Promise<void> => {
      for (;;) {
        await limiter.acquire('a');
        if (++left % 10 === 0) congestion.overload(performance.now(), 1);
        else congestion.grow();
        setTimeout(() => limiter.release(), 5);
      }
    };
    void send();
    await vi.advanceTimersByTimeAsync(2000);
    expect(left).toBeGreaterThan(350);
  });

  it('spaces requests by the rate in every second', async () => {
    vi.useFakeTimers();
    const { limiter } = limiting(16, 5);
    let left = 0;
    for (let request = 0; request < 40; request++) {
      void limiter.acquire('a', 4).then((count) => {
        left += count;
        for (let place = 0; place < count; place++) limiter.release();
      });
    }
    await vi.advanceTimersByTimeAsync(999);
    expect(left).toBe(5);
    await vi.advanceTimersByTimeAsync(2000);
    expect(left).toBe(15);
  });

  it('keeps to the rate under any load, and lets every request leave in the end', async () => {
    const step = fc.record({
      wait: fc.nat(300),
      queue: fc.constantFrom('a', 'b', 'c'),
      count: fc.integer({ min: 1, max: 4 }),
      holds: fc.nat(200),
      throttle: fc.option(fc.nat(500), { freq: 5 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 16 }),
        fc.integer({ min: 1, max: 400 }),
        fc.array(step, { minLength: 1, maxLength: 30 }),
        async (concurrency, rate, steps) => {
          vi.useFakeTimers();
          const { limiter } = limiting(concurrency, rate);
          const starts: number[] = [];
          let peak = 0;
          for (const { wait, queue, count: places, holds, throttle } of steps) {
            void limiter.acquire(queue, places).then((taken) => {
              for (let place = 0; place < taken; place++) {
                starts.push(performance.now());
                setTimeout(() => limiter.release(), holds);
              }
              peak = Math.max(peak, limiter.inFlight);
            });
            if (throttle !== null) limiter.throttle(throttle, performance.now(), limiter.inFlight);
            await vi.advanceTimersByTimeAsync(wait);
          }
          await vi.advanceTimersByTimeAsync(steps.length * (1000 / rate + 1000));
          expect(starts).toHaveLength(steps.length);
          const gaps = starts.slice(1).map((time, at) => time - starts[at]!);
          for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(1000 / rate - 1e-6);
          expect(peak).toBeLessThanOrEqual(concurrency);
        },
      ),
    );
  });

  it('pauses for as long as the target asks', async () => {
    vi.useFakeTimers();
    const { limiter } = limiting(4);
    limiter.throttle(3000, performance.now(), 1);
    let isLet = false;
    void limiter.acquire('a').then(() => (isLet = true));
    await vi.advanceTimersByTimeAsync(2990);
    expect(isLet).toBe(false);
    await vi.advanceTimersByTimeAsync(20);
    expect(isLet).toBe(true);
    expect(limiter.pace.waited).toBeCloseTo(3000, -1);
  });

  it('counts what single requests wait, and time that several wait only once', async () => {
    vi.useFakeTimers();
    const { limiter } = limiting(4);
    limiter.noteThrottled(1000, performance.now(), 2);
    await vi.advanceTimersByTimeAsync(400);
    limiter.noteThrottled(1000, performance.now(), 2);
    limiter.throttle(500, performance.now(), 2);
    expect(limiter.pace).toMatchObject({ throttled: 3 });
    expect(limiter.pace.waited).toBeCloseTo(1400, -1);
  });
});
