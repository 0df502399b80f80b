import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../schemas/json.ts';
import type { Profile } from '../schemas/profile.ts';
import type { CommandResult } from '../selftest/command.ts';
import { fileWith, newFolder } from '../selftest/files.ts';
import { ctsInProcess } from '../selftest/in-process.ts';
import { startPlainService } from '../selftest/plain-service.ts';
import { variablesOf, failed, serviceThat } from '../selftest/services.ts';
import { conformingRun } from '../selftest/shared-runs.ts';

const waiver = {
  requirement: 'customer.name.echoed',
  reason: 'being fixed',
  owner: 'Ada',
  until: '2999-12-31',
};

/** A run whose profile declares another answer, and has a waiver that is in force, and two that are not. */
let drifted: CommandResult;
const waiversPath = join(newFolder(), 'waived.json');

beforeAll(async () => {
  const service = await startPlainService({
    echo: (text) => text.toUpperCase(),
    id: (count) => `cus_${count % 20}`,
  });
  const profile = fileWith({
    name: 'Acme staging',
    answers: { 'customer.create.status': [201, 202] },
    waivers: [
      waiver,
      { ...waiver, requirement: 'customer.id.new', until: '2020-01-01' },
      { ...waiver, requirement: 'customer.email.echoed' },
    ],
  });
  const flags = ['--profile', profile, '--cases', '60', '--write-waivers', waiversPath];
  drifted = await ctsInProcess(flags, variablesOf(service));
  await service.stop();
});

describe('open questions', () => {
  it('are answered from what a run observes, and asked in full only on request', async () => {
    const { report, stdout } = await conformingRun();
    const answers = new Map(report!.questions.map(({ id, answer }) => [id, answer]));
    expect(answers.get('customer.create.status')).toBe(201);
    expect(answers.get('token.response.credential')).toBe('/token');
    expect(answers.get('customer.name.longest')).toBeUndefined();
    expect(stdout).toMatch(/^ {2}\d+ of \d+ questions answered; --verbose lists the answers$/m);
  });

  it('are written into a profile, which holds for the same service with another seed and load', async () => {
    const service = await serviceThat();
    const path = join(newFolder(), 'written', 'profile.json');
    const written = await ctsInProcess(['--write-profile', path], variablesOf(service));
    expect(written.code).toBe(0);
    const profile = JSON.parse(readFileSync(path, 'utf8')) as {
      answers: Record<string, Json>;
      about: Record<string, string>;
    };
    expect(Object.keys(profile.answers).length).toBeGreaterThan(35);
    expect(profile.answers['auth.rejection.status']).toBe(403);
    expect(Object.keys(profile.about)).toEqual(expect.arrayContaining(Object.keys(profile.answers)));
    for (const secret of [service.apiKey, ...service.issued])
      expect(JSON.stringify(profile)).not.toContain(secret);

    const kept = await ctsInProcess(['--profile', path, '--concurrency', '3'], variablesOf(service));
    expect(failed(kept)).toEqual([]);
    expect(kept.code).toBe(0);
    const declared = kept.report!.requirements.filter(
      ({ level, optional }) => level === 'declared' && !optional,
    );
    expect(declared).toHaveLength(Object.keys(profile.answers).length);

    const again = await ctsInProcess(['--write-profile', path], variablesOf(service));
    expect(again.code).toBe(2);
    expect(again.stderr).toContain('--write-profile: the file exists');
  });

  it('drift if the answer differs from the declared one, and show both', () => {
    expect(failed(drifted)).toContain('customer.create.status');
    expect(drifted.stdout).toMatch(/declared {2}\[201,202\]\n {2}observed {2}200\n/);
    expect(drifted.report!.target.name).toBe('Acme staging');
    expect(drifted.code).toBe(1);
  });
});

describe('waivers', () => {
  it('are written for each failure into a copy of the profile, which is rejected until each has an owner', async () => {
    expect(drifted.stdout).toContain(
      `Wrote a profile with 2 new waivers to ${waiversPath}; fill in each owner`,
    );
    const text = readFileSync(waiversPath, 'utf8');
    const { name, answers, waivers } = JSON.parse(text) as Profile;
    expect({ name, answers }).toEqual({
      name: 'Acme staging',
      answers: { 'customer.create.status': [201, 202] },
    });
    expect(waivers.map(({ requirement, owner }) => [requirement, owner])).toEqual([
      ['customer.name.echoed', 'Ada'],
      ['customer.id.new', ''],
      ['customer.create.status', ''],
    ]);
    expect(waivers[2]).toMatchObject({
      reason: 'expected [201,202], got 200',
      until: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string,
    });
    const rejected = await ctsInProcess(['--profile', waiversPath, '--dry-run', '--quiet']);
    expect(rejected.stderr).toContain('/waivers/1/owner: expected text that is not empty');
    const filled = fileWith(text.replaceAll('"owner": ""', '"owner": "Ada"'));
    expect((await ctsInProcess(['--profile', filled, '--dry-run', '--quiet'])).code).toBe(0);
  });

  it('waive the failure that they name, and show it', () => {
    expect(failed(drifted)).not.toContain('customer.name.echoed');
    expect(drifted.stdout).toContain('waived until 2999-12-31 by Ada: being fixed');
  });

  it('fail a run when they have expired, and when they are no longer needed', () => {
    expect(failed(drifted).toSorted()).toEqual([
      'customer.create.status',
      'customer.id.new',
      'waiver.customer.email.echoed',
      'waiver.customer.id.new',
    ]);
    expect(drifted.stdout).toContain('it expired on 2020-01-01; ask Ada to fix customer.id.new');
    expect(drifted.stdout).toContain('customer.email.echoed passes; remove the waiver');
  });
});

describe('an unusable profile', () => {
  it.each([
    ['{', 'the file is not JSON'],
    [
      '{"answers": {"customer.create.status": 201}, "answer": {}}',
      'unknown member answer; expected name, about, answers',
    ],
    ['{"answers": {"customer.create.stats": 201}}', 'similar ids: customer.create.status'],
    ['{"waivers": [{"requirement": "customer.name.echoed"}]}', '/waivers/0/reason'],
    ['{"name": "sk_test_abcdefgh12345678"}', 'the file holds a key'],
  ])('%s is exit code 2, with the reason', async (content, message) => {
    const { code, stderr, bytes } = await ctsInProcess(['--profile', fileWith(content)]);
    expect(code).toBe(2);
    expect(stderr).toContain('--profile');
    expect(stderr).toContain(message);
    expect(bytes).not.toContain('abcdefgh12345678');
  });

  it('is exit code 2 if the file does not exist', async () => {
    const { code, stderr } = await ctsInProcess(['--profile', join(newFolder(), 'none.json')]);
    expect(code).toBe(2);
    expect(stderr).toContain('the file does not exist: check the path');
  });
});
