import { describe, expect, it } from 'vitest';
import { allIds } from './ids.ts';
import { nearest } from './nearest.ts';
import { cts } from './testing/command.ts';

describe('cts list', () => {
  it('has all that is checked and asked, in 80 columns', async () => {
    const { code, stdout } = await cts(['list']);
    expect(code).toBe(0);
    for (const id of allIds) expect(stdout).toContain(`  ${id}\n`);
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    expect(stdout).toMatch(/^4\.1 {2}Create a customer\n {2}must {6}customer\.plain\.accepted\n/m);
  });

  it('takes ids with *, and is JSON for machines', async () => {
    const { stdout } = await cts(['list', 'auth.*.key.*,limits.fields', '--json']);
    const { requirements, questions } = JSON.parse(stdout) as Record<string, { id: string }[]>;
    expect(requirements!.map(({ id }) => id)).toContain('auth.tokens.key.static');
    expect(requirements!.every(({ id }) => /^auth\..*\.key\./.test(id))).toBe(true);
    expect(questions).toMatchObject([{ id: 'limits.fields', section: '8', asked: 'seen' }]);
  });
});

describe('cts explain', () => {
  it('says what is required, why, how it is tested, and names faults that there are', async () => {
    const { code, stdout } = await cts(['explain', 'auth.tokens.key.static,customer.create.status']);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^auth\.tokens\.key\.static\n[^]*\nWhy\n[^]*\nHow it is tested\n[^]*\nWhat a failure/,
    );
    expect(stdout).toMatch(/\ncustomer\.create\.status\n[^]*\nHow it is asked\n/);
    const [, fault] = /cts serve --fault (\S+)/.exec(stdout)!;
    const faults = await cts(['serve', '--list-faults']);
    expect(faults.stdout).toContain(`\n${fault} `);
  });

  it('names near ids where there is none', async () => {
    const { code, stderr } = await cts(['explain', 'customer.name.ecohed']);
    expect(code).toBe(2);
    expect(stderr).toContain('near ones are customer.name.echoed');
  });
});

describe('nearest', () => {
  it('is what shares most, whatever its order and case', () => {
    expect(nearest('HTML-escape', ['name-trim', 'name-html-escape', 'id-null', 'x'])[0]).toBe(
      'name-html-escape',
    );
    expect(nearest('', ['a', 'b'])).toEqual(['a', 'b']);
  });
});
