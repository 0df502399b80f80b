import { describe, expect, it } from 'vitest';
import { levelOf, idsToProve } from '../../selftest/prove/proof-task.ts';
import { allFaults } from './faults.ts';

describe('faults', () => {
  it('are many and have unique names', () => {
    const names = allFaults.map(({ name }) => name);
    expect(names.length).toBeGreaterThan(300);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
    for (const name of names) expect(name).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
  });

  it('name the requirements that must catch them', () => {
    for (const { caughtBy } of allFaults) {
      expect(caughtBy.length).toBeGreaterThan(0);
      expect(idsToProve).toEqual(expect.arrayContaining([...caughtBy]));
    }
  });

  it('cover every requirement', () => {
    const named = new Set(allFaults.flatMap(({ caughtBy }) => caughtBy));
    expect(idsToProve.filter((id) => !named.has(id))).toEqual([]);
  });

  it('violate the interface, an RFC or a profile, by the level of their requirements', () => {
    for (const { group, caughtBy, profile } of allFaults) {
      const level = group === 'recommendations' ? 'should' : profile ? 'declared' : 'must';
      expect(caughtBy.filter((id) => levelOf(id) !== level)).toEqual([]);
    }
  });

  it('have new state each time', () => {
    for (const { behaviour } of allFaults) expect(behaviour()).not.toBe(behaviour());
  });
});
