import { describe, expect, it } from 'vitest';
import { readSettings } from './sources.ts';

const target = { TARGET_BASE_URL: 'http://127.0.0.1:9', TARGET_API_KEY: 'sk_test_x' };
const shardIn = (shard: string, environment: Record<string, string>) =>
  readSettings({ flags: { shard }, environment: { ...target, ...environment } });

describe('--shard auto', () => {
  it.each([
    ['GitLab', 'auto', { CI_NODE_INDEX: '3', CI_NODE_TOTAL: '4', CI_PIPELINE_ID: '81' }],
    ['CircleCI', 'auto', { CIRCLE_NODE_INDEX: '2', CIRCLE_NODE_TOTAL: '4', CIRCLE_WORKFLOW_ID: 'b1-7f' }],
    [
      'Buildkite',
      'auto',
      { BUILDKITE_PARALLEL_JOB: '2', BUILDKITE_PARALLEL_JOB_COUNT: '4', BUILDKITE_BUILD_ID: '0a' },
    ],
    ['a Kubernetes Indexed Job', 'auto/4', { JOB_COMPLETION_INDEX: '2', CTS_SEED: '7' }],
  ])('is the index and count of %s', (_, shard, environment) => {
    expect(shardIn(shard, environment).shard).toEqual({ index: 3, count: 4 });
  });

  it('has one seed for all shards of a pipeline, and another for the next pipeline', () => {
    const seedOf = (index: string, pipeline: string): number =>
      shardIn('auto', { CI_NODE_INDEX: index, CI_NODE_TOTAL: '4', CI_PIPELINE_ID: pipeline }).seed;
    expect(seedOf('1', '81')).toBe(seedOf('4', '81'));
    expect(seedOf('1', '82')).not.toBe(seedOf('1', '81'));
    const given = { CI_NODE_INDEX: '1', CI_NODE_TOTAL: '4', CI_PIPELINE_ID: '81', CTS_SEED: '7' };
    expect(shardIn('auto', given).seed).toBe(7);
  });

  it('is the only shard of a job that GitLab does not divide', () => {
    expect(shardIn('auto', { CI_NODE_TOTAL: '1', CI_PIPELINE_ID: '81' }).shard).toEqual({
      index: 1,
      count: 1,
    });
  });

  it.each([
    ['auto', {}, '--shard: no variable of a CI system names this shard (CI_NODE_INDEX,'],
    ['auto', { JOB_COMPLETION_INDEX: '0' }, 'a Kubernetes Indexed Job sets no number of shards'],
    [
      'auto/4',
      { JOB_COMPLETION_INDEX: '4', CTS_SEED: '7' },
      'JOB_COMPLETION_INDEX is 4; with 4 shards, expected 0 to 3',
    ],
    ['auto/4', { JOB_COMPLETION_INDEX: '0' }, 'CTS_SEED (--seed) is missing'],
    ['auto', { CI_NODE_INDEX: 'x', CI_NODE_TOTAL: '4' }, 'CI_NODE_INDEX is not a whole number'],
    [
      'auto',
      { CI_NODE_INDEX: '0', CI_NODE_TOTAL: '4' },
      'CI_NODE_INDEX is 0; with 4 shards, expected 1 to 4',
    ],
    ['auto/0', { JOB_COMPLETION_INDEX: '0' }, 'expected auto or auto/N'],
    ['automatic', {}, 'expected auto, auto/N, or K/N'],
  ])('rejects %s with %o', (shard, environment, complaint) => {
    expect(() => shardIn(shard, environment)).toThrow(complaint);
  });
});
