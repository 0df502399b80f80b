import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { catalogue, plan } from '../../cli/from-suites.ts';
import { linesIn, parsedLines } from '../../engine/evidence/lines.ts';
import type { Lines } from '../../engine/evidence/lines.ts';
import type { Requirement } from '../../engine/requirement.ts';
import type { EvidenceLine } from '../../schemas/evidence.ts';
import type { Level, Report } from '../../schemas/report.ts';
import type { Fault, Variant } from '../../reference/fault-or-variant.ts';
import { startReference } from '../../reference/start.ts';
import type { Profile } from '../../schemas/profile.ts';
import type { Depth } from '../../settings/depths.ts';
import type { CommandResult } from '../command.ts';
import { newFolder } from '../files.ts';
import { startProxy } from '../front.ts';
import type { RunsCommand } from './command-pool.ts';
import { forEachLimited } from '../../engine/for-each-limited.ts';
import { isFailure, hasNoVerdict, isRequired } from '../../verdict/verdict.ts';

/** A service to check with the command, and how. */
interface ProofTask<S extends Fault | Variant = Fault | Variant> {
  readonly service: S;
  readonly seed: number;
  /**
   * Seeds of further runs. The run at `seed` then writes a profile, and these runs, with another number of
   * requests in flight, must report no drift from it.
   */
  readonly profileSeeds?: readonly number[];
  /** Whether `judge` must reach the same verdicts from the evidence of each run. */
  readonly judgesAgain?: boolean;
  /** How the service is reached; default: directly, over HTTP/1.1. */
  readonly via?: 'http2' | 'proxy';
  /** Depth of each run; default: that of the command. */
  readonly depth?: Depth;
}

/**
 * The result of a task. A fault is `caught` by a requirement that it names, `caught-by-other` requirements only,
 * or `missed`. A variant has `passed`, or is a `false-positive`.
 */
export type ProofResult = 'caught' | 'caught-by-other' | 'missed' | 'passed' | 'false-positive';

/** When a run first showed a fault. */
interface Found {
  /** Responses up to the first one that shows the fault; undefined if no response shows it. */
  readonly foundAfter: number | undefined;
  /** The phase that sent the request of this response. */
  readonly phase: string | undefined;
}

/** A task that is done. */
export interface ProofOutcome<S extends Fault | Variant = Fault | Variant> extends ProofTask<S>, Found {
  readonly result: ProofResult;
  readonly exitCode: number | null;
  /** Requirements with the verdict fail or warn. */
  readonly broken: readonly string[];
  /** Required and declared requirements that were not tested, or not enough. */
  readonly untested: readonly string[];
  readonly requests: number;
  readonly seconds: number;
  /** The end of the output of the command. */
  readonly output: string;
}

export const isFault = (service: Fault | Variant): service is Fault => 'caughtBy' in service;

/** The ids that must catch a fault: requirements, and open questions that a profile can turn into requirements. */
export const idsToProve: readonly string[] = [
  ...catalogue.requirements,
  ...catalogue.questions.filter(({ asked }) => asked !== 'operator'),
].map(({ id }) => id);

const requirementWith = (id: string): Requirement | undefined =>
  catalogue.requirements.find((one) => one.id === id);

export const levelOf = (id: string): Level => requirementWith(id)?.level ?? 'declared';

export const statementOf = (id: string): string =>
  requirementWith(id)?.statement ?? catalogue.questions.find((one) => one.id === id)!.question;

/**
 * Checks a service as a user would: over HTTP, with the command. Where a task has several runs, the outcome is that of
 * the first one that failed, otherwise of the last.
 */
async function proveOne(task: ProofTask, cts: RunsCommand): Promise<ProofOutcome> {
  const { service, seed, profileSeeds, judgesAgain = false, via, depth } = task;
  const reference = await startReference(service.behaviour(), { isHttp2: via === 'http2' });
  const proxy = via === 'proxy' ? await startProxy() : undefined;
  const folder = newFolder();
  const profile = join(folder, 'profile.json');
  const environment = {
    // Compiles the code once for all of the hundreds of processes.
    NODE_COMPILE_CACHE: join(tmpdir(), 'cts-compile-cache'),
    ...reference.variables,
    ...(via === 'http2' && { TARGET_HTTP: '2' }),
    ...(proxy && { http_proxy: proxy.url, https_proxy: proxy.url }),
  };
  const run = async (
    args: readonly string[],
    more: Record<string, string>,
  ): Promise<CommandResult & Found> => {
    const needed = depth ?? ('depth' in service ? service.depth : undefined);
    const chosen = needed === undefined ? [] : ['--depth', needed];
    const result = await cts(['run', ...chosen, ...args], { ...environment, ...more });
    const ended = { ...result, ...(await foundIn(result)) };
    const again = judgesAgain ? await cts(['judge', ended.out], environment) : undefined;
    await rm(dirname(ended.out), { recursive: true, force: true });
    if (again === undefined || again.stdout.includes('  equal to ')) return ended;
    // Neither caught nor passed, whatever the run found.
    return { ...ended, code: null, stdout: again.stdout, stderr: again.stderr };
  };

  let last =
    profileSeeds &&
    (await run(['--write-profile', profile], { CTS_SEED: String(seed), CTS_CONCURRENCY: '5' }));
  // Only the operator of the service knows some answers.
  const answers = { ...(await answersIn(profile)), ...service.profile };
  await writeFile(profile, JSON.stringify({ answers }));
  const declared: Record<string, string> = service.profile || profileSeeds ? { TARGET_PROFILE: profile } : {};
  let lastSeed = seed;
  for (const next of profileSeeds ?? [seed]) {
    if (last !== undefined && last.code !== 0) break;
    last = await run([], { CTS_SEED: String(next), ...declared });
    lastSeed = next;
  }
  await Promise.all([reference.stop(), proxy?.stop(), rm(folder, { recursive: true, force: true })]);
  return outcomeOf({ ...task, seed: lastSeed }, last!);
}

/** The answers in a profile; none if there is no such file. */
async function answersIn(path: string): Promise<Profile['answers']> {
  const text = await readFile(path, 'utf8').catch(() => '{}');
  return (JSON.parse(text) as Partial<Profile>).answers ?? {};
}

const brokenIn = (report: Report | undefined): Report['requirements'] =>
  report?.requirements.filter(isFailure) ?? [];

async function foundIn({ report, out }: CommandResult): Promise<Found> {
  const numbers = brokenIn(report).flatMap(({ foundAfter }) => foundAfter ?? []);
  if (numbers.length === 0) return { foundAfter: undefined, phase: undefined };
  const foundAfter = Math.min(...numbers);
  const evidence = linesIn(await readFile(join(out, 'evidence.ndjson')));
  return { foundAfter, phase: phaseOf(evidence, foundAfter) };
}

/** The phase that sent an exchange which requirements judge. @param evidence lines of `evidence.ndjson` */
export function phaseOf(evidence: Lines, number: number): string | undefined {
  for (const line of parsedLines(evidence)) {
    const scenario = scenarioIn(line, number);
    if (scenario !== undefined)
      return plan.find(({ sends }) => sends.some(({ name }) => name === scenario))?.name;
  }
  return undefined;
}

/** The scenario of an exchange, if a line is about it. Its queue may be another one: that of the open questions. */
function scenarioIn(line: EvidenceLine, number: number): string | undefined {
  if (line.type === 'observation' && line.exchange === number) return line.observation.case.scenario;
  const isOfSummary = line.type === 'summary' && line.ids.some(([exchange]) => exchange === number);
  return isOfSummary ? line.scenario : undefined;
}

function outcomeOf(
  task: ProofTask,
  { code, report, stdout, stderr, foundAfter, phase }: CommandResult & Found,
): ProofOutcome {
  const { service } = task;
  const requirements = report?.requirements ?? [];
  const ids = brokenIn(report).map(({ id }) => id);
  return {
    ...task,
    result: isFault(service) ? faultResult(service, code, ids) : code === 0 ? 'passed' : 'false-positive',
    exitCode: code,
    broken: ids,
    untested: requirements.filter((one) => isRequired(one) && hasNoVerdict(one)).map(({ id }) => id),
    requests: report?.run.requests ?? 0,
    foundAfter,
    phase,
    seconds: (report?.run.durationMs ?? 0) / 1000,
    output: `${stdout}${stderr}`.slice(-1500),
  };
}

/** A fault must fail the run; one that only goes against a recommendation must be reported and must not fail it. */
function faultResult(
  { caughtBy }: Fault,
  exitCode: number | null,
  broken: readonly string[],
): 'caught' | 'caught-by-other' | 'missed' {
  const isRecommended = caughtBy.every((id) => levelOf(id) === 'should');
  if (exitCode !== (isRecommended ? 0 : 1)) return 'missed';
  if (broken.some((id) => caughtBy.includes(id))) return 'caught';
  return broken.some((id) => levelOf(id) !== 'should') ? 'caught-by-other' : 'missed';
}

/** Tasks at a time that mostly wait for tokens to expire; they run beside the others. */
const WAITING_JOBS = 2;

const isWaiting = ({ service: { profile } }: ProofTask): boolean =>
  profile !== undefined && 'token.scopes.allow' in profile;

/** Does all tasks, `jobs` at a time. @returns the outcomes in the order of the tasks */
export async function proveAll(
  tasks: readonly ProofTask[],
  cts: RunsCommand,
  jobs: number,
  onOutcome: (outcome: ProofOutcome, done: number) => void,
): Promise<ProofOutcome[]> {
  const outcomes: ProofOutcome[] = [];
  let done = 0;
  const work = async ([at, task]: readonly [number, ProofTask]): Promise<void> => {
    const outcome = await proveOne(task, cts);
    outcomes[at] = outcome;
    onOutcome(outcome, ++done);
  };
  const [waiting, others] = [true, false].map((waits) =>
    [...tasks.entries()].filter(([, task]) => isWaiting(task) === waits),
  );
  await Promise.all([forEachLimited(waiting!, WAITING_JOBS, work), forEachLimited(others!, jobs, work)]);
  return outcomes;
}

/** About `count` services, always the same: of each group its share, evenly spread, and at least one. */
export function sampleOf<S extends Fault | Variant>(services: readonly S[], count: number): S[] {
  const groups = Map.groupBy(services, (service) => `${isFault(service)} ${service.group}`);
  return [...groups.values()].flatMap((members) => {
    const share = Math.max(1, Math.round((members.length * count) / services.length));
    const index = (at: number): number => Math.floor((at * share) / members.length);
    return members.filter((_, at) => index(at) !== index(at - 1));
  });
}
