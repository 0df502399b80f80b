import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cts } from '../cli/testing/command.ts';
import type { Fault } from '../reference/faults/fault.ts';
import { startReference } from '../reference/start.ts';
import type { Twin } from '../reference/twins/twin.ts';
import type { ReportedRequirement } from '../report/model.ts';
import { levelOf } from './provable.ts';

/** One service to be checked once. */
export interface Trial<S extends Fault | Twin = Fault | Twin> {
  readonly service: S;
  readonly seed: number;
}

/**
 * How a service fared. A fault: caught by a requirement that it names, by others only, or missed. A
 * twin: passed, or blamed for what it has every right to do.
 */
export type Result = 'named' | 'other' | 'missed' | 'passed' | 'blamed';

/** What a trial came to. */
export interface Proof<S extends Fault | Twin = Fault | Twin> extends Trial<S> {
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

export const isFault = (service: Fault | Twin): service is Fault => 'caughtBy' in service;

/** Checks the service of a trial as a user would: over HTTP, with the command, as a process of its own. */
export async function prove({ service, seed }: Trial): Promise<Proof> {
  const reference = await startReference(0, service.variant());
  const folder = await mkdtemp(join(tmpdir(), 'cts-proof-'));
  const profile = join(folder, 'profile.json');
  if (service.profile) await writeFile(profile, JSON.stringify({ answers: service.profile }));
  const { code, report, stdout, stderr, out } = await cts(['run'], {
    TARGET_BASE_URL: reference.baseUrl,
    TARGET_API_KEY: reference.apiKey,
    CTS_SEED: String(seed),
    ...(service.profile ? { TARGET_PROFILE: profile } : {}),
    ...(reference.authority === undefined ? {} : { NODE_EXTRA_CA_CERTS: reference.authority }),
  });
  const remains = [dirname(out), folder].map((path) => rm(path, { recursive: true, force: true }));
  await Promise.all([reference.stop(), ...remains]);
  const requirements = report?.requirements ?? [];
  const broken = requirements.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');
  const shown = broken.flatMap(({ foundAfter }) => foundAfter ?? []);
  return {
    service,
    seed,
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

/** Proves all, so many at a time; the order of the proofs is that of the trials. */
export async function proveAll(
  trials: readonly Trial[],
  jobs: number,
  onProof: (proof: Proof, done: number) => void = () => undefined,
): Promise<Proof[]> {
  const proofs: Proof[] = [];
  let next = 0;
  let done = 0;
  const work = async (): Promise<void> => {
    while (next < trials.length) {
      const at = next++;
      const proof = await prove(trials[at]!);
      proofs[at] = proof;
      onProof(proof, ++done);
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return proofs;
}

/** Some of the services, spread evenly over all families. */
export function sampleOf<S>(services: readonly S[], count: number): S[] {
  const step = Math.max(1, services.length / count);
  return services.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step)).slice(0, count);
}
