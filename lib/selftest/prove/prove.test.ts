import { describe, expect, it } from 'vitest';
import { allFaults } from '../../reference/faults/faults.ts';
import { allVariants } from '../../reference/variants/variants.ts';
import { proofPage } from './page.ts';
import { proofJson, renderSummary, summariseProof } from './summary.ts';
import { isFault, phaseOf, sampleOf } from './proof-task.ts';
import type { ProofOutcome } from './proof-task.ts';

const clean: Omit<ProofOutcome, 'service'> = {
  seed: 1,
  result: 'missed',
  exitCode: 0,
  broken: [],
  untested: [],
  requests: 400,
  foundAfter: undefined,
  phase: undefined,
  seconds: 1,
  output: 'what the command printed',
};
const [fault, variant] = [allFaults[0]!, allVariants[1]!];

const pageOf = (outcomes: readonly ProofOutcome[], isWhole: boolean): string =>
  proofPage(summariseProof(outcomes, isWhole), '2026-01-01T00:00:00.000Z').replaceAll(/\s+/g, ' ');

describe('the summary of a proof', () => {
  it('shows missed faults and false positives', () => {
    const outcomes: ProofOutcome[] = [
      { ...clean, service: fault },
      { ...clean, service: variant, result: 'false-positive', exitCode: 1, broken: ['customer.name.echoed'] },
    ];
    const summary = summariseProof(outcomes, true);
    expect(summary.missed.map(({ service }) => service)).toEqual([fault]);
    expect(summary.falsePositives.map(({ service }) => service)).toEqual([variant]);
    expect(summary.unproven).toHaveLength(summary.requirements.length);
    const wrong = summary.requirements.filter(({ falsePositives }) => falsePositives > 0);
    expect(wrong.map(({ id }) => id)).toEqual(['customer.name.echoed']);
    const text = renderSummary(summary);
    expect(text).toContain('MISSED FAULTS:');
    expect(text).toContain(`FALSE POSITIVES:\n  ${variant.name}, seed 1: exit 1`);
    expect(text).toContain('Requirements that caught no fault:');
    const page = pageOf(outcomes, true);
    expect(page).toContain('0 of 1 fault caught, 0 of 1 conforming variant passed');
    expect(page).toMatch(/Caught no fault: .*token\.members/);
    expect(page).toMatch(/<td>missed<\/td>/);
    expect(page).toContain('<td>fails <a href="#customer.name.echoed">');
  });

  it('has a line for each service in words, whatever the number of seeds', () => {
    const outcomes: ProofOutcome[] = [1, 2].map((seed) => ({
      ...clean,
      seed,
      service: fault,
      result: 'caught',
      broken: ['customer.id.form', ...(seed === 1 ? ['customer.id.new'] : [])],
      foundAfter: 3 + seed,
    }));
    const row = pageOf(outcomes, false).split(`<code>${fault.name}</code>`)[1]!.split('</tr>')[0]!;
    const cells = [...row.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, cell]) =>
      cell!.replaceAll(/<[^>]*>/g, ''),
    );
    expect(cells).toEqual([fault.violates, 'customer.id.form; also customer.id.new (1 of 2 seeds)', '5']);
    // The charts count each seed.
    expect(pageOf(outcomes, false)).toContain('aria-label="default: 2 of 2 found, half within 4 responses"');
    expect(pageOf(outcomes, false)).toContain('aria-label="no single response: default 2"');
  });

  it('of a selection has only what it concerns', () => {
    const caught = { ...clean, service: fault, result: 'caught', broken: ['customer.id.form'] } as const;
    const warned = { ...clean, service: variant, result: 'passed', broken: ['http.date'] } as const;
    const summary = summariseProof([caught, warned], false);
    expect(summary.requirements.map(({ id }) => id)).toEqual(['customer.id.form', 'http.date']);
    expect(summary.unproven).toEqual([]);
    const page = pageOf([{ ...clean, service: variant, result: 'passed' }], false);
    expect(page).toContain('>1 of 1 conforming variant passed</h1>');
    expect(page).not.toMatch(/<table[^]*Caught alone|id="(?:faults|charts)"/);
    // Every link leads somewhere.
    const linked = pageOf([caught, warned], false);
    for (const [, id] of linked.matchAll(/href="#([^"]+)"/g)) expect(linked).toContain(`id="${id}"`);
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
        phase: 'plain requests',
      },
      { ...clean, seed, service: variant, result: 'passed' },
    ]);
    const text = proofJson(summariseProof(outcomes, false), {
      seeds: [1, 2],
      startedAt: '2026-01-01T00:00:00.000Z',
      seconds: 4,
    });
    const json = JSON.parse(text) as Record<string, unknown>;
    expect(json).toMatchObject({
      results: { caught: 2, 'caught-by-other': 0, missed: 0, passed: 2, 'false-positive': 0 },
      faults: [
        { name: fault.name, runs: [{ seed: 1, foundAfter: 3, phase: 'plain requests' }, { seed: 2 }] },
      ],
      variants: [{ name: variant.name, runs: [{ seed: 1, result: 'passed' }, { seed: 2 }] }],
    });
    expect(text).not.toContain(clean.output);
  });
});

describe('the phase that shows a fault', () => {
  const lines = [
    { type: 'exchange', number: 1, queue: 'wide customers' },
    { type: 'exchange', number: 2, queue: 'open questions' },
    { type: 'observation', exchange: 2, observation: { case: { scenario: 'life of a token' } } },
    { type: 'observation', exchange: 1, control: 3, observation: { case: { scenario: 'wide customers' } } },
    {
      type: 'summary',
      scenario: 'combined customers',
      ids: [
        [4, 'cus_4'],
        [5, null],
      ],
    },
  ].map((line) => JSON.stringify(line));

  it.each([
    [1, 'wide input'],
    [2, 'life of a token'],
    [3, undefined],
    [5, 'combined input'],
  ])('of exchange %i is %s', (number, phase) => {
    expect(phaseOf(lines, number)).toBe(phase);
  });
});

describe('a sample', () => {
  const all = [...allVariants, ...allFaults];

  it.each([1, 40, 200])('of %i has some of every group, and about that many', (count) => {
    const sample = sampleOf(all, count);
    const groups = (services: typeof all): Set<string> =>
      new Set(services.map((service) => `${isFault(service)} ${service.group}`));
    expect(groups(sample)).toEqual(groups(all));
    expect(new Set(sample).size).toBe(sample.length);
    expect(Math.abs(sample.length - count)).toBeLessThan(groups(all).size);
  });

  it('of all is all of them', () => {
    expect(new Set(sampleOf(all, all.length))).toEqual(new Set(all));
  });
});
