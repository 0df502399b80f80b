import { describe, expect, it } from 'vitest';
import { cts } from './testing/command.ts';
import { at, serviceThat } from './testing/services.ts';

describe('cts-conformance diff', () => {
  it('shows what one of two services fails, with the exit code 1', async () => {
    const flags = ['--only', 'customer.name.echoed', '--seed', '7', '--cases', '20'];
    const [right, wrong] = await Promise.all([
      cts(flags, at(await serviceThat())),
      cts(flags, at(await serviceThat({ echo: (name) => name.toUpperCase() }))),
    ]);
    expect(right.report!.run.latency['POST /v1/customers']!.count).toBeGreaterThan(10);

    const [worse, better, machine] = await Promise.all([
      cts(['diff', right.out, `${wrong.out}/conformance.json`]),
      cts(['diff', wrong.out, right.out]),
      cts(['diff', right.out, wrong.out, '--format', 'json']),
    ]);
    expect(worse.stdout).toContain('Two targets, with the same inputs');
    expect(worse.stdout).toMatch(/Broken\n {2}customer\.name\.echoed/);
    expect([worse.code, better.code, machine.code]).toEqual([1, 0, 1]);
    expect(better.stdout).toMatch(/NOT WORSE {2}1 fixed/);
    expect(JSON.parse(machine.stdout)).toMatchObject({
      isWorse: true,
      broken: [{ id: 'customer.name.echoed' }],
    });
  });

  it('names the file that it cannot read', async () => {
    const { out } = await cts(['--only', 'http.method.allow']);
    const { code, stderr } = await cts(['diff', out, 'nowhere']);
    expect(code).toBe(2);
    expect(stderr).toContain("nowhere: can't be read (ENOENT)");
  });
});
