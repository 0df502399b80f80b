import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { catalogue } from '../../suites/catalogue.ts';
import type { Report } from '../schemas/report.ts';
import type { TargetSettings } from '../settings/run-settings.ts';
import { readSettings } from '../settings/sources.ts';
import { writeAndPrintRun, writeUnfinished } from './finish.ts';
import type { Finished } from './finish.ts';
import { formats } from './formats/formats.ts';
import { brokenRequirement, sampleCounterexample, sampleExchange, sampleReport } from './sample.testing.ts';
import { newFolder } from '../selftest/files.ts';

const startedAt = new Date('2026-03-01T12:00:00Z');
const key = 'sk_test_0123456789abcdef';

/** The folder of a run that has begun. */
async function begun(
  change: Partial<TargetSettings> = {},
  only?: string,
  out = newFolder(),
): Promise<string> {
  const target = { baseUrl: 'https://staging.example.com/api', apiKey: key, embedded: false, out };
  await writeUnfinished(
    { settings: { ...readSettings({}), ...target, ...change }, startedAt, only },
    catalogue,
  );
  return out;
}

const textOf = (out: string, name: string): string => readFileSync(join(out, name), 'utf8');
const reportIn = (out: string): Report => JSON.parse(textOf(out, 'conformance.json')) as Report;

const waiver = { requirement: 'customer.name.echoed', reason: 'x', owner: 'Ada', until: '2020-01-01' };

describe('the reports of a run that has not ended', () => {
  it.each([
    ['everything', {}, undefined],
    ['a selection', {}, 'customer.*'],
    ['a profile with a waiver that has expired', { profile: { answers: {}, waivers: [waiver] } }, undefined],
  ])('have no verdict on %s', async (_, change, only) => {
    const out = await begun(change, only);
    const { verdict, requirements, run } = reportIn(out);
    expect([verdict, run.unfinished]).toEqual(['inconclusive', true]);
    expect(new Set(requirements.map((one) => one.verdict))).toEqual(new Set(['untested']));
    expect(textOf(out, 'summary.md')).toMatch(
      /is inconclusive: there is no verdict, because the run has not ended; it is still under way, or it was killed\./,
    );
    expect(textOf(out, 'junit.xml')).toMatch(/errors="1"/);
  });

  it('claim nothing that is not known yet', async () => {
    const out = await begun();
    expect(textOf(out, 'summary.md')).not.toMatch(/0 requests|0\.0 s/);
    expect(textOf(out, 'index.html')).not.toMatch(/<dt>(?:Duration|Requests)/);
  });

  it('are all written, or none', async () => {
    const out = newFolder();
    const obstacle = `summary.md.${process.pid}.part`;
    mkdirSync(join(out, obstacle));
    await begun({}, undefined, out);
    expect(readdirSync(out)).toEqual([obstacle]);
  });

  it('are none if they would hold the key', async () => {
    const out = await begun({ baseUrl: `https://staging.example.com/${key}` });
    expect(readdirSync(out)).toEqual([]);
  });
});

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
  const finished = { report, outcome, guard: (_: string, text: string) => text, stream: screen };
  return { screen, finishing: writeAndPrintRun(finished as unknown as Finished) };
}

const failing = sampleReport([brokenRequirement('x')]);

it.each(['conforms', 'does-not-conform'] as const)(
  'reports of which one cannot be made have no verdict, as the exit code has none (%s)',
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
