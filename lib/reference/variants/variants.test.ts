import { describe, expect, it } from 'vitest';
import { allVariants } from './variants.ts';

describe('variants', () => {
  it('are many and have unique names', () => {
    const names = allVariants.map(({ name }) => name);
    expect(names.length).toBeGreaterThan(200);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
    for (const name of names) expect(name).toMatch(/^[a-z0-9.]+(?:-[a-z0-9.]+)*$/);
  });

  it('state what is not specified', () => {
    for (const { open } of allVariants) expect(open).not.toBe('');
  });

  it('have new state each time', () => {
    for (const { behaviour } of allVariants) expect(behaviour()).not.toBe(behaviour());
  });
});
