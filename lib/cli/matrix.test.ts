import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cts } from '../selftest/command.ts';
import { ctsInProcess } from '../selftest/in-process.ts';

describe('cts-conformance matrix', () => {
  it('writes a page, prints Markdown, and names a file that is not a report', async () => {
    const { out } = await cts(['--only', 'http.method.allow']);
    const file = join(out, 'matrix.html');
    const page = await ctsInProcess(['matrix', out, `${out}/conformance.json`, '--out', file]);
    const markdown = await ctsInProcess(['matrix', out, '--format', 'markdown']);
    const none = await ctsInProcess(['matrix', out, 'nowhere']);
    expect([page.code, page.stdout, markdown.code, none.code]).toEqual([0, '', 0, 2]);
    expect(readFileSync(file, 'utf8')).toMatch(/^<!doctype html>[^]*<h1>0 of 2 services conform<\/h1>/);
    expect(markdown.stdout).toContain('| `http.method.allow` | pass |');
    expect(none.stderr).toContain("nowhere: can't be read");
  });
});
