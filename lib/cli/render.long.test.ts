import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ctsInProcess } from '../selftest/in-process.ts';
import { copyOf, failingRun } from '../selftest/shared-runs.ts';

/** The files that are derived from the two files that a run writes first. */
const DERIVED = ['index.html', 'junit.xml', 'summary.md', 'badge.json'];

describe('cts-conformance render', () => {
  it('writes the same files as the run, from its two files alone', async () => {
    const run = await failingRun();
    const out = copyOf(run);
    // A report names the folder that it is in.
    const text = (name: string): string => readFileSync(join(out, name), 'utf8').replaceAll(out, run.out);
    const first = DERIVED.map((name) => readFileSync(join(run.out, name), 'utf8'));
    expect(first[0]).toContain('Does not conform');
    expect(first[0]).toContain(
      `npx --no-install cts-conformance replay ${run.out}/cases/customer.name.echoed.json`,
    );
    for (const name of DERIVED) rmSync(join(out, name));

    const again = await ctsInProcess(['render', out, '--report', 'har']);
    expect([again.code, again.stderr]).toEqual([0, '']);
    expect(again.stdout).toBe([...DERIVED, 'evidence.har'].map((name) => `${join(out, name)}\n`).join(''));
    expect(DERIVED.map(text)).toEqual(first);
    expect(JSON.parse(text('evidence.har'))).toHaveProperty('log.entries');

    rmSync(join(out, 'evidence.ndjson'));
    expect((await ctsInProcess(['render', join(out, 'conformance.json')])).code).toBe(0);
    const { stderr } = await ctsInProcess(['render', out, '--report', 'har']);
    expect(stderr).toContain('--report har: the folder has no evidence.ndjson');
    expect(text('index.html')).toContain('there is no evidence of a response');

    rmSync(join(out, 'badge.json'));
    mkdirSync(join(out, 'badge.json'));
    const unwritable = await ctsInProcess(['render', out]);
    expect(unwritable.stderr).toMatch(/badge\.json could not be written \(E\w+\): check its folder/);
    expect(unwritable.code).toBe(2);
  });
});
