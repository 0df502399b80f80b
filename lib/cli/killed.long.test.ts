import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { sampleReport, sampleRequirement } from '../report/sample.testing.ts';
import { writeReports } from '../report/write.ts';
import type { Report } from '../schemas/report.ts';
import { cts, filesIn, vitest } from '../selftest/command.ts';
import { newFolder } from '../selftest/files.ts';
import { ctsInProcess } from '../selftest/in-process.ts';
import { serviceThat, words, variablesOf } from '../selftest/services.ts';

const end = '{"type":"end","durationMs":1,"requests":0}';
/** The verdict of a run that conforms, in each of these files. */
const CONFORMS =
  /"(?:verdict|message)": "conforms"|<title>\s*Conforms|^## \S+ Conforms|name="verdict" value="conforms"/m;
const old = 'cases/customer.name.echoed.json';

/** The folder of a run that conformed. */
let out: string;

beforeEach(async () => {
  out = newFolder();
  const conforming = sampleReport([sampleRequirement()], { verdict: 'conforms' });
  await writeReports(conforming, [end], out, (_, text) => text, ['ctrf', 'har']);
  mkdirSync(join(out, 'cases'));
  writeFileSync(join(out, old), '{}');
  writeFileSync(join(out, 'proof.json'), 'conforms');
});

const textOf = (name: string): string => readFileSync(join(out, name), 'utf8');
const reportIn = (): Report => JSON.parse(textOf('conformance.json')) as Report;

/** Files whose verdict is that of the earlier run. */
const conformingFiles = (): string[] =>
  filesIn(out).filter((path) => CONFORMS.test(readFileSync(path, 'utf8')));

/** Runs the command, and kills it when the service receives a request. @param ready what it waits for */
async function killed(ready: () => boolean = () => true): Promise<NodeJS.Signals | null> {
  let kill = (): void => {};
  const service = await serviceThat({
    instead: (_, __, count) => {
      if (count === 1) void vi.waitUntil(ready, { timeout: 60_000, interval: 5 }).then(() => kill());
      return true;
    },
  });
  const { signal } = await cts(['--timeout', '60'], { ...variablesOf(service), CTS_OUT: out }, (_, send) => {
    kill = () => send('SIGKILL');
  });
  return signal;
}

describe('a run that is killed', () => {
  it('at its first request leaves no report of an earlier run that could be taken for its own', async () => {
    const names = ['badge.json', 'conformance.json', 'ctrf.json', 'index.html', 'junit.xml', 'summary.md'];
    expect(
      conformingFiles()
        .map((path) => basename(path))
        .toSorted(),
    ).toEqual(names);
    expect(await killed()).toBe('SIGKILL');
    expect(conformingFiles()).toEqual([]);
    for (const name of ['evidence.ndjson', 'evidence.har', old])
      expect(existsSync(join(out, name))).toBe(false);
    expect(textOf('proof.json')).toBe('conforms');
  });

  it('leaves reports that say so', async () => {
    // The last one that is written.
    await killed(() => existsSync(join(out, 'badge.json')));
    expect(reportIn()).toMatchObject({ verdict: 'inconclusive', run: { unfinished: true, requests: 0 } });
    for (const { verdict, reason } of reportIn().requirements)
      expect([verdict, reason]).toEqual(['untested', 'the run has not ended']);
    expect(JSON.parse(textOf('badge.json'))).toMatchObject({ message: 'inconclusive', isError: true });
    const sentence =
      /there is no verdict, because the run has not ended; it is still under way, or it was killed/i;
    for (const name of ['index.html', 'summary.md', 'junit.xml'])
      expect(words(textOf(name)), name).toMatch(sentence);
    expect(conformingFiles()).toEqual([]);
  });
});

describe('the reports of an earlier run', () => {
  it.each([
    ['nothing is sent', ['--dry-run', '--quiet'], 0],
    ['the usage is wrong', ['--only', 'nothing.like.it'], 2],
  ])('stay if %s', async (_, args, code) => {
    const ended = await ctsInProcess(args, { CTS_OUT: out });
    expect(ended.code).toBe(code);
    expect(reportIn().verdict).toBe('conforms');
    expect(existsSync(join(out, old))).toBe(true);
  });

  // Plain Vitest with its own reporter: vitest.long.test.ts.
  it('are also removed when plain Vitest begins, even if its reporter writes none', async () => {
    let atFirst: string[] | undefined;
    const service = await serviceThat({
      instead: () => {
        atFirst ??= conformingFiles();
        return false;
      },
    });
    const args = ['run', '--project', 'conformance', '--reporter=dot', 'suites/tokens.test.ts'];
    await vitest(args, { ...variablesOf(service), CTS_OUT: out });
    expect(atFirst).toEqual([]);
    expect(conformingFiles()).toEqual([]);
    expect(readdirSync(out).filter((name) => name.startsWith('evidence'))).toEqual([]);
  });
});
