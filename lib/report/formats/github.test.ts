import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hostileText } from '../inert.testing.ts';
import { brokenRequirement, sampleReport, sampleRequirement } from '../sample.testing.ts';
import type { Report } from '../../schemas/report.ts';
import { reportToGithub } from './github.ts';
import { appendSummary, failureOnGithub } from './github-runner.ts';
import { fileWith, newFolder } from '../../selftest/files.ts';

/** The annotations of a job that has no summary. */
const annotationsOf = (report: Report): Promise<string> =>
  reportToGithub(report, 'reports', (_, text) => text, { GITHUB_ACTIONS: 'true' });

describe('annotations for GitHub', () => {
  it('are an error for each failure and a warning for each recommendation, escaped as the runner reads them', async () => {
    const report = sampleReport([
      brokenRequirement('100%'),
      brokenRequirement('x', {
        id: 'http.date',
        level: 'should',
        verdict: 'warn',
        problem: 'Says a, b: c.',
      }),
      sampleRequirement({ id: 'other' }),
    ]);
    expect((await annotationsOf(report)).split('\n')).toEqual([
      '::error title=customer.name.echoed::expected "Ada", as submitted, not 100%25, got 100%25',
      '::warning title=http.date::Says a, b: c. Expected "Ada", as submitted, not x, got x',
      '',
    ]);
  });

  it('are none for what holds, and one for a run without a verdict', async () => {
    const holds = sampleReport([sampleRequirement()], { verdict: 'conforms' });
    expect(await annotationsOf(holds)).toBe('');
    const away = sampleRequirement({ verdict: 'inconclusive', reason: 'connection refused' });
    expect(await annotationsOf(sampleReport([away], { verdict: 'inconclusive' }))).toMatch(
      /^::error title=No verdict::inconclusive: .*connection refused\n$/,
    );
  });

  it('are those of custom suites without a verdict, where these decide the exit code', async () => {
    const custom = [{ ...sampleRequirement({ id: 'acme.order', verdict: 'inconclusive' }), file: 'a.ts' }];
    const report = { ...sampleReport([sampleRequirement()], { verdict: 'conforms' }), custom };
    expect(await annotationsOf({ ...report, customCounts: true })).toMatch(/^::error title=acme\.order%3A /);
    expect(await annotationsOf(report)).toBe('');
  });

  it('are as many as GitHub shows, and the last one counts the rest', async () => {
    const broken = Array.from({ length: 12 }, (_, at) => brokenRequirement('x', { id: `broken.${at}` }));
    const lines = (await annotationsOf(sampleReport(broken))).trimEnd().split('\n');
    expect(lines).toHaveLength(10);
    expect(lines.at(-1)).toMatch(/^::error title=3 more::/);
  });

  it('stay one line each, whatever a target says', async () => {
    const lines = (await annotationsOf(sampleReport([brokenRequirement(hostileText)]))).split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[0]).not.toMatch(/[\p{Cc}\p{Cf}]|##\w*\[/u);
  });
});

describe('the summary of a job', () => {
  it('is appended to what other steps have written', () => {
    const path = fileWith('before', 'summary.md');
    expect(appendSummary(path, '## after\n')).toBeUndefined();
    expect(readFileSync(path, 'utf8')).toBe('before\n## after\n');
  });

  it('that cannot be written is reported', () => {
    expect(appendSummary(join(tmpdir(), 'none', 'of', 'these'), 'x')).toMatch(
      /GITHUB_STEP_SUMMARY \(ENOENT\)/,
    );
  });
});

describe('a command without a report', () => {
  it('is an error of the job, with the reason in its summary', () => {
    const path = join(newFolder(), 'summary.md');
    const job = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: path };
    const screen = failureOnGithub('Nothing was checked', `--out: <b>\n  ${hostileText}`, job);
    expect(screen).toMatch(/^::error title=Nothing was checked::--out: <b> .*\n$/);
    expect(screen.slice(0, -1)).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(readFileSync(path, 'utf8')).toMatch(/^\n## ❔ Nothing was checked\n\n`+ ?--out: <b> .*`\n$/);
    expect(failureOnGithub('Nothing was checked', 'x', {})).toBe('');
  });
});
