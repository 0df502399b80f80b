import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SecretFound, guardAgainst, redactLateTokens } from './guard.ts';
import type { Report } from '../schemas/report.ts';
import { newFolder } from '../selftest/files.ts';
import { sampleReport } from './sample.testing.ts';
import { writeReports } from './write.ts';

const KEY = 'sk_test_4eC39HqLyjWDarjtT1zdp7dc';

const report = (baseUrl: string): Report =>
  sampleReport([], { target: { baseUrl }, verdict: 'inconclusive' });

describe('a token that was recognised too late', () => {
  const TOKEN = 'req_9f8e7d6c5b4a3210';

  it('finds secrets that are too long for a regular expression', () => {
    const secrets = Array.from({ length: 50 }, (_, at) => `${at}-${'Ab3'.repeat(30_000)}`);
    const guard = guardAgainst(secrets);
    expect(() => guard('a report', `text ${secrets[7]} text`)).toThrow(SecretFound);
    expect(guard('a report', 'another text')).toBe('another text');
  });

  it('is redacted everywhere in the report, and nothing else is', () => {
    const written = report(`http://localhost/${TOKEN}`);
    const clean = redactLateTokens(written, [TOKEN, 'inconclusive']);
    expect(clean).toEqual({ ...written, target: { baseUrl: 'http://localhost/[token]' } });
    expect(() => guardAgainst([TOKEN])('conformance.json', JSON.stringify(clean))).not.toThrow();
  });

  it('is the only reason to touch a report', () => {
    const written = report('http://localhost');
    expect(redactLateTokens(written, [TOKEN])).toBe(written);
  });
});

describe('the guard', () => {
  it('lets no file be written that holds a secret, and does not show it', async () => {
    const out = newFolder();
    const withKey = report(`http://localhost/${KEY}`);
    const problems = await writeReports(withKey, undefined, out, guardAgainst([KEY]), []);
    expect(problems[0]).toMatch(/^conformance\.json would have contained a secret/);
    expect(problems.join()).not.toContain(KEY);
    // It has nothing of the target in it.
    expect(readdirSync(out)).toEqual(['badge.json']);
  });

  it('lets everything else pass, and words that are secrets by name only', async () => {
    const out = newFolder();
    await writeReports(report('http://localhost'), undefined, out, guardAgainst([KEY, 'inconclusive']), []);
    expect(readdirSync(out).toSorted()).toEqual([
      'badge.json',
      'conformance.json',
      'index.html',
      'junit.xml',
      'summary.md',
    ]);
  });
});
