import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newFolder } from '../selftest/files.ts';
import { ctsInProcess } from '../selftest/in-process.ts';

describe('cts-conformance init', () => {
  it('writes a .env with every setting, readable by its owner only, and never overwrites one', async () => {
    const cwd = newFolder();
    const first = await ctsInProcess(['init'], {}, { cwd });
    expect([first.code, first.stdout]).toEqual([
      0,
      expect.stringContaining('npx --no-install cts-conformance doctor'),
    ]);
    const file = join(cwd, '.env');
    expect(readFileSync(file, 'utf8')).toContain('#TARGET_BASE_URL=');
    expect(statSync(file).mode & 0o777).toBe(0o600);

    writeFileSync(file, 'mine');
    const again = await ctsInProcess(['init'], {}, { cwd });
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('.env already exists')]);
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });
});
