import { describe, expect, it } from 'vitest';
import { families } from './twin.ts';
import { allTwins } from './twins.ts';

describe('twins', () => {
  it('are many, each under a name of its own', () => {
    const names = allTwins.map(({ name }) => name);
    expect(names.length).toBeGreaterThan(200);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
    for (const name of names) expect(name).toMatch(/^[a-z0-9.]+(?:-[a-z0-9.]+)*$/);
  });

  it('are of every family, and say what they choose about', () => {
    expect(new Set(allTwins.map(({ family }) => family))).toEqual(new Set(families));
    for (const { open } of allTwins) expect(open).not.toBe('');
  });

  it('start afresh each time', () => {
    for (const { variant } of allTwins) expect(variant()).not.toBe(variant());
  });
});
