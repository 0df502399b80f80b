import { describe, expect, it } from 'vitest';
import { cts } from '../selftest/command.ts';
import { ctsInProcess } from '../selftest/in-process.ts';

describe('cts-conformance serve', () => {
  it('violates what the fault violates, and nothing else', async () => {
    let customer: Promise<unknown> | undefined;
    const { code } = await cts(['serve', '--fault', 'name-uppercase'], {}, (output, signal) => {
      const [, url, key] = /BASE_URL=(\S+)\nexport TARGET_API_KEY=(\S+)\n/.exec(output) ?? [];
      if (url === undefined || customer) return;
      customer = fetch(`${url}/v1/customers`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}` },
        body: JSON.stringify({ name: 'Ada', email: 'ada@example.com' }),
      })
        .then((response) => response.json())
        .finally(() => signal('SIGTERM'));
    });
    expect(await customer).toEqual({
      id: expect.stringMatching(/^cus_./) as string,
      name: 'ADA',
      email: 'ada@example.com',
    });
    expect(code).toBe(0);
  });

  it('lists its faults and its variants', async () => {
    const faults = await ctsInProcess(['serve', '--list-faults']);
    const variants = await ctsInProcess(['serve', '--list-variants']);
    expect([faults.code, variants.code]).toEqual([0, 0]);
    expect(faults.stdout).toMatch(/^name-html-escape +names +4\.1: name equals the submitted name$/m);
    expect(variants.stdout).toMatch(
      /^unique-emails +constraints +2: uniqueness of name and email is not shown$/m,
    );
  });
});
