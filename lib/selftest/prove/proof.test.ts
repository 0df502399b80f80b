import { describe, expect, it } from 'vitest';
import { allFaults } from '../../reference/faults/faults.ts';
import { allVariants } from '../../reference/variants/variants.ts';
import { proofPage } from './page.ts';
import { recordOf } from './record.ts';
import { renderSummary, summarise } from './summary.ts';
import { proveAll, sampleOf } from './trial.ts';
import type { Proof } from './trial.ts';

const clean: Omit<Proof, 'service'> = {
  seed: 1,
  result: 'missed',
  exitCode: 0,
  broken: [],
  untested: [],
  requests: 400,
  foundAfter: undefined,
  seconds: 1,
  output: 'what the command printed',
};
const [fault, variant] = [allFaults[0]!, allVariants[1]!];

describe('proof', () => {
  it('a tenth of all: the suite catches the faults, by what they name, and spares the conforming', async () => {
    const services = [
      ...sampleOf(allVariants, allVariants.length / 10),
      ...sampleOf(allFaults, allFaults.length / 10),
    ];
    const proofs = await proveAll(
      services.map((service) => ({ service, seed: 1 })),
      3,
    );
    const { missed, blamed, results } = summarise(proofs);
    expect(missed.map(({ service }) => service.name)).toEqual([]);
    expect(blamed.map(({ output }) => output)).toEqual([]);
    expect(results.named + results.passed).toBe(services.length);
    expect(services.length).toBeGreaterThan(75);
  }, 300_000);

  it('can fail: a service without a fault in the place of a faulty one is missed, a variant with one is blamed', () => {
    const proofs: Proof[] = [
      { ...clean, service: fault },
      { ...clean, service: variant, result: 'blamed', exitCode: 1, broken: ['customer.name.echoed'] },
    ];
    const summary = summarise(proofs);
    expect(summary.missed.map(({ service }) => service)).toEqual([fault]);
    expect(summary.blamed.map(({ service }) => service)).toEqual([variant]);
    expect(summary.untripped).toHaveLength(summary.requirements.length);
    const falseReds = summary.requirements.filter(({ falseReds }) => falseReds > 0);
    expect(falseReds.map(({ id }) => id)).toEqual(['customer.name.echoed']);
    const text = renderSummary(summary, proofs);
    expect(text).toContain('MISSED:');
    expect(text).toContain('CONFORMING SERVICES THAT WERE BLAMED:');
    const page = proofPage(proofs, summary, '2026-01-01T00:00:00.000Z').replaceAll(/\s+/g, ' ');
    expect(page).toContain('0 of 1 faults caught, 0 of 1 conforming services passed');
    expect(page).toMatch(/<td class="mark fail">\s*✕/);
  });

  it('is kept for machines: every trial, of faults and of variants', () => {
    const proofs: Proof[] = [1, 2].flatMap((seed) => [
      {
        ...clean,
        seed,
        service: fault,
        result: 'named',
        exitCode: 1,
        broken: ['customer.id.form'],
        foundAfter: 3,
      },
      { ...clean, seed, service: variant, result: 'passed' },
    ]);
    const text = recordOf(proofs, summarise(proofs), {
      seeds: [1, 2],
      startedAt: '2026-01-01T00:00:00.000Z',
      seconds: 4,
    });
    const record = JSON.parse(text) as Record<string, unknown>;
    expect(record).toMatchObject({
      results: { named: 2, other: 0, missed: 0, passed: 2, blamed: 0 },
      faults: [{ name: fault.name, trials: [{ seed: 1, foundAfter: 3 }, { seed: 2 }] }],
      variants: [{ name: variant.name, trials: [{ seed: 1, result: 'passed' }, { seed: 2 }] }],
    });
    expect(text).not.toContain(clean.output);
  });

  it('samples evenly, and none twice', () => {
    for (const count of [1, 2, 7, 25, allFaults.length]) {
      expect(new Set(sampleOf(allFaults, count)).size).toBe(count);
    }
    expect(sampleOf(allFaults, 10_000)).toEqual(allFaults);
  });
});
