import { describe, expect, it } from 'vitest';
import { cts } from './command.ts';
import type { CommandResult } from './command.ts';
import { ctsInProcess } from './in-process.ts';
import { startCommandPool } from './prove/command-pool.ts';
import { serviceThat, variablesOf } from './services.ts';

/** What a run without Vitest must have in common with one in Vitest. */
const resultsOf = ({ code, report, stdout }: CommandResult): unknown => ({
  code,
  verdict: report!.verdict,
  requirements: report!.requirements.map(({ id, verdict, reason, counterexample }) => ({
    id,
    verdict,
    reason,
    input: counterexample?.input,
  })),
  answers: report!.questions.map(({ id, answer, reason }) => ({ id, answer, reason })),
  // From the verdict on, without times, paths, and the number of requests, to which a busy machine adds retries.
  end: stdout
    .slice(stdout.lastIndexOf('\n\n'))
    .replace(/\d+ requests in [\d.]+ s/, '')
    .replace(/\d+ retr(?:y|ies)/, '')
    .replace(/Open .*/, ''),
});

describe('a run without Vitest', () => {
  it.each([[[], 1] as const, [['--only', 'auth.customers.*,customer.create.status'], 0] as const])(
    'ends as one in Vitest does: %j',
    async (args, code) => {
      // A busy machine changes nothing that is sent.
      const all = ['--seed', '7', '--time-budget', '9000', '--cases', '60', ...args];
      const [one, other] = await Promise.all(
        Array.from({ length: 2 }, () => serviceThat({ echo: (name) => name.trim() })),
      );
      const inVitest = await cts(all, variablesOf(one!));
      const without = await ctsInProcess(all, variablesOf(other!));
      expect(resultsOf(without)).toEqual(resultsOf(inVitest));
      expect(inVitest.code).toBe(code);
    },
  );
});

describe('the pool of commands', () => {
  it('runs one after the other in a process, each with its own environment', async () => {
    const { cts: run, stop } = startCommandPool();
    const args = ['--dry-run', '--quiet'];
    const target = { TARGET_BASE_URL: 'http://127.0.0.1:9', TARGET_API_KEY: 'sk_test_123456789' };
    const named = await run(args, target);
    const embedded = await run(args, {});
    stop();
    expect([named.code, named.stdout]).toEqual([0, expect.stringContaining(target.TARGET_BASE_URL)]);
    expect([embedded.code, embedded.stdout]).toEqual([0, expect.stringContaining('embedded')]);
  });
});
