import { describe, expect, it } from 'vitest';
import { ctsInProcess } from '../selftest/in-process.ts';
import { oddServices } from '../selftest/odd-services.ts';
import { serviceThat, words, variablesOf } from '../selftest/services.ts';

// What a run says about each of them: odd-services.long.test.ts.
describe('doctor', () => {
  it.each(oddServices.filter(({ isSlow }) => !isSlow))(
    'knows $name (ready: $isReady)',
    async ({ behaviour, environment, doctor, isReady }) => {
      const service = await serviceThat(behaviour);
      const { code, stdout } = await ctsInProcess(['doctor'], { ...variablesOf(service), ...environment });
      expect(words(stdout)).toMatch(doctor);
      expect(stdout).toMatch(isReady ? /\nREADY/ : /\nNOT READY/);
      expect(code).toBe(isReady ? 0 : 3);
      expect(stdout).not.toContain(service.apiKey);
    },
  );

  it('says READY only if a run reaches a verdict', () => {
    expect(oddServices.filter(({ isReady, run }) => isReady && run === 3)).toEqual([]);
  });
});
