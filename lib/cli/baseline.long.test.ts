import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Report } from '../schemas/report.ts';
import { fileWith } from '../selftest/files.ts';
import { ctsInProcess } from '../selftest/in-process.ts';
import { variablesOf, failed, serviceThat, requirementIn, words } from '../selftest/services.ts';
import { failingRun, inconclusiveRun } from '../selftest/shared-runs.ts';

const ONLY = ['--seed', '7', '--only', 'customer.*.echoed'];

/** A baseline: the report of a failing run, changed. */
async function baselineOf(change: (report: Report) => unknown): Promise<string> {
  const { report } = await failingRun();
  return fileWith(change(report!));
}

describe('--baseline', () => {
  it('does not fail a run for what failed before, never says that it conforms, and is judged the same again', async () => {
    const { out: before, report: earlier } = await failingRun();
    expect(requirementIn({ report: earlier }, 'customer.name.echoed').verdict).toBe('fail');
    const service = await serviceThat({ echo: (name) => name.toUpperCase() });
    const ended = await ctsInProcess(
      [...ONLY, '--baseline', before, '--baseline-until', '2999-12-31'],
      variablesOf(service),
    );
    const { code, report, stdout, out } = ended;
    expect([code, report!.verdict]).toEqual([0, 'no-new-failures']);
    expect(report!.baseline).toMatchObject({
      until: '2999-12-31',
      known: ['customer.name.echoed'],
      new: [],
      fixed: [],
    });
    expect(stdout).toContain('NO NEW FAILURES');
    expect(stdout).toMatch(/\n {2}known +customer\.name\.echoed +\d+ of \d+ cases failed\n/);
    expect(stdout).toMatch(
      /baseline of [\d-]+, of another target \(http.*\), until 2999-12-31: 1 known, 0 new/,
    );
    for (const text of [stdout, readFileSync(join(out, 'summary.md'), 'utf8')])
      expect(text).not.toMatch(/\bconforms/i);
    const junit = readFileSync(join(out, 'junit.xml'), 'utf8');
    expect(junit).toMatch(/name="customer\.name\.echoed" .*\n +<skipped message="known from the baseline: /);
    expect(junit).not.toMatch(/<failure|<error/);
    const again = await ctsInProcess(['judge', out]);
    expect(again.stdout).toContain('equal to');
    expect(again.code).toBe(0);
  });

  it('does not count what can be tested only once its known failures are fixed', async () => {
    const service = await serviceThat({ isKey: () => true });
    const before = await ctsInProcess(['--seed', '7'], variablesOf(service));
    expect(requirementIn(before, 'auth.tokens.request.each')).toMatchObject({
      verdict: 'untested',
      blockedBy: expect.arrayContaining(['auth.tokens.key.required', 'auth.tokens.key.exact']) as string[],
    });
    const { code, report, stdout } = await ctsInProcess(
      ['--seed', '7', '--baseline', before.out],
      variablesOf(service),
    );
    expect([code, report!.verdict]).toEqual([0, 'no-new-failures']);
    expect(stdout).toMatch(
      /as in the baseline, and 2 can't be tested until these pass; nothing else fails$/m,
    );
    expect(stdout).toMatch(/ untested +auth\.tokens\.request\.each /);
  });

  it('says so if the cause of a known failure is another one', async () => {
    const because = (id: string): Promise<string> =>
      baselineOf(({ requirements, ...report }) => ({
        ...report,
        requirements: requirements.map((one) =>
          one.id === 'customer.name.echoed' ? { ...one, verdict: 'fail', cause: { ...one.cause, id } } : one,
        ),
      }));
    const service = await serviceThat({ echo: (name) => name.toUpperCase() });
    const other = await ctsInProcess([...ONLY, '--baseline', await because('trim')], variablesOf(service));
    expect(other.code).toBe(0);
    expect(other.report!.baseline!.otherCause).toEqual(['customer.name.echoed']);
    expect(words(other.stdout)).toContain(
      'known, but its likely cause differs from that of the baseline; it may be another fault: customer.name.echoed',
    );
    const { cause } = requirementIn(other, 'customer.name.echoed');
    const same = await ctsInProcess([...ONLY, '--baseline', await because(cause!.id)], variablesOf(service));
    expect(same.report!.baseline).not.toHaveProperty('otherCause');
  });

  it('fails a run for what is new, and names what was fixed', async () => {
    const path = await baselineOf(({ requirements, ...report }) => ({
      ...report,
      suite: { name: 'cts-conformance', version: '0.0.9' },
      requirements: requirements.map((one) => ({
        ...one,
        verdict: one.id === 'customer.email.echoed' ? 'fail' : 'pass',
      })),
    }));
    const service = await serviceThat({ echo: (name) => name.toUpperCase() });
    const ended = await ctsInProcess([...ONLY, '--baseline', path], variablesOf(service));
    expect(ended.code).toBe(1);
    expect(failed(ended)).toEqual(['customer.name.echoed']);
    expect(ended.stdout).toContain('of version 0.0.9 of the suite');
    expect(ended.stdout).toContain('new: customer.name.echoed');
    expect(ended.stdout).toContain('fixed: customer.email.echoed');
  });

  it('must be the report of a run with a verdict', async () => {
    const complaint = async (path: string): Promise<string> => {
      const { code, stderr } = await ctsInProcess(['--baseline', path, '--dry-run', '--quiet']);
      expect(code).toBe(2);
      return stderr;
    };
    expect(await complaint('/nowhere')).toContain('--baseline: the file does not exist');
    expect(await complaint((await inconclusiveRun()).out)).toContain('it is of a run without a verdict');
    expect(await complaint(await baselineOf(() => []))).toContain(
      'expected the conformance.json of an earlier',
    );
    expect(await complaint(await baselineOf((one) => ({ ...one, schemaVersion: 2 })))).toContain(
      '/schemaVersion: expected 1',
    );
  });

  it('can be one of an older version, which has fewer members', async () => {
    const path = await baselineOf(
      ({ schemaVersion, suite, target, verdict, run: { startedAt }, requirements }) => ({
        schemaVersion,
        suite,
        target,
        verdict,
        run: { startedAt },
        requirements: requirements.map(({ id, verdict: was }) => ({ id, verdict: was })),
      }),
    );
    const { code } = await ctsInProcess(['--baseline', path, '--dry-run', '--quiet']);
    expect(code).toBe(0);
  });
});
