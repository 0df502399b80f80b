import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Report } from '../schemas/report.ts';
import { cts } from './testing/command.ts';
import type { Ended } from './testing/command.ts';
import { at, failed, serviceThat } from './testing/services.ts';
import type { Behaviour, PlainService } from './testing/plain-service.ts';

const CASES = ['--seed', '5', '--cases', '400'];

/** Two runs, one after the other, that share their cases. */
async function shardsOf(service: PlainService, between: () => void = () => {}): Promise<[Ended, Ended]> {
  const first = await cts([...CASES, '--shard', '1/2'], at(service));
  between();
  return [first, await cts([...CASES, '--shard', '2/2'], at(service))];
}

/** A service that begins to count its ids anew. */
function counting(): { behaviour: Behaviour; restart: () => void } {
  let customers = 0;
  return { behaviour: { id: () => `cus_n${++customers}` }, restart: () => (customers = 0) };
}

describe('cts-conformance merge', () => {
  it('finds an id that two runs received, which neither run could find', async () => {
    const { behaviour, restart } = counting();
    const [first, second] = await shardsOf(await serviceThat(behaviour), restart);
    expect([first.code, second.code]).toEqual([0, 0]);
    const merged = await cts(['merge', first.out, second.out]);
    expect(failed(merged)).toEqual(['customer.id.new']);
    expect(merged.code).toBe(1);
    const requests = [first, second].map(({ report }) => report!.run.requests);
    expect(merged.report!.run.requests).toBe(requests[0]! + requests[1]!);
    expect((await cts(['judge', merged.out])).stdout).toContain('equal to');
  });

  it('gives the result of one run over all cases, counterexample included', async () => {
    const behaviour: Behaviour = { echo: (name) => name.replace('İ', 'I') };
    const whole = await cts(CASES, at(await serviceThat(behaviour)));
    const shards = await shardsOf(await serviceThat(behaviour));
    const merged = await cts(['merge', ...shards.map(({ out }) => out)]);
    const verdicts = ({ report }: Ended): string[] =>
      report!.requirements.map(({ id, verdict }) => `${id} ${verdict}`);
    expect(verdicts(merged)).toEqual(verdicts(whole));
    expect(merged.code).toBe(1);
    const { counterexample } = merged.report!.requirements.find(({ id }) => id === 'customer.name.echoed')!;
    expect(counterexample).toMatchObject({ input: { name: 'İ' }, reproduced: '3/3' });
    // The cases are shared: together about as many as in the one run.
    const wide = (path: string): number => readFileSync(path, 'utf8').match(/"category":"combined"/g)!.length;
    const parts = shards.map(({ out }) => wide(join(out, 'evidence.ndjson')));
    expect(parts[0]! + parts[1]!).toBe(wide(join(whole.out, 'evidence.ndjson')));
  });

  it('rejects runs with different settings', async () => {
    const service = await serviceThat();
    const first = await cts([...CASES, '--shard', '1/2'], at(service));
    for (const [settings, said] of [
      [[...CASES, '--only', 'auth.*'], 'selection of requirements (--only)'],
      [[...CASES, '--strict'], '--strict'],
      [['--seed', '5', '--cases', '300'], 'number of cases (--cases)'],
    ] as const) {
      const second = await cts([...settings, '--shard', '2/2'], at(service));
      const { code, stderr } = await cts(['merge', first.out, second.out]);
      expect(stderr).toContain(`its ${said} differs from ${first.out}`);
      expect(code).toBe(2);
    }
  });

  it('finds an answer that drifted in one run only, also in its evidence', async () => {
    let isLate = false;
    const service = await serviceThat({
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
    const profile = join(mkdtempSync(join(tmpdir(), 'cts-merge-')), 'profile.json');
    writeFileSync(profile, JSON.stringify({ answers: { 'customer.create.status': 200 } }));
    const first = await cts([...CASES, '--profile', profile, '--shard', '1/2'], at(service));
    isLate = true;
    const second = await cts([...CASES, '--profile', profile, '--shard', '2/2'], at(service));
    expect([first.code, second.code]).toEqual([0, 1]);
    const merged = await cts(['merge', first.out, second.out]);
    expect(merged.code).toBe(1);
    const judged = await cts(['judge', merged.out]);
    expect(judged.stdout).toContain('equal to');
    expect(judged.code).toBe(1);
  });

  it('keeps the failures and defects of each run, even if the combined evidence shows none', async () => {
    const shards = await shardsOf(await serviceThat());
    const path = join(shards[0].out, 'conformance.json');
    const report = JSON.parse(readFileSync(path, 'utf8')) as Report;
    const write = (changed: object): void => writeFileSync(path, JSON.stringify({ ...report, ...changed }));
    const merge = (): Promise<Ended> => cts(['merge', ...shards.map(({ out }) => out)]);

    // As where a recorded case broke, which is no evidence.
    write({
      requirements: report.requirements.map((one) =>
        one.id === 'customer.name.echoed' ? { ...one, verdict: 'fail', broken: 1 } : one,
      ),
    });
    const broken = await merge();
    expect(failed(broken)).toEqual(['customer.name.echoed']);
    expect(broken.code).toBe(1);

    write({ run: { ...report.run, defects: ['it fell over'] } });
    const defective = await merge();
    expect(defective.report).toMatchObject({ verdict: 'inconclusive', run: { defects: ['it fell over'] } });
    expect(defective.code).toBe(3);

    const own = { id: 'acme.x', source: 'a.suite.ts', statement: 'x', verdict: 'fail', reason: 'it broke' };
    write({ custom: [{ ...own, cases: 1, accepted: 1, broken: 1, inFlight: 1 }], customCounts: true });
    const theirs = await merge();
    expect(theirs.report).toMatchObject({ verdict: 'conforms', custom: [own], customCounts: true });
    expect(theirs.code).toBe(1);
  });

  it('rejects duplicate and whole runs, and overwrites none', async () => {
    const [first, second] = await shardsOf(await serviceThat());
    const service = await serviceThat();
    const [whole, other] = await Promise.all([cts(CASES, at(service)), cts(CASES, at(service))]);
    for (const [folders, message] of [
      [[first.out, first.out], 'a folder is given twice'],
      [[whole.out, other.out], 'it is a whole run'],
      [[first.out, second.out, '--out', first.out], 'holds one of the runs'],
    ] as const) {
      const { code, stderr } = await cts(['merge', ...folders]);
      expect(stderr).toContain(message);
      expect(code).toBe(2);
    }
  });

  it('names a run that is missing or does not belong', async () => {
    const [first] = await shardsOf(await serviceThat());
    const alone = await cts(['merge', first.out]);
    expect(alone.stderr).toContain('shard 2/2 is missing');
    expect(alone.code).toBe(2);
    const copy = `${first.out}-again`;
    cpSync(first.out, copy, { recursive: true });
    const twice = await cts(['merge', first.out, copy]);
    expect(twice.stderr).toContain('shard 1/2 is given more than once');
    const other = await cts(['--seed', '6', '--only', 'http.date'], at(await serviceThat()));
    expect((await cts(['merge', first.out, other.out])).stderr).toContain('its target differs');
    writeFileSync(join(first.out, 'conformance.json'), 'half of i');
    expect((await cts(['merge', first.out])).stderr).toContain(
      'conformance.json: it is not the report of a run',
    );
  });
});
