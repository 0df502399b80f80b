import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { brokenRequirement, sampleReport } from './sample.testing.ts';
import { formats } from './formats/formats.ts';
import { writeReports } from './write.ts';
import { newFolder } from '../selftest/files.ts';

afterEach(() => void vi.restoreAllMocks());

it('reports are written but for one that cannot be made, and no older one is in its place', async () => {
  const out = newFolder();
  writeFileSync(join(out, 'junit.xml'), 'of an earlier run');
  const format = formats.find(({ name }) => name === 'junit.xml')!;
  vi.spyOn(format, 'load').mockRejectedValue(new Error('unusual'));
  const failing = sampleReport([brokenRequirement('x')]);
  const problems = await writeReports(failing, undefined, out, (_name, text) => text, []);
  expect(problems).toEqual(['junit.xml could not be rendered: unusual']);
  expect((readdirSync(out, { recursive: true }) as string[]).toSorted()).toEqual([
    'badge.json',
    'cases',
    'cases/customer.name.echoed.json',
    'conformance.json',
    'index.html',
    'summary.md',
  ]);
});
