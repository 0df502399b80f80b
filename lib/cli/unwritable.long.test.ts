import { existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cts, ctsInShell } from '../selftest/command.ts';
import { newFolder } from '../selftest/files.ts';
import { ctsInProcess } from '../selftest/in-process.ts';
import { sabotaged } from '../selftest/sabotaged.ts';
import { variablesOf, failed, serviceThat } from '../selftest/services.ts';

const some = ['--only', 'customer.name.echoed'];

describe("a file that can't be written", () => {
  it('because the disk is full is reported, and files that were complete are kept', async () => {
    const service = await serviceThat({ echo: (name) => name.toUpperCase() });
    const ended = await cts(some, {
      ...variablesOf(service),
      ...sabotaged({ write: { file: 'cases/', code: 'ENOSPC' } }),
    });
    expect(ended.stdout).toMatch(
      /^There is no verdict: .*could not be written \(ENOSPC\): the disk is full; make room/m,
    );
    expect(ended.stdout).not.toContain('please report it');
    expect(ended.code).toBe(4);
    expect(new Set(readdirSync(ended.out, { recursive: true, encoding: 'utf8' }))).toEqual(
      new Set(['cases', 'conformance.json', 'evidence.ndjson']),
    );
    expect(failed(ended)).toEqual(['customer.name.echoed']);
  });

  it('leaves the evidence of a run that passes, but no verdict', async () => {
    const ended = await cts(some, sabotaged({ write: { file: 'junit.xml', code: 'ENOSPC' } }));
    expect(ended.code).toBe(4);
    expect(readdirSync(ended.out)).toEqual(['evidence.ndjson']);
  });

  it.runIf(existsSync('/proc/self'))(
    'because there can be no such folder is reported before anything is sent',
    async () => {
      const { code, stderr } = await ctsInProcess(['run', '--out', '/proc/cts/reports']);
      expect(stderr).toContain("CTS_OUT (--out): reports can't be written to this folder (ENOENT)");
      expect(code).toBe(2);
    },
  );

  it('because of a limit on file size leaves no partial file', async () => {
    const ended = await ctsInShell('ulimit -f 8; exec "$@"', some);
    expect(ended.stdout).toMatch(/evidence\.ndjson\S* could not be written \(EFBIG\)/);
    expect(ended.code).toBe(4);
    expect(readdirSync(ended.out)).toEqual([]);
  });

  it('because the folder has gone is reported', async () => {
    const out = join(newFolder(), 'out');
    const service = await serviceThat({
      instead: (_, __, count) => {
        // The run waits for this answer: it can't have ended before its folder is gone.
        if (count !== 3) return false;
        renameSync(out, `${out}-elsewhere`);
        writeFileSync(out, '');
        return false;
      },
    });
    const { code, stdout } = await ctsInProcess([], { ...variablesOf(service), CTS_OUT: out });
    expect(stdout).toMatch(
      /could not be written \((?:ENOTDIR|EEXIST)\): check its folder, or name another with --out/,
    );
    expect(code).toBe(4);
  });

  it.runIf(existsSync('/dev/full'))('on the screen, is no verdict, whatever was found', async () => {
    const service = await serviceThat({ echo: (name) => name.toUpperCase() });
    const ended = await ctsInShell('exec "$@" > /dev/full', some, variablesOf(service));
    expect(failed(ended)).toEqual(['customer.name.echoed']);
    expect(ended.code).toBe(4);
    expect(ended.stderr).toContain("the output can't be written (ENOSPC)");
  });
});
