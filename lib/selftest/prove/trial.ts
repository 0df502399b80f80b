import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ctsAt } from '../../cli/testing/command.ts';
import type { Ended } from '../../cli/testing/command.ts';
import type { Fault } from '../../reference/faults/fault.ts';
import { startReference } from '../../reference/start.ts';
import type { Variant } from '../../reference/variants/variant.ts';
import type { ReportedRequirement } from '../../report/model.ts';
import type { Profile } from '../../schemas/profile.ts';
import { levelOf } from './provable.ts';

/** One service to be checked once. */
export interface Trial<S extends Fault | Variant = Fault | Variant> {
  readonly service: S;
  readonly seed: number;
  /** Seeds of runs, under another load, that must keep the profile which the run at `seed` writes: nothing may drift. */
  readonly keptAt?: readonly number[];
  /** The command: of the built package, or, by default, of the checkout. */
  readonly main?: string | undefined;
  /** Whether the evidence of the run is judged again: that must come to the same as its report. */
  readonly isJudged?: boolean;
}

/**
 * How a service fared. A fault: caught by a requirement that it names, by others only, or missed. A
 * variant: passed, or blamed for what it has every right to do.
 */
export type Result = 'named' | 'other' | 'missed' | 'passed' | 'blamed';

/** What a trial came to. */
export interface Proof<S extends Fault | Variant = Fault | Variant> extends Trial<S> {
  readonly result: Result;
  readonly exitCode: number | null;
  /** Requirements that were found broken, advisory ones included. */
  readonly broken: readonly string[];
  /** Required and declared statements that were not tested. */
  readonly untested: readonly string[];
  readonly requests: number;
  /** Responses until the first one that shows the fault. */
  readonly foundAfter: number | undefined;
  readonly seconds: number;
  /** The end of what the command printed; for a trial that went wrong. */
  readonly output: string;
}

export const isFault = (service: Fault | Variant): service is Fault => 'caughtBy' in service;

/**
 * Checks the service of a trial as a user would: over HTTP, with the command, as a process of its own. Of several
 * runs it is the first that failed which counts.
 */
export async function prove({ service, seed, keptAt, isJudged = false, main }: Trial): Promise<Proof> {
  const reference = await startReference(0, service.behaviour());
  const folder = await mkdtemp(join(tmpdir(), 'cts-proof-'));
  const profile = join(folder, 'profile.json');
  const environment = {
    // Hundreds of starts of the same code: each after the first finds it compiled.
    NODE_COMPILE_CACHE: join(tmpdir(), 'cts-compile-cache'),
    TARGET_BASE_URL: reference.baseUrl,
    TARGET_API_KEY: reference.apiKey,
    ...(reference.authority === undefined ? {} : { NODE_EXTRA_CA_CERTS: reference.authority }),
  };
  const run = async (args: readonly string[], more: Record<string, string>): Promise<Ended> => {
    const ended = await ctsAt(main, ['run', ...args], { ...environment, ...more });
    const again = isJudged ? await ctsAt(main, ['judge', ended.out], environment) : undefined;
    await rm(dirname(ended.out), { recursive: true, force: true });
    if (again === undefined || again.stdout.includes('  equal to ')) return ended;
    // No verdict of the service's: neither caught nor passed.
    return { ...ended, code: null, stdout: again.stdout, stderr: again.stderr };
  };
  let last =
    keptAt && (await run(['--write-profile', profile], { CTS_SEED: String(seed), CTS_CONCURRENCY: '5' }));
  // What only the operator can say goes beside what was written.
  const answers = { ...(await answersIn(profile)), ...service.profile };
  await writeFile(profile, JSON.stringify({ answers }));
  const declared: Record<string, string> = service.profile || keptAt ? { TARGET_PROFILE: profile } : {};
  let at = seed;
  for (const next of keptAt ?? [seed]) {
    if (last !== undefined && last.code !== 0) break;
    last = await run([], { CTS_SEED: String((at = next)), ...declared });
  }
  await Promise.all([reference.stop(), rm(folder, { recursive: true, force: true })]);
  return proofOf({ service, seed: at, ...(keptAt && { keptAt }) }, last!);
}

/** The answers of a profile that was written; none where none was. */
async function answersIn(path: string): Promise<Profile['answers']> {
  const text = await readFile(path, 'utf8').catch(() => '{}');
  return (JSON.parse(text) as Partial<Profile>).answers ?? {};
}

function proofOf({ service, seed, keptAt }: Trial, { code, report, stdout, stderr }: Ended): Proof {
  const requirements = report?.requirements ?? [];
  const broken = requirements.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');
  const shown = broken.flatMap(({ foundAfter }) => foundAfter ?? []);
  return {
    service,
    seed,
    ...(keptAt && { keptAt }),
    result: isFault(service) ? resultOf(service, code, broken) : code === 0 ? 'passed' : 'blamed',
    exitCode: code,
    broken: broken.map(({ id }) => id),
    untested: requirements
      .filter(
        ({ level, verdict, optional }) =>
          level !== 'should' && !optional && (verdict === 'untested' || verdict === 'inconclusive'),
      )
      .map(({ id }) => id),
    requests: report?.run.requests ?? 0,
    foundAfter: shown.length > 0 ? Math.min(...shown) : undefined,
    seconds: (report?.run.durationMs ?? 0) / 1000,
    output: `${stdout}${stderr}`.slice(-1500),
  };
}

/** A broken statement of the interface must fail the run; broken advice must be shown and must not. */
function resultOf(
  { caughtBy }: Fault,
  exitCode: number | null,
  broken: readonly ReportedRequirement[],
): 'named' | 'other' | 'missed' {
  const isAdvice = caughtBy.every((id) => levelOf(id) === 'should');
  if (exitCode !== (isAdvice ? 0 : 1)) return 'missed';
  if (broken.some(({ id }) => caughtBy.includes(id))) return 'named';
  return broken.some(({ level }) => level !== 'should') ? 'other' : 'missed';
}

/** Trials at a time that mostly wait for tokens to end, beside those that have work to do. */
const WAITING = 2;

const isWaiting = ({ service: { profile } }: Trial): boolean =>
  profile !== undefined && 'token.scopes.allow' in profile;

/** Proves all, so many at a time; the order of the proofs is that of the trials. */
export async function proveAll(
  trials: readonly Trial[],
  jobs: number,
  onProof: (proof: Proof, done: number) => void = () => undefined,
): Promise<Proof[]> {
  const proofs: Proof[] = [];
  let done = 0;
  const numbered = trials.map((trial, at) => ({ trial, at }));
  const [waiting, others] = [true, false].map((waits) =>
    numbered.filter(({ trial }) => isWaiting(trial) === waits).values(),
  );
  const work = async (queue: typeof waiting): Promise<void> => {
    for (const { trial, at } of queue!) {
      const proof = await prove(trial);
      proofs[at] = proof;
      onProof(proof, ++done);
    }
  };
  await Promise.all([
    ...Array.from({ length: WAITING }, () => work(waiting)),
    ...Array.from({ length: jobs }, () => work(others)),
  ]);
  return proofs;
}

/** Some of the services, spread evenly over all categories. */
export function sampleOf<S>(services: readonly S[], count: number): S[] {
  const step = Math.max(1, services.length / count);
  return services.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step)).slice(0, count);
}
