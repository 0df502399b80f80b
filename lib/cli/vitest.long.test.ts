import { describe, expect, it } from 'vitest';
import { cts, vitest } from '../selftest/command.ts';
import { fileWith } from '../selftest/files.ts';
import { failed, serviceThat, variablesOf } from '../selftest/services.ts';

it('the command runs in one worker, whatever VITEST_MAX_WORKERS says', async () => {
  const service = await serviceThat();
  const { code } = await cts(['run', '--depth', 'quick'], {
    ...variablesOf(service),
    VITEST_MAX_WORKERS: '4',
  });
  expect(code).toBe(0);
  expect(service.received.length).toBeLessThan(300);
});

describe('plain vitest', () => {
  it('gives the same verdicts and exit codes', async () => {
    const faulty = await serviceThat({ echo: (name) => name.toUpperCase() });
    const few = { CTS_CASES: '60' };
    const waiver = { requirement: 'customer.name.echoed', reason: 'being fixed', owner: 'Ada' };
    const waived = fileWith({ waivers: [{ ...waiver, until: '2999-12-31' }] });
    const drift = fileWith({ answers: { 'customer.create.status': 418 } });
    const several = { VITEST_MAX_WORKERS: '2' };
    const [right, wrong, none, usage, workers] = await Promise.all([
      vitest(['run', '--project', 'conformance'], { ...variablesOf(faulty), ...few, TARGET_PROFILE: waived }),
      vitest(['run', '--project', 'conformance'], { ...few, TARGET_PROFILE: drift }),
      vitest(['run', '--project', 'conformance', '-t', 'matches nothing']),
      vitest(['run', '--project', 'conformance'], { CTS_SEED: 'x' }),
      vitest(['run', '--project', 'conformance'], { ...variablesOf(faulty), ...several }),
    ]);
    expect([right.code, wrong.code, none.code, usage.code, workers.code]).toEqual([0, 1, 3, 2, 2]);
    expect(right.report!.verdict).toBe('conforms');
    expect(right.stdout).toContain('waived until 2999-12-31 by Ada: being fixed');
    expect(failed(wrong)).toEqual(['customer.create.status']);
    expect(usage.stderr).toContain('CTS_SEED: expected a whole number');
    expect(workers.stderr).toContain('unset VITEST_MAX_WORKERS');
  });
});
