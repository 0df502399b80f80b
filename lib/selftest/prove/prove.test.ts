import { describe, expect, it } from 'vitest';
import { allFaults } from '../../reference/faults/faults.ts';
import { allVariants } from '../../reference/variants/variants.ts';
import { depths } from '../../settings/depths.ts';
import { oneOf } from '../script.ts';
import { proofPage } from './page.ts';
import { proofJson, renderSummary, summariseProof } from './summary.ts';
import { isFault, sampleOf } from './proof-task.ts';
import type { ProofOutcome } from './proof-task.ts';

const clean: Omit<ProofOutcome, 'service'> = {
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

describe('the summary of a proof', () => {
  it('shows missed faults and false positives', () => {
    const outcomes: ProofOutcome[] = [
      { ...clean, service: fault },
      { ...clean, service: variant, result: 'false-positive', exitCode: 1, broken: ['customer.name.echoed'] },
    ];
    const summary = summariseProof(outcomes);
    expect(summary.missed.map(({ service }) => service)).toEqual([fault]);
    expect(summary.falsePositives.map(({ service }) => service)).toEqual([variant]);
    expect(summary.unproven).toHaveLength(summary.requirements.length);
    const wrong = summary.requirements.filter(({ falsePositives }) => falsePositives > 0);
    expect(wrong.map(({ id }) => id)).toEqual(['customer.name.echoed']);
    const text = renderSummary(summary, outcomes, true);
    expect(text).toContain('MISSED FAULTS:');
    expect(text).toContain(`FALSE POSITIVES:\n  ${variant.name}, seed 1: exit 1`);
    expect(text).toContain('Requirements that caught no fault:');
    const page = proofPage(outcomes, summary, '2026-01-01T00:00:00.000Z').replaceAll(/\s+/g, ' ');
    expect(page).toContain('0 of 1 faults caught, 0 of 1 conforming variants passed');
    expect(page).toMatch(/<td class="mark fail">\s*✕/);
  });

  it('is also written as JSON, with every run of each service', () => {
    const outcomes: ProofOutcome[] = [1, 2].flatMap((seed) => [
      {
        ...clean,
        seed,
        service: fault,
        result: 'caught',
        exitCode: 1,
        broken: ['customer.id.form'],
        foundAfter: 3,
      },
      { ...clean, seed, service: variant, result: 'passed' },
    ]);
    const text = proofJson(outcomes, summariseProof(outcomes), {
      seeds: [1, 2],
      startedAt: '2026-01-01T00:00:00.000Z',
      seconds: 4,
    });
    const json = JSON.parse(text) as Record<string, unknown>;
    expect(json).toMatchObject({
      results: { caught: 2, 'caught-by-other': 0, missed: 0, passed: 2, 'false-positive': 0 },
      faults: [{ name: fault.name, runs: [{ seed: 1, foundAfter: 3 }, { seed: 2 }] }],
      variants: [{ name: variant.name, runs: [{ seed: 1, result: 'passed' }, { seed: 2 }] }],
    });
    expect(text).not.toContain(clean.output);
  });
});

describe('an option with a name of a table', () => {
  it('accepts these names only', () => {
    const depth = oneOf(depths);
    expect(depth('deep')).toBe('deep');
    expect(() => depth('toString')).toThrow('Expected one of: quick, default, deep.');
  });
});

describe('a sample', () => {
  const all = [...allVariants, ...allFaults];

  it.each([1, 40, 200])('of %i has some of every category, and about that many', (count) => {
    const sample = sampleOf(all, count);
    const categories = (services: typeof all): Set<string> =>
      new Set(services.map((service) => `${isFault(service)} ${service.category}`));
    expect(categories(sample)).toEqual(categories(all));
    expect(new Set(sample).size).toBe(sample.length);
    expect(Math.abs(sample.length - count)).toBeLessThan(categories(all).size);
  });

  it('of all is all of them', () => {
    expect(new Set(sampleOf(all, all.length))).toEqual(new Set(all));
  });
});
