import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { usualStyle } from '../inputs/json-styles.ts';
import { readCases } from './saved-cases.ts';
import { newFolder } from '../selftest/files.ts';
import { ctsInProcess } from '../selftest/in-process.ts';
import type { CommandResult } from '../selftest/command.ts';
import { variablesOf, failed, serviceThat, requirementIn, words } from '../selftest/services.ts';

/** A name that no run generates. */
const RARE = 'Quintus Xerxes the 7341st';

/** Beside the saved ones. */
const few = ['--cases', '60'];

const rareCase = {
  schemaVersion: 1,
  requirement: 'customer.name.echoed',
  counterexample: {
    scenarios: ['wide customers'],
    category: 'combined',
    input: {
      name: RARE,
      address: { before: '', local: 'ada', labels: '', domain: 'example.com', after: '', nonceIn: 'local' },
      style: usualStyle,
    },
    reproduced: '3/3',
  },
};

/** A folder with one case. */
function folderWith(content: unknown, name = 'rare.json'): string {
  const folder = join(newFolder(), 'regressions');
  mkdirSync(folder);
  writeFileSync(join(folder, 'README.md'), 'Other files may stand beside them.');
  writeFileSync(join(folder, name), JSON.stringify(content));
  return folder;
}

const reasonOf = ({ report }: CommandResult, id: string): string | undefined =>
  requirementIn({ report }, id).reason;

describe('cts-conformance run --cases-from', () => {
  it('catches a rare fault that the seed misses', async () => {
    const faulty = await serviceThat({ echo: (name) => (name === RARE ? 'Quintus' : name) });
    const folder = folderWith(rareCase);
    const caught = await ctsInProcess(['--seed', '11', ...few, '--cases-from', folder], variablesOf(faulty));
    expect(caught.code).toBe(1);

    expect(failed(caught)).toEqual(['customer.name.echoed']);
    expect(caught.stdout).toContain('1 saved case is sent first');
    expect(caught.stdout).toContain(`saved     by an earlier run in ${folder}/rare.json`);
    expect(requirementIn(caught, 'customer.name.echoed').counterexample).toMatchObject({
      from: `${folder}/rare.json`,
      input: { name: RARE },
      reproduced: '3/3',
    });
  });

  it('accepts every kind of case that a run writes, and passes a service that is fixed', async () => {
    const faulty = await serviceThat({
      id: () => 'cus_always',
      echo: (name) => name.trim(),
      isKey: (authorization, key) => authorization.startsWith(`Bearer ${key.slice(0, 16)}`),
      token: () => 'tok-always-0123456789abcdef',
    });
    const former = await ctsInProcess(['--seed', '5'], variablesOf(faulty));
    const folder = join(newFolder(), 'regressions');
    cpSync(join(former.out, 'cases'), folder, { recursive: true });
    const again = await ctsInProcess(['--seed', '6', ...few, '--cases-from', folder], variablesOf(faulty));
    writeFileSync(join(folder, 'rare.json'), JSON.stringify(rareCase));
    const fixed = await ctsInProcess(
      ['--seed', '6', ...few, '--cases-from', folder],
      variablesOf(await serviceThat()),
    );
    const ids = [
      'customer.id.new',
      'customer.name.echoed',
      'token.credential.distinct',
      'auth.customers.key.exact',
      'auth.tokens.key.exact',
    ];
    for (const id of ids) expect(reasonOf(again, id)).toBe(`saved in ${folder}/${id}.json, and reproduced`);
    expect(fixed.code).toBe(0);
    expect(reasonOf(fixed, 'customer.name.echoed')).toBe('2 saved cases pass');
    for (const id of ids.filter((id) => id !== 'customer.name.echoed'))
      expect(reasonOf(fixed, id)).toContain('1 saved case passes');
  });

  it("reports the cases that can't be judged any more", async () => {
    const folder = folderWith({
      ...rareCase,
      counterexample: { ...rareCase.counterexample, scenarios: ['an earlier scenario'] },
    });
    const { code, report } = await ctsInProcess(['--cases-from', folder, '--only', 'customer.name.*']);
    expect(code).toBe(3);
    expect(requirementIn({ report }, 'customer.name.echoed')).toMatchObject({
      verdict: 'inconclusive',
      reason: expect.stringContaining(`${folder}/rare.json contains no input`) as string,
    });
  });

  it('reports a case that the target now rejects, without failing it', async () => {
    const picky = await serviceThat({
      instead: (_, response, count) => {
        const isRare = picky.received[count - 1]!.includes(RARE);
        if (isRare) response.writeHead(422).end();
        return isRare;
      },
    });
    const { report } = await ctsInProcess(
      ['--cases-from', folderWith(rareCase), '--only', 'customer.name.*'],
      variablesOf(picky),
    );
    expect(requirementIn({ report }, 'customer.name.echoed')).toMatchObject({
      verdict: 'pass',
      reason: expect.stringContaining(
        'rare.json could not be judged: the target accepted no request',
      ) as string,
    });
  });

  it('counts only what is selected', async () => {
    const args = ['--cases-from', folderWith(rareCase), '--dry-run', '--only', 'token.*'];
    expect((await ctsInProcess(args)).stdout).not.toContain('saved');
  });

  it('rejects the folder that every run clears', async () => {
    const { code, stderr } = await ctsInProcess(['--cases-from', 'x/cases', '--out', 'x', '--dry-run']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('every run clears this folder')]);
  });
});

describe('a file that is not a case', () => {
  it.each([
    [
      'of an unknown requirement',
      { ...rareCase, requirement: 'customer.name.echod' },
      'rare.json: /requirement: unknown requirement; similar ids: customer.name.echoed',
    ],
    ['of another schema', { ...rareCase, schemaVersion: 2 }, 'rare.json: /schemaVersion: expected 1'],
    [
      'without a counterexample',
      { schemaVersion: 1, requirement: 'customer.name.echoed' },
      'rare.json: /counterexample: ',
    ],
    ['of null', null, 'rare.json: Invalid input: expected object'],
  ])('%s is reported with its name', (_, content, message) => {
    expect(() => readCases(folderWith(content))).toThrow(new RegExp(message));
  });

  it('is an error if the folder has no other file', () => {
    expect(() => readCases(folderWith(rareCase, 'rare.txt'))).toThrow('the folder has no cases');
  });
});

describe('cts-conformance replay', () => {
  it('does not report a failure as fixed that was intermittent, or needs other requests in flight', async () => {
    const { counterexample } = rareCase;
    const intermittent = { ...rareCase, counterexample: { ...counterexample, reproduced: '1/3' } };
    const race = { ...rareCase, counterexample: { ...counterexample, alone: 'passes' } };
    const file = (content: unknown): string => join(folderWith(content), 'rare.json');
    const service = await serviceThat();
    const [unsure, raced, sure] = await Promise.all([
      ctsInProcess(['replay', file(intermittent)], variablesOf(service)),
      ctsInProcess(['replay', file(race)], variablesOf(service)),
      ctsInProcess(['replay', file(rareCase)], variablesOf(service)),
    ]);
    expect(unsure.stdout).toMatch(/NOT REPRODUCED {2}customer\.name\.echoed: passed in each of 10 replays/);
    expect(sure.stdout).toMatch(/FIXED {2}customer\.name\.echoed: passed in each of 3 replays\n {2}at http/);
    expect(words(raced.stdout)).toMatch(/NOT REPRODUCED .* failed only while other requests were in flight/);
    expect([unsure.code, raced.code, sure.code]).toEqual([3, 3, 0]);
  });
});
