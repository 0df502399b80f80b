import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Report } from '../schemas/report.ts';
import { ctsInProcess } from '../selftest/in-process.ts';
import { conformingRun, copyOf, failingRun } from '../selftest/shared-runs.ts';
import { newFolder } from '../selftest/files.ts';

describe('cts-conformance matrix', () => {
  it('prints which requirements do not pass everywhere, under the names of the services', async () => {
    const [{ out }, failing] = await Promise.all([conformingRun(), failingRun()]);
    const { stdout, code } = await ctsInProcess(['matrix', out, failing.out]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^1 of 2 services conforms?\n {2}embedded reference service +conforms +23 of 23 /);
    expect(stdout).toMatch(/\n {2}customer\.name\.echoed +pass +fail\n/);
    expect(stdout).not.toContain('customer.id.new');
    expect(stdout).toMatch(/\n\d+ requirements pass everywhere, or may go untested\n$/);
  });

  it('writes a page, prints Markdown, and names a file that is not a report', async () => {
    const [{ out }, failing] = await Promise.all([conformingRun(), failingRun()]);
    const file = join(newFolder(), 'matrix.html');
    const page = await ctsInProcess(['matrix', out, `${failing.out}/conformance.json`, '--out', file]);
    const markdown = await ctsInProcess(['matrix', out, '--format', 'markdown']);
    const none = await ctsInProcess(['matrix', out, 'nowhere']);
    expect([page.code, page.stdout, markdown.code, none.code]).toEqual([
      0,
      expect.stringContaining('Wrote '),
      0,
      2,
    ]);
    expect(readFileSync(file, 'utf8')).toMatch(/^<!doctype html>[^]*<h1>1 of 2 services conforms?<\/h1>/);
    expect(readFileSync(file, 'utf8')).toContain(`<a href="${relative(dirname(file), out)}/index.html">`);
    expect(markdown.stdout).toMatch(
      /\| \[embedded reference service\]\(<[./\w-]+\/out\/index\.html>\) \| conforms/,
    );
    expect(markdown.stdout).toContain('| `http.method.allow` | pass |');
    expect(none.stderr).toContain('nowhere: the file does not exist');
  });

  it('lets no line be a command for a CI system', async () => {
    const out = copyOf(await conformingRun());
    const path = join(out, 'conformance.json');
    const { target, ...report } = JSON.parse(readFileSync(path, 'utf8')) as Report;
    writeFileSync(path, JSON.stringify({ ...report, target: { ...target, name: '::error::x' } }));
    for (const format of ['text', 'markdown']) {
      const { stdout } = await ctsInProcess(['matrix', out, '--format', format]);
      expect(stdout).toContain(':error::x');
      expect(stdout).not.toMatch(/^\s*::/m);
    }
  });
});
