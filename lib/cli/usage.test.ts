import { describe, expect, it } from 'vitest';
import { cts, vitest } from './testing/command.ts';
import { at, failed, serviceThat } from './testing/services.ts';

describe('wrong usage', () => {
  it.each([
    [['--nope'], {}, '--nope is not known'],
    [['--seed'], {}, '--seed needs a value'],
    [['--seed', 'x'], {}, '--seed: expected a whole number'],
    [['nope'], {}, 'there is no such command'],
    [['run', 'sk_test_pasted123456'], {}, 'A key is never an argument'],
    [['--api-key', 'sk_test_pasted123456'], {}, 'no flag for the key'],
    [['replay', 'sk_test_pasted123456'], {}, 'A key is never an argument'],
    [['--out', 'a/sk_test_pasted123456'], {}, '--out holds a key'],
    [
      ['--base-url', 'http://a.example/pasted123456'],
      { TARGET_API_KEY: 'pasted123456' },
      '--base-url holds a key',
    ],
    [[], { TARGET_BASE_URL: 'http://a.example/sk_test_pasted123456' }, 'TARGET_BASE_URL: holds a key'],
    [[], { TARGET_BASE_URL: 'http://a.example', TARGET_API_KEY: 'sk_live_pasted123456' }, '--allow-live-key'],
    [['--only', 'nope'], {}, '--only: no requirement'],
    [[], { TARGET_BASE_URL: '' }, 'TARGET_BASE_URL is empty'],
    [[], { TARGET_BASE_URL: 'http://127.0.0.1:9' }, 'TARGET_API_KEY is missing'],
    [['--only', 'customer.*', '--only', 'token.*'], {}, '--only is given twice'],
    [['--out', '/dev/null'], {}, "reports can't be written to this folder"],
    [['replay'], {}, 'replay needs the file'],
    [['replay', 'nowhere.json'], {}, 'it cannot be read'],
    [['serve', '--port', '99999'], {}, '--port: expected'],
  ] as const)('%j %j is exit code 2 with a message', async (args, environment, message) => {
    const { code, stderr, stdout, report } = await cts(args, environment);
    expect(stderr).toContain(message);
    expect(`${stdout}${stderr}`).not.toContain('pasted123456');
    expect(code).toBe(2);
    expect(report).toBeUndefined();
  });
});

describe('plain vitest', () => {
  it('gives the same verdicts and exit codes', async () => {
    const faulty = await serviceThat({ echo: (name) => name.trim() });
    const [right, wrong, none, usage] = await Promise.all([
      vitest(['run', '--project', 'conformance']),
      vitest(['run', '--project', 'conformance'], at(faulty)),
      vitest(['run', '--project', 'conformance', '-t', 'matches nothing']),
      vitest(['run', '--project', 'conformance'], { CTS_SEED: 'x' }),
    ]);
    expect([right.code, wrong.code, none.code, usage.code]).toEqual([0, 1, 3, 2]);
    expect(right.report!.verdict).toBe('conforms');
    expect(failed(wrong)).toEqual(['customer.name.echoed']);
    expect(usage.stderr).toContain('CTS_SEED: expected a whole number');
  });
});

describe('help', () => {
  it.each([[['--help']], [['run', '--help']], [['replay', '--help']], [['serve', '--help']]])(
    '%j has an example',
    async (args) => {
      const { code, stdout } = await cts(args);
      expect(code).toBe(0);
      expect(stdout).toMatch(/Examples?:\n {2}/);
    },
  );
});
