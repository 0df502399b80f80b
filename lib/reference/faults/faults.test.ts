import { describe, expect, it } from 'vitest';
import { levelOf, idsToProve } from '../../selftest/prove/scenario.ts';
import { categories } from './fault.ts';
import { allFaults } from './faults.ts';

describe('faults', () => {
  it('are many, each under a name of its own', () => {
    const names = allFaults.map(({ name }) => name);
    expect(names.length).toBeGreaterThan(300);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
    for (const name of names) expect(name).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
  });

  it('are of every category', () => {
    expect(new Set(allFaults.map(({ category }) => category))).toEqual(new Set(categories));
  });

  it('each name a requirement that must catch them', () => {
    for (const { caughtBy } of allFaults) {
      expect(caughtBy.length).toBeGreaterThan(0);
      expect(idsToProve).toEqual(expect.arrayContaining([...caughtBy]));
    }
  });

  it('leave no requirement without a fault', () => {
    const named = new Set(allFaults.flatMap(({ caughtBy }) => caughtBy));
    expect(idsToProve.filter((id) => !named.has(id))).toEqual([]);
  });

  it('break either what the interface states or what an RFC advises', () => {
    for (const { category, caughtBy, profile } of allFaults) {
      const level = category === 'advice' ? 'should' : profile ? 'declared' : 'must';
      expect(caughtBy.filter((id) => levelOf(id) !== level)).toEqual([]);
    }
  });

  it('start afresh each time', () => {
    for (const { behaviour } of allFaults) expect(behaviour()).not.toBe(behaviour());
  });
});
