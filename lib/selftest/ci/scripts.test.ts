import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { allFaults } from '../../reference/faults/faults.ts';
import { startReference } from '../../reference/start.ts';
import { packageRoot } from '../../settings/package-root.ts';
import { execute } from '../command.ts';
import { newFolder } from '../files.ts';

const github = join(packageRoot, '.github');

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
});

/** Runs the action's script as GitHub's runner does. @param suite the folder of the suite */
async function act(given: Record<string, string>, suite = packageRoot) {
  const folder = newFolder();
  const { code, stdout, stderr } = await execute('bash', [join(github, 'actions/conformance/run.sh')], {
    cwd: folder,
    environment: {
      SUITE: suite,
      GITHUB_OUTPUT: join(folder, 'output'),
      GITHUB_STEP_SUMMARY: join(folder, 'summary'),
      // The values of inputs that are not set.
      TARGET_API_KEY: '',
      TARGET_PROFILE: '',
      CTS_STRICT: 'false',
      CTS_CASES: '',
      CTS_SEED: '',
      CTS_DEPTH: '',
      CTS_SHARD: '',
      CTS_BASELINE: '',
      CTS_BASELINE_UNTIL: '',
      COMPARE_WITH: '',
      ...given,
    },
  });
  const read = (name: string): string =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '';
  const has = (name: string): boolean => existsSync(join(folder, name));
  return { code, screen: stdout + stderr, output: read('output'), summary: read('summary'), read, has };
}

async function service(fault?: string): Promise<Record<string, string>> {
  const behaviour = allFaults.find(({ name }) => name === fault)?.behaviour();
  const { baseUrl, apiKey, stop } = await startReference(behaviour);
  stops.push(stop);
  return { TARGET_BASE_URL: baseUrl, TARGET_API_KEY: apiKey };
}

/** A suite that only writes down how it was called. */
function stub(): string {
  const suite = newFolder();
  mkdirSync(join(suite, 'lib/cli'), { recursive: true });
  writeFileSync(
    join(suite, 'lib/cli/bin.js'),
    `const fs = require('fs');
     const [command, ...rest] = process.argv.slice(2);
     fs.appendFileSync('calls', JSON.stringify([command, ...rest]) + '\\n');
     if (command === 'run') {
       fs.writeFileSync('proxy', process.env.https_proxy ?? '');
       fs.mkdirSync('reports');
       fs.writeFileSync('reports/conformance.json', '{"verdict":"conforms"}');
     } else { console.log('what changed'); process.exit(Number(process.env.DIFF_CODE)); }`,
  );
  return suite;
}

describe('the script of the action', () => {
  it('outputs the verdict and the folder of the reports', async () => {
    const { code, output, read } = await act({}, stub());
    expect(read('calls')).toBe('["run","--out","reports"]\n');
    expect(output).toBe('report=reports\nverdict=conforms\n');
    expect(code).toBe(0);
  });

  it('fails when the service does not conform, and outputs that verdict', async () => {
    const inputs = { CTS_SEED: '7', CTS_CASES: '60' };
    const { code, output, read } = await act({ ...(await service('name-html-escape')), ...inputs });
    expect(output).toBe('report=reports\nverdict=does-not-conform\n');
    expect(JSON.parse(read('reports/conformance.json'))).toMatchObject({ run: { seed: 7, strict: false } });
    expect(code).toBe(1);
  });

  it('outputs no verdict when nothing was judged', async () => {
    const { code, output, screen } = await act({ TARGET_BASE_URL: 'http://127.0.0.1:9' });
    expect(output).toBe('verdict=\n');
    expect(screen).toContain('TARGET_API_KEY is missing');
    expect(code).toBe(2);
  });

  it('reports wrong usage as an annotation and in the summary, and hands every input on', async () => {
    const inputs = { CTS_BASELINE: 'none.json', CTS_BASELINE_UNTIL: '2027-03-31', GITHUB_ACTIONS: 'true' };
    const { code, screen, summary } = await act(inputs);
    expect(screen).toContain(
      '::error title=Wrong usage or settings%3A nothing was sent::CTS_BASELINE: the file',
    );
    expect(summary).toContain('CTS_BASELINE: the file does not exist');
    expect(code).toBe(2);
  });

  it('does not check the embedded service where the URL is empty', async () => {
    const { code, screen } = await act({ TARGET_BASE_URL: '' });
    expect(screen).toContain('TARGET_BASE_URL is empty');
    expect(code).toBe(2);
  });

  it('goes through the proxy that an input names', async () => {
    const { read } = await act({ PROXY: 'http://proxy.example:3128' }, stub());
    expect(read('proxy')).toBe('http://proxy.example:3128');
  });

  it('leaves variables of the job as they are where an input is not set', () => {
    const text = readFileSync(join(github, 'actions/conformance/action.yml'), 'utf8');
    const set = [...text.matchAll(/^ {8}((?:TARGET|CTS)_\w+): \$\{\{ (.*) \}\}$/gm)];
    expect(set.length).toBeGreaterThan(10);
    for (const [, name, value] of set)
      expect(value).toMatch(
        name === 'TARGET_BASE_URL' ? /^inputs/ : new RegExp(`^inputs\\.[a-z-]+ \\|\\| env\\.${name}$`),
      );
    expect(text).not.toContain("default: 'false'");
  });

  it('never runs an input as shell', async () => {
    const { code, has } = await act({ TARGET_BASE_URL: '$(touch pwned)', CTS_SHARD: '"; touch pwned; "' });
    expect([code, has('pwned')]).toEqual([2, false]);
    const stubbed = await act({ CTS_SHARD: '1/2; touch pwned', COMPARE_WITH: '$(touch pwned)' }, stub());
    expect(stubbed.has('pwned')).toBe(false);
    expect(stubbed.read('calls')).toBe(
      '["run","--out","reports"]\n["diff","$(touch pwned)","reports","--format","markdown"]\n',
    );
  });

  it.each([
    ['0', '', 'what changed\n'],
    ['1', '', 'what changed\n'],
    ['3', '', 'what changed\n'],
    ['2', '::warning::', 'what changed\n'],
  ])(
    'compares with an earlier report, and does not fail with the exit code %s of `diff`',
    async (diff, warning, text) => {
      const { code, summary, screen, read } = await act(
        { COMPARE_WITH: 'old.json', DIFF_CODE: diff },
        stub(),
      );
      expect(read('calls')).toContain('["diff","old.json","reports","--format","markdown"]');
      expect(summary).toBe(text);
      expect(screen.includes('::warning::')).toBe(warning !== '');
      expect(code).toBe(0);
    },
  );
});

/** Runs the gate script, with a suite whose run exits with a code. */
function gate(code: number, variables: Readonly<Record<string, string | undefined>>) {
  const folder = newFolder();
  const called = 'echo "called with $*, for ${TARGET_BASE_URL-a service of its own}"';
  writeFileSync(join(folder, 'node'), `#!/bin/sh\n${called}\nexit ${code}\n`);
  chmodSync(join(folder, 'node'), 0o755);
  return spawnSync('sh', [join(github, 'examples/gate.sh'), '--strict'], {
    env: { ...process.env, PATH: [folder, process.env['PATH']].join(delimiter), ...variables },
    encoding: 'utf8',
  });
}

describe('the gate script for a plain shell', () => {
  it.each([undefined, ''])('never tests the reference service if the target is %j', (url) => {
    const { stdout } = gate(0, { TARGET_BASE_URL: url });
    expect(stdout).toContain('called with cts/lib/cli/bin.js run --strict, for \n');
  });

  it.each([
    [0, 'what --only selects passes: deploy'],
    [1, 'does not conform'],
    [2, 'There is no verdict (exit code 2)'],
    [3, 'Inconclusive'],
    [4, 'There is no verdict (exit code 4)'],
  ])('exits with the exit code of the run, %i, and prints %j', (code, words) => {
    const { status, stdout } = gate(code, { TARGET_BASE_URL: 'https://staging.example.com' });
    expect(stdout).toContain(
      'called with cts/lib/cli/bin.js run --strict, for https://staging.example.com\n',
    );
    expect(stdout).toContain(words);
    expect(status).toBe(code);
  });
});
