import { describe, expect, it } from 'vitest';
import { allIds } from './from-suites.ts';
import { ctsInProcess } from '../selftest/in-process.ts';

describe('cts-conformance list', () => {
  it('lists all requirements and questions, in 80 columns', async () => {
    const { code, stdout } = await ctsInProcess(['list']);
    expect(code).toBe(0);
    for (const id of allIds) expect(stdout).toContain(`  ${id}\n`);
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    expect(stdout).toMatch(/^4\.1 {2}Create a customer\n {2}must {6}customer\.plain\.accepted\n/m);
  });

  it('accepts ids with *, and prints JSON for machines', async () => {
    const { stdout } = await ctsInProcess(['list', 'auth.*.key.*,limits.fields', '--json']);
    const { requirements, questions } = JSON.parse(stdout) as Record<string, { id: string }[]>;
    expect(requirements!.map(({ id }) => id)).toContain('auth.tokens.key.static');
    expect(requirements!.every(({ id }) => /^auth\..*\.key\./.test(id))).toBe(true);
    expect(questions).toMatchObject([{ id: 'limits.fields', section: '8', asked: 'observed' }]);
  });

  it('lists the sentences of the interface with their requirements and questions, all or those of some ids', async () => {
    const { code, stdout } = await ctsInProcess(['list', '--by-sentence']);
    expect(code).toBe(0);
    for (const id of allIds) expect(stdout).toContain(` ${id}`);
    expect(stdout).toMatch(/^8 {2}Limits\n {2}Limits: not shown\.\n {4}asked by {3}limits\.fields limits/m);
    const some = await ctsInProcess(['list', 'service.events', '--by-sentence']);
    expect(some.stdout).toBe('6  Events\n  Events: not shown.\n    asked by   service.events\n');
  });
});

describe('cts-conformance explain', () => {
  it('explains what is required, why, how it is tested, and names faults that exist', async () => {
    const { code, stdout } = await ctsInProcess(['explain', 'auth.tokens.key.static,customer.create.status']);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^auth\.tokens\.key\.static\n[^]*\nWhy\n[^]*\nHow it is tested\n[^]*\nExample of a failure/,
    );
    expect(stdout).toMatch(/\ncustomer\.create\.status\n[^]*\nHow it is answered\n/);
    const [, fault] = /npx --no-install cts-conformance serve --fault (\S+)/.exec(stdout)!;
    const faults = await ctsInProcess(['serve', '--list-faults']);
    expect(faults.stdout).toContain(`\n${fault} `);
  });
});
