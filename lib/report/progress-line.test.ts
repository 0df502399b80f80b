import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createProgress } from './progress-line.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  vi.stubEnv('TERM', 'xterm');
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

/** A stream that keeps what is written. */
function stream(terminal: { readonly isTTY?: true; readonly columns?: number } = {}) {
  const out = Object.assign(new PassThrough(), terminal) as unknown as NodeJS.WriteStream;
  return { out, text: (): string => String((out as unknown as PassThrough).read() ?? '') };
}

describe('the progress of a run', () => {
  it('is a line every ten seconds in a pipe, also while nothing happens, with an estimate', () => {
    const { out, text } = stream();
    const progress = createProgress(out, false);
    progress.update({ requests: 1, retries: 0, judged: 0, expected: 400 });
    vi.advanceTimersByTime(9999);
    progress.update({ requests: 100, retries: 0, judged: 3, expected: 400 });
    expect(text()).toBe('');
    vi.advanceTimersByTime(1);
    expect(text()).toBe('after 10 s: 100 of about 400 requests, about 30 s left, 3 requirements judged\n');
    vi.advanceTimersByTime(10_000);
    expect(text()).toBe(
      'after 20 s: 100 of about 400 requests, about 30 s left, 3 requirements judged, waiting for 10 s now\n',
    );
    vi.advanceTimersByTime(1);
    progress.update({ requests: 410, retries: 0, judged: 1, expected: 400 });
    vi.advanceTimersByTime(9_999);
    expect(text()).toBe('after 30 s: 410 requests, 1 requirement judged\n');
    progress.end();
    vi.advanceTimersByTime(60_000);
    expect(text()).toBe('');
  });

  it('does not count retries, but they take time', () => {
    const { out, text } = stream();
    const progress = createProgress(out, false);
    progress.update({ requests: 100, retries: 0, judged: 0, expected: 400 });
    vi.advanceTimersByTime(9999);
    progress.update({ requests: 100, retries: 250, judged: 0, expected: 400 });
    vi.advanceTimersByTime(1);
    expect(text()).toBe('after 10 s: 100 of about 400 requests, 250 retries, about 30 s left\n');
    progress.end();
  });

  it('says what the retries follow as long as the run does not get on', () => {
    const { out, text } = stream();
    const progress = createProgress(out, false);
    progress.update({ requests: 2, retries: 10, trouble: 'status 429', judged: 0, expected: 400 });
    vi.advanceTimersByTime(10_000);
    expect(text()).toContain('after 10 s: 2 of about 400 requests, 10 retries (status 429), waiting');
    progress.update({ requests: 100, retries: 10, trouble: 'status 429', judged: 0, expected: 400 });
    vi.advanceTimersByTime(10_000);
    expect(text()).toContain('100 of about 400 requests, 10 retries, about');
    progress.end();
  });

  it('estimates nothing before it can, or where the number of requests is not known', () => {
    const { out, text } = stream();
    const progress = createProgress(out, false);
    progress.update({ requests: 19, retries: 0, judged: 0, expected: 400 });
    vi.advanceTimersByTime(10_000);
    expect(text()).toBe('after 10 s: 19 of about 400 requests, waiting for 10 s now\n');
    progress.update({ requests: 50, retries: 0, judged: 0, expected: undefined });
    vi.advanceTimersByTime(10_000);
    expect(text()).toBe('after 20 s: 50 requests, waiting for 10 s now\n');
    progress.end();
  });

  it.each([
    [200, '━━━━━━━━━━━━────────────  200 of about 400 requests, 9 requirements judged'],
    [40, '200 of about 400 requests, 9 requiremen'],
    [0, '━━━━━━━━━━━━────────────  200 of about 400 requests, 9 requirements judged'],
  ])('is one line in a terminal of %i columns', (columns, line) => {
    const { out, text } = stream({ isTTY: true, columns });
    const progress = createProgress(out, false);
    progress.update({ requests: 200, retries: 0, judged: 9, expected: 400 });
    expect(text()).toBe(`\r${line}\u001B[K`);
    progress.remark('waiting');
    expect(text()).toBe('\r\u001B[Kwaiting\n');
    progress.end();
  });

  it('is a line every ten seconds in a dumb terminal', () => {
    vi.stubEnv('TERM', 'dumb');
    const { out, text } = stream({ isTTY: true, columns: 80 });
    const progress = createProgress(out, false);
    progress.update({ requests: 1, retries: 0, judged: 0, expected: 400 });
    expect(text()).toBe('');
    vi.advanceTimersByTime(10_000);
    expect(text()).toBe('after 10 s: 1 of about 400 requests, waiting for 10 s now\n');
    progress.end();
  });

  it('is not shown by a quiet run', () => {
    const { out, text } = stream();
    createProgress(out, true).update({ requests: 1, retries: 0, judged: 0, expected: 400 });
    vi.advanceTimersByTime(20_000);
    expect(text()).toBe('');
  });
});
