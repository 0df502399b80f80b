import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { catalogue } from '../../suites/catalogue.ts';
import type { Report } from '../schemas/report.ts';
import type { TargetSettings } from '../settings/run-settings.ts';
import { readSettings } from '../settings/sources.ts';
import { writeUnfinished } from './finish.ts';
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
