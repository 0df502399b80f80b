import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cts } from '../selftest/command.ts';
import { ctsInProcess } from '../selftest/in-process.ts';
import { sabotaged } from '../selftest/sabotaged.ts';
import { variablesOf, serviceThat } from '../selftest/services.ts';

/** A service that stops answering at its 30th request, and calls back then. */
async function serviceThatFallsSilent(then: () => void): ReturnType<typeof serviceThat> {
  return serviceThat({
    instead: (_, __, count) => {
      if (count === 30) then();
      return count >= 30;
    },
  });
}

describe('an interrupt', () => {
  it('by SIGTERM ends a run with a report, but without a verdict, and waits for no slow response', async () => {
    let interrupt = (): void => {};
    const service = await serviceThatFallsSilent(() => interrupt());
    // Longer than this test may take.
    const patient = ['--timeout', '300', '--time-budget', '900'];
    const { code, report, stdout, out } = await cts(patient, variablesOf(service), (_, signal) => {
      interrupt = () => signal('SIGTERM');
    });
    expect(report!.run.stopped).toBe('the run was interrupted');
    expect(report!.verdict).toBe('inconclusive');
    expect(stdout).toContain('have no verdict: the run was interrupted');
    expect(code).toBe(3);
    // It recorded more exchanges than it judged.
    const judged = await ctsInProcess(['judge', out]);
    expect(judged.stdout).toContain('equal to');
    expect(judged.code).toBe(3);
    const path = join(out, 'conformance.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace('"verdict": "untested"', '"verdict": "pass"'));
    expect((await ctsInProcess(['judge', out])).stdout).toContain('was edited');
  });

  it('that is repeated ends it at once, with the exit code of shells for the signal', async () => {
    let interrupt = (): void => {};
    const service = await serviceThatFallsSilent(() => interrupt());
    const { code, report } = await cts(['--timeout', '60'], variablesOf(service), (_, signal) => {
      interrupt = () => ['SIGINT', 'SIGTERM'].forEach((name) => signal(name as NodeJS.Signals));
    });
    expect([130, 143]).toContain(code);
    expect(report).toMatchObject({ verdict: 'inconclusive', run: { unfinished: true } });
  });

  it('before anything is sent ends it with the exit code of shells for the signal', async () => {
    const service = await serviceThat();
    const find = 'const cancelWatchdog';
    const put = `process.kill(process.pid, 'SIGTERM'); ${find}`;
    const { code, report, stderr } = await cts([], {
      ...variablesOf(service),
      ...sabotaged({ sources: [{ file: 'lib/cli/run-suites.ts', find, put }] }),
    });
    expect(stderr).toContain('interrupted before anything was sent: there is no report');
    expect(code).toBe(143);
    expect(report).toBeUndefined();
    expect(service.received).toEqual([]);
  });

  it('that comes before the suites listen is not lost', async () => {
    const service = await serviceThat();
    const find = 'hasBegun = true;';
    const put = `if (!hasBegun) process.kill(process.pid, 'SIGTERM'); ${find}`;
    const { code, report } = await cts([], {
      ...variablesOf(service),
      ...sabotaged({ sources: [{ file: 'lib/cli/run-suites.ts', find, put }] }),
    });
    expect(code).toBe(3);
    expect(report!.run.stopped).toBe('the run was interrupted');
    expect(service.received.length).toBeLessThan(50);
  });
});
