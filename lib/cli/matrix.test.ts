import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ctsInProcess } from '../selftest/in-process.ts';
import { conformingRun, failingRun } from '../selftest/shared-runs.ts';

describe('cts-conformance matrix', () => {
  it('writes a page, prints Markdown, and names a file that is not a report', async () => {
    const [{ out }, failing] = await Promise.all([conformingRun(), failingRun()]);
    const file = join(mkdtempSync(join(tmpdir(), 'cts-')), 'matrix.html');
    const page = await ctsInProcess(['matrix', out, `${failing.out}/conformance.json`, '--out', file]);
    const markdown = await ctsInProcess(['matrix', out, '--format', 'markdown']);
    const none = await ctsInProcess(['matrix', out, 'nowhere']);
    expect([page.code, page.stdout, markdown.code, none.code]).toEqual([0, '', 0, 2]);
    expect(readFileSync(file, 'utf8')).toMatch(/^<!doctype html>[^]*<h1>1 of 2 services conforms?<\/h1>/);
    expect(markdown.stdout).toContain('| `http.method.allow` | pass |');
    expect(none.stderr).toContain("nowhere: can't be read");
  });
});
