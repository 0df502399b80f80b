import { describe, expect, it } from 'vitest';
import { brokenRequirement, sampleReport, sampleRequirement } from '../sample.testing.ts';
import { badgeOf } from './badge.ts';
import { formats } from './formats.ts';

const required = sampleRequirement();
const recommended = sampleRequirement({ level: 'should', verdict: 'warn' });

describe('badge.json', () => {
  it.each([
    ['conforms', [required], { message: 'conforms', color: 'brightgreen' }],
    [
      'conforms',
      [required, sampleRequirement({ verdict: 'waived' })],
      { message: 'conforms, 1 waived', color: 'yellow' },
    ],
    [
      'does-not-conform',
      [required, brokenRequirement('x')],
      { message: '1 of 2 fail', color: 'red', isError: true },
    ],
    [
      'does-not-conform',
      [required, recommended],
      { message: 'recommendation not followed', color: 'red', isError: true },
    ],
    ['inconclusive', [required], { message: 'inconclusive', color: 'lightgrey', isError: true }],
  ] as const)('of a run that is %s', (verdict, requirements, badge) => {
    const made = badgeOf(sampleReport(requirements, { verdict }));
    expect(made).toEqual({ schemaVersion: 1, label: 'interface', ...badge });
  });

  it.each([{ only: 'http.*' }, { shard: { index: 1, count: 4 } }])('is not made of a part: %j', (run) => {
    const { isFor } = formats.find(({ name }) => name === 'badge.json')!;
    expect(isFor!(sampleReport([required]))).toBe(true);
    expect(isFor!(sampleReport([required], { run }))).toBe(false);
  });

  it('says so where the reference service was tested', () => {
    const target = { baseUrl: 'http://127.0.0.1:1', embedded: true } as const;
    expect(badgeOf(sampleReport([required], { target })).label).toBe('reference service');
  });
});
