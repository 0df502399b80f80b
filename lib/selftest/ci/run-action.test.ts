import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { allFaults } from '../../reference/faults/faults.ts';
import { startReference } from '../../reference/start.ts';
import { packageRoot } from '../../settings/package-root.ts';
import { github } from './files.ts';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
});

/** A folder as GitHub's runner gives it to a step, with a suite of its own where one is given. */
async function act(given: Record<string, string>, suite = packageRoot) {
  const folder = mkdtempSync(join(tmpdir(), 'cts-action-'));
  const inherited = Object.entries(process.env).filter(([name]) => !/^(?:TARGET_|CTS_|GITHUB_)/.test(name));
  const child = spawn('bash', [join(github, 'actions/conformance/run.sh')], {
    cwd: folder,
    env: {
      ...Object.fromEntries(inherited),
      SUITE: suite,
      GITHUB_OUTPUT: join(folder, 'output'),
      GITHUB_STEP_SUMMARY: join(folder, 'summary'),
      // As they are where an input was not given.
      TARGET_API_KEY: '',
      TARGET_PROFILE: '',
      CTS_STRICT: 'false',
      CTS_CASES: '',
      CTS_SEED: '',
      SHARD: '',
      BASELINE: '',
      ...given,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let screen = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => (screen += String(data)));
  const code = await new Promise((resolve) => child.on('close', resolve));
  const read = (name: string): string =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '';
  const has = (name: string): boolean => existsSync(join(folder, name));
  return { code, screen, output: read('output'), summary: read('summary'), read, has };
}

async function service(fault?: string): Promise<Record<string, string>> {
  const behaviour = allFaults.find(({ name }) => name === fault)?.behaviour();
  const { baseUrl, apiKey, stop } = await startReference(0, behaviour);
  stops.push(stop);
  return { TARGET_BASE_URL: baseUrl, TARGET_API_KEY: apiKey };
}

/** A suite that says how it was called. */
function stub(): string {
  const suite = mkdtempSync(join(tmpdir(), 'cts-stub-'));
  mkdirSync(join(suite, 'lib/cli'), { recursive: true });
  writeFileSync(
    join(suite, 'lib/cli/bin.js'),
    `const fs = require('fs');
     const [command, ...rest] = process.argv.slice(2);
     fs.appendFileSync('calls', JSON.stringify([command, ...rest]) + '\\n');
     if (command === 'run') {
       fs.mkdirSync('reports');
       fs.writeFileSync('reports/conformance.json', '{"verdict":"conforms"}');
     } else { console.log('what changed'); process.exit(Number(process.env.DIFF_CODE)); }`,
  );
  return suite;
}

describe('the script of the action', () => {
  it('tells the verdict and where the reports are', async () => {
    const { code, output, read } = await act({ ...(await service()), CTS_SEED: '7' });
    expect(output).toBe('report=reports\nverdict=conforms\n');
    expect(JSON.parse(read('reports/conformance.json'))).toMatchObject({ run: { seed: 7, strict: false } });
    expect(code).toBe(0);
  });

  it('fails where the service does not conform, and tells that too', async () => {
    const { code, output } = await act(await service('name-html-escape'));
    expect(output).toBe('report=reports\nverdict=does-not-conform\n');
    expect(code).toBe(1);
  });

  it('has no verdict where nothing was judged', async () => {
    const { code, output, screen } = await act({ TARGET_BASE_URL: 'http://127.0.0.1:9' });
    expect(output).toBe('verdict=\n');
    expect(screen).toContain('TARGET_API_KEY is missing');
    expect(code).toBe(2);
  });

  it('takes no input for shell', async () => {
    const { code, has } = await act({ TARGET_BASE_URL: '$(touch pwned)', SHARD: '"; touch pwned; "' });
    expect([code, has('pwned')]).toEqual([2, false]);
    const stubbed = await act({ SHARD: '1/2; touch pwned', BASELINE: '$(touch pwned)' }, stub());
    expect(stubbed.has('pwned')).toBe(false);
    expect(stubbed.read('calls')).toContain('["run","--out","reports","--shard","1/2; touch pwned"]\n');
  });

  it.each([
    ['0', '', 'what changed\n'],
    ['1', '', 'what changed\n'],
    ['2', '::warning::', 'what changed\n'],
  ])('compares with a baseline, whose exit code %s decides nothing', async (diff, warning, told) => {
    const { code, summary, screen, read } = await act({ BASELINE: 'old.json', DIFF_CODE: diff }, stub());
    expect(read('calls')).toContain('["diff","old.json","reports","--format","markdown"]');
    expect(summary).toBe(told);
    expect(screen.includes('::warning::')).toBe(warning !== '');
    expect(code).toBe(0);
  });
});
