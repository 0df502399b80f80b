import { describe, expect, it } from 'vitest';
import { ctsInProcess } from '../selftest/in-process.ts';
import { variablesOf, failed, serviceThat, requirementIn } from '../selftest/services.ts';

const CASES = ['--cases', '2600', '--seed', '5'];

describe('a deep run', () => {
  it('keeps few passing exchanges, and judges all of them', async () => {
    const service = await serviceThat();
    const { out, code, report } = await ctsInProcess(CASES, variablesOf(service));
    expect(code).toBe(0);
    const echoed = requirementIn({ report }, 'customer.name.echoed');
    expect(echoed.cases).toBeGreaterThan(2600);
    const judged = await ctsInProcess(['judge', out]);
    expect(judged.stdout).toContain('equal to');
    // The run has about 3,800 exchanges, but does not keep all.
    expect(judged.stdout).toMatch(/re-evaluated [12]\d{3} recorded exchanges/);
  });

  it('finds a duplicate id among those that it did not keep, and a late failure', async () => {
    let late = 0;
    const service = await serviceThat({
      id: (count) => `cus_n${count === 2400 ? 2300 : count}`,
      echo: (name) => (++late > 2500 ? `${name}.` : name),
    });
    const ended = await ctsInProcess(CASES, variablesOf(service));
    expect(failed(ended).toSorted()).toEqual(['customer.id.new', 'customer.name.echoed']);
    const { broken, counterexample } = requirementIn(ended, 'customer.id.new');
    expect(broken).toBe(1);
    expect(counterexample!.actual).toContain('cus_n2300');

    // It shows what it has kept of such an id, in reports that can be read again.
    expect(counterexample!.exchanges).toMatchObject([{ response: { body: /cus_n2300/ } }]);
    expect(counterexample!.expected).toMatch(/exchange \d+, which was not kept, has it$/);
    expect(counterexample!.curl).toContain('/v1/customers');
    expect((await ctsInProcess(['render', ended.out])).code).toBe(0);
    expect((await ctsInProcess(['judge', ended.out])).stdout).toContain('equal to');
  });

  it('counts every duplicate id', async () => {
    const service = await serviceThat({ id: () => 'cus_always' });
    const { report } = await ctsInProcess(['--seed', '5', '--cases', '2000'], variablesOf(service));
    const { broken, cases } = requirementIn({ report }, 'customer.id.new');
    expect(broken).toBe(cases - 1);
  });
});
