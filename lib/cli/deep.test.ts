import { describe, expect, it } from 'vitest';
import { cts } from './testing/command.ts';
import { at, failed, serviceThat } from './testing/services.ts';

const CASES = ['--cases', '2600', '--seed', '5'];

describe('a deep run', () => {
  it('keeps little of what is well, and judges it all the same', async () => {
    const service = await serviceThat();
    const { out, code, report } = await cts(CASES, at(service));
    expect(code).toBe(0);
    const echoed = report!.requirements.find(({ id }) => id === 'customer.name.echoed')!;
    expect(echoed.cases).toBeGreaterThan(2600);
    const judged = await cts(['judge', out]);
    expect(judged.stdout).toContain('equal to');
    expect(judged.stdout).toMatch(/judged from (?:1\d|20)\d\d recorded exchanges/);
  });

  it('finds an id that is given twice among those, and what breaks late', async () => {
    let late = 0;
    const service = await serviceThat({
      id: (count) => `cus_n${count === 2400 ? 2300 : count}`,
      echo: (name) => (++late > 2500 ? `${name}.` : name),
    });
    const ended = await cts(CASES, at(service));
    expect(failed(ended).toSorted()).toEqual(['customer.id.new', 'customer.name.echoed']);
    const { counterexample } = ended.report!.requirements.find(({ id }) => id === 'customer.id.new')!;
    expect(counterexample!.actual).toContain('cus_n2300');
  });
});
