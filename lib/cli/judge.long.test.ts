import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileWith } from '../selftest/files.ts';
import { ctsInProcess } from '../selftest/in-process.ts';
import { conformingRun, copyOf, failingRun } from '../selftest/shared-runs.ts';

/** Edits a file of a run, as somebody might to change its verdict. */
const edit = (path: string, from: RegExp, to: string): void => {
  const text = readFileSync(path, 'utf8');
  expect(text).toMatch(from);
  writeFileSync(path, text.replace(from, to));
};

describe('cts-conformance judge', () => {
  it('reaches the same verdicts without the service, and detects edits', async () => {
    const out = copyOf(await failingRun());
    const same = await ctsInProcess(['judge', join(out, 'index.html')]);
    expect(same.stdout).toContain(`equal to ${out}/conformance.json`);
    expect(same.stdout).toContain('customer.name.echoed (section 4.1)');
    expect(same.stdout).toContain('DOES NOT CONFORM  re-evaluated');
    expect(same.stdout).toMatch(/failed {4}\d+ of \d+ cases; not retried/);
    expect(same.code).toBe(1);

    edit(
      join(out, 'conformance.json'),
      /("id": "customer.name.echoed",\s+"verdict": )"fail"|("verdict": )"fail"/,
      '$1$2"pass"',
    );
    const edited = await ctsInProcess(['judge', out]);
    expect(edited.stdout).toContain('not equal');
    expect(edited.stdout).toMatch(/customer\.name\.echoed: reported pass, .*; re-evaluated fail, /);
    expect(edited.stdout).toContain('was edited');

    edit(join(out, 'conformance.json'), /"customer\.id\.form"/, String.raw`"\u001b[2J\nequal"`);
    const hostile = await ctsInProcess(['judge', out]);
    expect(hostile.stdout).not.toContain('\u001b[2J');
    expect(hostile.stdout).not.toMatch(/^equal/m);

    edit(join(out, 'conformance.json'), /("run": \{)/, '$1 "defects": ["a defect"],');
    const { stdout } = await ctsInProcess(['judge', out]);
    expect(stdout).toContain('the suite itself failed during the run');
    expect(stdout).not.toContain('was edited');
  });

  it('does not hide a failure: edited evidence differs from its report', async () => {
    const out = copyOf(await conformingRun());
    edit(join(out, 'evidence.ndjson'), /(\\"cus_\w+\\",\\"name\\":\\")/, '$1not ');
    edit(join(out, 'evidence.ndjson'), /"version":"[^"]+"/, '"version":"0.0.1"');
    const { stdout, code } = await ctsInProcess(['judge', join(out, 'evidence.ndjson')]);
    expect(stdout).toMatch(/customer\.name\.echoed: reported pass, 0 of .*; re-evaluated fail, 1 of /);
    expect(stdout).toContain('the rules may have changed');
    expect(code).toBe(1);
  });

  it.each([
    ['target', /"baseUrl":"[^"]*"/, '"baseUrl":"https://other.example"'],
    ['seed', /"seed":\d+/, '"seed":99'],
  ])('notices that the %s of the evidence is another one', async (member, from, to) => {
    const out = copyOf(await conformingRun());
    edit(join(out, 'evidence.ndjson'), from, to);
    const { stdout, code } = await ctsInProcess(['judge', out]);
    expect(stdout).toMatch(new RegExp(`not equal[^]*${member}: reported .*, in the evidence `));
    expect(code).toBe(1);
  });

  it.each([
    ['shows a failure', failingRun, 'DOES NOT CONFORM', 1],
    ['shows none', conformingRun, 'INCONCLUSIVE', 3],
  ] as const)(
    'takes evidence without its end, which %s, for that of an interrupted run',
    async (_, run, verdict, exit) => {
      const whole = readFileSync(join((await run()).out, 'evidence.ndjson'), 'utf8');
      const path = fileWith(whole.replace(/\{"type":"end".*\n$/, ''), 'evidence.ndjson');
      const { stdout, code } = await ctsInProcess(['judge', path]);
      expect(stdout).toContain(`${verdict}  re-evaluated`);
      expect(code).toBe(exit);
    },
  );

  it.each([
    ['nothing', '', 'the file is empty'],
    ['no JSON', 'verdict: fine\n', 'line 1 is not JSON'],
    ['another kind of line', '{"type":"praise"}\n', 'line 1 is not evidence (type)'],
    [
      'evidence without its beginning',
      '{"type":"end","lines":0,"durationMs":1,"requests":1}\n',
      'no line describes the run',
    ],
  ])('rejects a file with %s', async (_, text, complaint) => {
    const path = fileWith(text, 'evidence.ndjson');
    const { stderr, code } = await ctsInProcess(['judge', path]);
    expect(stderr).toContain(complaint);
    expect(code).toBe(2);
  });

  it.each([
    [
      'an observation',
      /\{"type":"observation".*\n/,
      /it has \d+ lines before its end, and its run wrote \d+/,
    ],
    ['an exchange and the end', /\{"type":"exchange".*\n|\{"type":"end".*\n$/g, /exchange 1 is missing/],
  ])('rejects evidence that lacks %s', async (_, removed, complaint) => {
    const whole = readFileSync(join((await failingRun()).out, 'evidence.ndjson'), 'utf8');
    const path = fileWith(whole.replace(removed, ''), 'evidence.ndjson');
    const { stderr, code } = await ctsInProcess(['judge', path]);
    expect(stderr).toMatch(complaint);
    expect(code).toBe(2);
  });

  it('rejects evidence to which a line was added after its end', async () => {
    const whole = readFileSync(join((await failingRun()).out, 'evidence.ndjson'), 'utf8');
    const path = fileWith(`${whole}${/\{"type":"observation".*\n/.exec(whole)![0]}`, 'evidence.ndjson');
    const { stderr, code } = await ctsInProcess(['judge', path]);
    expect(stderr).toContain('lines were removed or added after the run');
    expect(code).toBe(2);
  });

  it('names the missing file', async () => {
    const { stderr, code } = await ctsInProcess(['judge', 'nowhere']);
    expect(stderr).toContain('nowhere/evidence.ndjson: the file does not exist');
    expect(code).toBe(2);
  });
});
