import { describe, expect, it } from 'vitest';
import { ctsInProcess } from '../selftest/in-process.ts';
import { variablesOf, failed, serviceThat, requirementIn } from '../selftest/services.ts';

describe('a deep run', () => {
  it('keeps few exchanges, and judges all: it finds a duplicate id among the others, and a late failure', async () => {
    let late = 0;
    const service = await serviceThat({
      id: (count) => `cus_n${count === 2400 ? 2300 : count}`,
      echo: (name) => (++late > 2500 ? `${name}.` : name),
    });
    const ended = await ctsInProcess(['--cases', '2600', '--seed', '5'], variablesOf(service));
    expect(failed(ended).toSorted()).toEqual(['customer.id.new', 'customer.name.echoed']);
    expect(requirementIn(ended, 'customer.name.echoed').cases).toBeGreaterThan(2600);
    const { broken, counterexample } = requirementIn(ended, 'customer.id.new');
    expect(broken).toBe(1);
    expect(counterexample!.actual).toContain('cus_n2300');

    // It shows what it has kept of such an id, in reports that can be read again.
    expect(counterexample!.exchanges).toMatchObject([{ response: { body: /cus_n2300/ } }]);
    expect(counterexample!.expected).toMatch(/exchange \d+, which was not kept, has it$/);
    expect(counterexample!.curl).toContain('/v1/customers');
    expect((await ctsInProcess(['render', ended.out])).code).toBe(0);
    const judged = await ctsInProcess(['judge', ended.out]);
    expect(judged.stdout).toContain('equal to');
    const [, kept] = /re-evaluated (\d+) recorded exchanges/.exec(judged.stdout)!;
    expect(Number(kept)).toBeLessThan(ended.report!.run.requests);
  });

  it('counts every duplicate id', async () => {
    const service = await serviceThat({ id: () => 'cus_always' });
    const { report } = await ctsInProcess(['--seed', '5', '--cases', '2000'], variablesOf(service));
    const { broken, cases } = requirementIn({ report }, 'customer.id.new');
    expect(broken).toBe(cases - 1);
  });
});
