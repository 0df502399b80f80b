import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { sampleReport } from '../report/sample.testing.ts';
import type { RunLine } from '../schemas/evidence.ts';
import type { Report } from '../schemas/report.ts';
import { fileWith, newFolder } from '../selftest/files.ts';
import { ctsInProcess } from '../selftest/in-process.ts';
import type { CommandResult } from '../selftest/command.ts';
import { variablesOf, failed, serviceThat, requirementIn } from '../selftest/services.ts';
import { startPlainService } from '../selftest/plain-service.ts';
import type { PlainBehaviour, PlainService } from '../selftest/plain-service.ts';

const CASES = ['--seed', '5', '--cases', '60'];

/** Two runs, one after the other, that share their cases. */
async function shardsOf(
  service: PlainService,
  { flags = [], between = () => {} }: { flags?: readonly string[]; between?: () => void } = {},
): Promise<[CommandResult, CommandResult]> {
  const first = await ctsInProcess([...CASES, ...flags, '--shard', '1/2'], variablesOf(service));
  between();
  return [first, await ctsInProcess([...CASES, ...flags, '--shard', '2/2'], variablesOf(service))];
}

/** The runs of a conforming service. */
let shards: readonly [CommandResult, CommandResult];

beforeAll(async () => {
  const service = await startPlainService();
  shards = await shardsOf(service);
  await service.stop();
});

/** A copy of a run's folder, as if the run had had other settings. */
function copyOf(
  { out }: CommandResult,
  { without, ...changes }: Partial<RunLine> & { without?: string } = {},
): string {
  const folder = newFolder();
  cpSync(out, folder, { recursive: true });
  const path = join(folder, 'evidence.ndjson');
  const [first, ...rest] = readFileSync(path, 'utf8').split('\n');
  const { [without ?? '']: _, ...line } = { ...(JSON.parse(first!) as RunLine), ...changes } as Record<
    string,
    unknown
  >;
  writeFileSync(path, [JSON.stringify(line), ...rest].join('\n'));
  return folder;
}

describe('cts-conformance merge', () => {
  it('finds an id that two runs received, and an answer that drifted in one of them', async () => {
    let isLate = false;
    let customers = 0;
    const service = await serviceThat({
      id: () => `cus_n${++customers}`,
      instead: (_, response) => {
        const write = response.writeHead.bind(response) as (
          status: number,
          fields: object,
        ) => typeof response;
        const late = (status: number, fields: object): unknown =>
          write(status === 200 ? 201 : status, fields);
        if (isLate) Object.assign(response, { writeHead: late });
        return false;
      },
    });
    const profile = fileWith({ answers: { 'customer.create.status': 200 } });
    const [first, second] = await shardsOf(service, {
      flags: ['--profile', profile],
      between: () => {
        customers = 0;
        isLate = true;
      },
    });
    expect(failed(first)).toEqual([]);
    expect(failed(second)).toEqual(['customer.create.status']);
    const merged = await ctsInProcess(['merge', first.out, second.out]);
    expect(failed(merged)).toEqual(['customer.id.new', 'customer.create.status']);
    expect(merged.code).toBe(1);
    const requests = [first, second].map(({ report }) => report!.run.requests);
    expect(merged.report!.run.requests).toBe(requests[0]! + requests[1]!);
    expect(merged.report!.run.cases).toBe(first.report!.run.cases);
    expect([first.report!.run.shard, merged.report!.run.shard]).toEqual([{ index: 1, count: 2 }, undefined]);
    const judged = await ctsInProcess(['judge', merged.out]);
    expect(judged.stdout).toContain('equal to');
    expect(judged.code).toBe(1);
    const one = await ctsInProcess(['judge', first.out]);
    expect(one.stdout).toMatch(/^CONFORMS {2}re-evaluated .*, shard 1 of 2; nothing was sent$/m);
  });

  it('gives the result of one run over all cases, counterexample included', async () => {
    const behaviour: PlainBehaviour = { echo: (name) => name.replace('İ', 'I') };
    const whole = await ctsInProcess(CASES, variablesOf(await serviceThat(behaviour)));
    const shards = await shardsOf(await serviceThat(behaviour));
    const merged = await ctsInProcess(['merge', ...shards.map(({ out }) => out)]);
    const verdicts = ({ report }: CommandResult): string[] =>
      report!.requirements.map(({ id, verdict }) => `${id} ${verdict}`);
    expect(verdicts(merged)).toEqual(verdicts(whole));
    expect(merged.code).toBe(1);
    const { counterexample } = requirementIn(merged, 'customer.name.echoed');
    expect(counterexample).toMatchObject({ input: { name: 'İAda' }, reproduced: '3/3' });
    // The shards share the cases: together they have as many as the one run.
    const wide = (path: string): number => readFileSync(path, 'utf8').match(/"category":"combined"/g)!.length;
    const parts = shards.map(({ out }) => wide(join(out, 'evidence.ndjson')));
    expect(parts[0]! + parts[1]!).toBe(wide(join(whole.out, 'evidence.ndjson')));
  });

  it.each([
    ['selection of requirements (--only)', { only: 'auth.*' }],
    ['--strict', { strict: true }],
    ['--email-domain', { emailDomain: 'mail.example.com' }],
    ['number of cases (--cases)', { cases: 300 }],
    ['seed', { seed: 6 }],
    ['target', { baseUrl: 'http://elsewhere.example' }],
  ] as const)('rejects a run of another %s', async (setting, changes) => {
    const [first, second] = shards;
    const { code, stderr } = await ctsInProcess(['merge', first.out, copyOf(second, changes)]);
    expect(stderr).toContain(`its ${setting} differs from ${first.out}`);
    expect(code).toBe(2);
  });

  it('keeps the failures and defects of each run, even if the combined evidence shows none', async () => {
    const [first, second] = [copyOf(shards[0]), shards[1].out];
    const path = join(first, 'conformance.json');
    const report = JSON.parse(readFileSync(path, 'utf8')) as Report;
    const write = (changed: object): void => writeFileSync(path, JSON.stringify({ ...report, ...changed }));
    const merge = (): Promise<CommandResult> => ctsInProcess(['merge', first, second]);

    // As if a saved case had failed, which is not part of the evidence.
    const cause = { id: 'x', text: 'upper-cased', next: 'Keep it.' };
    const failure = { verdict: 'fail', broken: 1, problem: 'name differs from the submitted name.', cause };
    write({
      requirements: report.requirements.map((one) =>
        one.id === 'customer.name.echoed' ? { ...one, ...failure } : one,
      ),
    });
    const broken = await merge();
    expect(failed(broken)).toEqual(['customer.name.echoed']);
    expect(requirementIn(broken, 'customer.name.echoed')).toMatchObject(failure);
    expect(broken.report!.causes).toEqual([{ ...cause, requirements: ['customer.name.echoed'] }]);
    expect(broken.code).toBe(1);

    write({ run: { ...report.run, stopped: 'the run was interrupted' } });
    expect((await merge()).report!.run.stopped).toBe('in shard 1 of 2, the run was interrupted');

    write({ run: { ...report.run, startedAt: '2026-01-01T00:00:00.000Z' } });
    const old = await merge();
    expect(old.code).toBe(2);
    expect(old.stderr).toMatch(/: its run began \d+ hours before another one, .*; run that shard again$/m);

    write({ run: { ...report.run, defects: ['it fell over'] } });
    const defective = await merge();
    expect(defective.report).toMatchObject({ verdict: 'inconclusive', run: { defects: ['it fell over'] } });
    expect(defective.code).toBe(3);

    const own = { id: 'acme.x', file: 'a.suite.ts', statement: 'x', verdict: 'fail', reason: 'it broke' };
    write({ custom: [{ ...own, cases: 1, accepted: 1, broken: 1, inFlight: 1 }], customCounts: true });
    const theirs = await merge();
    expect(theirs.report).toMatchObject({ verdict: 'conforms', custom: [own], customCounts: true });
    expect(theirs.code).toBe(1);
  });

  it.each([
    ['a run twice', ([first]) => [first.out, first.out], 'a folder is given twice'],
    [
      'a run that was whole',
      (runs) => runs.map((run) => copyOf(run, { without: 'shard' })),
      'it is a whole run',
    ],
    [
      'an output folder that holds a run',
      ([first, second]) => [first.out, second.out, '--out', first.out],
      'holds one of the runs',
    ],
    ['one run alone', ([first]) => [first.out], 'shard 2/2 is missing'],
    ['a copy of a run', ([first]) => [first.out, copyOf(first)], /shard 1\/2 is in \S+ and \S+; name/],
  ] satisfies [string, (runs: readonly [CommandResult, CommandResult]) => string[], string | RegExp][])(
    'rejects %s',
    async (_, foldersOf, message) => {
      const { code, stderr } = await ctsInProcess(['merge', ...foldersOf(shards)]);
      expect(stderr).toMatch(message);
      expect(code).toBe(2);
    },
  );

  it('rejects a run that has not ended', async () => {
    const folder = newFolder();
    const report = sampleReport([], { verdict: 'inconclusive', run: { unfinished: true } });
    writeFileSync(join(folder, 'conformance.json'), JSON.stringify(report));
    const { code, stderr } = await ctsInProcess(['merge', shards[0].out, folder]);
    expect(stderr).toContain(`${folder}: its run has not ended: it is still under way, or it was killed`);
    expect(code).toBe(2);
  });

  it('rejects a folder without a report', async () => {
    const folder = copyOf(shards[0]);
    writeFileSync(join(folder, 'conformance.json'), 'half of i');
    const { code, stderr } = await ctsInProcess(['merge', folder]);
    expect(stderr).toContain('conformance.json: the file is not JSON');
    expect(code).toBe(2);
  });
});
