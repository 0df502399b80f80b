import { describe, expect, it } from 'vitest';
import type { EvidenceLine } from '../../schemas/evidence.ts';
import { mergeEvidence } from './merge-evidence.ts';

/** Evidence of one run: as many exchanges, and where redacted tokens are shown. */
const evidence = (exchanges: number, shown: string): EvidenceLine[] =>
  [
    { type: 'run', startedAt: '2026-03-01T12:00:00.000Z' },
    ...Array.from({ length: exchanges }, (_, at) => ({ type: 'exchange', number: at + 1, shown })),
  ] as unknown as EvidenceLine[];

describe('merged evidence', () => {
  it('numbers redacted tokens as the exchanges that issued them', () => {
    const merged = mergeEvidence(
      [evidence(5, ''), evidence(1, '[token 1] [possible token 1] token 1')],
      () => false,
    );
    expect(merged.at(-2)).toEqual({
      type: 'exchange',
      number: 6,
      shown: '[token 6] [possible token 6] token 1',
    });
  });
});
