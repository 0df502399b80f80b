import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { cts } from '../cli/testing/command.ts';
import type { Fault } from '../reference/faults/fault.ts';
import { startReference } from '../reference/start.ts';
import type { RequirementId } from '../requirements/catalogue.ts';

/** One service to be checked once. */
export interface Trial {
  /** Undefined: the correct service, which must conform. */
  readonly fault: Fault | undefined;
  readonly seed: number;
}

/** How a fault fared: caught by a requirement that it names, by others only, or not at all. */
export type Result = 'named' | 'other' | 'missed';

/** What a trial came to. */
export interface Proof extends Trial {
  readonly exitCode: number | null;
  /** Required statements that were found broken. */
  readonly failing: readonly RequirementId[];
  readonly result: Result;
  readonly requests: number;
  readonly seconds: number;
  /** The end of what the command printed; for a trial that went wrong. */
  readonly output: string;
}

/** Checks the service of a trial as a user would: over HTTP, with the command, as a process of its own. */
export async function prove({ fault, seed }: Trial): Promise<Proof> {
  const reference = await startReference(0, fault?.seams());
  const { code, report, stdout, stderr, out } = await cts(['run'], {
    TARGET_BASE_URL: reference.baseUrl,
    TARGET_API_KEY: reference.apiKey,
    CTS_SEED: String(seed),
  });
  await Promise.all([reference.stop(), rm(dirname(out), { recursive: true, force: true })]);
  const failing = (report?.requirements ?? [])
    .filter(({ verdict }) => verdict === 'fail')
    .map(({ id }) => id);
  const isNamed = failing.some((id) => fault?.caughtBy.includes(id));
  return {
    fault,
    seed,
    exitCode: code,
    failing,
    result: code === 1 && failing.length > 0 ? (isNamed ? 'named' : 'other') : 'missed',
    requests: report?.run.requests ?? 0,
    seconds: (report?.run.durationMs ?? 0) / 1000,
    output: `${stdout}${stderr}`.slice(-1500),
  };
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

/** Some of the faults, spread evenly over all families. */
export function sampleOf(faults: readonly Fault[], count: number): Fault[] {
  const step = Math.max(1, faults.length / count);
  return faults.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step)).slice(0, count);
}
