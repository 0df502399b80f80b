import { describe, expect, it } from 'vitest';
import type { Observation } from '../lib/engine/observation.ts';
import { findClash, mustBeRejected } from './checks.ts';

const observed = (number: number, id: string, category = 'quotes') =>
  ({ id, case: { category }, exchange: { number } }) as unknown as Observation;
const idOf = (one: Observation) => (one as unknown as { id: string }).id;
const violation = { expected: 'another', actual: 'this' };

describe('a clash', () => {
  const [first, second] = [observed(5, 'b'), observed(6, 'b')];

  it('is found among exchanges that were not kept, too, and shown by those that were', () => {
    const ids = [
      [1, 'a'],
      [2, null],
      [3, 'a'],
      [4, 'b'],
    ] as const;
    const found = findClash([first, second], idOf, () => violation, ids);
    expect(found).toEqual({ first, second, violation, broken: 3 });
    expect(findClash([], idOf, () => violation, ids)).toEqual({ first: 1, second: 3, violation, broken: 1 });
    expect(findClash([first], idOf, () => violation, ids)).toMatchObject({
      first: 4,
      second: first,
      broken: 2,
    });
    expect(findClash([first], idOf, () => violation, ids.slice(0, 2))).toBeUndefined();
  });

  it('is shown by plain or identical input, if there is some', () => {
    const plain = [observed(7, 'c', 'plain'), observed(8, 'c', 'identical')];
    expect(findClash([first, second, ...plain], idOf, () => violation)).toMatchObject({
      first: plain[0],
      second: plain[1],
      broken: 2,
    });
  });

  it('is not a violation if something explains it', () => {
    expect(findClash([first, second], idOf, () => undefined)).toBeUndefined();
  });
});

describe('a request that must be rejected', () => {
  const accepted = (status: number) =>
    ({ accepted: true, place: '/data', exchange: { reply: { status } } }) as unknown as Observation;

  it('fails with the place of the result where its status is one of a rejection', () => {
    expect(mustBeRejected('token')(accepted(401))).toMatchObject({ pointer: '/data' });
    expect(mustBeRejected('token')(accepted(201))).not.toHaveProperty('pointer');
  });
});
