import { describe, expect, it } from 'vitest';
import { ctsInProcess } from '../selftest/in-process.ts';
import { fileWith } from '../selftest/files.ts';

describe('cts-conformance openapi', () => {
  it('prints the interface, and with a profile what the operator has declared', async () => {
    const profile = fileWith('{ "name": "Acme", "answers": { "customer.create.status": 201 } }');
    const plain = await ctsInProcess(['openapi'], { TARGET_PROFILE: profile });
    const declared = await ctsInProcess(['openapi', '--profile', profile]);
    const statuses = ({ stdout }: typeof plain): string[] => {
      const { paths } = JSON.parse(stdout) as { paths: Record<string, { post: { responses: object } }> };
      return Object.keys(paths['/v1/customers']!.post.responses);
    };
    expect([plain.code, declared.code]).toEqual([0, 0]);
    expect(statuses(plain)).toEqual(['2XX', 'default']);
    expect(statuses(declared)).toEqual(['201', 'default']);
  });

  it.each([
    ['no JSON', 'not JSON'],
    ['{ "answers": { "nope": 1 } }', 'unknown id of a question'],
  ])('says what is wrong with the profile %s', async (text, message) => {
    const { code, stdout, stderr } = await ctsInProcess(['openapi', '--profile', fileWith(text)]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });
});
