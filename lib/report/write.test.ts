import fs, { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { writeAndPrintRun } from './finish.ts';
import type { Finished } from './finish.ts';
import type { Report } from '../schemas/report.ts';
import {
  brokenRequirement,
  sampleCounterexample,
  sampleExchange,
  sampleReport,
  sampleRequirement,
} from './sample.testing.ts';
import { formats } from './formats/formats.ts';
import {
  prepareFolder,
  prepareNewFile,
  rejectOtherRun,
  removeEarlierReports,
  writeReports,
} from './write.ts';
import { newFolder } from '../selftest/files.ts';

const filesIn = (out: string): string[] => (readdirSync(out, { recursive: true }) as string[]).toSorted();
const pass = (_: string, text: string): string => text;
const evidence = ['{"type":"end","durationMs":1,"requests":0}'];
const failing = sampleReport([brokenRequirement('x')]);
const made = ['badge.json', 'cases', 'cases/customer.name.echoed.json', 'conformance.json'];

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** Lets a file not be made until the test ends. */
function without(file: string): void {
  const format = formats.find(({ name }) => name === file)!;
  vi.spyOn(format, 'load').mockRejectedValue(new Error('unusual'));
}

/** Ends a run with a report, on a screen of its own. */
function finish(report: Report, out: string): { screen: PassThrough; finishing: Promise<number> } {
  const screen = new PassThrough({ encoding: 'utf8' });
  // The job that runs these tests has a summary of its own.
  for (const name of ['GITHUB_ACTIONS', 'GITHUB_STEP_SUMMARY']) vi.stubEnv(name, undefined);
  const outcome = { settings: { out, reports: [] } };
  const finished = { report, outcome, guard: pass, stream: screen };
  return { screen, finishing: writeAndPrintRun(finished as unknown as Finished) };
}

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

  it('has every other report if one cannot be made, and no older one in its place', async () => {
    const out = newFolder();
    writeFileSync(join(out, 'junit.xml'), 'of an earlier run');
    without('junit.xml');
    const problems = await writeReports(failing, undefined, out, pass, []);
    expect(problems).toEqual(['junit.xml could not be rendered: unusual']);
    expect(filesIn(out)).toEqual([...made, 'index.html', 'summary.md']);
  });
});

describe('reports of which one cannot be made', () => {
  it.each(['conforms', 'does-not-conform'] as const)(
    'have no verdict, as the exit code has none (%s)',
    async (verdict) => {
      const out = newFolder();
      without('junit.xml');
      const { screen, finishing } = finish({ ...failing, verdict }, out);
      await expect(finishing).rejects.toThrow(/junit\.xml could not be rendered/);
      const shown = String(screen.read());
      expect(shown).toContain('INCONCLUSIVE  the suite itself failed, so there is no verdict');
      expect(shown).toContain(`Open ${join(out, 'index.html')}`);
      for (const name of ['conformance.json', 'badge.json', 'summary.md'])
        expect(readFileSync(join(out, name), 'utf8').toLowerCase(), name).toContain('inconclusive');
    },
  );
});

it('a page that cannot be made is not named on the screen', async () => {
  without('index.html');
  const { screen, finishing } = finish(failing, newFolder());
  await expect(finishing).rejects.toThrow(/index\.html could not be rendered/);
  expect(String(screen.read())).not.toContain('index.html\n');
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

describe('the screen of a run', () => {
  it('has no line that a CI system takes for a command', async () => {
    const exchange = sampleExchange('x');
    const request = { ...exchange.request, body: '::error title=spoofed::x' };
    const counterexample = { ...sampleCounterexample('x'), exchanges: [{ ...exchange, request }] };
    const { screen, finishing } = finish(
      sampleReport([brokenRequirement('x', { counterexample })]),
      newFolder(),
    );
    await finishing;
    const shown = String(screen.read());
    expect(shown).toContain('  ⟨U+003A⟩:error title=spoofed::x');
    expect(shown).not.toMatch(/^\s*::/m);
  });
});
