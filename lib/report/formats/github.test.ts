import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hostileText } from '../inert.testing.ts';
import { brokenRequirement, sampleReport, sampleRequirement } from '../sample.testing.ts';
import { annotationsOf } from './github.ts';
import { appendSummary, failureOnGithub } from './github-runner.ts';
import { fileWith, newFolder } from '../../selftest/files.ts';

describe('annotations for GitHub', () => {
  it('are an error for each failure and a warning for each recommendation, escaped as the runner reads them', () => {
    const report = sampleReport([
      brokenRequirement('100%'),
      brokenRequirement('x', {
        id: 'http.date',
        level: 'should',
        verdict: 'warn',
        statement: 'Says a, b: c.',
      }),
      sampleRequirement({ id: 'other' }),
    ]);
    expect(annotationsOf(report, 'reports').split('\n')).toEqual([
      '::error title=customer.name.echoed%3A name equals the submitted name.::expected "Ada", as submitted, not 100%25, got 100%25',
      '::warning title=http.date%3A Says a%2C b%3A c.::expected "Ada", as submitted, not x, got x',
      '',
    ]);
  });

  it('are none for what holds, and one for a run without a verdict', () => {
    const holds = sampleReport([sampleRequirement()], { verdict: 'conforms' });
    expect(annotationsOf(holds, 'reports')).toBe('');
    const away = sampleRequirement({ verdict: 'inconclusive', reason: 'connection refused' });
    const [line, ...others] = annotationsOf(
      sampleReport([away], { verdict: 'inconclusive' }),
      'reports',
    ).split('\n');
    expect(line).toMatch(/^::error title=run\.has\.verdict%3A The run .*connection refused$/);
    expect(others).toEqual(['']);
  });

  it('are those of custom suites without a verdict, where these decide the exit code', () => {
    const custom = [{ ...sampleRequirement({ id: 'acme.order', verdict: 'inconclusive' }), source: 'a.ts' }];
    const report = { ...sampleReport([sampleRequirement()], { verdict: 'conforms' }), custom };
    expect(annotationsOf({ ...report, customCounts: true }, 'reports')).toMatch(/^::error title=acme\.order/);
    expect(annotationsOf(report, 'reports')).toBe('');
  });

  it('are as many as GitHub shows, and the last one counts the rest', () => {
    const broken = Array.from({ length: 12 }, (_, at) => brokenRequirement('x', { id: `broken.${at}` }));
    const lines = annotationsOf(sampleReport(broken), 'reports').trimEnd().split('\n');
    expect(lines).toHaveLength(10);
    expect(lines.at(-1)).toMatch(/^::error title=3 more::/);
  });

  it('stay one line each, whatever a target says', () => {
    const lines = annotationsOf(sampleReport([brokenRequirement(hostileText)]), 'reports').split('\n');
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
