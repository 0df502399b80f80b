import { describe, expect, it } from 'vitest';
import { cts } from '../selftest/command.ts';
import type { CommandResult } from '../selftest/command.ts';
import { ctsInProcess } from '../selftest/in-process.ts';
import { oddServices } from '../selftest/odd-services.ts';
import type { OddService } from '../selftest/odd-services.ts';
import { serviceThat, words, variablesOf } from '../selftest/services.ts';

const slow = oddServices.filter(({ isSlow }) => isSlow);
/** A sample: doctor.test.ts has them all. */
const others = oddServices.filter(({ isSlow }, at) => !isSlow && at % 5 === 0);

type Command = (
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
) => Promise<CommandResult>;

/** What the commands say about a service. */
const resultWith = async (command: Command, { name, behaviour, environment }: OddService) => {
  const service = await serviceThat(behaviour);
  const variables = { ...variablesOf(service), ...environment };
  const { stdout } = await command(['doctor'], variables);
  service.received.length = 0;
  const { code } = await command(['--cases', '60', '--seed', '7'], variables);
  const isReady = stdout.includes('\nREADY');
  return { name, doctor: words(stdout), isReady, run: code, isShort: service.received.length < 5 };
};

const expectedOf = ({ name, doctor, isReady, run }: OddService) => ({
  name,
  doctor: expect.stringMatching(doctor) as string,
  isReady,
  run,
  isShort: name === 'a login page' ? true : (expect.any(Boolean) as boolean),
});

describe('a run', () => {
  it.each(others)('against $name exits with $run', async (odd) => {
    expect(await resultWith(ctsInProcess, odd)).toEqual(expectedOf(odd));
  });

  // In processes of their own they can wait at the same time.
  it('against those that take long exits as expected', async () => {
    expect(await Promise.all(slow.map((odd) => resultWith(cts, odd)))).toEqual(slow.map(expectedOf));
  });
});
