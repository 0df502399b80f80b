import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { screenOf } from './screen.ts';
import type { Detail } from './screen.ts';
import { brokenRequirement, sampleReport, sampleRequirement } from './sample.testing.ts';

const streamThat = (isTTY: boolean): NodeJS.WriteStream =>
  Object.assign(new PassThrough(), { isTTY, columns: 80 }) as unknown as NodeJS.WriteStream;
const pipe = streamThat(false);
const terminal = streamThat(true);

const report = sampleReport([
  sampleRequirement({ id: 'customer.id.form' }),
  brokenRequirement('customer.name.echoed'),
  sampleRequirement({
    id: 'http.date',
    level: 'should',
    verdict: 'warn',
    broken: 2,
    reason: `a reason of ${'many words '.repeat(20)}`,
  }),
]);

const screen = (detail: Detail, stream = pipe): string =>
  screenOf(report, { out: 'reports', stream, detail });

describe('the screen', () => {
  it('shows what passes, unless it is quiet', () => {
    expect(screen('normal')).toMatch(/pass {2}customer\.id\.form/);
    expect(screen('quiet')).not.toContain('customer.id.form');
    for (const detail of ['quiet', 'normal', 'verbose'] as const) {
      expect(screen(detail)).toMatch(/fail {2}customer\.name\.echoed/);
      expect(screen(detail)).toContain('  replay    npx --no-install cts-conformance replay');
      expect(screen(detail).trim().split('\n').at(-1)).toContain('reports/index.html');
    }
  });

  it('shows warnings in full only if it is verbose', () => {
    expect(screen('normal')).not.toContain('http.date (');
    expect(screen('verbose')).toContain('http.date (');
  });

  it('wraps lines for a terminal, not for a pipe', () => {
    const longest = (text: string): number =>
      Math.max(
        ...text
          .split('\n')
          .filter((line) => line.includes('many words'))
          .map(stripVTControlCharacters)
          .map(({ length }) => length),
      );
    expect(longest(screen('normal', terminal))).toBeLessThanOrEqual(80);
    expect(longest(screen('normal'))).toBeGreaterThan(80);
  });
});
