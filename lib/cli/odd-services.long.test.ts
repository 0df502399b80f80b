import { describe, expect, it } from 'vitest';
import { ctsInProcess } from '../selftest/in-process.ts';
import { oddServices } from '../selftest/odd-services.ts';
import { serviceThat, words, variablesOf } from '../selftest/services.ts';

/** Those that odd-services.test.ts leaves out, and a sample of the others. */
const some = oddServices.filter(({ isSlow }, at) => isSlow || at % 5 === 0);

describe('a run', () => {
  it.each(some)('against $name exits with $run', async (odd) => {
    const { behaviour, environment, isReady, run, doctor } = odd;
    const service = await serviceThat(behaviour);
    const variables = { ...variablesOf(service), ...environment };
    const checked = await ctsInProcess(['doctor'], variables);
    expect(words(checked.stdout)).toMatch(doctor);
    expect(checked.stdout.includes('\nREADY')).toBe(isReady);
    service.received.length = 0;
    const { code, stdout } = await ctsInProcess(['--cases', '60', '--seed', '7'], variables);
    expect(code, stdout).toBe(run);
    expect(odd === some[0] && service.received.length >= 5).toBe(false);
    // The contract: READY means that a run comes to a verdict.
    expect(isReady && code === 3).toBe(false);
  });
});
