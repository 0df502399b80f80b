import { describe, expect, it } from 'vitest';
import { entryOf, requirementIds } from '../../requirements/catalogue.ts';
import type { RequirementId } from '../../requirements/catalogue.ts';
import { families } from './fault.ts';
import { allFaults } from './faults.ts';

describe('faults', () => {
  it('are many, each under a name of its own', () => {
    const names = allFaults.map(({ name }) => name);
    expect(names.length).toBeGreaterThan(300);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
    for (const name of names) expect(name).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
  });

  it('are of every family', () => {
    expect(new Set(allFaults.map(({ family }) => family))).toEqual(new Set(families));
  });

  it('each name a requirement that must catch them', () => {
    for (const { caughtBy } of allFaults) {
      expect(caughtBy.length).toBeGreaterThan(0);
      expect(requirementIds).toEqual(expect.arrayContaining([...caughtBy]));
    }
  });

  it('leave no requirement without a fault', () => {
    const named = new Set(allFaults.flatMap(({ caughtBy }) => caughtBy));
    expect(requirementIds.filter((id) => !named.has(id))).toEqual([]);
  });

  it('break either what the interface states or what an RFC advises', () => {
    for (const { family, caughtBy } of allFaults) {
      const level = family === 'advice' ? 'should' : 'must';
      expect(caughtBy.filter((id) => entryOf(id as RequirementId).level !== level)).toEqual([]);
    }
  });

  it('start afresh each time', () => {
    for (const { variant } of allFaults) expect(variant()).not.toBe(variant());
  });
});
