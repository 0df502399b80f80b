import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { complaintsAbout } from './load.ts';
import type { SoakResult } from './load.ts';

const script = join(import.meta.dirname, 'main.ts');
const run = promisify(execFile);

const sound: SoakResult = {
  exchanges: 1000,
  unanswered: 1,
  retries: 90,
  seconds: 5,
  residentSet: { '10 %': 100, '50 %': 120, '100 %': 120 },
  heap: { '20 %': 20, '100 %': 25 },
  descriptors: { before: 20, after: 20 },
  unhandledRejections: 0,
};

describe('a long load', () => {
  it('leaves memory flat, no descriptor open and no rejection unhandled', async () => {
    const { stdout } = await run(process.execPath, ['--expose-gc', script, '--exchanges', '1000']);
    expect(stdout).toMatch(/^exchanges +1000\nretries +\d{2,}\n/);
    expect(stdout).toMatch(/^unhandled rejections +0$/m);
    expect(stdout).not.toContain('WRONG');
  });

  it.each<[Partial<SoakResult>, string[]]>([
    [{}, []],
    [{ heap: { '20 %': 20, '100 %': 40 } }, ['memory grew']],
    [{ descriptors: { before: 20, after: 21 } }, ['file descriptors stayed open']],
    [{ descriptors: { before: undefined, after: undefined } }, []],
    [{ unhandledRejections: 1 }, ['promise rejections were not handled']],
    [{ unanswered: 60 }, ['more than one request in twenty got no response']],
  ])('that leaves %j has the problems %j', (left, complaints) => {
    expect(complaintsAbout({ ...sound, ...left })).toEqual(complaints);
  });

  it('needs a length', async () => {
    const running = run(process.execPath, ['--expose-gc', script, '--exchanges', 'x']);
    await expect(running).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--exchanges') as string,
    });
  });
});
