import { describe, expect, it } from 'vitest';
import type { Observation } from '../lib/engine/observation.ts';
import { clash, keyLost } from './checks.ts';

const observed = (number: number, id: string) => ({ id, exchange: { number } }) as unknown as Observation;
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
    const found = clash([first, second], idOf, () => violation, ids);
    expect(found).toEqual({ first, second, violation, broken: 3 });
    expect(clash([], idOf, () => violation, ids)).toEqual({ first: 1, second: 3, violation, broken: 1 });
    expect(clash([first], idOf, () => violation, ids)).toMatchObject({ first: 4, second: first, broken: 2 });
    expect(clash([first], idOf, () => violation, ids.slice(0, 2))).toBeUndefined();
  });

  it('is no violation where something explains it', () => {
    expect(clash([first, second], idOf, () => undefined)).toBeUndefined();
  });
});

describe('a key that was accepted, and then is not', () => {
  const plain = (number: number, status: number, more: object = {}) =>
    ({
      case: { category: 'plain' },
      accepted: status < 300,
      exchange: { number, reply: { status } },
      ...more,
    }) as unknown as Observation;

  it('is the cause of rejections that come after all that was accepted, with the status of a wrong key', () => {
    const lost = [plain(1, 201), plain(7, 201), plain(9, 401), plain(8, 401)];
    expect(keyLost(lost)?.text).toBe('the key was accepted until exchange 7, and is rejected with 401 since');
    for (const others of [
      [plain(9, 401)],
      [...lost, plain(10, 201)],
      [...lost, plain(10, 422)],
      [plain(1, 201), plain(2, 500)],
      [...lost, plain(3, 201, { intermittent: 'exchange' })],
    ])
      expect(keyLost(others)).toBeUndefined();
  });
});
