import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sampleReport } from '../report/sample.testing.ts';
import { fileWith, newFolder } from '../selftest/files.ts';
import { ctsInProcess } from '../selftest/in-process.ts';
import { conformingRun, failingRun } from '../selftest/shared-runs.ts';

describe('cts-conformance diff', () => {
  it('shows what one of two services fails, with the exit code 1', async () => {
    const [right, wrong] = await Promise.all([conformingRun(), failingRun()]);
    expect(right.report!.run.latency['POST /v1/customers']!.count).toBeGreaterThan(10);

    const worse = await ctsInProcess(['diff', right.out, `${wrong.out}/conformance.json`]);
    const better = await ctsInProcess(['diff', wrong.out, right.out]);
    const machine = await ctsInProcess(['diff', right.out, wrong.out, '--format', 'json']);
    expect(worse.stdout).toContain('The targets differ; the inputs are the same');
    expect(worse.stdout).toMatch(/Broken\n {2}customer\.name\.echoed/);
    expect([worse.code, better.code, machine.code]).toEqual([1, 0, 1]);
    expect(better.stdout).toMatch(/Fixed\n {2}[^]*customer\.name\.echoed[^]*\nNOT WORSE {2}\d fixed/);
    expect(JSON.parse(machine.stdout)).toMatchObject({
      isWorse: true,
      broken: [{ id: 'customer.name.echoed' }],
    });

    const file = join(newFolder(), 'diff.html');
    const page = await ctsInProcess(['diff', right.out, `${wrong.out}/conformance.json`, '--out', file]);
    expect([page.code, page.stdout]).toEqual([
      1,
      expect.stringMatching(/^WORSE {2}1 broken.*\n {2}Wrote .*\n$/),
    ]);
    const shown = readFileSync(file, 'utf8');
    for (const { out } of [right, wrong])
      expect(shown).toContain(`<a href="${relative(dirname(file), out)}/index.html">Report</a>`);
    expect(shown).toContain(`replay ${wrong.out}/cases/customer.name.echoed.json`);

    const unreadable = await ctsInProcess(['diff', right.out, 'nowhere']);
    expect(unreadable.code).toBe(2);
    expect(unreadable.stderr).toContain('nowhere: the file does not exist');
  });

  it('leads to no page beside a copy of a report, which may be that of another run', async () => {
    const { out } = await conformingRun();
    const copy = fileWith(JSON.parse(readFileSync(join(out, 'conformance.json'), 'utf8')) as object);
    writeFileSync(join(dirname(copy), 'index.html'), '');
    const { stdout } = await ctsInProcess(['diff', copy, out, '--format', 'html']);
    expect([...stdout.matchAll(/>Report</g)]).toHaveLength(1);
  });

  it('compares no run that has not ended', async () => {
    const file = fileWith(sampleReport([], { verdict: 'inconclusive', run: { unfinished: true } }));
    const ended = await ctsInProcess(['diff', file, file]);
    expect([ended.code, ended.stdout]).toEqual([2, '']);
    expect(ended.stderr).toContain('the run has not ended');
  });
});
