import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { github } from './files.ts';

describe('the gate for a plain shell', () => {
  it.each([
    [0, 'conforms: deploy'],
    [1, 'does not conform'],
    [2, 'Nothing was judged (exit code 2)'],
    [3, 'Inconclusive'],
    [4, 'Nothing was judged (exit code 4)'],
  ])('ends as the run does, with %i', (code, words) => {
    const folder = mkdtempSync(join(tmpdir(), 'cts-gate-'));
    writeFileSync(join(folder, 'npx'), `#!/bin/sh\necho "called with $*"\nexit ${code}\n`);
    chmodSync(join(folder, 'npx'), 0o755);
    const path = [folder, process.env['PATH']].join(delimiter);
    const { status, stdout } = spawnSync('sh', [join(github, 'examples/gate.sh'), '--strict'], {
      env: { ...process.env, PATH: path },
      encoding: 'utf8',
    });
    expect(stdout).toContain('called with --yes cts-conformance@0.1 run --strict\n');
    expect(stdout).toContain(words);
    expect(status).toBe(code);
  });
});
