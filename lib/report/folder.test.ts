import fs, { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { brokenRequirement, sampleReport, sampleRequirement } from './sample.testing.ts';
import { writeReports } from './write.ts';
import { prepareFolder, prepareNewFile, rejectOtherRun, removeEarlierReports } from './folder.ts';
import { newFolder } from '../selftest/files.ts';

const filesIn = (out: string): string[] => (readdirSync(out, { recursive: true }) as string[]).toSorted();
const pass = (_: string, text: string): string => text;
const evidence = ['{"type":"end","durationMs":1,"requests":0}'];
const failing = sampleReport([brokenRequirement('x')]);
const made = ['badge.json', 'cases', 'cases/customer.name.echoed.json', 'conformance.json'];

const LATER = '2027-01-01T00:00:00.000Z';
/** More than the highest process id of any system. */
const NO_PROCESS = 2 ** 30;

describe('the folder of a run', () => {
  it('keeps other files and removes those of an earlier run', async () => {
    const out = newFolder();
    await writeReports(sampleReport([brokenRequirement('x')]), evidence, out, pass, ['har', 'ctrf']);
    expect(filesIn(out)).toEqual(
      [
        ...made,
        'ctrf.json',
        'evidence.har',
        'evidence.ndjson',
        'index.html',
        'junit.xml',
        'summary.md',
      ].toSorted(),
    );
    writeFileSync(join(out, 'proof.json'), '');
    await writeReports(sampleReport([sampleRequirement()]), undefined, out, pass, []);
    expect(filesIn(out)).toEqual([
      'badge.json',
      'cases',
      'conformance.json',
      'index.html',
      'junit.xml',
      'proof.json',
      'summary.md',
    ]);
  });

  it('is not written by a run if another one has begun to write there', async () => {
    const out = newFolder();
    await writeReports({ ...failing, run: { ...failing.run, startedAt: LATER } }, evidence, out, pass, []);
    expect(() => rejectOtherRun(failing, out)).toThrow(
      `another run, which began at ${LATER}, writes its reports into ${out}`,
    );
  });

  it('loses what earlier runs have written, also one that was killed while it wrote', async () => {
    const out = newFolder();
    await writeReports(failing, evidence, out, pass, []);
    const others = ['notes.txt', 'film.1.part', `evidence.ndjson.${process.ppid}.part`];
    for (const name of [`evidence.ndjson.${NO_PROCESS}.part`, ...others]) writeFileSync(join(out, name), '');
    removeEarlierReports(out);
    expect(filesIn(out)).toEqual(['cases', ...others].toSorted());
  });

  it.each(['index.html', 'cases/user.create.json'])('keeps %s that no run has written', async (name) => {
    const [earlier, out] = [newFolder(), newFolder()];
    await writeReports(failing, evidence, earlier, pass, []);
    mkdirSync(join(out, 'cases'));
    writeFileSync(join(out, name), 'mine');
    writeFileSync(join(out, 'conformance.json'), '{"suite": "of somebody else"}');
    expect(() => removeEarlierReports(earlier, out)).toThrow(
      `CTS_OUT (--out): ${join(out, name)} would be replaced, and no run has written it`,
    );
    expect(readFileSync(join(out, name), 'utf8')).toBe('mine');
    expect(filesIn(earlier)).toContain('conformance.json');
  });

  it('keeps a conformance.json that no run has written', () => {
    const out = newFolder();
    const report = join(out, 'conformance.json');
    writeFileSync(report, '{"suite": "of somebody else"}');
    expect(() => removeEarlierReports(out)).toThrow(
      `CTS_OUT (--out): ${report} would be replaced, and no run has written it. Name another folder`,
    );
    expect(filesIn(out)).toEqual(['conformance.json']);
  });
});

describe('a folder that is to be made', () => {
  it('may have been made by another run meanwhile', () => {
    const { mkdirSync } = fs;
    const out = join(newFolder(), 'a/b');
    fs.mkdirSync = ((path: string) => mkdirSync(path) ?? mkdirSync(path)) as typeof mkdirSync;
    syncBuiltinESMExports();
    try {
      prepareFolder(out);
    } finally {
      fs.mkdirSync = mkdirSync;
      syncBuiltinESMExports();
    }
    expect(filesIn(out)).toEqual([]);
  });

  it('cannot be where a file is', () => {
    const file = join(newFolder(), 'file');
    writeFileSync(file, '');
    expect(() => prepareFolder(file)).toThrow(
      `reports can't be written to this folder (${file} is not a folder)`,
    );
    expect(() => prepareFolder(join(file, 'a'))).toThrow(`(${file} is not a folder)`);
    const link = join(newFolder(), 'link');
    symlinkSync(join(newFolder(), 'missing'), link);
    expect(() => prepareFolder(link)).toThrow(`(${link} is not a folder)`);
  });
});

describe('a new file', () => {
  it('is no folder, and in one that can be made', () => {
    const folder = newFolder();
    const file = join(folder, 'file');
    const prepare = (path: string) => () => prepareNewFile(path, '--write-profile');
    expect(prepare(join(folder, 'a/b'))).not.toThrow();
    writeFileSync(file, '');
    expect(prepare(file)).toThrow('--write-profile: the file exists; name another');
    expect(prepare(folder)).toThrow(`--write-profile: ${folder} is a folder; name a new file`);
    expect(prepare(join(file, 'a'))).toThrow(
      `--write-profile: it can't be written there (${file} is not a folder); name another`,
    );
  });
});
