import { checkUp } from '../engine/checkup.ts';
import type { Diagnosis } from '../engine/diagnosis.ts';
import { openRun } from '../engine/run.ts';
import { diagnosisText, readinessText } from '../report/doctor-screen.ts';
import { guardAgainst } from '../report/guard.ts';
import { printable } from '../target/printable.ts';
import type { SettingName } from '../settings/settings.ts';
import { redactAll } from '../target/record.ts';
import { exitCodes } from '../verdict/verdict.ts';
import { flagsOf, readFlags, settingsOf } from './flags.ts';
import { settingsHelp } from './help.ts';
import { targetOf } from './target-of.ts';

const taken = [
  'baseUrl',
  'apiKey',
  'tokenScopes',
  'tokenExpiresIn',
  'timeout',
  'seed',
  'allowLiveKey',
] as const satisfies readonly SettingName[];

const help = (): string => `cts doctor: sees whether a service is ready to be checked

Usage: cts doctor [flags]

Looks at the name, the connection, TLS and its certificate, the clock, the key,
one customer and one token, and says of each what it means and what to do. One
customer is created. A run looks at the key, a customer and a token first as
well, and stops with the same words.

${settingsHelp([], taken)}
Examples:
  cts doctor
  TARGET_BASE_URL=https://staging.example.com/api TARGET_API_KEY=sk_test_... cts doctor

Exit codes:
  0  ready: a run will come to a verdict
  2  wrong usage or settings; nothing was sent
  3  not ready: away, key refused, or a plain customer or token was not accepted
`;

/** The command `cts doctor`. Sets the exit code. */
export async function doctor(args: readonly string[]): Promise<void> {
  const flags = readFlags(args, flagsOf(taken));
  if (flags.help) {
    process.stdout.write(help());
    return;
  }
  const { settings, release } = await targetOf(await settingsOf(flags));
  const secrets = new Set([settings.apiKey]);
  const run = openRun(settings, {
    progress: () => {},
    say: () => {},
    secret: (text) => void secrets.add(text),
  });
  const write = (text: string): void => void process.stdout.write(guardAgainst(secrets)('the screen', text));
  const seen: Diagnosis[] = [];
  try {
    const which = settings.embedded ? ', the embedded reference service: no TARGET_BASE_URL is given' : '';
    write(`${printable(settings.baseUrl)}${which}\n\n`);
    for await (const found of checkUp(run)) {
      const diagnosis = redactAll(found, run.target.redactor);
      seen.push(diagnosis);
      write(diagnosisText(diagnosis, process.stdout));
    }
    write(readinessText(seen, process.stdout));
  } finally {
    await run.target.close();
    await release();
  }
  if (seen.some(({ state }) => state === 'bad')) process.exitCode = exitCodes.inconclusive;
}
