import { describe, expect, it } from 'vitest';
import { families } from '../reference/faults/fault.ts';
import { allFaults } from '../reference/faults/faults.ts';
import { proveAll, sampleOf } from './prove.ts';
import type { Proof } from './prove.ts';
import { renderSummary, summarise } from './summary.ts';

describe('proof', () => {
  it('the suite catches faults of every family, by a requirement that they name, and spares the innocent', async () => {
    const faults = families.flatMap((family) =>
      sampleOf(
        allFaults.filter((fault) => fault.family === family),
        family === 'names' || family === 'authentication' ? 5 : 2,
      ),
    );
    const trials = [undefined, ...faults].map((fault) => ({ fault, seed: 1 }));
    const proofs = await proveAll(trials, 2);
    const { missed, blamed, results } = summarise(proofs);
    expect(missed.map(({ fault }) => fault!.name)).toEqual([]);
    expect(blamed.map(({ output }) => output)).toEqual([]);
    expect(results).toEqual({ named: faults.length, other: 0, missed: 0 });
  }, 300_000);

  it('can fail: a service without a fault in the place of a faulty one is missed', () => {
    const fault = allFaults[0]!;
    const clean: Omit<Proof, 'fault'> = {
      seed: 1,
      exitCode: 0,
      failing: [],
      result: 'missed',
      requests: 400,
      seconds: 1,
      output: '',
    };
    const proofs = [
      { ...clean, fault },
      { ...clean, fault: undefined, exitCode: 1 },
    ];
    const summary = summarise(proofs);
    expect(summary.missed.map((proof) => proof.fault)).toEqual([fault]);
    expect(summary.blamed).toHaveLength(1);
    expect(summary.untripped).toHaveLength(summary.requirements.length);
    const text = renderSummary(summary, proofs);
    expect(text).toContain('MISSED:');
    expect(text).toContain('THE CORRECT SERVICE WAS BLAMED:');
  });

  it('samples evenly, and no fault twice', () => {
    for (const count of [1, 2, 7, 25, allFaults.length]) {
      expect(new Set(sampleOf(allFaults, count)).size).toBe(count);
    }
    expect(sampleOf(allFaults, 10_000)).toEqual(allFaults);
  });
});
