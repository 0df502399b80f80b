import { stopCauseOf } from './recorded.ts';
import { mayBeEnough } from '../../schemas/evidence.ts';
import type { AnswerLine, EndLine, EvidenceLine, ExplorationLine } from '../../schemas/evidence.ts';
import { quantity } from '../../target/output/printable.ts';
import { firstContact } from '../readiness/first-contact.ts';
import { clockOf, linesOf } from './lines.ts';

/**
 * Merges the evidence of several runs into that of one, and renumbers the exchanges.
 * @param isDrift whether an answer differs from the declared one: if a question has several answers, such a one is kept
 */
export function mergeEvidence(
  all: readonly (readonly EvidenceLine[])[],
  isDrift: (answer: AnswerLine['answer']) => boolean,
): EvidenceLine[] {
  const runs = all.map((lines) => (isWithoutTarget(lines) ? withoutResponses(lines) : lines));
  const heads = runs.map((lines) => linesOf(lines, 'run')[0]!);
  const { shard: _, ...first } = heads[0]!;
  const clock = Math.min(...heads.map(clockOf));
  const numbersUsed = runs.map(numbersUsedBy);
  const last = numbersUsed.reduce((sum, count) => sum + count, 0);
  const merged = runs.flatMap((lines, at) => {
    const offset = numbersUsed.slice(0, at).reduce((sum, count) => sum + count, 0);
    const later = clockOf(heads[at]!) - clock;
    const observed = linesOf(lines, 'observation');
    const isAnsweredAfter = (number: number, scenario: string): boolean =>
      observed.some(
        ({ exchange, observation }) => exchange > number && observation.case.scenario === scenario,
      );
    return lines.map((line) =>
      line.type === 'exploration'
        ? {
            ...line,
            lost: line.lost.map((one) =>
              moveLost(one, offset, isAnsweredAfter(one.after ?? 0, line.scenario), last),
            ),
          }
        : moved(line, offset, later),
    );
  });
  const explorations = Map.groupBy(linesOf(merged, 'exploration'), ({ scenario }) => scenario);
  const answers = Map.groupBy(linesOf(merged, 'answer'), ({ answer: { id } }) => id);
  const lines: EvidenceLine[] = [
    {
      ...first,
      startedAt: heads.map(({ startedAt }) => startedAt).toSorted()[0]!,
      clockStartedAt: new Date(clock).toISOString(),
    },
    ...linesOf(merged, 'exchange'),
    ...linesOf(merged, 'observation'),
    ...linesOf(merged, 'summary'),
    ...[...explorations.values()].map((lines) => mergedExploration(lines, runs.length)),
    ...[...answers.values()].map(
      (own) =>
        own.find(({ answer }) => isDrift(answer)) ??
        own.find(({ answer }) => answer.answer !== undefined) ??
        own[0]!,
    ),
  ];
  return [...lines, { ...mergedEnd(runs.map((lines) => linesOf(lines, 'end')[0])), lines: lines.length }];
}

/** Whether a run found no target that it could test, as one with a wrong key does. */
function isWithoutTarget(lines: readonly EvidenceLine[]): boolean {
  const first = firstContact.sends.map(({ name }) => name);
  const later = linesOf(lines, 'exploration').filter(({ scenario }) => !first.includes(scenario));
  return later.length > 0 && later.every(({ failure }) => failure?.kind === 'inconclusive');
}

/** The evidence of such a run, without the responses that it got: another run judges the service, and not by these. */
function withoutResponses(lines: readonly EvidenceLine[]): EvidenceLine[] {
  const shard = linesOf(lines, 'run')[0]?.shard;
  const where = shard ? `shard ${shard.index} of ${shard.count} tested nothing: ` : '';
  return lines
    .filter(({ type }) => type !== 'exchange' && type !== 'observation')
    .map((line) =>
      line.type === 'exploration' && line.failure
        ? { ...line, failure: { ...line.failure, message: `${where}${line.failure.message}` } }
        : line.type === 'answer'
          ? { ...line, answer: { ...line.answer, exchanges: [] } }
          : line,
    );
}

/** How many numbers the exchanges of a run need. */
const numbersUsedBy = (lines: readonly EvidenceLine[]): number =>
  linesOf(lines, 'exchange').reduce((max, { number }) => Math.max(max, number), 0) +
  linesOf(lines, 'summary').reduce((count, { ids }) => count + ids.length, 0);

type Lost = ExplorationLine['lost'][number];

/**
 * Renumbers a case without a response, which counts if others of its scenario were answered afterwards: in its own run,
 * not in one that follows it here.
 * @param end the last number of all runs
 */
const moveLost = (lost: Lost, offset: number, isAnsweredLater: boolean, end: number): Lost =>
  lost.after === undefined ? lost : { ...lost, after: isAnsweredLater ? lost.after + offset : end };

/** Labels of tokens contain the number of the exchange that issued them. */
const withTokens = (line: EvidenceLine, offset: number): EvidenceLine =>
  JSON.parse(
    JSON.stringify(line).replaceAll(/(?<=\[(?:possible )?token )\d+(?=\])/g, (number) =>
      String(Number(number) + offset),
    ),
  ) as EvidenceLine;

/**
 * A line of one of several runs.
 * @param offset the last number of those before it
 * @param later by how many milliseconds its clock started later than the earliest
 */
function moved(whole: EvidenceLine, offset: number, later: number): EvidenceLine {
  const line = offset === 0 ? whole : withTokens(whole, offset);
  if (line.type === 'exchange')
    return { ...line, number: line.number + offset, startedAt: line.startedAt + later };
  if (line.type === 'observation')
    return {
      ...line,
      exchange: line.exchange + offset,
      ...(line.control !== undefined && { control: line.control + offset }),
    };
  if (line.type === 'summary')
    return { ...line, ids: line.ids.map(([number, id]) => [number + offset, id] as const) };
  if (line.type === 'answer')
    return {
      ...line,
      answer: { ...line.answer, exchanges: line.answer.exchanges.map((number) => number + offset) },
    };
  return line;
}

/** Merges one scenario. A run in which it failed has not sent its share: the whole was cut short. */
function mergedExploration(lines: readonly ExplorationLine[], runs: number): ExplorationLine {
  const done = lines.filter(({ failure }) => !failure);
  if (done.length === 0) return lines[0]!;
  const stopped =
    lines.map((line) => line.stopped ?? line.failure?.message).find((why) => why !== undefined) ??
    (lines.length < runs
      ? `the evidence of ${quantity(runs - lines.length, 'run')} lacks this scenario`
      : undefined);
  return {
    type: 'exploration',
    scenario: lines[0]!.scenario,
    lost: done.flatMap(({ lost }) => lost),
    ...(stopped !== undefined && { stopped }),
  };
}

function mergedEnd(ends: readonly (EndLine | undefined)[]): Omit<EndLine, 'lines'> {
  const all = ends.filter((end) => end !== undefined);
  const causes = ends.flatMap((end) => stopCauseOf(end) ?? []);
  const cause = causes.find((one) => !mayBeEnough(one)) ?? causes[0];
  const cases = all.flatMap((end) => end.cases ?? []);
  return {
    type: 'end',
    durationMs: all.reduce((max, { durationMs }) => Math.max(max, durationMs), 0),
    requests: all.reduce((sum, { requests }) => sum + requests, 0),
    ...(cases.length > 0 && { cases: Math.min(...cases) }),
    ...(cause && { stopCause: cause }),
  };
}
