import { createHash } from 'node:crypto';
import { UsageError } from './usage-error.ts';

/** A CI system that runs one job several times, and the variables that it sets for each. */
interface CiSystem {
  readonly name: string;
  readonly index: string;
  /** The index of the first job. */
  readonly first: 0 | 1;
  /** Absent: the system sets none. */
  readonly count?: string;
  /** Identifies what the shards have in common. Absent: the system sets nothing of the kind. */
  readonly pipeline?: string;
}

/** The first whose index or count is set is used. */
const systems: readonly CiSystem[] = [
  { name: 'GitLab', index: 'CI_NODE_INDEX', first: 1, count: 'CI_NODE_TOTAL', pipeline: 'CI_PIPELINE_ID' },
  {
    name: 'CircleCI',
    index: 'CIRCLE_NODE_INDEX',
    first: 0,
    count: 'CIRCLE_NODE_TOTAL',
    pipeline: 'CIRCLE_WORKFLOW_ID',
  },
  {
    name: 'Buildkite',
    index: 'BUILDKITE_PARALLEL_JOB',
    first: 0,
    count: 'BUILDKITE_PARALLEL_JOB_COUNT',
    pipeline: 'BUILDKITE_BUILD_ID',
  },
  { name: 'a Kubernetes Indexed Job', index: 'JOB_COMPLETION_INDEX', first: 0 },
];

/** A shard that the CI system assigns. */
interface AssignedShard {
  /** The shard as in `--shard K/N`. */
  readonly shard: string;
  /** Equal for all shards of a pipeline; undefined: the system says nothing that they have in common. */
  readonly seed: string | undefined;
}

/** Whether the text of `--shard` leaves the index to the CI system. */
export const isAuto = (text: string): boolean => /^auto(?:\/|$)/.test(text);

/**
 * The shard of `auto` or `auto/N`, as the variables of the CI system say.
 * @param source the flag or variable of the setting, for messages
 * @throws {UsageError}
 */
export function shardOfCi(text: string, source: string, environment: NodeJS.ProcessEnv): AssignedShard {
  const valueOf = (name: string | undefined): string | undefined =>
    name === undefined ? undefined : environment[name]?.trim() || undefined;
  const [, given] = /^auto(?:\/([1-9]\d{0,3}))?$/.exec(text) ?? [undefined, null];
  if (given === null) throw new UsageError(`${source}: expected auto or auto/N, such as auto/4`);
  const system = systems.find(({ index, count }) => valueOf(index) ?? valueOf(count));
  if (system === undefined)
    throw new UsageError(
      `${source}: no variable of a CI system names this shard (${systems.map(({ index }) => index).join(', ')} are not set); give K/N, such as 3/20`,
    );
  const count = given ?? valueOf(system.count);
  if (count === undefined)
    throw new UsageError(
      `${source}: ${system.name} sets no number of shards; give it, such as auto/4, equal to the completions of the job`,
    );
  // A job that is not divided has no index.
  const index = valueOf(system.index) ?? (count === '1' ? String(system.first) : '');
  for (const [name, value] of [
    [system.index, index],
    [system.count, count],
  ])
    if (!/^\d{1,5}$/.test(value!)) throw new UsageError(`${source}: ${name} is not a whole number`);
  const shard = Number(index) - system.first + 1;
  if (shard < 1 || shard > Number(count))
    throw new UsageError(
      `${source}: ${system.index} is ${index}; with ${count} shards, expected ${system.first} to ${Number(count) + system.first - 1}`,
    );
  const pipeline = valueOf(system.pipeline);
  return {
    shard: `${shard}/${count}`,
    seed: pipeline === undefined ? undefined : seedOf(pipeline),
  };
}

const seedOf = (pipeline: string): string =>
  String(createHash('sha256').update(pipeline).digest().readUInt32BE() >>> 1);
