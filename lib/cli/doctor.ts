import { styleText } from 'node:util';
import { Command } from 'commander';
import { checkUp } from '../engine/readiness/checkup.ts';
import { preventsVerdict } from '../engine/readiness/diagnosis.ts';
import type { Diagnosis } from '../engine/readiness/diagnosis.ts';
import { firstContact } from '../engine/readiness/first-contact.ts';
import { openRun } from '../engine/run.ts';
import { guardAgainst } from '../report/guard.ts';
import { wrapped } from '../report/text.ts';
import type { Style } from '../report/vocabulary.ts';
import { COMMAND } from '../settings/package-root.ts';
import { secretsOf } from '../settings/route.ts';
import { ofTarget } from '../settings/settings.ts';
import { printable, quantity } from '../target/output/printable.ts';
import { redactAll } from '../target/output/record.ts';
import { exitCodes } from '../verdict/verdict.ts';
import { settingsOf, withSettings } from './options.ts';
import { print } from './output.ts';
import { startTarget } from './start-target.ts';

const description = `Finds out whether a service is ready to be checked.

Checks the host name, the connection, TLS and its certificate, the clock, the
key, one customer and one token, and prints what each means and what to do.
READY means that a run can reach a verdict; it does not predict which. Creates
one customer and one token, and up to three more tokens if the service is slow.
A run begins with the same checks of the key, a customer and a token, and stops
with the same messages.`;

const examples = `
Examples:
  cts-conformance doctor
  TARGET_BASE_URL=https://staging.example.com/api TARGET_API_KEY=sk_test_... cts-conformance doctor

Exit codes:
  0  ready: a run can reach a verdict; warnings show what it will find
  2  wrong usage or settings; nothing was sent
  3  not ready: a run would be inconclusive, as the target is unreachable, the
     interface is not there, or the key is in doubt`;

export const commandWith = (): Command =>
  withSettings(new Command('doctor').description(description), [...ofTarget, 'depth', 'cases', 'seed'])
    .addHelpText('after', examples)
    .action(async (_: unknown, self: Command) => {
      const { settings, stop } = await startTarget(await settingsOf(self));
      const secrets = new Set(secretsOf(settings).map(({ text }) => text));
      const run = openRun({
        settings,
        plan: [firstContact],
        requirements: [],
        report: (message) => {
          if ('secret' in message) secrets.add(message.secret);
        },
      });
      const write = (text: string): void => print(guardAgainst(secrets)('the screen', text));
      const diagnoses: Diagnosis[] = [];
      const { requirements } = (await import('./from-suites.ts')).catalogue;
      try {
        const which = settings.embedded
          ? ', the embedded reference service, because TARGET_BASE_URL is not set'
          : '';
        write(`${printable(settings.baseUrl)}${which}\n\n`);
        for await (const found of checkUp(run, requirements)) {
          const diagnosis = redactAll(found, run.target.redactor);
          diagnoses.push(diagnosis);
          write(diagnosisText(diagnosis));
        }
        write(readinessText(diagnoses));
      } finally {
        await run.target.close();
        await stop();
      }
      if (diagnoses.some(preventsVerdict)) process.exitCode = exitCodes.inconclusive;
    });

const marks: Readonly<Record<Diagnosis['state'], { readonly word: string; readonly style: Style }>> = {
  ok: { word: 'ok', style: 'green' },
  warning: { word: 'warn', style: 'yellow' },
  inconclusive: { word: 'fail', style: ['bold', 'red'] },
  stop: { word: 'fail', style: ['bold', 'red'] },
};

/** The result of one check, and what to do about it. */
function diagnosisText({ subject, state, text, advice }: Diagnosis): string {
  const { word, style } = marks[state];
  const mark = `${styleText(style, word)}${' '.repeat(4 - word.length)}`;
  const lines = [
    ...wrapped(printable(text), `  ${mark}  ${subject.padEnd(11)}  `),
    ...(advice === undefined ? [] : wrapped(advice, ' '.repeat(21))),
  ];
  return `${lines.join('\n')}\n`;
}

/** Whether a run is possible. */
function readinessText(diagnoses: readonly Diagnosis[]): string {
  const missing = diagnoses.filter(preventsVerdict);
  if (missing.length > 0) {
    const names = missing.map(({ subject }) => subject).join(', ');
    return `\n${styleText(['bold', 'red'], 'NOT READY')}  ${names}: see above\n`;
  }
  const warnings = diagnoses.filter(({ state }) => state === 'warning').length;
  const more = warnings === 0 ? '' : `, ${quantity(warnings, 'warning')}`;
  return `\n${styleText(['bold', 'green'], 'READY')}${more}; start with: ${COMMAND} run\n`;
}
