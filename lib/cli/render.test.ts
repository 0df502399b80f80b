import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cts } from './testing/command.ts';
import { at, serviceThat } from './testing/services.ts';

describe('cts render', () => {
  it('makes the very page again that the run made, from its two files alone', async () => {
    const service = await serviceThat({ echo: (name) => name.trim() });
    const { out, code } = await cts(['--only', 'customer.*'], at(service));
    expect(code).toBe(1);
    const page = join(out, 'index.html');
    const first = readFileSync(page, 'utf8');
    expect(first).toContain('Does not conform');
    expect(first).toContain(`npx cts replay ${out}/cases/customer.name.echoed.json`);
    rmSync(page);

    const again = await cts(['render', out]);
    expect([again.code, again.stdout, again.stderr]).toEqual([0, `${page}\n`, '']);
    expect(readFileSync(page, 'utf8')).toBe(first);

    rmSync(join(out, 'evidence.ndjson'));
    expect((await cts(['render', out])).code).toBe(0);
    expect(readFileSync(page, 'utf8')).toContain('the run left no evidence');
  });

  it.each([
    ['no folder', [], 'render needs the folder of a run'],
    ['a folder without a report', ['.'], 'conformance.json: it is not the conformance.json of a run'],
  ])('refuses %s', async (_, args, message) => {
    const { code, stderr } = await cts(['render', ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it('refuses a report that was edited into something else', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cts-render-'));
    writeFileSync(join(folder, 'conformance.json'), '{"schemaVersion":1,"verdict":"<b>"}');
    expect((await cts(['render', folder])).code).toBe(2);
  });
});
