import { ofFaults, ofVariants } from './summary.ts';
import type { Summary } from './summary.ts';
import type { Proof } from './trial.ts';

/** `proof.json`: what was proven, for machines. */
export function recordOf(
  proofs: readonly Proof[],
  { results, requirements, untripped }: Summary,
  run: { readonly seeds: readonly number[]; readonly startedAt: string; readonly seconds: number },
): string {
  const faults = grouped(ofFaults(proofs)).map(([{ name, category, breaks, caughtBy }, trials]) => ({
    name,
    category,
    breaks,
    caughtBy,
    trials,
  }));
  const variants = grouped(ofVariants(proofs)).map(([{ name, category, open }, trials]) => ({
    name,
    category,
    open,
    trials,
  }));
  const value = { schemaVersion: 1, ...run, results, untripped, requirements, faults, variants };
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

/** The trials of each service, a seed after the other. */
function grouped<P extends Proof>(proofs: readonly P[]): [service: P['service'], trials: object[]][] {
  return [...Map.groupBy(proofs, ({ service }) => service.name).values()].map((own) => [
    own[0]!.service,
    own.map(trialOf),
  ]);
}

/** A trial without its service, which stands above it, and what the command printed, which is for people. */
const trialOf = ({ service: _service, output: _output, main: _main, ...trial }: Proof): object => trial;
