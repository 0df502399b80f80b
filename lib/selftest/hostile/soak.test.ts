import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { complaintsAbout } from './soaked.ts';
import type { Soaked } from './soaked.ts';

const script = join(import.meta.dirname, 'soak.ts');
const run = promisify(execFile);

const sound: Soaked = {
  exchanges: 1000,
  lost: 1,
  retries: 90,
  seconds: 5,
  rss: { '10 %': 100, '50 %': 120, '100 %': 120 },
  heap: { '20 %': 20, '100 %': 25 },
  descriptors: { before: 20, after: 20 },
  rejections: 0,
};

describe('a load through trouble', () => {
  it('leaves memory flat, no descriptor open and no rejection unhandled', async () => {
    const { stdout } = await run(process.execPath, [script, '--exchanges', '1000']);
    expect(stdout).toMatch(/^exchanges +1000\nsent again +\d{2,}\n/);
    expect(stdout).toMatch(/^unhandled rejections +0$/m);
    expect(stdout).not.toContain('WRONG');
  });

  it.each<[Partial<Soaked>, string[]]>([
    [{}, []],
    [{ heap: { '20 %': 20, '100 %': 40 } }, ['memory is not flat']],
    [{ descriptors: { before: 20, after: 21 } }, ['descriptors stayed open']],
    [{ descriptors: { before: undefined, after: undefined } }, []],
    [{ rejections: 1 }, ['rejections were unhandled']],
    [{ lost: 60 }, ['more than one request in twenty came to nothing']],
  ])('that left %j is told so', (left, complaints) => {
    expect(complaintsAbout({ ...sound, ...left })).toEqual(complaints);
  });

  it('of no length is wrong usage', async () => {
    const running = run(process.execPath, [script, '--exchanges', 'x']);
    await expect(running).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--exchanges') as string,
    });
  });
});
