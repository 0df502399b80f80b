import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Profile } from '../schemas/profile.ts';
import type { ReportedRequirement } from '../schemas/report.ts';
import { newFolder } from '../selftest/files.ts';
import { writeWaivers } from './profile.ts';
import { brokenRequirement, sampleReport, sampleRequirement } from './sample.testing.ts';

it('a waiver stays while it is used, and where the run shows nothing about its requirement', async () => {
  const verdicts: Readonly<Record<string, ReportedRequirement['verdict']>> = {
    'customer.id.new': 'waived',
    'customer.email.echoed': 'untested',
    'customer.reply.json': 'inconclusive',
    'token.body.json': 'pass',
  };
  const waiver = { reason: 'being fixed', owner: 'Ada', until: '2999-12-31' };
  const profile: Profile = {
    answers: {},
    waivers: Object.keys(verdicts).map((requirement) => ({ requirement, ...waiver })),
  };
  const others = Object.entries(verdicts).map(([id, verdict]) => sampleRequirement({ id, verdict }));
  const path = join(newFolder(), 'waivers.json');
  await writeWaivers(sampleReport([brokenRequirement('x'), ...others]), profile, path, (_, text) => text);
  const { waivers } = JSON.parse(readFileSync(path, 'utf8')) as Profile;
  expect(waivers.map(({ requirement }) => requirement)).toEqual([
    'customer.id.new',
    'customer.email.echoed',
    'customer.reply.json',
    'customer.name.echoed',
  ]);
});
