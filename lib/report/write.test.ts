import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { writeAndPrintRun } from './finish.ts';
import type { Finished } from './finish.ts';
import type { Report } from '../schemas/report.ts';
import { brokenRequirement, sampleCounterexample, sampleExchange, sampleReport } from './sample.testing.ts';
import { formats } from './formats/formats.ts';
import { writeReports } from './write.ts';
import { newFolder } from '../selftest/files.ts';

const filesIn = (out: string): string[] => (readdirSync(out, { recursive: true }) as string[]).toSorted();
const pass = (_: string, text: string): string => text;
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

describe('reports of which one cannot be made', () => {
  it('are written but for that one, and no older one is in its place', async () => {
    const out = newFolder();
    writeFileSync(join(out, 'junit.xml'), 'of an earlier run');
    without('junit.xml');
    const problems = await writeReports(failing, undefined, out, pass, []);
    expect(problems).toEqual(['junit.xml could not be rendered: unusual']);
    expect(filesIn(out)).toEqual([...made, 'index.html', 'summary.md']);
  });

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
