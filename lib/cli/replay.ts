import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { Command } from 'commander';
import { allIds, requirementIds } from './from-suites.ts';
import { failureText } from '../engine/judging/failure-text.ts';
import { isEachTime } from '../engine/judging/reproduce.ts';
import type { Report, ReportedRequirement } from '../schemas/report.ts';
import type { SavedCase } from '../settings/run-settings.ts';
import { oneLine, printable } from '../target/output/printable.ts';
import { exitCodes } from '../verdict/verdict.ts';
import type { Finish } from '../report/finish.ts';
import { wrapped } from '../report/text.ts';
import type { Style } from '../report/vocabulary.ts';
import { ofTarget } from '../settings/settings.ts';
import { similarTo } from '../settings/similar.ts';
import { UsageError } from '../settings/usage-error.ts';
import { settingsOf, withSettings } from './options.ts';
import { print } from './output.ts';
import type { RunSuites } from './run-suites.ts';
import { readCase } from './saved-cases.ts';

const description = `Sends a saved counterexample again, to see whether it is fixed.

Sends it three times, or ten times if it did not fail every time when it was
found. Addresses get a new nonce, as a service may accept an address only once.`;

const examples = `
Examples:
  cts-conformance replay customer.name.echoed
  cts-conformance replay reports/cases/customer.name.echoed.json --base-url https://staging.example.com

Exit codes:
  0  FIXED: it passed every time now, and failed every time before
  1  STILL FAILS: it failed at least once
  2  wrong usage or settings; nothing was sent
  3  NOT REPRODUCED: it passed every time now, but sometimes also before;
     or INCONCLUSIVE: no response, or the target now rejects the input`;

export const commandWith = (runSuites: RunSuites): Command =>
  withSettings(
    new Command('replay')
      .description(description)
      .argument('<case>', 'the file of a case, or an id, which means DIR/cases/ID.json'),
    [...ofTarget, 'profile', 'out'],
  )
    .addHelpText('after', examples)
    .action(async (named: string, _: unknown, self: Command) => {
      const settings = await settingsOf(self);
      const saved = readCase(fileOf(named, settings.out));
      // The embedded service conforms: a failure of another service would always seem fixed there.
      if (settings.baseUrl === undefined)
        throw new UsageError(
          `replay: TARGET_BASE_URL is missing: set the URL of the service to send it to${
            saved.url === undefined ? '' : `; the case was found at ${oneLine(saved.url, 200)}`
          }`,
        );
      await runSuites({ ...settings, only: saved.requirement, replay: saved }, finishReplay);
    });

/** The file of a case. @throws {UsageError} for an unknown id, or one without a case */
function fileOf(named: string, out: string): string {
  if (existsSync(named) || /[\\/]|\.json$/.test(named)) return named;
  if (allIds.includes(named) && !requirementIds.includes(named))
    throw new UsageError(
      `replay: ${named} is a question; run --only ${named} --profile FILE compares its answer with the declared one again`,
    );
  if (!requirementIds.includes(named))
    throw new UsageError(
      `replay: neither a file nor a requirement has this name; similar ids: ${similarTo(named, requirementIds)}`,
    );
  const file = join(out, 'cases', `${named}.json`);
  if (!existsSync(file))
    throw new UsageError(
      `replay: ${file}: the file does not exist; a run writes it when the requirement fails`,
    );
  return file;
}

type ReplayResult = 'STILL FAILS' | 'FIXED' | 'NOT REPRODUCED' | 'INCONCLUSIVE';

const results: Readonly<Record<ReplayResult, { readonly style: Style; readonly code: number }>> = {
  'STILL FAILS': { style: ['bold', 'red'], code: exitCodes['does-not-conform'] },
  FIXED: { style: ['bold', 'green'], code: exitCodes.conforms },
  'NOT REPRODUCED': { style: ['bold', 'yellow'], code: exitCodes.inconclusive },
  INCONCLUSIVE: { style: ['bold', 'yellow'], code: exitCodes.inconclusive },
};

function resultOf({ counterexample, verdict }: ReportedRequirement, saved: SavedCase): ReplayResult {
  if (counterexample) return 'STILL FAILS';
  if (verdict !== 'pass') return 'INCONCLUSIVE';
  return isEachTime(saved) ? 'FIXED' : 'NOT REPRODUCED';
}

/** Prints the result of a replay. */
const finishReplay: Finish = async ({ report, outcome: { settings }, guard }) => {
  const replay = settings.replay!;
  const replayed = report.requirements.find(({ id }) => id === replay.requirement)!;
  print(guard('the screen', replayScreen(report, replayed, replay)));
  return results[resultOf(replayed, replay)].code;
};

/** The result comes last. */
export function replayScreen({ target }: Report, requirement: ReportedRequirement, saved: SavedCase): string {
  const { id, cases, reason = 'it was not judged', counterexample } = requirement;
  const result = resultOf(requirement, saved);
  const texts: Readonly<Record<ReplayResult, string>> = {
    'STILL FAILS': `failed in ${counterexample?.reproduced} replays`,
    FIXED: `passed in each of ${cases} replays`,
    'NOT REPRODUCED': `passed in each of ${cases} replays, but ${
      saved.alone === 'passes'
        ? 'these are sent one after the other, and it failed only while other requests were in flight: run the suite again'
        : `it was intermittent before (${saved.reproduced})`
    }`,
    INCONCLUSIVE: reason,
  };
  return [
    ...(counterexample ? [failureText(requirement, saved.file), ''] : []),
    ...wrapped(printable(`${id}: ${texts[result]}`), `${styleText(results[result].style, result)}  `),
    `  at ${oneLine(target.baseUrl, 200)}${
      saved.url === undefined || saved.url.startsWith(`${target.baseUrl}/`)
        ? ''
        : `; the case was found at another address, ${oneLine(saved.url, 200)}`
    }`,
    '',
  ].join('\n');
}
