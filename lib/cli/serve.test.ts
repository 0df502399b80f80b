import { describe, expect, it } from 'vitest';
import { cts } from './testing/command.ts';

describe('cts serve', () => {
  it('breaks what the fault breaks, and nothing more', async () => {
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

  it('lists its faults', async () => {
    const { code, stdout } = await cts(['serve', '--list-faults']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^name-html-escape +names +4\.1: name equals the submitted name$/m);
  });

  it('names near faults when there is none of that name', async () => {
    const { code, stderr } = await cts(['serve', '--fault', 'html-escape']);
    expect(code).toBe(2);
    expect(stderr).toContain('name-html-escape');
  });
});
