import fc from 'fast-check';
import { afterEach, expect, it, vi } from 'vitest';
import { anyReport, anyText } from '../report/any-report.testing.ts';
import { flawsOfScreen } from '../report/inert.testing.ts';
import { shown } from '../target/output/printable.ts';
import { replayScreen } from './replay.ts';

afterEach(() => void vi.unstubAllEnvs());

const REPLAYED = {
  file: 'x.json',
  requirement: 'x',
  scenarios: [],
  category: '',
  inputs: [],
  reproduced: '3/3',
};

it('the result of a replay is inert text on the screen', () => {
  vi.stubEnv('FORCE_COLOR', '0');
  fc.assert(
    fc.property(anyReport(anyText.map(shown)), (report) => {
      for (const requirement of report.requirements)
        expect(flawsOfScreen(replayScreen(report, requirement, REPLAYED))).toEqual([]);
    }),
  );
});
