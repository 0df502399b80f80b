import { styleText } from 'node:util';
import type { EndLine, EvidenceLine, RunLine } from '../schemas/evidence.ts';
import { commandless } from '../target/commandless.ts';
import { failureText } from '../engine/failure-text.ts';
import { exitCodes, verdictOf } from '../verdict/verdict.ts';
import type { Verdict } from '../verdict/verdict.ts';
import type { Finish } from './finish-run.ts';
import type { ReportedRequirement } from '../schemas/report.ts';
import type { ReadReport, ReadRequirement } from './read.ts';
import { suite } from './suite.ts';

/** A report, and where it was read. */
type Reported = ReadReport & { readonly path: string };

/** Shows what recorded evidence comes to, and whether the report says the same. */
export const finishJudge =
  (evidence: readonly EvidenceLine[], reported: Reported | undefined): Finish =>
  async ({ report, outcome, stream }) => {
    const run = evidence.find((line): line is RunLine => line.type === 'run')!;
    const end = evidence.find((line): line is EndLine => line.type === 'end');
    const { requirements } = report;
    const isInterrupted = end?.interrupted === true;
    const cause = isInterrupted ? 'interrupt' : end?.stopCause;
    const verdict = end ? verdictOf(requirements, run.strict, cause) : 'inconclusive';
    const differences = reported ? differencesOf(verdict, requirements, reported, isInterrupted) : [];
    const exchanges = evidence.filter(({ type }) => type === 'exchange').length;
    const failures = requirements
      .filter(({ verdict: own }) => own === 'fail' || (run.strict && own === 'warn'))
      .map((failed) => `${failureText(failed, outcome.settings.out)}\n\n`);
    const paint = (style: 'bold' | 'red' | 'green', text: string): string =>
      styleText(style, text, { stream });
    stream.write(
      commandless(
        [
          ...failures,
          `${paint('bold', verdict)}  judged from ${exchanges} recorded exchanges of ${run.startedAt}; nothing was sent\n`,
          ...(reported === undefined
            ? ['  no report was compared: there is none beside the evidence; name one with --report FILE\n']
            : differences.length === 0
              ? [`  ${paint('green', 'equal')} to ${reported.path}, requirement by requirement\n`]
              : [
                  `  ${paint('red', 'not equal')} to ${reported.path}: ${whyOf(run, evidence, isInterrupted && differences.length === 1 && verdict !== reported.verdict)}\n`,
                  ...differences.map((difference) => `    ${difference}\n`),
                ]),
        ].join(''),
      ),
    );
    return differences.length > 0 ? exitCodes['does-not-conform'] : exitCodes[verdict];
  };

/**
 * Why a report may say something else than its evidence.
 * @param isCutShort whether all that differs is what an interrupted run had seen and not judged
 */
function whyOf(
  { suite: { version }, replayed }: RunLine,
  evidence: readonly EvidenceLine[],
  isCutShort: boolean,
): string {
  if (version !== suite.version)
    return `the rules may have changed: the evidence is of version ${version}, this is ${suite.version}`;
  if (isCutShort) return 'the run was interrupted before it had judged all that it had seen';
  if (replayed !== undefined)
    return 'it may hold what recorded cases broke, which were sent again first and are no evidence of a run';
  if (evidence.some((line) => line.type === 'exchange' && line.reply.cut))
    return 'some bodies were too long for the evidence, and can not be judged again';
  return 'the report or the evidence was edited, as both are of this version of the suite';
}

function differencesOf(
  verdict: Verdict,
  judged: readonly ReportedRequirement[],
  reported: Reported,
  isInterrupted: boolean,
): string[] {
  const before = reported.requirements;
  const ids = [...new Set([...judged.map(({ id }) => id), ...before.keys()])];
  return [
    ...(verdict === reported.verdict ? [] : [`the verdict: ${reported.verdict} reported, ${verdict} judged`]),
    ...ids.flatMap((id) => {
      // An interrupted run has seen more than it came to judge.
      if (isInterrupted && before.get(id)?.verdict === 'untested') return [];
      const [was, is] = [before.get(id), judged.find((one) => one.id === id)].map(inWords);
      return was === is ? [] : [`${id}: ${was} reported, ${is} judged`];
    }),
  ];
}

const inWords = (one: Pick<ReadRequirement, 'verdict' | 'cases' | 'broken'> | undefined): string =>
  one === undefined
    ? 'nothing'
    : `${one.verdict}, ${one.broken} of ${one.cases} ${one.cases === 1 ? 'case' : 'cases'} broken`;
